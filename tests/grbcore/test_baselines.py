"""Making a board's baselines: from recipes, each once, each repeat from its own stream."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from grbcore import baselines, catalog
from grbcore.attacks import RND
from grbcore.catalog import AttackRecipe, Board, DefenseRecipe, Surrogate
from grbcore.datasets import Dataset
from grbcore.graph import Graph
from grbcore.models import load
from grbcore.scenario import DIFFICULTIES
from grbcore.seeds import generator
from grbcore.submission import check_content, read_attack

GCN = DefenseRecipe(name="GCN+LN", architecture="GCN", parameters={"hidden": [4]}, epochs=2)
LATER = GCN.model_copy(update={"name": "later", "starter": False})
RANDOM = AttackRecipe(name="RND", method="RND")
FGSM = AttackRecipe(
    name="FGSM",
    method="FGSM",
    arguments={"steps": 2},
    surrogate=Surrogate(architecture="GCN", parameters={"hidden": [4]}, seed=9),
)


@pytest.fixture(scope="module")
def small() -> Board:
    """The digits board with recipes that take no time."""
    board = catalog.board("digits/injection@1")
    return board.model_copy(update={"defenses": (GCN, LATER), "attacks": (RANDOM,)})


def names(made: list[baselines.Artefact]) -> list[str]:
    return [artefact.recipe.name for artefact in made]


def test_each_baseline_is_a_valid_submission(small: Board, digits: Dataset, tmp_path: Path) -> None:
    made = list(baselines.make(small, digits, tmp_path))
    assert [
        check_content(one.path, side=one.side, board=small, dataset=digits) for one in made
    ] == [(), ()]


def test_defenses_come_before_attacks_and_only_the_starter_set_unless_asked(
    small: Board, digits: Dataset, tmp_path: Path
) -> None:
    assert names(list(baselines.make(small, digits, tmp_path))) == ["GCN+LN", "RND"]
    everything = list(baselines.make(small, digits, tmp_path, starter=False))
    assert names(everything) == ["GCN+LN", "later", "RND"]


def test_what_is_there_is_not_made_again(small: Board, digits: Dataset, tmp_path: Path) -> None:
    first = [one.path.stat().st_ino for one in baselines.make(small, digits, tmp_path)]
    said: list[str] = []
    again = list(baselines.make(small, digits, tmp_path, announce=said.append))
    assert [one.path.stat().st_ino for one in again] == first
    assert said == []


def test_a_half_written_file_does_not_count(small: Board, digits: Dataset, tmp_path: Path) -> None:
    (one, _) = baselines.make(small, digits, tmp_path)
    content = one.path.read_bytes()
    one.path.rename(one.path.with_name(f"{one.path.name}.part"))
    said: list[str] = []
    (again, _) = baselines.make(small, digits, tmp_path, announce=said.append)
    assert said == ["training GCN+LN"]
    assert again.path.read_bytes() == content


def test_a_recipe_that_is_not_wanted_is_not_made(
    small: Board, digits: Dataset, tmp_path: Path
) -> None:
    made = list(baselines.make(small, digits, tmp_path, skip={("defense", "GCN+LN")}))
    assert names(made) == ["RND"]
    assert [path.suffix for path in tmp_path.iterdir()] == [".npz"]


def test_an_upgrade_of_the_package_finds_the_same_files(
    small: Board, digits: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = [one.path for one in baselines.make(small, digits, tmp_path)]
    monkeypatch.setattr("grbcore.__version__", "99.0")
    monkeypatch.setattr("grbcore.baselines.__version__", "99.0", raising=False)
    assert [one.path for one in baselines.make(small, digits, tmp_path)] == before


def test_another_recipe_is_another_file(small: Board, digits: Dataset, tmp_path: Path) -> None:
    changed = small.model_copy(
        update={"defenses": (GCN.model_copy(update={"seed": 1}),), "attacks": ()}
    )
    (one, _) = baselines.make(small, digits, tmp_path)
    (other,) = baselines.make(changed, digits, tmp_path)
    assert one.path != other.path


def test_the_same_recipe_gives_the_same_bytes(
    small: Board, digits: Dataset, tmp_path: Path
) -> None:
    made = [list(baselines.make(small, digits, tmp_path / one)) for one in ("a", "b")]
    for one, other in zip(*made, strict=True):
        assert one.path.read_bytes() == other.path.read_bytes()


def test_every_difficulty_and_repeat_draws_from_its_own_stream(
    small: Board, digits: Dataset, tmp_path: Path
) -> None:
    """The seed comes from board, attack, difficulty and repeat, so each can be drawn alone."""
    path = tmp_path / "attack.npz"
    baselines.run(RANDOM, small, digits, None, path)
    with path.open("rb") as file:
        found = read_attack(file, small)
    graph = Graph.from_dataset(digits)
    for difficulty in DIFFICULTIES:
        for repeat in range(3):
            rng = generator(small.id, "RND", difficulty, repeat, 0)
            budget, targets = small.budget(difficulty), digits.targets[difficulty]
            alone = RND()(None, graph, targets, budget=budget, rng=rng)  # type: ignore[arg-type]
            assert found[difficulty][repeat].digest() == alone.digest()


def test_repeats_have_different_topologies(small: Board, digits: Dataset, tmp_path: Path) -> None:
    path = tmp_path / "attack.npz"
    baselines.run(RANDOM, small, digits, None, path, difficulties=("full",))
    with path.open("rb") as file:
        repeats = read_attack(file, small)["full"]
    assert len({np.asarray(one.edges).tobytes() for one in repeats}) == 3  # type: ignore[union-attr]


def test_the_attackers_surrogate_is_none_of_the_defenses(
    small: Board, digits: Dataset, tmp_path: Path
) -> None:
    """It is trained from a seed of its own, once for all attacks that name it."""
    board = small.model_copy(
        update={"defenses": (GCN,), "attacks": (FGSM, FGSM.model_copy(update={"name": "again"}))}
    )
    said: list[str] = []
    (defense, *_) = list(baselines.make(board, digits, tmp_path, announce=said.append))
    assert [step for step in said if "surrogate" in step] == ["training the surrogate of FGSM"]
    (surrogate,) = tmp_path.glob("surrogate-*.safetensors")
    models = [load(path, features=64, classes=10)[0] for path in (surrogate, defense.path)]
    weights = [model.state_dict()["convs.0.weight"] for model in models]
    assert not weights[0].equal(weights[1])
