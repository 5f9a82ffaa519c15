"""Every route, for anybody, another user, the owner and an admin, of entries seen and not seen.

The table below has a line for every operation of the API's description and every page.  A new route
without one fails `test_every_route_has_its_expectation`: say who may do it, and what it must not
tell of an entry that is not public.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import httpx
import pytest

from api.main import create_app
from api.routes import (
    arena_pages,
    compare_page,
    confirmation,
    pages,
    snapshot_pages,
    status,
    studies,
    text_pages,
)
from grbcore import catalog
from grbcore.settings import Settings
from grbcore.store import snapshots
from grbcore.store.session import now
from grbcore.store.tables import Reevaluation, Submission, WorkerRow
from tests.api.stage import BOARD, START, Stage

WHO = ("anybody", "other", "owner", "admin")
TOKENS = {"other": "bob", "owner": "ann", "admin": "admin"}
WHICH = ("private", "embargoed", "public")

#: A hidden entry is looked for by these words and by its ids.
PLANTED = "Planted"

UNKNOWN = "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"

Statuses = tuple[int, int, int, int]  # in the order of `WHO`


@dataclass(frozen=True)
class Of:
    """A route of one entry or cell: its statuses where it is public, and where it is not."""

    public: Statuses
    kept: Statuses
    query: Mapping[str, Any] = field(default_factory=dict)
    json: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class About:
    """A route of no single entry; each of the queries is asked."""

    statuses: Statuses = (200, 200, 200, 200)
    queries: tuple[Mapping[str, Any], ...] = ({},)
    json: Mapping[str, Any] | None = None


WHY = {"reason": "because"}
ALL, ADMINS, USERS = (200, 200, 200, 200), (401, 403, 403, 200), (401, 200, 200, 200)
SEEN = (404, 404, 200, 200)
VIEWS = tuple(
    {"view": view, "side": side} for view in ("reference", "all") for side in ("attack", "defense")
)

EXPECTED: dict[str, Of | About] = {
    # of one entry
    "get_submission": Of(ALL, SEEN),
    "get_artefact": Of(ALL, SEEN),
    "get_badge": Of(ALL, SEEN),
    "get_submission_picture": Of(ALL, SEEN),
    "follow_submission": Of(ALL, SEEN),
    "get_entry_breakdown": Of(ALL, SEEN),
    "get_results_file": Of(ALL, SEEN),
    "get_entry_breakdown_file": Of(ALL, SEEN),
    "get_measures": Of(ALL, SEEN, query={"view": "all"}),
    "get_score": Of(ALL, SEEN, query={"view": "all"}),
    "get_holdouts": Of(ALL, SEEN),
    "get_holdouts_file": Of(ALL, SEEN),
    "ask_holdouts": Of((401, 403, 409, 409), (401, 404, 409, 409)),
    "edit": Of((401, 403, 200, 200), (401, 404, 200, 200), json={"team": "Another"}),
    "withdraw": Of((401, 403, 200, 200), (401, 404, 200, 200)),
    "delete": Of((401, 403, 200, 200), (401, 404, 200, 200), query=WHY),
    "hide": Of(ADMINS, ADMINS, json=WHY),
    "show": Of(ADMINS, ADMINS, json=WHY),
    "revalidate": Of((401, 403, 403, 409), (401, 403, 403, 409), json=WHY),
    "dismiss_flag": Of(ADMINS, ADMINS, json=WHY),
    "restore_flag": Of(ADMINS, ADMINS, json=WHY),
    # of one cell
    "get_cell": Of(ALL, SEEN),
    "get_breakdown": Of(ALL, SEEN),
    "get_confusion": Of(ALL, SEEN),
    "get_cell_file": Of(ALL, SEEN),
    "get_breakdown_file": Of(ALL, SEEN),
    "get_confusion_file": Of(ALL, SEEN),
    "requeue": Of((401, 403, 403, 409), (401, 403, 403, 409), json=WHY),
    # lists and boards
    "list_boards": About(),
    "get_board": About(),
    "get_leaderboard": About(queries=VIEWS),
    "get_matrix": About(queries=({"view": "reference"}, {"view": "all"})),
    "get_matrix_grid": About(queries=({"view": "reference"}, {"view": "all"})),
    "get_history": About(),
    "get_feed": About(),
    "get_board_picture": About(),
    "get_citation": About(),
    "get_leaderboard_file": About(queries=VIEWS),
    "get_matrix_file": About(queries=({"view": "reference"}, {"view": "all"})),
    "get_table": About(queries=({"preset": "complete"}, {"base": "clean"})),
    "get_table_file": About(queries=({"preset": "complete"},)),
    "get_table_print": About(queries=({"preset": "complete"},)),
    "get_leaderboard_print": About(queries=VIEWS),
    "get_matrix_print": About(queries=({"view": "reference"}, {"view": "all"})),
    "get_comparison": About(queries=({"ids": "0" * 26, "view": "all"},)),
    "list_snapshots": About(),
    "get_snapshot": About(),
    "get_snapshot_file": About(),
    "get_snapshot_citation": About(),
    "create_snapshot": About((401, 403, 403, 201), json=WHY),
    "get_comparison_file": About(queries=({"ids": "0" * 26, "view": "all"},)),
    "get_comparison_print": About(queries=({"ids": "0" * 26, "view": "all"},)),
    "get_comparison_degrees": About(queries=({"ids": "0" * 26, "view": "all"},)),
    "get_wins_file": About(queries=({"ids": "0" * 26, "view": "all"},)),
    "get_degrees_file": About(queries=({"ids": "0" * 26, "view": "all"},)),
    "get_comparison_differences": About(queries=({"ids": "0" * 26, "view": "all"},)),
    "get_charts": About(queries=({"view": "reference"}, {"view": "all"})),
    "get_arena": About(queries=({"side": "defense"}, {"side": "attack"})),
    "get_arena_file": About(queries=({"side": "defense"}, {"side": "attack"})),
    "get_arena_print": About(queries=({"side": "defense"}, {"side": "attack"})),
    "get_seasons": About(),
    "get_season": About((404, 404, 404, 404)),
    "get_season_file": About((404, 404, 404, 404)),
    "list_submissions": About(
        queries=({}, {"board": BOARD}, {"side": "defense"}, {"state": "ranked", "limit": 200})
    ),
    "get_status": About(),
    "list_studies": About(),
    "get_study": About((404, 404, 404, 404)),
    "get_study_file": About((404, 404, 404, 404)),
    "get_rules": About(),
    "list_texts": About(),
    "get_text": About(),
    "get_reference": About(),
    # of the user, or of the service
    "submit": About((401, 415, 415, 415)),
    "get_me": About(USERS),
    "set_notifications": About(USERS, json={}),
    "end_notifications": About(USERS),
    "test_notifications": About((401, 409, 409, 409)),
    "list_notices": About(USERS),
    "get_whoami": About(USERS),
    "get_health": About(),
    "get_ready": About(),
    # of admins
    "create_reevaluation": About(
        ADMINS, json={"board": BOARD, "reason": "because", "dry_run": True}
    ),
    "list_reevaluations": About(ADMINS),
    "get_reevaluation": About(ADMINS),
    "preview_reevaluation": About(ADMINS),
    "start_reevaluation": About((401, 403, 403, 409)),
    "apply_reevaluation": About((401, 403, 403, 409), json={"revision": 1}),
    "cancel_reevaluation": About(ADMINS, json=WHY),
    "requeue_reevaluation": About((401, 403, 403, 409), json=WHY),
    "list_audit": About(ADMINS),
    "list_seasons": About(ADMINS),
    "propose_season": About((401, 403, 403, 422), json={}),
    "accept_season": About((401, 403, 403, 404), json=WHY),
    "refuse_season": About((401, 403, 403, 404), json=WHY),
    "decide_duplicates": About((401, 403, 403, 422), json={}),
    "list_users": About(ADMINS),
    "suspend_user": About((401, 403, 403, 404), json=WHY),
    "unsuspend_user": About((401, 403, 403, 404), json=WHY),
    "set_role": About((401, 403, 403, 403), json={"role": "user", **WHY}),
    "set_quota": About((401, 403, 403, 422), json={}),
    "list_failed_uploads": About(ADMINS),
    "list_entries": About(ADMINS),
    "list_board_versions": About(ADMINS),
    # of one user's account
    "get_quota": About(USERS),
    "get_auth": About(),
    "sign_up": About((422, 422, 422, 422), json={}),
    "sign_in": About((422, 422, 422, 422), json={}),
    "sign_out": About((204, 204, 204, 204)),
    "ask_reset": About((422, 422, 422, 422), json={}),
    "finish_reset": About((422, 422, 422, 422), json={}),
    "change_password": About((401, 403, 403, 403), json={}),
    "list_sessions": About(USERS),
    "end_sessions": About(USERS),
    "end_session": About((401, 404, 404, 404)),
    "list_tokens": About(USERS),
    "make_token": About((401, 403, 403, 403), json={}),
    "revoke_token": About((401, 404, 404, 404)),
    "export_account": About(USERS),
    "delete_account": About((401, 403, 403, 403), json={}),
    "begin_at_provider": About((404, 404, 404, 404), json={}),
    "list_identities": About(USERS),
    "unlink_identity": About((401, 404, 404, 404)),
    # of one user's unfinished uploads
    "capabilities": About((204, 204, 204, 204)),
    "begin_upload": About((401, 422, 422, 422)),
    "list_uploads": About(USERS),
    "get_upload": About((401, 404, 404, 404)),
    "append": About((401, 422, 422, 422)),
    "end_upload": About((401, 404, 404, 404)),
}

#: What the description leaves out, by path.
PAGES: dict[str, Of | About] = {
    "/": About(),
    "/boards/{dataset}/{scenario}": About(queries=({"view": "reference"}, {"view": "all"})),
    "/boards/{dataset}/{scenario}/table": About(queries=({"preset": "complete"},)),
    "/boards/{dataset}/{scenario}/arena": About(queries=({"difficulty": "full"},)),
    "/boards/{dataset}/{scenario}/seasons/{number}": About((404, 404, 404, 404)),
    "/boards/{dataset}/{scenario}/charts": About(),
    "/boards/{dataset}/{scenario}/snapshots": About(),
    "/snapshots/{snapshot_id}": About(),
    "/compare": About(queries=({}, {"board": BOARD, "ids": "0" * 26})),
    "/submissions": About(queries=({}, {"board": BOARD})),
    "/submissions/{submission_id}": Of(ALL, SEEN),
    "/cells/{cell_id}": Of(ALL, SEEN),
    "/status": About(),
    "/boards/{dataset}/{scenario}/rules": About(),
    "/studies": About(),
    "/studies/{study}": About((404, 404, 404, 404)),
    "/guide": About(),
    "/guide/{name}": About(),
    "/guide/pictures/{name}": About((404, 404, 404, 404)),
    "/about": About(),
    "/admin": About(),
    "/admin/{section}": About(),
    "/admin/{section}/{name}": About(),
    "/metrics": About(),
    "/docs": About(),
    "/openapi.json": About(),
    "/confirm-email": About((404, 404, 404, 404)),
    "/account": About(),
    "/account/sign-in": About(),
    "/account/sign-up": About(),
    "/account/reset": About(),
    "/submit": About(),
    "/mine": About(),
}


@dataclass(frozen=True)
class Route:
    """A way to ask for something."""

    name: str
    method: str
    path: str
    expected: Of | About


def _described() -> list[tuple[str, str, str]]:
    """Every operation of the description: its id, method and path."""
    found = create_app(Settings()).openapi()
    return [
        (operation["operationId"], method, path)
        for path, item in found["paths"].items()
        for method, operation in item.items()
    ]


def _left_out() -> set[str]:
    """The paths that the description leaves out."""
    routes = [
        *create_app(Settings()).routes,
        *pages.router.routes,
        *text_pages.router.routes,
        *arena_pages.router.routes,
        *snapshot_pages.router.routes,
        *compare_page.router.routes,
        *studies.pages.routes,
        *confirmation.router.routes,
        *status.scraped.routes,
    ]
    return {
        str(route.path)  # type: ignore[attr-defined]
        for route in routes
        if not getattr(route, "include_in_schema", True)
    }


OPERATIONS = _described()
ROUTES = [
    Route(name, method, path.replace("{form}", form), EXPECTED[name])
    for name, method, path in OPERATIONS
    if name in EXPECTED
    for form in (("csv", "tex") if "{form}" in path else ("",))
] + [Route(path, "get", path, expected) for path, expected in PAGES.items()]
OF_ONE = [route for route in ROUTES if isinstance(route.expected, Of)]
ABOUT = [route for route in ROUTES if isinstance(route.expected, About)]


def test_every_route_has_its_expectation() -> None:
    operations = {name for name, _, _ in OPERATIONS}
    assert operations == set(EXPECTED), "say in EXPECTED who may use these routes"
    assert _left_out() == set(PAGES), "say in PAGES who may see these pages"


@dataclass
class Scene:
    """A board with references, public entries, and what ann keeps from everybody."""

    stage: Stage
    client: httpx.Client
    attack: str = ""
    defense: str = ""
    job: str = ""
    snapshot: str = ""
    secrets: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)  # of public entries

    def entry(self, which: str) -> tuple[str, str]:
        """A defense of ann's that is or is not public, with a cell; both ids."""
        number = self.stage.count
        name = f"{PLANTED if which != 'public' else 'Shown'} {which} {number}"
        ends = now() + timedelta(days=30) if which == "embargoed" else None
        entry = self.stage.entry(
            "defense",
            name,
            visibility=which,
            public_at=ends,
            team=f"{name} team",
            description=f"{name} description",
            paper_url=f"https://example.org/{name.replace(' ', '-')}",
            surrogate=f"{name} surrogate",
        )
        self.stage.cell(None, entry, {"full": [91]})
        cell = self.stage.cell(self.attack, entry, {"full": [50, 60, 70]}, log=f"{name} wrote")
        with self.stage.sessions.reading() as session:
            sha256 = session.get_one(Submission, entry).sha256
        (self.shown if which == "public" else self.secrets).extend([entry, cell, sha256])
        return entry, cell

    def ask(self, route: Route, who: str, values: Mapping[str, str], query: Any) -> httpx.Response:
        """What somebody is answered; of a stream, its beginning."""
        headers = self.stage.bearer(TOKENS[who]) if who in TOKENS else {}
        body = route.expected.json
        method = "HEAD" if route.name == "follow_submission" else route.method.upper()
        return self.client.request(
            method, route.path.format_map(values), params=query, json=body, headers=headers
        )

    def leaks(self, answer: httpx.Response, *own: str) -> list[str]:
        """What an answer tells of what it should not know, beside what was asked for."""
        told = answer.text + json.dumps(list(answer.headers.items()))
        for value in own:
            told = told.replace(value, "")
        return [word for word in (PLANTED, *self.secrets) if word in told]


