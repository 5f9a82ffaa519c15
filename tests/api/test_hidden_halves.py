"""No answer is made from the hidden half of a board's targets before a season is over."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import httpx
import numpy as np
import pytest
from sqlalchemy import select

from api.main import create_app
from grbcore import datasets
from grbcore.catalog import board as catalog_board
from grbcore.columns import pack as pack_counts
from grbcore.confusion import confusions
from grbcore.confusion import pack as pack_confusion
from grbcore.ladder import half, halves
from grbcore.metrics import summarise
from grbcore.scoring import pack
from grbcore.store import seasons, snapshots
from grbcore.store.session import now
from grbcore.store.tables import BoardRow, CellRow, Season
from tests import tables
from tests.api.stage import BOARD, START, Stage, serve
from tests.api.test_permissions import PAGES
from tests.services import free_port

SEED = "5e" * 32
API = f"/api/v1/boards/{BOARD}"

#: Answers that tell the time, or what the service itself does.
MOVING = ("/health", "/ready", "/reference", "/metrics", "/status", "/events", "/me/export")


#: Beside what is asked for without it.
OTHER = "difficulty=easy&view=all&side=attack"


class Scene:
    """A board that hides half of its targets: two references a side, and one more entry each."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        digits = datasets.prepare("digits", data_dir=None, cache=stage.settings.prepared_dir)
        self.public = half(digits, halves(digits.targets, SEED))
        stage.board(hidden_seed=SEED, ladder_step=0.01)
        rng = np.random.default_rng(4)
        contents = {"difficulties": list(digits.targets), "repeats": 3}
        self.defenses = [stage.entry("defense", f"D{n}", is_reference=n < 2) for n in range(3)]
        self.attacks = [
            stage.entry("attack", f"A{n}", is_reference=n < 2, contents=contents, user="bob")
            for n in range(3)
        ]
        self.cells = []
        for defense in self.defenses:
            for attack in (None, *self.attacks):
                found = {
                    name: [
                        np.where(rng.random(len(of)) < 0.7, self.public.labels[of], 0)
                        for _ in range(3 if attack else 1)
                    ]
                    for name, of in self.public.targets.items()
                }
                hits = {
                    name: np.stack(
                        [one == self.public.labels[self.public.targets[name]] for one in f]
                    )
                    for name, f in found.items()
                }
                self.cells.append(
                    stage.cell(
                        attack,
                        defense,
                        {name: one.sum(axis=1).tolist() for name, one in hits.items()},
                        hits_sha256=stage.blobs.put_bytes(pack(hits)),
                        confusion=pack_confusion(confusions(found, self.public)),
                    )
                )
        with stage.sessions.writing() as session:
            for row in session.scalars(select(CellRow)):
                row.total = {name: len(of) for name, of in self.public.targets.items()}
                row.counts = pack_counts(row.correct or {}, row.total)
        self.hide(1)

    def hide(self, seed: int) -> None:
        """Draw what was hit in the hidden half."""
        rng = np.random.default_rng(seed)
        with self.stage.sessions.writing() as session:
            for row in session.scalars(select(CellRow)):
                repeats = 3 if row.attack_id else 1
                row.hidden = {
                    "correct": {n: rng.integers(0, 90, repeats).tolist() for n in row.total or {}},
                    "total": dict.fromkeys(row.total or {}, 90),
                }


@pytest.fixture
def scene(stage: Stage) -> Scene:
    return Scene(stage)


def paths(scene: Scene, snapshot: str) -> set[str]:
    """Every address that is read, of the description and of pages, of some of all that is there."""
    described = create_app(scene.stage.settings).openapi()["paths"]
    routes = [path for path, ways in described.items() if "get" in ways]
    routes += [path for path in PAGES if "{" in path or path in ("/", "/compare", "/submissions")]
    dataset, scenario = BOARD.split("/")
    known: dict[str, list[str]] = {
        "dataset": [dataset],
        "scenario": [scenario],
        "submission_id": [scene.defenses[2], scene.attacks[2]],
        "cell_id": [scene.cells[0], scene.cells[-1]],
        "snapshot_id": [snapshot],
        "file": ["snapshot.json", "cells.csv"],
        "number": ["1"],
        "form": ["csv", "tex"],
    }
    both = [f"?board={BOARD}&ids={','.join(ids)}" for ids in (scene.defenses, scene.attacks)]
    found = set()
    for route in routes:
        made = [route]
        for name in re.findall("{(.*?)}", route):
            made = [p.replace(f"{{{name}}}", value) for p in made for value in known.get(name, ())]
        queries = both if "compar" in route else ["", *(["?" + OTHER] if "{" in route else [])]
        found |= {path + query for path in made for query in queries}
    return {path for path in found if not any(word in path for word in MOVING)}


