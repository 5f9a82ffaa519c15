"""Settings: what holds where nothing is set, and what the broker is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from grbcore.needs import NEEDS
from grbcore.settings import Settings, celery_options, faults


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"GRB_{name.upper()}", raising=False)
    monkeypatch.chdir(tmp_path)


def test_without_settings_everything_lives_under_var(tmp_path: Path) -> None:
    settings = Settings()
    assert settings.database_url == f"sqlite:///{tmp_path}/var/grb.db"
    assert settings.blob_url == f"file://{tmp_path}/var/blobs"
    assert settings.broker_url == "filesystem://"


def test_the_environment_sets_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GRB_DATABASE_URL", "postgresql://db/grb")
    monkeypatch.setenv("GRB_DATA_DIR", "data")
    monkeypatch.setenv("GRB_PORT", "9000")
    settings = Settings()
    assert settings.database_url == "postgresql://db/grb"
    assert (settings.port, settings.data_dir) == (9000, tmp_path / "data")


def test_a_port_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRB_PORT", "70000")
    with pytest.raises(ValidationError):
        Settings()


def test_sender_and_worker_share_the_folders_of_the_filesystem_broker(tmp_path: Path) -> None:
    options = celery_options(Settings())["broker_transport_options"]
    assert options["data_folder_in"] == options["data_folder_out"]
    for name in ("data_folder_in", "control_folder"):
        assert Path(options[name]).is_dir()
        assert Path(options[name]).is_relative_to(tmp_path / "var" / "broker")


def test_a_message_of_a_killed_worker_comes_back_within_seconds_on_redis() -> None:
    settings = Settings(broker_url="redis://127.0.0.1:6379/0")
    options = celery_options(settings)["broker_transport_options"]
    assert options["visibility_timeout"] <= 60
    assert options["unacked_restore_interval"] <= 2


def test_a_worker_takes_every_board_unless_it_says_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert Settings().takes == NEEDS
    monkeypatch.setenv("GRB_TAKES", "gpu-large, gpu")
    assert Settings().takes == ("gpu", "gpu-large")


@pytest.mark.parametrize(
    ("given", "expected"),
    [("cpu", "cpu"), (" cpu , cuda:0,CUDA:12", "cpu,cuda:0,cuda:12"), ("auto", "auto")],
)
def test_devices_are_listed_between_commas(
    given: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRB_DEVICE", given)
    assert Settings().device == expected


def test_sizes_may_have_a_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRB_CHILD_MEMORY", "8GiB")
    monkeypatch.setenv("GRB_CHILD_SCRATCH", "0")
    settings = Settings()
    assert (settings.child_memory, settings.child_scratch) == (8 * 1024**3, 0)


def test_boards_may_be_given_other_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRB_NEEDS", "grb-flickr/injection@1=cpu, digits/injection@1=gpu")
    assert Settings().needs == {"grb-flickr/injection@1": "cpu", "digits/injection@1": "gpu"}


@pytest.mark.parametrize(
    ("name", "given", "allowed"),
    [
        ("TAKES", "tpu", "one or more of cpu, gpu, gpu-large"),
        ("TAKES", ",", "one or more of cpu, gpu, gpu-large"),
        ("DEVICE", "cuda:", "auto, or cpu, cuda and cuda:N between commas"),
        ("DEVICE", "auto,cpu", "auto, or cpu, cuda and cuda:N between commas"),
        ("NEEDS", "digits=tpu", "boards of the catalog, and one of cpu, gpu, gpu-large"),
        ("NEEDS", "digits=gpu", "boards of the catalog, which digits is not, and one of cpu"),
        ("NEEDS", "grb-flikr/injection@1=cpu", "boards of the catalog, which grb-flikr/inj"),
        ("CHILD_MEMORY", "much", "a size such as 8GiB, or 0 for no limit"),
    ],
)
def test_what_is_not_allowed_says_what_is(
    name: str, given: str, allowed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"GRB_{name}", given)
    with pytest.raises(ValidationError) as refused:
        Settings()
    (told,) = faults(refused.value)
    assert told.startswith(f"GRB_{name}: found {given!r}, allowed: {allowed}")