@pytest.fixture
def scene(stage: Stage, client: httpx.Client) -> Scene:
    found = Scene(stage, client)
    found.attack = stage.entry("attack", "Reference attack", user="bob", is_reference=True)
    found.defense = stage.entry("defense", "Reference defense", user="bob", is_reference=True)
    stage.cell(None, found.defense, {"full": [90]})
    stage.cell(found.attack, found.defense, {"full": [40, 50, 60]})
    for which in WHICH:
        found.entry(which)
    _newcomers(found)
    found.snapshot = snapshots.make(
        stage.sessions, stage.blobs, catalog.board(BOARD), user_id=None, via="cli", reason=None,
        now=now(),
    )  # fmt: skip
    with stage.sessions.writing() as session:
        job = Reevaluation(
            board_id=BOARD,
            protocol=stage.protocol,
            selection={},
            reason="because",
            state="running",
            created_at=START,
        )
        session.add(job)
        session.flush()
        found.job = job.id
    return found


def _newcomers(scene: Scene) -> None:
    """A private attack and defense under evaluation, which a worker is at; a public one waits for
    its cell against a private attack."""
    stage = scene.stage
    worker, lease = "host/1/0123456789abcdef", {"lease_token": "t" * 36}
    lease |= {"lease_owner": worker, "lease_until": now() + timedelta(minutes=5)}
    with stage.sessions.writing() as session:
        session.add(
            WorkerRow(
                id=worker,
                device="cpu",
                versions={},
                avoided={},
                started_at=now(),
                heartbeat_at=now(),
            )
        )
    private = {"visibility": "private", "user": "ann"}
    defense = stage.entry("defense", f"{PLANTED} newcomer", state="evaluating", **private)
    attack = stage.entry("attack", f"{PLANTED} attack", **private)
    scene.secrets += [defense, attack]
    scene.secrets.append(stage.cell(None, defense, state="running", **lease))
    waiting = stage.entry("defense", "Shown newcomer", user="bob", state="evaluating")
    stage.cell(None, waiting, state="queued")
    dead = {"state": "dead", "finished_at": now(), "reason": f"{PLANTED} reason"}
    scene.secrets.append(stage.cell(attack, waiting, **dead))
    scene.secrets.append(stage.cell(attack, scene.defense, {"full": [1, 2, 3]}))
    scene.shown.append(waiting)