#: Status and body, by who asks and for what.
Answers = dict[tuple[str, str], tuple[int, bytes]]


def answers(scene: Scene, asked: Iterable[str], port: int) -> Answers:
    """What a service that has just started says, to anybody, to an owner and to an admin."""
    found = {}
    with serve(scene.stage.settings, port) as address, httpx.Client(base_url=address) as client:
        for who in ("", "ann", "admin"):
            headers = scene.stage.bearer(who) if who else {}
            for path in asked:
                if who == "ann" and "/submissions" not in path and "/cells" not in path:
                    continue  # she is one of everybody there
                answer = client.get(path, headers=headers, timeout=60)
                said = re.sub(rb'"request_id":"[0-9A-Z]{26}"', b"", answer.content)
                found[who, path] = (answer.status_code, said)
    return found


def test_whatever_is_hit_in_the_hidden_half_every_answer_stays_the_same(
    scene: Scene, stage: Stage
) -> None:
    """Byte for byte, of services that have nothing in memory, for whoever asks."""
    with stage.sessions.writing() as session:
        seasons.freeze(session, BOARD, now())
    kept = snapshots.make(
        stage.sessions, stage.blobs, catalog_board(BOARD), user_id=None, via="cli", reason=None,
        now=now(),
    )  # fmt: skip
    asked = sorted(paths(scene, kept))
    port = free_port()
    first = answers(scene, asked, port)
    scene.hide(2)
    after = answers(scene, asked, port)
    assert {one for one in first if after[one] != first[one]} == set()
    assert not any(SEED.encode() in content for _, content in after.values())
    read = {path for (who, path), (status, _) in first.items() if status == 200 and not who}
    for part in (
        "/leaderboard",
        "/matrix",
        "/breakdown",
        "/confusion",
        "/degrees",
        "/seasons/1",
        ".csv",
    ):
        assert any(part in path for path in read), part
    for part in ("/breakdown", "/comparison/degrees"):
        told = json.loads(
            first["", next(path for path in sorted(read) if re.search(f"{part}($|[?])", path))][1]
        )
        groups = told["degrees" if part == "/breakdown" else "groups"]
        at = scene.public.targets[told["difficulty"]]
        assert sum(group["targets"] for group in groups) == len(at)


def test_once_a_season_is_over_the_hidden_half_is_told_of_who_was_there(
    scene: Scene, stage: Stage, client: httpx.Client
) -> None:
    """Whoever came later has no hidden score."""
    url = f"{API}/seasons/1"
    with stage.sessions.writing() as session:
        seasons.freeze(session, BOARD, now())
    every = [*scene.defenses, *scene.attacks]
    assert hidden(client.get(url).json()) == dict.fromkeys(every)
    with stage.sessions.writing() as session:
        season = session.scalars(select(Season)).one()
        season.state, season.ended_at = "past", START + timedelta(minutes=5)
        session.get_one(BoardRow, BOARD).revision += 1
    told = hidden(client.get(url).json())
    came = [one for one in every if told[one] is not None]
    assert came == [*scene.defenses, *scene.attacks[:2]]  # one a minute, the sixth after the end
    with stage.sessions.reading() as session:
        rows = {
            row.attack_id: [right / 90 for right in row.hidden["correct"]["full"]]
            for row in session.scalars(
                select(CellRow).where(CellRow.defense_id == scene.defenses[2])
            )
            if row.hidden
        }
    scores = [np.broadcast_to(rows[one], 3) for one in (*scene.attacks[:2], None)]
    weighted = summarise(np.array(scores), "defense", repeated=True).weighted.mean
    assert told[scene.defenses[2]] == pytest.approx(weighted)


