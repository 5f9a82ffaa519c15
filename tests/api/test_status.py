"""The state of the service, for people, for programs, and for Prometheus."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import httpx
import pytest

from grbcore.needs import NEEDS, Need
from grbcore.settings import Settings
from grbcore.store import workers
from grbcore.store.session import now
from grbcore.store.tables import BoardRow
from tests import tables
from tests.api.stage import BOARD, Stage, problem, serve

OWNER = "machine:boot:1/77/abc"


def show(
    stage: Stage,
    owner: str = OWNER,
    *,
    age: float = 0.0,
    takes: tuple[Need, ...] = NEEDS,
    **avoided: str,
) -> None:
    """A worker whose last heartbeat was so many seconds ago."""
    moment = now() - timedelta(seconds=age)
    versions = {"grb": "0.1.0", "torch": "2.13.0"}
    identity = workers.Identity(owner, "cpu", versions, moment, takes=takes)
    with stage.sessions.writing() as session:
        workers.beat(session, identity, avoided=avoided, now=moment)


def lease(owner: str = OWNER) -> dict[str, Any]:
    return {"lease_owner": owner, "lease_token": "t", "lease_until": now() + timedelta(seconds=40)}


@pytest.fixture
def busy(stage: Stage) -> dict[str, str]:
    """Two workers, one of them lost; a defense under work, another that waits, one in the queue."""
    show(stage)
    show(stage, "machine:boot:1/78/def", age=100, **{BOARD: "the data <is> not here"})
    ids = {
        "attack": stage.entry("attack", "A", is_reference=True),
        "ranked": stage.entry("defense", "D"),
        "running": stage.entry("defense", "R", state="evaluating"),
        "waiting": stage.entry("defense", "W", state="evaluating", user="bob"),
        "received": stage.entry("attack", "N", state="received"),
    }
    stage.cell(None, ids["ranked"], {"full": [9]})
    stage.cell(ids["attack"], ids["ranked"], {"full": [9]})
    stage.cell(None, ids["running"], state="running", **lease())
    stage.cell(ids["attack"], ids["running"], state="queued")
    stage.cell(None, ids["waiting"], state="queued")
    stage.cell(ids["attack"], ids["waiting"], state="queued")
    return ids


def test_the_status_tells_workers_and_what_they_do(
    client: httpx.Client, busy: dict[str, str]
) -> None:
    found = client.get("/api/v1/status").json()
    alive, lost = found["workers"]
    assert (found["alive"], alive["state"], lost["state"]) == (1, "alive", "lost")
    assert (alive["id"], alive["host"], alive["pid"]) == ("abc", "machine", 77)
    work = {"kind": "cells", "submission": busy["running"], "name": "R", "board": BOARD, "cells": 1}
    assert (alive["work"], lost["work"]) == (work, None)
    assert lost["avoided"] == {BOARD: "the data <is> not here"}
    assert alive["versions"]["torch"] == "2.13.0"


def test_the_status_counts_the_queue(client: httpx.Client, busy: dict[str, str]) -> None:
    found = client.get("/api/v1/status").json()
    counts = {name: found["cells"][name] for name in ("waiting", "running", "done", "stopped")}
    assert counts["waiting"] == 3 and counts["running"] == 1 and counts["stopped"] == 0
    assert found["validations"]["waiting"] == 1
    assert found["cells"]["oldest_seconds"] > 24 * 3600  # queued in January


def test_the_status_tells_what_a_newcomer_may_expect(
    client: httpx.Client, busy: dict[str, str]
) -> None:
    board = next(b for b in client.get("/api/v1/status").json()["boards"] if b["id"] == BOARD)
    assert (board["state"], board["attacks"], board["defenses"]) == ("ready", 1, 1)
    # in front: 2 + 2 cells and the one of the attack that is not validated, 0.5 s each
    assert board["cell_seconds"] == 0.5
    assert (board["attack_wait"], board["defense_wait"]) == (5 * 0.5 + 0.5, 5 * 0.5 + 2 * 0.5)


def test_a_submission_tells_its_place_while_it_waits(
    client: httpx.Client, busy: dict[str, str]
) -> None:
    places = {
        name: client.get(f"/api/v1/submissions/{submission}").json()["place"]
        for name, submission in busy.items()
    }
    assert places["ranked"] is None
    line = {"waiting": 1, "missing": None}
    assert places["running"] == {**line, "position": None, "seconds": 2 * 0.5}
    assert places["waiting"] == {**line, "position": 1, "seconds": 2 * 0.5 + 2 * 0.5}
    assert places["received"] == {**line, "position": 1, "seconds": 4 * 0.5 + 0.5}


def test_without_javascript_a_submission_tells_its_place_too(
    client: httpx.Client, busy: dict[str, str]
) -> None:
    html = client.get(f"/submissions/{busy['waiting']}").text
    assert "Position 1 of 1 in the queue; its rank is expected in about 2 s." in html
    html = client.get(f"/submissions/{busy['running']}").text
    assert "A worker is at it; its rank is expected in about 1 s." in html


def test_the_tables_without_javascript_hold_what_the_json_holds(
    client: httpx.Client, busy: dict[str, str]
) -> None:
    shown = tables.tables(client.get("/status").text)
    found = client.get("/api/v1/status").json()
    assert [row[1] for row in shown["workers"][1:]] == ["alive", "lost"]
    assert shown["workers"][1][0] == "machine 77"
    assert shown["workers"][1][2] == f"1 cell of R, {BOARD}"
    assert shown["workers"][2][2] == f"nothing avoids {BOARD}: the data <is> not here"
    assert shown["workers"][2][5] == "2 min ago"
    assert [row[0] for row in shown["queue"][1:]] == ["Checks of files", "Cells"]
    assert shown["queue"][2][1:2] + shown["queue"][2][3:] == [
        str(found["cells"][name]) for name in ("waiting", "running", "done", "stopped")
    ]
    ids = [board["id"] for board in found["boards"] if board["state"] != "no-data"]
    assert BOARD in ids and len(ids) < len(found["boards"])
    assert [row[0].split()[-1] for row in shown["expected"][1:]] == ids
    row = next(row for row in shown["expected"] if BOARD in row[0])
    assert row[2:] == ["cpu", "1", "1", "0.50", "3 s", "4 s"]
    assert shown["workers"][1][3] == "cpu takes cpu, gpu, gpu-large"


def test_failures_are_told_by_whose_fault_they_are(
    client: httpx.Client, stage: Stage, busy: dict[str, str]
) -> None:
    stage.cell(
        busy["attack"], stage.entry("defense", "F", state="failed"), state="failed",
        error_code="time-limit", finished_at=now(),
    )  # fmt: skip
    found = client.get("/api/v1/status").json()["failures"]
    expected = {"family": "submission", "work": "cells", "code": "time-limit"}
    assert found == [{**expected, "outcome": "failed", "count": 1}]
    shown = tables.tables(client.get("/status").text)["failures"]
    assert shown[1:] == [["the submission", "a cell", "time-limit", "failed, for good", "1"]]


def test_without_a_worker_the_page_says_so(client: httpx.Client, stage: Stage) -> None:
    assert "No worker is alive" in client.get("/status").text
    show(stage)
    assert "No worker is alive" not in client.get("/status").text


def test_work_that_no_living_worker_takes_is_told_everywhere(
    client: httpx.Client, stage: Stage, busy: dict[str, str]
) -> None:
    """Three cells and a check wait; the worker that takes everything is lost."""
    with stage.sessions.writing() as session:
        session.get_one(BoardRow, BOARD).need = "gpu-large"
    show(stage, OWNER, age=100)
    show(stage, "machine:boot:1/79/ghi", takes=("cpu", "gpu"))
    found = client.get("/api/v1/status").json()
    assert found["unserved"] == [{"need": "gpu-large", "cells": 3, "validations": 1}]
    assert found["takers"] == {"cpu": 1, "gpu": 1, "gpu-large": 0}
    board = next(board for board in found["boards"] if board["id"] == BOARD)
    assert (board["need"], board["attack_wait"], board["defense_wait"]) == ("gpu-large", None, None)
    place = client.get(f"/api/v1/submissions/{busy['waiting']}").json()["place"]
    assert place == {"position": 1, "waiting": 1, "seconds": None, "missing": "gpu-large"}
    said = "3 cells and 1 check of a file wait for gpu-large: no worker that takes it is alive."
    assert said in client.get("/status").text
    html = client.get(f"/submissions/{busy['waiting']}").text
    assert "Position 1 of 1 in the queue; no worker that takes gpu-large boards is alive." in html
    scraped = samples(client.get("/metrics").text)
    assert scraped['grb_queue_unserved{need="gpu-large",queue="cells"}'] == 3
    assert scraped['grb_queue_unserved{need="gpu-large",queue="validations"}'] == 1
    assert scraped['grb_workers_taking{need="gpu"}'] == 1
    assert scraped['grb_workers_taking{need="gpu-large"}'] == 0


# Prometheus


def samples(text: str) -> dict[str, float]:
    """Every sample of a scrape, after checking that each line is well-formed."""
    found = {}
    for line in text.splitlines():
        if line.startswith("#"):
            assert re.fullmatch(r"# (HELP grb_\w+ .+|TYPE grb_\w+ (gauge|counter|histogram))", line)
            continue
        label = r'\w+="(?:[^"\\]|\\.)*"'
        match = re.fullmatch(rf"(grb_\w+(?:\{{{label}(?:,{label})*\}})?) ([0-9.e+-]+)", line)
        assert match, line
        assert match[1] not in found
        found[match[1]] = float(match[2])
    return found


def test_prometheus_reads_the_queue_and_the_workers(
    client: httpx.Client, busy: dict[str, str]
) -> None:
    answer = client.get("/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    found = samples(answer.text)
    assert (found["grb_database_up"], found["grb_workers_alive"]) == (1, 1)
    assert found["grb_workers_lost"] == 1
    assert found['grb_queue_waiting{queue="cells"}'] == 3
    assert found['grb_queue_waiting{queue="validations"}'] == 1
    assert found['grb_cells{state="running"}'] == 1 and found['grb_cells{state="done"}'] == 2
    assert found['grb_queue_oldest_seconds{queue="cells"}'] > 24 * 3600


def test_requests_are_counted_by_the_template_of_their_route(client: httpx.Client) -> None:
    for number in range(3):
        client.get(f"/api/v1/cells/{number}")
    client.get("/cells/1")
    client.get("/nowhere/at/all")
    client.request("BREW", "/coffee")
    found = samples(client.get("/metrics").text)
    of = 'grb_http_requests_total{{method="{}",route="{}",status="{}"}}'.format
    assert found[of("GET", "/api/v1/cells/{cell_id}", 404)] == 3
    assert found[of("GET", "/cells/{cell_id}", 404)] == 1
    assert found[of("GET", "other", 404)] == 1
    assert found[of("other", "other", 405)] == 1


def test_latencies_are_a_histogram_that_ends_with_all(client: httpx.Client) -> None:
    client.get("/api/v1/health")
    client.get("/api/v1/health")
    found = samples(client.get("/metrics").text)
    route = 'route="/api/v1/health"'
    assert found[f'grb_http_request_seconds_bucket{{{route},le="+Inf"}}'] == 2
    assert found[f"grb_http_request_seconds_count{{{route}}}"] == 2
    assert found[f"grb_http_request_seconds_sum{{{route}}}"] > 0


def test_without_a_database_metrics_answer_and_the_status_is_503(
    settings: Settings, tmp_path: Any
) -> None:
    url = f"sqlite:///{tmp_path / 'empty.db'}"
    with serve(settings.model_copy(update={"database_url": url})) as address:
        problem(httpx.get(f"{address}/api/v1/status"), 503, "unavailable")
        found = samples(httpx.get(f"{address}/metrics").text)
    assert found["grb_database_up"] == 0
    assert found['grb_http_requests_total{method="GET",route="/api/v1/status",status="503"}'] == 1