def _values(scene: Scene, entry: str = "", cell: str = "") -> dict[str, str]:
    dataset, scenario = BOARD.split("/")
    return {
        "dataset": dataset,
        "scenario": scenario,
        "submission_id": entry,
        "code": "graph-agnostic",
        "cell_id": cell,
        "job_id": scene.job,
        "snapshot_id": scene.snapshot,
        "file": "snapshot.json",
        "name": "rules",
        "section": "audit",
        **dict.fromkeys(
            ("upload_id", "user_id", "session_id", "token_id", "identity_id", "provider"), UNKNOWN
        ),
        "study": "none",
        "number": "1",
        "season_id": UNKNOWN,
    }


def test_one_entry_is_there_for_who_may_see_it(scene: Scene) -> None:
    faults = []
    for route in OF_ONE:
        assert isinstance(route.expected, Of)
        for which in WHICH:
            expected = route.expected.public if which == "public" else route.expected.kept
            ids = scene.entry(which)
            for who, status_ in zip(WHO, expected, strict=True):
                if route.method != "get":
                    ids = scene.entry(which)
                answer = scene.ask(route, who, _values(scene, *ids), route.expected.query)
                about = (route.name, which, who)
                if answer.status_code != status_:
                    faults.append((*about, answer.status_code, status_, answer.text[:200]))
                if which != "public" and who in ("anybody", "other"):
                    faults += [(*about, "tells", found) for found in scene.leaks(answer, *ids)]
                if who == "owner" and status_ == 200 and answer.text and route.method == "get":
                    private = answer.headers["cache-control"].startswith("private")
                    faults += [] if private else [(*about, answer.headers["cache-control"])]
    assert faults == [], "\n".join(map(str, faults))


