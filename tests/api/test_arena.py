"""The open arena over real rows: spam moves no official rank, and none of the clone-robust form."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import httpx
import numpy as np
import pytest

from api.arenas import Arenas
from api.rankings import Rankings
from grbcore.catalog import board
from grbcore.perturbation import Injection
from grbcore.scoring import pack
from grbcore.sketch import sketch
from grbcore.store import arenas, clusters, seasons
from grbcore.store.session import now
from grbcore.store.tables import AuditRow
from tests.api.stage import BOARD, Stage, problem

TARGETS = 200
API = f"/api/v1/boards/{BOARD}"

#: How likely each attack leaves a target to each defense: four references and one submission each
ATTACKS = {"RND": 0.0, "FGSM": 0.12, "PGD": 0.2, "TDGIA": 0.34, "SPEIT": 0.3}
DEFENSES = {"GCN": 0.85, "GAT": 0.8, "GIN": 0.9, "SAGE": 0.75}


class Scene:
    """A board with five attacks and five defenses, the last of which no attack moves."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.rng = np.random.default_rng(3)
        self.attacks: dict[str, str] = {}
        self.defenses: dict[str, str] = {}
        self.hits: dict[tuple[str, str], np.ndarray] = {}
        self.sketches: dict[str, str] = {}
        for name in DEFENSES:
            self.defense(name, is_reference=name != "SAGE")
        self.defense("MLP", is_reference=True)
        for name in ATTACKS:
            self.attack(name, is_reference=name != "SPEIT")

    def defense(self, name: str, **fields: Any) -> None:
        self.defenses[name] = self.stage.entry("defense", name, family=name, **fields)
        clean = self.rng.random((1, TARGETS)) < DEFENSES.get(name, 0.6)
        self.put("clean", name, clean)
        for attack in self.attacks:
            self.put(attack, name, clean)

    def attack(self, name: str, **fields: Any) -> None:
        self.made(name, sketch([self.injection()], TARGETS), **fields)
        for defense in self.defenses:
            clean = self.hits["clean", defense]
            weak = {"GAT": 1.5, "GIN": 0.4}.get(defense, 1.0) * (defense != "MLP")
            fooled = self.rng.random((3, TARGETS)) < ATTACKS[name] * weak
            self.put(name, defense, clean & ~fooled)

    def injection(self) -> Injection:
        ends = self.rng.integers(0, TARGETS, 40)
        edges = np.stack([TARGETS + np.arange(40) // 20, ends])
        return Injection(self.rng.standard_normal((2, 8)).astype(np.float32), edges)

    def made(self, name: str, sketched: str, **fields: Any) -> None:
        self.attacks[name] = self.stage.entry(
            "attack", name, family=name, sketch=sketched, **fields
        )
        self.sketches[name] = sketched

    def put(self, attack: str, defense: str, hits: np.ndarray) -> None:
        self.hits[attack, defense] = hits
        self.stage.cell(
            None if attack == "clean" else self.attacks[attack],
            self.defenses[defense],
            {"full": [int(row.sum()) for row in hits]},
            TARGETS,
            hits_sha256=self.stage.blobs.put_bytes(pack({"full": hits})),
        )

    def copy_attack(self, name: str, count: int) -> None:
        """Near-copies: in one repeat one target of one defense differs, and the bytes of files."""
        for number in range(count):
            self.copied(name, f"{name} copy {number}", user="bob")

    def copied(self, name: str, copy: str, **fields: Any) -> None:
        self.made(copy, self.sketches[name], **fields)
        for defense in list(self.defenses):
            hits = self.hits[name, defense].copy()
            hits[0, 0] ^= defense == "GCN"
            self.put(copy, defense, hits)

    def immune(self, count: int) -> None:
        for number in range(count):
            name = f"MLP {number}"
            self.defenses[name] = self.stage.entry("defense", name, user="bob", family="MLP")
            still = self.hits["clean", "MLP"]
            for attack in ["clean", *self.attacks]:
                self.put(attack, name, still)

    def scan(self) -> None:
        clusters.scan(self.stage.sessions, self.stage.blobs, BOARD, clusters.Known(), now())


@pytest.fixture
def scene(stage: Stage) -> Scene:
    return Scene(stage)


def official(client: httpx.Client, side: str) -> list[tuple[str, float]]:
    """Who was there before, in their order, with their scores."""
    rows = client.get(f"{API}/leaderboard", params={"side": side}).json()["rows"]
    return [
        (row["entry"]["name"], row["metrics"]["full"]["weighted"]["mean"])
        for row in rows
        if row["entry"] and row["entry"]["name"] in {**ATTACKS, **DEFENSES, "MLP": 0}
    ]


def arena(client: httpx.Client, side: str) -> dict[str, Any]:
    return client.get(f"{API}/arena", params={"side": side}).json()  # type: ignore[no-any-return]


def ranks(found: Mapping[str, Any], form: str) -> dict[str, int]:
    names = {**ATTACKS, **DEFENSES, "MLP": 0}
    return {
        row["entry"]["name"]: row[form]["rank"]
        for row in found["rows"]
        if row["entry"]["name"] in names
    }


def test_duplicates_of_the_ranked_side_change_ranks_and_no_score(
    scene: Scene, client: httpx.Client
) -> None:
    scene.immune(2)  # as MLP is: three that stand in one place
    scene.scan()
    found = arena(client, "defense")
    assert found["opponents"] == found["opponent_clusters"]
    assert all(row["own"]["score"] == row["robust"]["score"] for row in found["rows"])
    moved = sum(row["own"]["rank"] != row["robust"]["rank"] for row in found["rows"])
    assert 0 < moved < len(found["rows"])
    assert "so both forms give the same scores" in found["explanation"]
    assert f"{moved} of {len(found['rows'])} entries rank otherwise" in found["explanation"]
    assert "each of several near-duplicates has a place" in found["explanation"]


def test_spam_moves_nothing_but_grb_s_own_form_and_the_page_says_why(
    scene: Scene, client: httpx.Client
) -> None:
    """50 clones of the best attack, 50 of the worst, 20 immune defenses."""
    scene.scan()
    before = {side: (official(client, side), arena(client, side)) for side in ("attack", "defense")}
    strongest, weakest = (before["attack"][1]["rows"][at]["entry"]["name"] for at in (0, -1))
    scene.copy_attack(strongest, 50)
    scene.copy_attack(weakest, 50)
    scene.immune(20)
    scene.scan()
    for side, (rows, open_) in before.items():
        now_ = arena(client, side)
        assert official(client, side) == rows
        assert ranks(now_, "robust") == ranks(open_, "robust")
        assert ranks(now_, "own") != ranks(open_, "own")
        assert len(now_["rows"]) == len(open_["rows"]) + (100 if side == "attack" else 20)
    attacks, defenses = arena(client, "attack"), arena(client, "defense")
    assert (defenses["opponents"], defenses["opponent_clusters"]) == (105, 5)
    assert "100 of them are near-duplicates" in defenses["explanation"]
    assert (attacks["opponents"], attacks["mute"]) == (25, 21)
    assert "No reference attack moves 21 of the defenses" in attacks["explanation"]
    page = client.get(f"/boards/{BOARD}/arena").text
    assert "100 of them are near-duplicates" in page
    sizes = sorted((len(one["members"]), one["why"]) for one in defenses["clusters"])
    assert sizes == [(21, "unmoved"), (51, "near"), (51, "near")]


def test_the_arena_as_a_file_has_a_row_for_each_entry(scene: Scene, client: httpx.Client) -> None:
    lines = client.get(f"{API}/arena.csv", params={"side": "attack"}).text.splitlines()
    assert len(lines) == 1 + 5
    assert lines[0].startswith('"rank","weighted_clone_robust","id"')


def test_the_arena_for_latex_has_the_numbers_of_the_json(
    scene: Scene, client: httpx.Client
) -> None:
    scene.stage.change(scene.attacks["PGD"], name=r"50% \of P_GD")
    rows = arena(client, "attack")["rows"]
    text = client.get(f"{API}/arena.tex", params={"side": "attack"}).text
    lines = [line.split(" & ") for line in text.splitlines() if line.endswith(r"\\")][1:]
    assert [(line[0], *line[2:6]) for line in lines] == [
        (
            str(row["robust"]["rank"]),
            f"{100 * row['robust']['score']:.2f}",
            str(row["own"]["rank"]),
            f"{100 * row['own']['score']:.2f}",
            str(row["duplicates"] - 1),
        )
        for row in rows
    ]
    names = {row["entry"]["name"]: line[1] for row, line in zip(rows, lines, strict=True)}
    assert names[r"50% \of P_GD"] == r"50\% \textbackslash{}of P\_GD"
    moved = {row["entry"]["name"] for row in rows if row["influence"]}
    assert moved == {n for n, line in zip(names, lines, strict=True) if "without" in line[6]}
    html = client.get(f"/boards/{BOARD}/arena").text
    files = re.findall(r'href="(/api/v1/[^"]*/arena[^"]*)"', html)
    assert len(files) == 6  # three of each side
    for file in files:
        assert client.get(file.replace("&amp;", "&")).status_code == 200


def test_one_state_of_a_board_is_worked_out_once_and_outside_a_transaction(scene: Scene) -> None:
    kept = Arenas(Rankings())
    with scene.stage.sessions.reading() as session:
        first = kept.get(session, board(BOARD), "defense", "full")
        assert not session.in_transaction()
        assert kept.get(session, board(BOARD), "defense", "full") is first
        other = kept.get(session, board(BOARD), "attack", "full")
        assert (other.side, other.frontier) == ("attack", first.frontier)
    scene.defense("New")
    with scene.stage.sessions.reading() as session:
        assert len(kept.get(session, board(BOARD), "defense", "full").rows) == len(first.rows) + 1


def test_a_board_of_too_many_cells_says_so(
    scene: Scene, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five attacks against five defenses are 25 cells."""
    monkeypatch.setattr(arenas, "MOST", 24)
    found = arena(client, "attack")
    assert (found["too_large"], found["rows"], found["frontier"]) == (True, [], None)
    assert "5 attacks against 5 defenses" in found["explanation"]
    assert "too large for the arena" in client.get(f"/boards/{BOARD}/arena").text
    for file in ("arena.csv", "arena.tex"):
        problem(client.get(f"{API}/{file}"), 409, "too-large")
    monkeypatch.setattr(arenas, "MOST", 25)
    scene.copy_attack("PGD", 1)
    assert arena(client, "defense")["too_large"]


def test_the_frontier_is_what_the_best_players_play(scene: Scene, client: httpx.Client) -> None:
    frontier = arena(client, "defense")["frontier"]
    for side in ("attacks", "defenses"):
        assert sum(one["share"] for one in frontier[side]) == pytest.approx(1)
    means = {pair: hits.mean() for pair, hits in scene.hits.items()}
    mixed = {one["entry"]["name"]: one["share"] for one in frontier["attacks"]}
    best = max(
        sum(share * means[attack, defense] for attack, share in mixed.items())
        for defense in scene.defenses
    )
    assert best == pytest.approx(frontier["value"], abs=1e-3)


def test_an_admin_splits_and_merges_with_a_reason(
    scene: Scene, client: httpx.Client, stage: Stage
) -> None:
    scene.copy_attack("PGD", 2)
    scene.scan()
    found = arena(client, "defense")
    assert [len(one["members"]) for one in found["clusters"]] == [3]
    copy = scene.attacks["PGD copy 0"]
    asked = {"board": BOARD, "kind": "split", "entries": [copy], "reason": "another idea"}
    url, admin = "/api/v1/admin/duplicates", stage.bearer("admin")
    assert client.post(url, json=asked, headers=admin).status_code == 201
    assert [len(one["members"]) for one in arena(client, "defense")["clusters"]] == [2]
    merged = {**asked, "kind": "merge", "entries": [copy, scene.attacks["RND"]]}
    assert client.post(url, json=merged, headers=admin).status_code == 201
    again = arena(client, "defense")["clusters"]
    assert sorted((len(one["members"]), one["why"]) for one in again) == [
        (2, "decided"),
        (2, "near"),
    ]
    wrong = {**merged, "entries": [copy, scene.defenses["GCN"]]}
    problem(client.post(url, json=wrong, headers=admin), 409, "entries")
    with stage.sessions.reading() as session:
        rows = session.query(AuditRow).filter(AuditRow.action.startswith("duplicates.")).all()
    assert [(row.action, row.reason) for row in rows] == [
        ("duplicates.split", "another idea"),
        ("duplicates.merge", "another idea"),
    ]


def test_a_private_copy_is_told_to_nobody(scene: Scene, client: httpx.Client) -> None:
    """It behaves and is made as an attack that everybody sees."""
    scene.copied("TDGIA", "Secret", user="bob", visibility="private")
    secret = scene.attacks["Secret"]
    scene.scan()
    answer = client.get(f"{API}/arena")
    assert secret not in answer.text and answer.json()["clusters"] == []
    scene.stage.change(secret, visibility="public", published_at=now())
    scene.scan()
    (cluster,) = client.get(f"{API}/arena").json()["clusters"]
    assert [len(cluster["members"]), secret in str(cluster)] == [2, True]


@pytest.mark.parametrize("moved", [True, False])
def test_a_defense_that_one_target_of_thousands_moves_is_moved(stage: Stage, moved: bool) -> None:
    clean = np.zeros((1, 4100), np.bool_)
    attacked = clean.copy()
    attacked[0, 1] = moved
    attack = stage.entry("attack", "RND", is_reference=True)
    defense = stage.entry("defense", "MLP", is_reference=True)
    for one, hits in ((None, clean), (attack, attacked)):
        file = stage.blobs.put_bytes(pack({"full": hits}))
        stage.cell(one, defense, {"full": [int(hits.sum())]}, 4100, hits_sha256=file)
    clusters.scan(stage.sessions, stage.blobs, BOARD, clusters.Known(), now())
    with stage.sessions.reading() as session:
        assert clusters.found(session, BOARD).unmoved == (set() if moved else {defense})


def test_seasons_are_proposed_accepted_and_stay_readable(
    scene: Scene, client: httpx.Client, stage: Stage
) -> None:
    """SPEIT, with its code, joins; the references of before stay readable with their scores."""
    stage.change(scene.attacks["SPEIT"], code_url="https://example.org/speit")
    scene.copy_attack("TDGIA", 1)
    scene.scan()
    before = official(client, "defense")
    admin = stage.bearer("admin")
    answer = client.post("/api/v1/admin/seasons", json={"board": BOARD}, headers=admin)
    assert answer.status_code == 201, answer.text
    proposal = answer.json()
    assert official(client, "defense") == before
    taken = {one["entry"]["name"] for one in proposal["references"]}
    assert {"SPEIT", "TDGIA", "RND", "MLP"} <= taken
    left = {one["entry"]["name"]: one["reasons"] for one in proposal["left_out"]}
    assert "no code or recipe is linked" in left["SAGE"]
    assert any("near-duplicate" in why for why in left["TDGIA copy 0"])
    url = f"/api/v1/admin/seasons/{proposal['id']}/accept"
    accepted = client.post(url, json={"reason": "a year is over"}, headers=admin)
    assert accepted.status_code == 200, accepted.text
    problem(client.post(url, json={"reason": "twice"}, headers=admin), 409, "state")
    assert (accepted.json()["author"], accepted.json()["decided_by"]) == ("admin", "admin")
    listed = client.get(f"{API}/seasons").json()["seasons"]
    assert not any({"author", "decided_by"} & one.keys() for one in listed)
    assert [(one["number"], one["state"]) for one in listed] == [(2, "current"), (1, "past")]
    files = {one["entry"]["id"]: one["sha256"] for one in listed[0]["references"]}
    assert all(len(sha256) == 64 for sha256 in files.values())
    assert scene.attacks["SPEIT"] in files
    assert official(client, "defense") != before
    old = client.get(f"{API}/seasons/1").json()
    assert not {"author", "decided_by"} & old["season"].keys()
    assert [(row["entry"]["name"], row["weighted"]) for row in old["defenses"]] == before
    problem(client.get(f"{API}/seasons/9"), 404, "season-unknown")


def test_the_first_season_begins_once_somebody_else_is_ranked(stage: Stage) -> None:
    attack = stage.entry("attack", "RND", is_reference=True)
    defense = stage.entry("defense", "GCN", is_reference=True)
    stage.board(state="ready")
    with stage.sessions.reading() as session:
        assert seasons.freezable(session) == []
    stage.entry("attack", "Mine", user="bob")
    with stage.sessions.writing() as session:
        assert seasons.freezable(session) == [BOARD]
        season = seasons.freeze(session, BOARD, now())
        assert season is not None and season.number == 1
        assert {one["id"] for one in season.members} == {attack, defense}
        assert seasons.freezable(session) == []
