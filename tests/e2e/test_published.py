"""Published attacks, models and faults of grb-cora, from file to ranking."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from grbcore import datasets, models
from grbcore.graph import Graph
from tests.e2e.stack import Stack, production
from tests.store import databases

pytestmark = pytest.mark.real_data

CORA = "grb-cora/injection@1"


@pytest.fixture(scope="module")
def cora(
    tmp_path_factory: pytest.TempPathFactory, broker_url: str, real_data: Path
) -> Iterator[Stack]:
    """A service with grb-cora's data and a plain GCN, trained here, on its board."""
    folder = tmp_path_factory.mktemp("cora")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRB_DATA_DIR", str(real_data))
        with (
            databases.postgres(migrated=False) as url,
            production(folder, url, broker_url) as stack,
        ):
            stack.grb("train", CORA, "--seed", "3", "--out", "gcn.safetensors")
            gcn = stack.submit(folder / "gcn.safetensors", board=CORA, side="defense", name="GCN")
            assert stack.settled(gcn)["state"] == "ranked"
            yield stack


def accuracy(stack: Stack, attack: str, defense: str) -> float:
    matrix = stack.get(f"/boards/{CORA}/matrix", view="all")
    cells = {(cell["attack"], cell["defense"]): cell for cell in matrix["cells"]}
    return float(cells[attack, defense]["accuracy"]["full"]["mean"])


@pytest.mark.parametrize("name", ["gia", "agia"])
def test_published_attack_halves_a_plain_gcn(cora: Stack, real_data: Path, name: str) -> None:
    """GRB's published attacks carry full only; they leave at most 0.50 of about 0.85."""
    path = cora.folder / f"{name}.npz"
    source = real_data / "attacks" / "grb-cora" / name
    cora.grb("convert", str(source), "--board", CORA, "--out", str(path))
    cora.grb("check", str(path), "--board", CORA)
    attack = cora.submit(path, board=CORA, side="attack", name=name, family=f"other:{name}")
    done = cora.settled(attack)
    assert (done["state"], done["difficulties"], done["repeats"]) == ("ranked", ["full"], 1)
    gcn = next(d["id"] for d in cora.get(f"/boards/{CORA}/matrix", view="all")["defenses"])
    assert accuracy(cora, "clean", gcn) > 0.82
    assert accuracy(cora, attack, gcn) <= 0.50


def test_published_gcn_scores_what_it_is_published_for(cora: Stack, real_data: Path) -> None:
    """Raw features, converted here: 0.8800 on nodes 2180..2679, as ../shared/data says."""
    path = cora.folder / "published.safetensors"
    source = real_data / "models" / "grb-cora" / "gcn.pt"
    cora.grb("convert", str(source), "--board", CORA, "--features", "raw", "--out", str(path))
    cora.grb("check", str(path), "--board", CORA)
    dataset = datasets.load("grb-cora", data_dir=real_data)
    model, header = models.load(path, features=302, classes=7)
    assert header.features == "raw"
    logits = model(Graph.from_dataset(dataset, raw=True)).detach().numpy()
    nodes = np.arange(2180, 2680)
    correct = (logits[nodes].argmax(axis=1) == dataset.labels[nodes]).mean()
    assert correct == pytest.approx(0.8800, abs=1e-9)
    defense = cora.submit(path, board=CORA, side="defense", name="Published GCN")
    assert cora.settled(defense)["state"] == "ranked"


def test_published_gin_is_refused_with_the_names_that_differ(cora: Stack, real_data: Path) -> None:
    source = real_data / "models" / "grb-cora" / "gin.pt"
    done = cora.grb("convert", str(source), "--board", CORA, check=False)
    assert done.returncode == 1
    assert "convs.0.batch_norm.weight" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("corrupt-checkpoint.pt", "damaged"),
        ("whole-module-pickle.pt", "grb.model.torch.gcn.GCN"),
        ("weights-1e10", "weights other than 1, such as 1e+10"),
        ("weights-1e10", "found shape (500, 100)"),
    ],
)
def test_converting_a_broken_file_says_why(
    cora: Stack, real_data: Path, fault: str, told: str
) -> None:
    source = real_data / "malformed" / fault
    done = cora.grb("convert", str(source), "--board", CORA, check=False)
    assert done.returncode == 1
    assert told in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("fault", "side", "found"),
    [
        ("corrupt-checkpoint.pt", "defense", "zip archive"),
        ("whole-module-pickle.pt", "defense", "zip archive"),
        ("weights-1e10/adj_attack.npz", "attack", "member"),
        ("weights-1e10/features_attack.npy", "attack", "single numpy array"),
    ],
)
def test_broken_file_uploaded_as_it_is_is_refused(
    cora: Stack, real_data: Path, fault: str, side: str, found: str
) -> None:
    path = real_data / "malformed" / fault
    fields = {"family": "other:broken"} if side == "attack" else {}
    answer = cora.upload(path, board=CORA, side=side, **fields)
    assert answer.status_code == 422
    violations = answer.json()["violations"]
    assert violations
    assert any(found in violation["found"] for violation in violations)
    assert cora.get("/health")["status"] == "ok"


def test_the_same_faults_in_our_format_are_refused_at_home_and_at_upload(cora: Stack) -> None:
    """weights-1e10 rebuilt: a member of weights, and 100 features where grb-cora has 302."""
    path = cora.folder / "rebuilt.npz"
    edges = np.stack([np.full(20, 2680), np.arange(20)]).astype(np.int64)
    np.savez(
        path,
        **{
            "full/0/edges": edges,
            "full/0/features": np.zeros((1, 100), np.float32),
            "full/0/weights": np.full(20, 1e10, np.float32),
        },
    )
    at_home = cora.grb("check", str(path), "--board", CORA, check=False)
    assert at_home.returncode == 1
    at_upload = cora.upload(path, board=CORA, side="attack", family="other:broken")
    assert at_upload.status_code == 422
    places = {violation["place"] for violation in at_upload.json()["violations"]}
    assert places == {"full/0/weights", "full/0/features"}
    for violation in at_upload.json()["violations"]:
        assert violation["place"] in at_home.stdout
        assert violation["found"] in at_home.stdout
        assert violation["allowed"] in at_home.stdout