@pytest.mark.parametrize("kind", ["submissions", "cells"])
def test_what_one_may_not_see_is_answered_as_what_there_is_not(scene: Scene, kind: str) -> None:
    """The same status, headers and body, but for the id that was asked for."""
    entry, cell = scene.entry("private")
    asked = entry if kind == "submissions" else cell
    for path in ("/api/v1/{kind}/{id}", "/{kind}/{id}", "/api/v1/{kind}/{id}/artefact"):
        for who in ("anybody", "other"):
            headers = {"X-Request-ID": "the-same-for-both"}
            headers |= scene.stage.bearer(TOKENS[who]) if who in TOKENS else {}
            hidden, nothing = (
                scene.client.get(path.format(kind=kind, id=one), headers=headers)
                for one in (asked, UNKNOWN)
            )
            assert hidden.status_code == 404
            assert hidden.text.replace(asked, UNKNOWN) == nothing.text
            volatile = {"date", "content-length"}
            assert {k: v for k, v in hidden.headers.items() if k not in volatile} == {
                k: v for k, v in nothing.headers.items() if k not in volatile
            }


def test_lists_boards_and_pages_tell_nothing_of_what_one_may_not_see(scene: Scene) -> None:
    faults = []
    for route in ABOUT:
        assert isinstance(route.expected, About)
        for who, status_ in zip(WHO, route.expected.statuses, strict=True):
            for query in route.expected.queries:
                answer = scene.ask(route, who, _values(scene), query)
                about = (route.name, who, str(query))
                if answer.status_code != status_:
                    faults.append((*about, answer.status_code, status_, answer.text[:200]))
                if who in ("anybody", "other"):
                    faults += [(*about, "tells", found) for found in scene.leaks(answer)]
    assert faults == [], "\n".join(map(str, faults))


