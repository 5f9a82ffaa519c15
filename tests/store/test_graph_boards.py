"""What a board on whole graphs is once it has entries: snapshots, re-evaluations, seasons, flags,
duplicates, the arena, deletion."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from grbcore import snapshots
from grbcore.cli.main import app
from grbcore.leaderboard import rank
from grbcore.results import Cell
from grbcore.scenario import BUDGETS, MEAN, SIDES
from grbcore.store import application, arenas, clusters, reevaluation, seasons
from grbcore.store import snapshots as kept
from grbcore.store.blobs import Blobs
from grbcore.store.counts import Counts
from grbcore.store.deletion import delete_submission
from grbcore.store.flags import board_flags
from grbcore.store.orphans import tidy
from grbcore.store.previews import preview
from grbcore.store.queries import heads
from grbcore.store.selection import Selection
from grbcore.store.session import Sessions
from grbcore.store.tables import BoardRow, CellRow, Reevaluation, Submission
from grbcore.store.views import arena, scores, standing
from tests.store.graph_world import BOARD, GRAPHS, GraphWorld, falling
from tests.store.world import PROTOCOL, at

LATER = datetime(2026, 2, 1, 0, 10, tzinfo=UTC)


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    return Blobs((tmp_path / "blobs").as_uri())


@pytest.fixture
def graphs(sessions: Sessions, blobs: Blobs) -> GraphWorld:
    return GraphWorld(sessions, blobs)


@pytest.fixture
def entries(graphs: GraphWorld) -> dict[str, str]:
    """References of both sides, and an attack by somebody that leaves four graphs less."""
    found = {
        "defense": graphs.add("defense", reference=True),
        "random": graphs.add("attack", falling(16, 1), reference=True),
        "strong": graphs.add("attack", falling(12, 2)),
    }
    families = {"defense": "Bag", "random": "Random", "strong": "AdjPGD"}
    with graphs.sessions.writing() as session:
        for name, entry in found.items():
            session.get_one(Submission, entry).family = families[name]
    return found


def test_a_snapshot_has_the_rankings_of_every_budget_and_of_the_mean(
    graphs: GraphWorld, blobs: Blobs, entries: dict[str, str]
) -> None:
    """They follow from its cells, and its tables are of the mean."""
    made = kept.make(graphs.sessions, blobs, BOARD, user_id=None, via="cli", reason=None, now=LATER)
    row = kept.current(graphs.sessions, blobs, made, LATER)
    assert row is not None
    files = {name: blobs.read(file.sha256) for name, file in kept.kept_files(row).items()}
    found = snapshots.Snapshot.model_validate_json(files["snapshot.json"])
    assert {one.difficulty for one in found.rankings} == {*BUDGETS, MEAN}
    assert len(found.rankings) == 2 * 2 * 6
    again = snapshots.rankings(found.board, found.entries, found.cells, found.repeats)
    assert again == found.rankings
    lines = {(one.side, one.view, one.difficulty): one.lines for one in found.rankings}
    # 12, 10, 8, 6 and 4 of 19 are 8 on the mean; 16, 15, 14, 13 and 12 are 14
    attacks = {line.id: line for line in lines["attack", "reference", MEAN]}
    strong, random = (attacks[entries[name]] for name in ("strong", "random"))
    assert strong.metrics is not None and random.metrics is not None
    assert strong.metrics.weighted.mean == pytest.approx(8 / GRAPHS)
    assert random.metrics.weighted.mean == pytest.approx(14 / GRAPHS)
    assert (strong.rank, random.rank) == (1, 2)
    tables = files["rankings.tex"].decode()
    assert tables.count("s at mean, ") == 4
    assert f"{100 * 8 / GRAPHS:.2f}" in tables


def test_the_mean_of_a_board_is_that_of_the_library(
    graphs: GraphWorld, entries: dict[str, str]
) -> None:
    with graphs.sessions.reading() as session:
        rows = session.query(CellRow).all()
        cells = [
            Cell(
                row.attack_id or "clean",
                row.defense_id,
                {name: tuple(counts) for name, counts in row.correct.items()},  # type: ignore
                row.total,  # type: ignore[arg-type]
            )
            for row in rows
        ]
        found = arena(heads(session, BOARD.id), BOARD, view="all")
        for side in SIDES:
            shown = standing(session, BOARD, PROTOCOL, view="all", side=side, difficulty=MEAN)
            assert shown.rows == rank(found, cells, side, MEAN).rows


def test_a_re_evaluation_is_previewed_and_applied_at_the_mean(
    graphs: GraphWorld, entries: dict[str, str], store_url: str, tmp_path: Path
) -> None:
    """The random attack leaves less after it than before: 16 to 12 of 19, now 6 at each budget."""
    with graphs.sessions.writing() as session:
        job = reevaluation.create(
            session, BOARD.id, Selection(submissions=(entries["random"],), side="attack"),
            reason="again", author_id=graphs.user, via="api", now=at(50),
        ).id  # fmt: skip
    graphs.measure(falling(6, 0), at(51))
    with graphs.sessions.writing() as session:
        row = session.get_one(Reevaluation, job)
        found = preview(session, BOARD, row, view="all", difficulty=MEAN)
    assert (found.changed, found.unfinished) == (1, 0)
    (largest,) = found.largest
    assert (largest.before, largest.after) == pytest.approx((14 / GRAPHS, 6 / GRAPHS))
    ranks = {one.id: (one.rank_before, one.rank_after) for one in found.ranks["attack"]}
    assert ranks == {entries["random"]: (2, 1), entries["strong"]: (1, 2)}
    told = {
        "GRB_DATABASE_URL": store_url,
        "GRB_VAR_DIR": str(tmp_path / "var"),
        "COLUMNS": "200",
    }

    def admin(*arguments: str) -> str:
        done = CliRunner().invoke(app, ["admin", *arguments], env=told)
        return f"{done.exit_code} {done.output}"

    said = admin("preview", job, "--view", "all")
    assert said.startswith("0 "), said
    assert f"{100 * 14 / GRAPHS:.2f}" in said and f"{100 * 6 / GRAPHS:.2f}" in said
    said = admin("preview", job, "--difficulty", "2")
    assert f"{100 * 15 / GRAPHS:.2f}" in said
    refused = admin("preview", job, "--difficulty", "full")
    assert "found 'full', allowed: 1, 2, 3, 4, 5, mean" in refused
    with graphs.sessions.writing() as session:
        applied = application.apply(
            session, BOARD, job, revision=found.revision, user_id=None, via="cli", now=at(60)
        )
        assert applied.outcome is not None and applied.outcome["ranks"] == 2


def test_the_next_season_is_chosen_at_the_mean(graphs: GraphWorld, entries: dict[str, str]) -> None:
    """The strong attack beats the random one by 6 of 19 graphs: 0.32, over 2 SE of 0.16 or so."""
    hidden = graphs.add("attack", falling(13, 1))  # 11 of 19 on the mean: not by 2 SE
    with graphs.sessions.writing() as session:
        for entry in (entries["strong"], hidden):
            session.get_one(Submission, entry).code_url = "https://example.org"
        session.get_one(Submission, hidden).family = "Genetic"
    with graphs.sessions.writing() as session:
        proposed = seasons.propose(session, BOARD, user_id=None, via="cli", now=at(70))
        members = {one["id"]: one["reasons"] for one in proposed.members}
        left = {one["id"]: one["reasons"] for one in proposed.left_out}
    assert members.keys() >= {entries["random"], entries["defense"]}
    assert any("what others are measured by" in one for one in members[entries["random"]])
    assert any("what others are measured by" in one for one in members[entries["defense"]])
    assert left.keys() | members.keys() >= {entries["strong"], hidden}
    assert left[hidden] == ["not better than the random attack by two standard errors"]


def test_flags_are_of_the_mean_over_budgets(graphs: GraphWorld, entries: dict[str, str]) -> None:
    """An attack that leaves as much as the random one is told so, with the means of both."""
    weak = graphs.add("attack", falling(16, 1))
    with graphs.sessions.writing() as session:
        session.get_one(Submission, weak).family = "AdjPGD"
    with graphs.sessions.reading() as session:
        row = session.get_one(BoardRow, BOARD.id)
        rows = {
            side: scores(session, BOARD, PROTOCOL, view="reference", side=side) for side in SIDES
        }
        found = board_flags(session, row, Counts(BOARD), rows)
    (flag,) = [one for one in found[weak] if one.code == "no-better-than-random"]
    assert f"leaves {100 * 14 / GRAPHS:.2f} % where the random attack" in flag.reason
    assert all(one.code != "no-better-than-random" for one in found[entries["random"]])


def test_the_arena_at_the_mean_has_the_scores_of_the_ranking(
    graphs: GraphWorld, entries: dict[str, str]
) -> None:
    """Its own form is GRB's Weighted over everybody, averaged over budgets as there."""
    second = graphs.add("defense", falling(17, 3))
    with graphs.sessions.reading() as session:
        row = session.get_one(BoardRow, BOARD.id)
        known = clusters.found(session, BOARD.id)
        game = arenas.game(session, BOARD, row, known, MEAN, Counts(BOARD))
        assert isinstance(game, arenas.Game)
        for side in SIDES:
            told = arenas.judged(game, side)
            ranked = standing(session, BOARD, PROTOCOL, view="all", side=side, difficulty=MEAN)
            expected = {line.id: line.metrics[MEAN].weighted.mean for line in ranked.rows}
            for entry, score in zip(told.entries, told.verdict.own.scores, strict=True):
                assert score == pytest.approx(expected[entry])
        played = arenas.frontier(game)
    assert second in {one for kin in played.defenses for one in kin}
    assert np.isfinite(played.found.value)