@pytest.mark.parametrize("over", [False, True])
def test_a_season_s_page_shows_the_hidden_scores_that_the_json_has(
    scene: Scene, stage: Stage, client: httpx.Client, over: bool
) -> None:
    """Without JavaScript too; a season that runs has no column for them."""
    with stage.sessions.writing() as session:
        seasons.freeze(session, BOARD, now())
        if over:
            season = session.scalars(select(Season)).one()
            season.state, season.ended_at = "past", START + timedelta(minutes=5)
    found = client.get(f"{API}/seasons/1", params={"difficulty": "easy"}).json()
    html = client.get(f"/boards/{BOARD}/seasons/1", params={"difficulty": "easy"}).text
    shown = tables.tables(html)
    for side in ("defenses", "attacks"):
        rows = [
            [str(row["rank"]), row["entry"]["name"], percent(row["weighted"])]
            + ([percent(row["hidden"])] if over else [])
            for row in found[side]
        ]
        assert len(rows) == 3
        assert shown[side][1:] == rows
        assert ("Hidden (%)" in shown[side][0]) == over
    assert ("hidden until the season was over" in html) == over
    files = {
        form: client.get(f"{API}/seasons/1/ranking.{form}", params={"difficulty": "easy"}).text
        for form in ("csv", "tex")
    }
    lines = list(csv.DictReader(io.StringIO(files["csv"], newline="")))
    rows = [*found["defenses"], *found["attacks"]]
    assert [
        (line["id"], int(line["rank"]), float(line["weighted"]), line["hidden"]) for line in lines
    ] == [
        (row["entry"]["id"], row["rank"], row["weighted"], str(row["hidden"] or "")) for row in rows
    ]
    assert ("& Hidden " in files["tex"]) == over
    for row in rows:
        last = f" & {percent(row['hidden']).replace('–', '--')}" if over else ""
        told = f"{row['rank']} & {row['entry']['name']} & {percent(row['weighted'])}{last} "
        assert told in files["tex"]
    assert f"/boards/{BOARD}/seasons/1" in client.get(f"/boards/{BOARD}/arena").text
    assert client.get(f"/boards/{BOARD}/seasons/2").status_code == 404
    assert client.get(f"/boards/{BOARD}/seasons/one").status_code == 404


def percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.2f}"


def test_a_cell_has_no_command_as_at_home_it_would_be_over_all_targets(
    scene: Scene, client: httpx.Client
) -> None:
    address = f"/cells/{scene.cells[1]}"
    assert client.get(f"/api/v1{address}").json()["command"] is None
    assert "hides half of its targets" in client.get(address).text
    scene.stage.board(hidden_seed=None)
    assert "grb evaluate" in client.get(f"/api/v1{address}").json()["command"]


def hidden(found: dict[str, Any]) -> dict[str, float | None]:
    lines = [*found["defenses"], *found["attacks"]]
    return {line["entry"]["id"]: line["hidden"] for line in lines}


def test_the_best_of_a_submitter_moves_by_more_than_the_step_only(
    stage: Stage, client: httpx.Client
) -> None:
    """A second entry that is better by less than the step is not the best; the third is."""
    stage.board(hidden_seed=SEED, ladder_step=0.02)
    attack = stage.entry("attack", "A", is_reference=True, user="bob")
    for name, right in (("D", 70), ("E", 71), ("F", 74)):
        defense = stage.entry("defense", name)
        stage.cell(None, defense, {"full": [right]})
        stage.cell(attack, defense, {"full": [right] * 3})
        rows = client.get(f"{API}/leaderboard", params={"best": "submitter"}).json()["rows"]
        assert [row["entry"]["name"] for row in rows] == ["F" if name == "F" else "D"]
    rows = client.get(f"{API}/leaderboard").json()["rows"]
    assert {row["entry"]["name"]: row["entry"]["ladder"] for row in rows} == pytest.approx(
        {"D": 0.7, "E": 0.7, "F": 0.74}
    )
    assert client.get(API).json()["ladder_step"] == 0.02
    assert "more than 2 percentage points" in client.get(f"/boards/{BOARD}/rules").text
    stage.board(hidden_seed=None, ladder_step=None)
    stage.change(defense)
    rows = client.get(f"{API}/leaderboard").json()["rows"]
    assert [row["entry"]["ladder"] for row in rows] == [None] * 3