def test_the_words_that_are_looked_for_are_there_for_their_owner(scene: Scene) -> None:
    """Else the tests above would find nothing whatever was told."""
    ann = scene.stage.bearer("ann")
    listed = scene.client.get("/api/v1/submissions", headers=ann).text
    assert scene.leaks(httpx.Response(200, text=listed)) == [
        PLANTED,
        *(word for word in scene.secrets if word in listed),
    ]
    assert len([word for word in scene.secrets if word in listed]) == 4
    status_ = scene.client.get("/api/v1/status", headers=ann).json()
    assert [worker["work"]["name"] for worker in status_["workers"]] == [f"{PLANTED} newcomer"]
    anybody = scene.client.get("/api/v1/status").json()
    assert [worker["work"]["name"] for worker in anybody["workers"]] == [None]


@pytest.mark.parametrize("which", ["leaderboard", "matrix"])
def test_only_the_owner_s_own_view_has_what_is_kept(scene: Scene, which: str) -> None:
    url = f"/api/v1/boards/{BOARD}/{which}"
    for view in ("reference", "all"):
        for who in WHO:
            headers = scene.stage.bearer(TOKENS[who]) if who in TOKENS else {}
            answer = scene.client.get(url, params={"view": view, "mine": True}, headers=headers)
            if who == "anybody":
                assert answer.status_code == 401
                continue
            assert answer.headers["cache-control"] == "private, no-cache"
            assert (PLANTED in answer.text) == (who in ("owner", "admin")), (view, who)
            again = {**headers, "If-None-Match": answer.headers["etag"]}
            params = {"view": view, "mine": True}
            assert scene.client.get(url, params=params, headers=again).status_code == 304
            public = scene.client.get(url, params={"view": view}, headers=headers)
            assert PLANTED not in public.text


