"""Hold-outs of a board on whole graphs: made, measured and told at its budgets."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import select
from typer.testing import CliRunner

from grbcore.cli.main import app
from grbcore.evaluate import evaluate
from grbcore.graphlevel.models import Shape
from grbcore.graphlevel.models.weights import load
from grbcore.graphlevel.shape import together
from grbcore.holdouts import Holdout, planned
from grbcore.perturbation import GraphChanges
from grbcore.scenario import BUDGETS, MEAN, Difficulty
from grbcore.settings import Settings
from grbcore.store import holdouts
from grbcore.store.holdouts import Made
from grbcore.store.presence import BASELINES
from grbcore.store.session import Sessions, now
from grbcore.store.tables import HoldoutAttack, HoldoutCell, Submission, User
from grbcore.submission import read_attack, write_attack
from tests.conftest import data_folder
from tests.grbcore.graphlevel.test_graph_boards import random_flips
from tests.store.graph_world import GraphWorld
from tests.store.world import START
from tests.worker.fixtures import wait_for
from tests.worker.test_graph_boards import BOARD, Graphs, defense, graphs  # noqa: F401
from worker.supervisor import Supervisor


def test_references_are_made_at_three_budgets_and_what_can_not_make_them_all_is_left_out() -> None:
    """Brute force changes one thing of each graph, whatever the budget."""
    found = planned(BOARD, {"Random"}, {"Random"})
    assert [(one.recipe.name, one.factor) for one in found if one.kind == "budget"] == [
        ("Random", 0.5), ("Random", 1.0), ("Random", 2.0),
    ]  # fmt: skip
    unseen = [one.recipe for one in found if one.kind == "unseen"]
    assert [one.method for one in unseen] == ["AdjPGD", "Genetic"]
    assert all(one.surrogate is not None for one in unseen)


@pytest.mark.real_data
def test_grb_admin_holdout_makes_them_within_the_scaled_budget_of_each_graph(
    graphs: Graphs,  # noqa: F811
    sessions: Sessions,
    store_url: str,
    tmp_path: Path,
) -> None:
    """Half of 1 to 5 changes is 1, 1, 2, 2 and 3, double 2 to 10."""
    with sessions.writing() as session:
        owner = User(name=BASELINES, created_at=START)
        session.add(owner)
        session.flush()
        user = owner.id
    world = GraphWorld.of(graphs)
    for name, side in (("Random", "attack"), ("GINE", "defense")):
        entry = world.add(side, reference=True)  # type: ignore[arg-type]
        with sessions.writing() as session:
            row = session.get_one(Submission, entry)
            row.name, row.family, row.user_id = name, name, user
    told = {
        "GRB_DATABASE_URL": store_url,
        "GRB_VAR_DIR": str(tmp_path / "var"),
        "GRB_BLOB_URL": (tmp_path / "blobs").as_uri(),
        "GRB_DATA_DIR": str(data_folder()),
        "COLUMNS": "200",
    }

    def admin(*arguments: str) -> str:
        done = CliRunner().invoke(app, ["admin", "holdout", *arguments], env=told)
        return f"{done.exit_code} {done.output}"

    done = admin("prepare", BOARD.id, "--no-unseen", "--repeats", "1")
    assert f"{BOARD.id} has 3 hold-outs" in done, done
    with sessions.reading() as session:
        rows = session.scalars(select(HoldoutAttack).order_by(HoldoutAttack.factor)).all()
        assert [row.contents["difficulties"] for row in rows] == [[*BUDGETS]] * 3
    spent = {}
    for row in rows:
        path = tmp_path / "blobs" / row.sha256[:2] / row.sha256
        with path.open("rb") as file:
            found = read_attack(file, BOARD)
        spent[row.factor] = [_most(found[name][0]) for name in BUDGETS]
    assert spent == {0.5: [1, 1, 2, 2, 3], 1.0: [1, 2, 3, 4, 5], 2.0: [2, 4, 6, 8, 10]}
    shown = admin("show", entry)
    assert "0 of 3 are measured" in shown
    assert "allowed: 1, 2, 3, 4, 5, mean" in admin("show", entry, "--difficulty", "full")
    assert "zinc/adjacency@1: found a board of errors" in admin("prepare", "zinc/adjacency@1")


def _most(changes: object) -> int:
    assert isinstance(changes, GraphChanges)
    return int(np.diff(changes.graph_ptr).max())


@pytest.mark.real_data
def test_a_defense_is_measured_at_double_the_budget_as_by_hand(
    graphs: Graphs,  # noqa: F811
    settings: Settings,
    tmp_path: Path,
) -> None:
    """And an attack that uses more than its part of the budget is refused there too."""
    made, attacks = [], {}
    for name, factor, times in (("A", 2.0, 2), ("B", 0.5, 1)):
        rng = np.random.default_rng(times)
        attacks[name] = _flips(graphs, rng, times)
        path = tmp_path / name
        write_attack(path, attacks[name])
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        recipe = BOARD.attacks[0].model_copy(update={"name": name})
        contents = {"difficulties": [*BUDGETS], "repeats": 1}
        made.append(Made(Holdout(recipe, "budget", factor), path, digest, contents))
    weights = defense(tmp_path / "d", graphs.dataset, 1)
    entry = graphs.send("defense", weights)
    supervisor = Supervisor(settings, poll=0.1)
    supervisor.start()
    try:
        wait_for(lambda: graphs.state(entry) == "ranked", 60)
        with graphs.sessions.writing() as session:
            protocol = BOARD.protocol(graphs.dataset.digest)
            holdouts.place(
                session, graphs.blobs, BOARD.id, made,
                protocol=protocol, user_id=None, via="cli", now=now(),
            )  # fmt: skip
        with graphs.sessions.writing() as session:
            row = session.get_one(Submission, entry)
            holdouts.ask(session, row, user_id=None, via="cli", now=now())
        wait_for(lambda: states(graphs) == {"A": "done", "B": "failed"}, 60)
    finally:
        supervisor.stop()
        assert supervisor.join(10)
    model, _ = load(weights, Shape.of(graphs.dataset))
    by_hand = evaluate(BOARD.at_budget(2), graphs.dataset, model=model, attack=attacks["A"])
    found = {row.attack.name: row for row in rows_of(graphs)}
    assert found["A"].correct == {name: list(by_hand.correct[name]) for name in BUDGETS}
    assert found["B"].error_code is not None and found["B"].error_code.startswith("budget")
    assert graphs.state(entry) == "ranked"
    with graphs.sessions.reading() as session:
        standing = holdouts.standing(session, session.get_one(Submission, entry))
        (one,) = standing.at(MEAN)
    shares = [by_hand.correct[name][0] / 19 for name in BUDGETS]
    assert one.mean == pytest.approx(sum(shares) / 5)


def _flips(
    graphs: Graphs,  # noqa: F811
    rng: np.random.Generator,
    times: int,
) -> dict[Difficulty, list[GraphChanges]]:
    test = graphs.dataset.part("test")
    return {
        name: [together([random_flips(rng, one.n, times * int(name)) for one in test])]
        for name in BUDGETS
    }


def rows_of(graphs: Graphs) -> list[HoldoutCell]:  # noqa: F811
    with graphs.sessions.reading() as session:
        found = list(session.scalars(select(HoldoutCell)))
        assert all(row.attack for row in found)
        return found


def states(graphs: Graphs) -> dict[str, str]:  # noqa: F811
    return {row.attack.name: row.state for row in rows_of(graphs)}
