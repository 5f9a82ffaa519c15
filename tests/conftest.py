"""What every test shares: real data, tests left out by choice, one thread for each library."""

from __future__ import annotations

import atexit
import gc
import os
import tempfile
from pathlib import Path

import certifi
import pytest
from hypothesis import HealthCheck, settings

# before any test imports a library that reads them
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")


def one_authority() -> str:
    """A file with one certificate: nothing here speaks TLS, and reading all of them for each
    client of a test, 20 ms, would take minutes."""
    bundle = Path(certifi.where()).read_text("ascii")
    end = "-----END CERTIFICATE-----\n"
    handle, name = tempfile.mkstemp(prefix="grb-tests-", suffix=".pem")
    os.close(handle)
    Path(name).write_text(bundle[bundle.index("-----BEGIN") : bundle.index(end) + len(end)])
    atexit.register(os.unlink, name)
    return name


if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ["SSL_CERT_FILE"] = one_authority()
os.environ["COLUMNS"] = "160"  # tables of the command are as wide wherever the tests run

ROOT = Path(__file__).resolve().parents[1]
FILES = ("adj", "features", "index", "labels")

settings.register_profile(
    "quick", deadline=None, max_examples=60, derandomize=True, database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)  # fmt: skip
settings.register_profile("long", settings.get_profile("quick"), max_examples=500)
settings.load_profile("quick")

#: Files whose tests go over Postgres in ``make test-long``, but those marked ``on_postgres``: what
#: they ask the database is held on both by the tests of the store, and every route is asked over
#: both by `test_every_route`.
ON_SQLITE = {
    "tests/api/": {
        "admin_reevaluations", "answers", "arena", "client_commands", "compared_differences",
        "downloads", "edit_and_delete", "error_boards", "flags", "get_boards", "get_breakdown",
        "get_confusion", "get_leaderboard", "get_matrix", "get_score", "get_submissions",
        "get_table", "graph_recompute", "graph_submissions", "headers", "hidden_halves", "holdouts",
        "hosts_and_methods", "links", "logs", "looks", "mail", "mail_address", "many_entries",
        "markdown", "measure", "notifications", "oversight", "page", "permissions", "post_files",
        "providers", "quotas", "recompute", "results_files", "roles", "service", "shared", "sheets",
        "sign_in", "snapshots", "status", "studies", "submit_in_parts", "tables", "texts",
        "uploads", "uploads_broken", "visibility", "webhooks",
    },
    "tests/worker/": {
        "error_boards", "graph_boards", "graph_halves", "graph_holdouts", "graph_intervals",
        "hidden_halves", "holdouts", "hostile_batches", "intervals", "logs", "real_evaluator",
        "supervisor",
    },
}  # fmt: skip

#: Files that take longest, which begin first, so that none is left at the end on one core.
FIRST = (
    "worker/test_worker_process.py", "worker/test_real_evaluator.py", "chaos",
    "store/test_moving.py",
    "grbcore/test_evaluator.py", "worker/test_hostile_batches.py", "worker/test_supervisor.py",
    "worker", "api/test_every_route.py", "api/test_graph_boards.py", "store/test_upgrade.py",
    "grbcore/test_interruption.py",
    "store/test_doctor.py", "api/test_service.py", "grbcore/test_docs.py",
    "e2e/test_main_loop.py", "e2e/test_secrets.py", "e2e/test_accessibility.py",
)  # fmt: skip

left_out_key = pytest.StashKey[int]()


def data_folder() -> Path:
    """GRB_DATA_DIR, else the folder ``shared/data`` beside the repository."""
    return Path(os.environ.get("GRB_DATA_DIR") or ROOT.parent / "shared" / "data").absolute()


def data_missing() -> str | None:
    """Why the real data can't be used, or None where it can."""
    folder = data_folder() / "grb-cora"
    missing = [f"{name}.npz" for name in FILES if not (folder / f"{name}.npz").is_file()]
    return f"{folder} lacks {', '.join(missing)}" if missing else None


def needs_data(item: pytest.Item) -> bool:
    named = "real_data" in getattr(item, "fixturenames", ())
    return named or item.get_closest_marker("real_data") is not None


def over_postgres_later(item: pytest.Item) -> bool:
    """Whether it is of a file of `ON_SQLITE`, over Postgres, and not marked ``on_postgres``."""
    called = getattr(item, "callspec", None)
    if called is None or called.params.get("store_url") != "postgres":
        return False
    if item.get_closest_marker("on_postgres"):
        return False
    folder = f"{item.path.parent.relative_to(ROOT)}/"
    return item.path.stem.removeprefix("test_") in ON_SQLITE.get(folder, ())


def turn(item: pytest.Item) -> tuple[bool, int]:
    """Whether it drives a browser, whose event loop stays in its process and lets no other run
    there, and its place in `FIRST`, by its file or its folder."""
    path = item.path.relative_to(ROOT / "tests")
    place = next((n for n, name in enumerate(FIRST) if path.is_relative_to(name)), len(FIRST))
    return path.is_relative_to("e2e"), place


def pytest_configure(config: pytest.Config) -> None:
    if "long" in config.option.markexpr:
        settings.load_profile("long")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out long tests unless asked for, and tests of real data where there is none."""
    left_out = []
    for item in filter(over_postgres_later, items):
        item.add_marker(pytest.mark.long)
    if "long" not in config.option.markexpr:
        left_out += [item for item in items if item.get_closest_marker("long")]
    if os.geteuid() != 0:
        left_out += [item for item in items if item.get_closest_marker("root")]
    without_data: list[pytest.Item] = []
    if data_missing() and os.environ.get("GRB_REQUIRE_DATA") != "1":
        without_data = [item for item in items if needs_data(item) and item not in left_out]
    config.stash[left_out_key] = len(without_data)
    gone = {*left_out, *without_data}
    if gone:
        config.hook.pytest_deselected(items=list(gone))
        items[:] = [item for item in items if item not in gone]
    items.sort(key=turn)


def pytest_collection_finish() -> None:
    """What is imported and collected stays to the end, so nobody looks through it for garbage."""
    gc.collect()
    gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    why = data_missing() if needs_data(item) else None
    if why:
        pytest.fail(f"GRB_REQUIRE_DATA=1, but {why}; set GRB_DATA_DIR", pytrace=False)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    count = config.stash.get(left_out_key, 0)
    if count:
        terminalreporter.write_line(
            f"left out {count} tests of real data: {data_missing()}; set GRB_DATA_DIR to run them"
        )


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder that holds grb-cora and, beside it, published attacks, models and faults."""
    return data_folder()