def test_entries_that_behave_alike_are_found_by_all_budgets(
    graphs: GraphWorld, blobs: Blobs
) -> None:
    """Two defenses with the same hits under the reference attack are one; two others, of which it
    leaves nothing from budget 2 on, differ at budget 1 alone, by 6 of 19 graphs."""
    graphs.add("attack", reference=True)
    ids = [graphs.add("defense") for _ in range(2)]
    for left in (3, 9):
        graphs.add("defense", dict.fromkeys(BUDGETS, (0, 0, 0)) | {"1": (left,) * 3})
    assert clusters.scan(graphs.sessions, blobs, BOARD.id, clusters.Known(), LATER)
    with graphs.sessions.reading() as session:
        found = clusters.found(session, BOARD.id)
    (cluster,) = found.clusters["defense"]
    assert (set(cluster.members), cluster.why) == (set(ids), "near")


def test_a_deleted_entry_takes_its_hits_along_and_tidy_leaves_those_of_others(
    graphs: GraphWorld, blobs: Blobs, entries: dict[str, str]
) -> None:
    with graphs.sessions.reading() as session:
        rows = session.query(CellRow).all()
        of = {row.attack_id: row.hits_sha256 for row in rows}
    with graphs.sessions.writing() as session:
        gone = delete_submission(
            session, entries["strong"], user_id=None, via="cli", reason=None, now=at(80)
        )
    assert of[entries["strong"]] in gone
    blobs.remove({one for one in gone if one is not None})
    tidy(graphs.sessions, blobs, at(10**9))
    assert blobs.exists(str(of[entries["random"]])) and blobs.exists(str(of[None]))
    assert not blobs.exists(str(of[entries["strong"]]))
