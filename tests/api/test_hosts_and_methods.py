"""By which names the service answers, and to which methods."""

from __future__ import annotations

import httpx
import pytest
from pydantic import ValidationError

from grbcore import catalog, studies
from grbcore.settings import Settings
from grbcore.store import seasons, snapshots
from grbcore.store.session import now
from tests import studies as samples
from tests.api.parts import Sender
from tests.api.stage import BOARD, DEFENSE, Stage, problem, serve

BOARDS = "/api/v1/boards"


def called(client: httpx.Client, host: str, path: str = BOARDS) -> httpx.Response:
    return client.get(path, headers={"Host": host})


# Names


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8000", "[::1]:8000", "LOCALHOST."])
def test_it_answers_to_its_own_names(client: httpx.Client, host: str) -> None:
    assert called(client, host).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.org", "localhost.evil.org", "localhost@evil.org", "localhost:80/x", "[::2]", ""]
)
@pytest.mark.parametrize("path", [BOARDS, "/", "/docs"])
def test_another_name_is_400(client: httpx.Client, host: str, path: str) -> None:
    answer = called(client, host, path)
    assert "GRB_ALLOWED_HOSTS" in problem(answer, 400, "host")["message"]
    assert answer.headers["x-request-id"] and answer.headers["x-content-type-options"]


def test_it_answers_to_the_names_that_an_operator_gives(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRB_ALLOWED_HOSTS", "board.org, *.Lab.org,[fd00::1]")
    given = Settings().allowed_hosts
    assert given == ("board.org", "*.lab.org", "fd00::1")
    settings = stage.settings.model_copy(update={"allowed_hosts": given, "host": "10.1.2.3"})
    with serve(settings) as address, httpx.Client(base_url=address) as client:
        for host in ("board.org:443", "a.lab.org", "[fd00::1]:8000", "10.1.2.3", "localhost"):
            assert called(client, host).status_code == 200, host
        for host in ("sub.board.org", "lab.org", "evillab.org"):
            problem(called(client, host), 400, "host")


@pytest.mark.parametrize("names", ["board.org:80", "http://board.org", "a b", "board.org,*org"])
def test_names_that_are_none_are_refused(monkeypatch: pytest.MonkeyPatch, names: str) -> None:
    monkeypatch.setenv("GRB_ALLOWED_HOSTS", names)
    with pytest.raises(ValidationError, match="between commas"):
        Settings()


def test_a_cells_command_never_repeats_a_name_that_nobody_gave(stage: Stage) -> None:
    """With ``*``, anybody may be asked for; only names that were given are repeated."""
    cell = stage.cell(None, stage.entry("defense", "D"), {"full": [1]})
    path = f"/api/v1/cells/{cell}"
    settings = stage.settings.model_copy(update={"allowed_hosts": ("*", "board.org")})
    with serve(settings) as address, httpx.Client(base_url=address) as client:
        for host in ("evil.org", "x;rm -rf ~", 'x"><script>'):
            for place in (path, f"/cells/{cell}"):
                answer = called(client, host, place)
                assert answer.status_code == 200 and host not in answer.text
        assert (
            "$GRB_SERVER/api/v1/submissions" in called(client, "evil.org", path).json()["command"]
        )
        assert "http://board.org/api/v1" in called(client, "board.org", path).json()["command"]


# Methods


def paths(client: httpx.Client, stage: Stage) -> list[str]:
    """An address of every GET route of the API."""
    entry = stage.entry("defense", "D")
    cell = stage.cell(None, entry, {"full": [1]})
    values = {"{dataset}": "digits", "{scenario}": "injection@1", "{name}": "rules"}
    values |= {"{submission_id}": entry, "{cell_id}": cell}
    asked = {"board": "digits/injection@1", "reason": "a test"}
    url, admin = "/api/v1/admin/reevaluations", stage.bearer("admin")
    values["{job_id}"] = client.post(url, json=asked, headers=admin).json()["id"]
    values["{upload_id}"] = Sender(client, stage, "admin").begin(DEFENSE, 100).json()["id"]
    with stage.sessions.writing() as session:
        seasons.freeze(session, BOARD, now())
    values["{number}"], values["{file}"] = "1", "snapshot.json"
    values["{snapshot_id}"] = snapshots.make(
        stage.sessions, stage.blobs, catalog.board(BOARD), user_id=None, via="cli", reason=None,
        now=now(),
    )  # fmt: skip
    study = samples.robustness(stage.settings.var_dir / "study")
    studies.publish(study, stage.settings.studies_dir, name="digits", title="Digits", now=now())
    values["{study}"], values["{form}"] = "digits", "csv"
    found = []
    for path, item in client.get("/openapi.json").json()["paths"].items():
        if "get" in item:
            path = path.replace("/{study}/files/{file}", "/{study}/files/results.json")
            for name, value in values.items():
                path = path.replace(name, value)
            assert "{" not in path
            found.append(f"{path}?ids={entry}" if "/comparison" in path else path)
    return [*found, "/docs", "/openapi.json", "/", "/favicon.svg"]


def test_head_answers_like_get_without_a_body(client: httpx.Client, stage: Stage) -> None:
    found = paths(client, stage)
    assert len(found) > 10
    for path in found:
        headers = stage.bearer("admin")
        full, head = client.get(path, headers=headers), client.head(path, headers=headers)
        assert head.status_code == full.status_code == 200, path
        assert head.content == b""
        for name in ("content-type", "content-length", "etag"):
            assert head.headers.get(name) == full.headers.get(name), path


def test_head_of_what_is_not_there_is_404(client: httpx.Client) -> None:
    assert client.head("/api/v1/boards/digits/nope").status_code == 404
    assert client.head("/api/v1/nope").status_code == 404


@pytest.mark.parametrize("method", ["OPTIONS", "DELETE", "PATCH", "TRACE"])
@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        (BOARDS, "GET, HEAD"),
        ("/api/v1/submissions", "GET, HEAD, POST"),
        ("/api/v1/submissions/01J00000000000000000000000/withdraw", "POST"),
        ("/docs", "GET, HEAD"),
        ("/openapi.json", "GET, HEAD"),
        ("/submissions", "GET, HEAD"),
        ("/favicon.svg", "GET, HEAD"),
    ],
)
def test_another_method_is_405_with_all_that_are_allowed(
    client: httpx.Client, path: str, allowed: str, method: str
) -> None:
    answer = client.request(method, path)
    problem(answer, 405, "method")
    assert answer.headers["allow"] == allowed


def test_head_of_a_route_that_only_takes_posts_is_405(client: httpx.Client) -> None:
    answer = client.head("/api/v1/submissions/01J00000000000000000000000/withdraw")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