Shown = Callable[[], dict[str, Any]]


@pytest.fixture
def public(client: httpx.Client) -> Shown:
    """Everything that anybody can read of a board, with its ETags."""

    fresh = {"Cache-Control": "no-cache"}  # not the answer before, which others get for a moment

    def read() -> dict[str, Any]:
        answers = {url: client.get(url, headers=fresh) for url in _urls()}
        return {url: (answer.text, answer.headers.get("etag")) for url, answer in answers.items()}

    return read


def _urls() -> Iterator[str]:
    yield from ("/api/v1/boards", f"/api/v1/boards/{BOARD}", "/api/v1/submissions")
    yield from (f"/api/v1/boards/{BOARD}/history", "/", f"/boards/{BOARD}", "/submissions")
    yield from (f"/api/v1/boards/{BOARD}/table?preset=complete", f"/api/v1/boards/{BOARD}/charts")
    for view in ("reference", "all"):
        yield f"/api/v1/boards/{BOARD}/matrix?view={view}"
        yield f"/api/v1/boards/{BOARD}/matrix/grid?view={view}"
        for side in ("attack", "defense"):
            yield f"/api/v1/boards/{BOARD}/leaderboard?view={view}&side={side}"


def test_public_answers_are_the_same_byte_for_byte_with_and_without_it(
    stage: Stage, public: Shown
) -> None:
    """No count, average, rank, revision or tag tells that there is something."""
    reference = stage.entry("defense", "R", is_reference=True)
    attack = stage.entry("attack", "A", is_reference=True)
    newcomer = stage.entry("defense", "N", state="evaluating")
    stage.cell(None, reference, {"full": [90]})
    stage.cell(attack, reference, {"full": [40, 50, 60]})
    stage.cell(None, newcomer, {"full": [80]})
    before = public()
    kept = {"user": "bob", "visibility": "private"}
    hidden, other = stage.entry("attack", "H", **kept), stage.entry("defense", "K", **kept)
    stage.entry("defense", "W", state="evaluating", **kept)
    stage.cell(None, other, {"full": [99]})
    stage.cell(attack, other, {"full": [1, 2, 3]})
    for defense in (reference, other):
        stage.cell(hidden, defense, {"full": [0, 0, 0]})
    stage.cell(hidden, newcomer, state="queued")
    assert public() == before


def test_an_embargo_ends_without_anybody_doing_anything(
    stage: Stage, client: httpx.Client, public: Shown
) -> None:
    """The reaper of this service does not run; caches and tags notice all the same.

    Instead of the clock the date is moved, and nothing else: not the board's revision.
    """
    attack = stage.entry("attack", "A", is_reference=True)
    ends = now() + timedelta(days=30)
    entry = stage.entry("defense", "Embargoed", visibility="embargoed", public_at=ends)
    stage.cell(None, entry, {"full": [90]})
    stage.cell(attack, entry, {"full": [40, 50, 60]})
    before = public()
    assert not any("Embargoed" in text for text, _ in before.values())
    with stage.sessions.writing() as session:
        session.get_one(Submission, entry).public_at = now()
    after = public()
    url = f"/api/v1/boards/{BOARD}/leaderboard?view=all&side=defense"
    assert "Embargoed" in after[url][0] and after[url][1] != before[url][1]
    assert "Embargoed" in after["/api/v1/submissions"][0]
    assert client.get(f"/api/v1/submissions/{entry}").json()["visibility"] == "public"
