"""Whatever a route is sent, it answers as its description says: schemathesis over every route.

Routes are read from the description, so a new one is covered as soon as it is there.  Ids that a
path may hold are in `known`; a parameter that it lacks gets generated values only.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from api.main import create_app
from grbcore import catalog, studies
from grbcore.settings import Settings
from grbcore.store import seasons, snapshots, tokens
from grbcore.store.session import Sessions, connect, now
from grbcore.store.tables import Season
from tests import studies as samples
from tests.api.stage import BOARD, Stage, serve
from tests.store import databases

schemathesis.serializer.alias("application/offset+octet-stream", "application/octet-stream")
SCHEMA = schemathesis.openapi.from_dict(create_app(Settings(var_dir=Path("var"))).openapi())
OPERATIONS = {
    found.ok().label: found.ok() for found in SCHEMA.get_all_operations() if isinstance(found, Ok)
}

#: Who asks, and of which database; each is careful about other texts and numbers.
ASKERS = {"nobody": "sqlite", "ann": "sqlite", "admin": "postgres"}
OTHERS = {"nobody": "postgres", "ann": "postgres", "admin": "sqlite"}

CHECKS = [
    schemathesis.checks.not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
MODES = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]


@dataclass(frozen=True)
class Service:
    """A service that runs, what is in it, and ids that a path may hold."""

    stage: Stage
    address: str
    known: Mapping[str, list[str]]


def proposed(stage: Stage) -> str:
    """The id of a proposal, beside a season that has begun."""
    with stage.sessions.writing() as session:
        seasons.freeze(session, BOARD, now())
        row = Season(
            board_id=BOARD, state="proposed", protocol=stage.protocol, revision=1,
            members=[], left_out=[], created_at=now(),
        )  # fmt: skip
        session.add(row)
        session.flush()
        return row.id


@contextlib.contextmanager
def service(url: str, folder: Path) -> Iterator[Service]:
    engine = connect(url)
    chosen = Settings(var_dir=folder / "var", page_dir=folder, database_url=url, reap_seconds=3600)
    stage = Stage(Sessions(engine), chosen)
    defenses = [stage.entry("defense", f"D{number}") for number in range(3)]
    attacks = [stage.entry("attack", f"A{number}", user="bob") for number in range(3)]
    counts = {difficulty: [50, 51, 52] for difficulty in ("easy", "medium", "hard", "full")}
    cells = [stage.cell(attack, one, counts) for one in defenses for attack in (None, *attacks)]
    kept = snapshots.make(
        stage.sessions, stage.blobs, catalog.board(BOARD), user_id=None, via="cli", reason=None,
        now=now(),
    )  # fmt: skip
    dataset, scenario = BOARD.split("/")
    known = {
        "dataset": [dataset],
        "scenario": [scenario, scenario.partition("@")[0]],
        "submission_id": [*defenses, *attacks],
        "cell_id": cells,
        "code": ["graph-agnostic"],
        "snapshot_id": [kept],
        "study": ["digits"],
        "file": ["results.json", "draws.csv", "scores.svg"],
        "form": ["csv", "tex"],
    }
    made = samples.robustness(folder / "study")
    studies.publish(made, chosen.studies_dir, name="digits", title="Digits", now=now())
    with serve(chosen) as address:
        asked = {"board": BOARD, "reason": "a test"}
        job = requests.post(
            f"{address}/api/v1/admin/reevaluations", json=asked, headers=stage.bearer("admin")
        ).json()
        beside = {"job_id": [job["id"]], "season_id": [proposed(stage)], "number": ["1"]}
        yield Service(stage, address, {**known, **beside})
    engine.dispose()


@pytest.fixture(scope="module")
def services(
    tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path
) -> Iterator[dict[str, Service]]:
    folders = {name: tmp_path_factory.mktemp(name) for name in ("sqlite", "postgres")}
    sqlite = databases.sqlite(folders["sqlite"], sqlite_template)
    with (
        databases.postgres() as postgres,
        service(sqlite, folders["sqlite"]) as first,
        service(postgres, folders["postgres"]) as second,
    ):
        yield {"sqlite": first, "postgres": second}


@pytest.fixture(autouse=True)
def no_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """No name but the service's own has an address, so that no webhook is looked up for long."""
    looked_up = socket.getaddrinfo

    def at_home(host: Any, *more: Any, **named: Any) -> Any:
        if host not in ("127.0.0.1", "localhost", None):
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        return looked_up(host, *more, **named)

    monkeypatch.setattr(socket, "getaddrinfo", at_home)


def ask(of: Service, case: Case, headers: dict[str, str]) -> None:
    """Send the request, and hold its answer against the description."""
    answer = case.call(base_url=of.address, headers=headers, timeout=30, allow_redirects=False)
    # the shape of events has no place in OpenAPI 3.1; tests of events read them
    stream = answer.headers.get("content-type", [""])[0].startswith("text/event-stream")
    left_out = [response_schema_conformance] if stream else []
    case.validate_response(answer, checks=CHECKS, excluded_checks=left_out)
    for cookie in answer.headers.get("set-cookie", []):
        assert "httponly" in cookie.lower() or "csrf" in cookie.lower(), cookie
        assert "samesite" in cookie.lower(), cookie


def attack(label: str, asker: str, of: Service, *, coverage: int, examples: int) -> None:
    """Send so many requests at the edges of the description, and so many random ones."""
    operation = OPERATIONS[label]
    headers = {}
    if asker != "nobody":  # a new token, since routes may have ended the one before
        with of.stage.sessions.writing() as session:
            token = tokens.issue(session, asker, now=now())
        headers = {"Authorization": f"Bearer {token}"}

    edges = SCHEMA.iter_coverage_cases(
        operation, generation_modes=MODES, generation_config=SCHEMA.config.generation
    )
    for number, case in enumerate(islice(edges, coverage)):
        for name in set(case.path_parameters or {}) & set(of.known):
            if number % 2:
                case.path_parameters[name] = of.known[name][number % len(of.known[name])]
        ask(of, case, headers)

    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(data=st.data())
    def fuzz(data: st.DataObject) -> None:
        mode = data.draw(st.sampled_from(MODES))
        case = data.draw(operation.as_strategy(mode))
        for name in set(case.path_parameters or {}) & set(of.known):
            if data.draw(st.integers(0, 3)):
                case.path_parameters[name] = data.draw(st.sampled_from(of.known[name]))
        ask(of, case, headers)

    fuzz()


@pytest.mark.parametrize("asker", ASKERS)
@pytest.mark.parametrize("label", OPERATIONS)
def test_every_answer_is_one_that_the_description_tells(
    services: dict[str, Service], label: str, asker: str
) -> None:
    few = asker == "nobody"
    of = services[ASKERS[asker]]
    attack(label, asker, of, coverage=4 if few else 12, examples=2 if few else 6)


@pytest.mark.long
@pytest.mark.parametrize("asker", OTHERS)
@pytest.mark.parametrize("label", OPERATIONS)
def test_every_answer_is_one_that_the_description_tells_for_longer(
    services: dict[str, Service], label: str, asker: str
) -> None:
    attack(label, asker, services[OTHERS[asker]], coverage=500, examples=200)
    attack(label, asker, services[ASKERS[asker]], coverage=500, examples=200)
