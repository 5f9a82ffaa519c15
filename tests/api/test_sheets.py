"""Rankings and matrices as CSV: the same numbers as the JSON, and nothing that a sheet runs."""

from __future__ import annotations

import asyncio
import csv
import io
import re
from collections.abc import AsyncIterable, AsyncIterator, Iterator
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.deps import find_board
from api.errors import ApiError
from api.rankings import Rankings
from api.routes import sheets as routes
from api.sheets import lines, safe
from api.slots import Sheets
from tests.api.stage import BOARD, EMPTY, Stage, problem

URL = f"/api/v1/boards/{BOARD}"


def read(text: str) -> list[dict[str, str]]:
    assert text.endswith("\r\n")
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.fixture
def measured(stage: Stage) -> dict[str, str]:
    ids = {
        "A": stage.entry("attack", "=HYPERLINK(1)", is_reference=True, paper_url="https://a.org"),
        "B": stage.entry("attack", 'B "x"\n;=1', team="@team"),
        "D": stage.entry("defense", "Grün", is_reference=True),
        "E": stage.entry("defense", "+E"),
        "F": stage.entry("defense", "F", state="evaluating"),
    }
    for defense in "DE":
        stage.cell(None, ids[defense], {"full": [99]})
        stage.cell(ids["A"], ids[defense], {"full": [91, 80, 71]})
        stage.cell(ids["B"], ids[defense], {"full": [95]})
    stage.cell(None, ids["F"], state="queued")
    return ids


@pytest.mark.parametrize("view", ["reference", "all"])
@pytest.mark.parametrize("side", ["defense", "attack"])
def test_a_ranking_holds_the_numbers_of_the_json(
    client: httpx.Client, measured: dict[str, str], side: str, view: str
) -> None:
    asked = {"side": side, "view": view}
    rows = read(client.get(f"{URL}/leaderboard.csv", params=asked).text)
    found = client.get(f"{URL}/leaderboard", params=asked).json()["rows"]
    entries = [row for row in found if row["entry"]]
    assert [row["id"] for row in rows] == [row["entry"]["id"] for row in entries]
    three = "avg_3_min" if side == "defense" else "avg_3_max"
    for row, line in zip(rows, entries, strict=True):
        at = line["metrics"]["full"]
        assert int(row["rank"]) == line["rank"] and int(row["n"]) == at["n"]
        for column, name in (("weighted", "weighted"), ("avg", "average"), (three, "three")):
            assert float(row[column]) == at[name]["mean"]
            std = row[f"{column}_std"]
            assert (float(std) if std else None) == at[name]["std"]
        if side == "defense":
            assert float(row["clean"]) == line["clean"]["full"]["mean"]


@pytest.mark.parametrize("step", [100, 1])
def test_a_matrix_holds_the_numbers_of_the_json_however_many_parts_it_is_read_in(
    client: httpx.Client, measured: dict[str, str], monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    monkeypatch.setattr(routes, "_STEP", step)
    found = client.get(f"{URL}/matrix", params={"view": "all"}).json()
    rows = read(client.get(f"{URL}/matrix.csv", params={"view": "all"}).text)
    assert [row["id"] for row in rows] == [head["id"] for head in found["attacks"]]
    accuracy = {
        (cell["attack"], cell["defense"]): cell["accuracy"].get("full", {}).get("mean")
        for cell in found["cells"]
    }
    for row in rows:
        cells = {re.sub(r".*\((.*)\)", r"\1", name): cell for name, cell in row.items()}
        for head in found["defenses"]:
            cell = cells[head["id"]]
            assert (float(cell) if cell else None) == accuracy.get((row["id"], head["id"]))
    assert any(accuracy.values())


def asked(stage: Stage, client: httpx.Client, sheets: Sheets | None = None) -> Iterator[str]:
    """The lines of a matrix, each read when it is asked for."""
    sheets = sheets or Sheets()
    service = cast(
        Any, SimpleNamespace(sessions=stage.sessions, rankings=Rankings(), sheets=sheets)
    )
    answer = routes.get_matrix_file(find_board(BOARD), service, "full", view="all")

    async def following(chunks: AsyncIterable[Any]) -> AsyncIterator[Any]:
        async for chunk in chunks:
            yield chunk

    told = following(answer.body_iterator)
    with asyncio.Runner() as runner:
        while True:
            try:
                yield str(runner.run(anext(told)))  # type: ignore[arg-type]
            except StopAsyncIteration:
                return


def test_a_matrix_keeps_its_columns_and_rows_while_the_board_changes(
    client: httpx.Client, stage: Stage, measured: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A defense takes the first rank between the first row and the second."""
    monkeypatch.setattr(routes, "_STEP", 1)
    before = client.get(f"{URL}/matrix.csv", params={"view": "all"}).text
    lines_ = asked(stage, client)
    begin = [next(lines_), next(lines_)]
    newcomer = stage.entry("defense", "first", is_reference=True)
    for attack in (None, measured["A"], measured["B"]):
        stage.cell(attack, newcomer, {"full": [100]})
    after = client.get(f"{URL}/matrix.csv", params={"view": "all"}).text
    assert newcomer in after and "".join([*begin, *lines_]) == before != after


def test_a_matrix_of_a_board_that_moves_to_other_rules_ends_short(
    client: httpx.Client, stage: Stage, measured: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "_STEP", 1)
    lines_ = asked(stage, client)
    next(lines_), next(lines_)
    stage.board(protocol="9" * 16)
    with pytest.raises(routes.RulesChanged, match="moved on"):
        list(lines_)


def test_so_many_matrices_are_written_at_once_and_the_next_is_told_to_wait(
    client: httpx.Client, stage: Stage, measured: dict[str, str]
) -> None:
    sheets = Sheets(most=1)
    begun = asked(stage, client, sheets)
    next(begun)
    with pytest.raises(ApiError, match="whole matrices at once: found 1, allowed: 1") as refused:
        next(asked(stage, client, sheets))
    assert (refused.value.status, refused.value.code) == (503, "busy")
    assert len(list(begun)) == 3  # two attacks and none
    assert len(list(asked(stage, client, sheets))) == 4


def test_a_file_is_saved_under_the_name_of_its_board(
    client: httpx.Client, measured: dict[str, str]
) -> None:
    headers = client.get(f"{URL}/matrix.csv").headers
    assert headers["content-type"] == "text/csv; charset=utf-8"
    assert headers["content-disposition"] == (
        'attachment; filename="digits-injection-1-matrix-full-reference.csv"'
    )


def test_no_text_of_a_stranger_begins_a_formula(
    client: httpx.Client, measured: dict[str, str]
) -> None:
    text = client.get(f"{URL}/leaderboard.csv", params={"side": "attack", "view": "all"}).text
    assert '"\'=HYPERLINK(1)"' in text and '"B ""x"" ;\'=1"' in text and '"\'@team"' in text
    names = {row["name"] for row in read(text)}
    assert names == {"'=HYPERLINK(1)", 'B "x" ;\'=1'}
    head = client.get(f"{URL}/matrix.csv", params={"view": "all"}).text.splitlines()[0]
    assert "\"'+E (" in head and "Grün (" in head


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", " '=1"),
        ("\r=1", " '=1"),
        ("  =1", "  '=1"),
        ("＝1", "'＝1"),
        ("＋1", "'＋1"),
        ("－1", "'－1"),
        ("＠a", "'＠a"),
        ('";=1', "\";'=1"),
        ("a;=cmd|'/c calc'!A1", "a;'=cmd|'/c calc'!A1"),
        ("a\n=1", "a =1"),
        ("GCN-SVD+AT", "GCN-SVD+AT"),
        ("a = b", "a = b"),
        ("", ""),
    ],
)
def test_a_cell_that_begins_like_a_formula_gets_an_apostrophe(text: str, cell: str) -> None:
    assert safe(text) == cell


@given(st.lists(st.text(), min_size=1, max_size=3))
def test_whatever_splits_a_line_no_part_begins_like_a_formula(texts: list[str]) -> None:
    [line] = lines([texts])
    assert line.count("\n") == 1
    assert next(csv.reader([line])) == [safe(text) for text in texts]
    for separator in (",", ";", "\t"):
        for part in line.split(separator):
            assert part.strip(" \"'\r\n")[:1] not in tuple("=+-@＝＋－＠") or "'" in part


def test_a_board_without_data_has_a_file_with_heads_only(
    client: httpx.Client, stage: Stage
) -> None:
    for name in ("leaderboard", "matrix"):
        answer = client.get(f"/api/v1/boards/{EMPTY}/{name}.csv")
        assert answer.status_code == 200 and len(read(answer.text)) <= 1
    problem(client.get("/api/v1/boards/digits/nope/matrix.csv"), 404, "board-unknown")
    problem(client.get(f"{URL}/matrix.csv?difficulty=extreme"), 422, "invalid-fields")


def test_the_page_without_javascript_links_the_files(
    client: httpx.Client, measured: dict[str, str]
) -> None:
    html = client.get(f"/boards/{BOARD}?difficulty=hard&view=all").text
    links = re.findall(r'href="(/api/v1/[^"]*)" aria-label', html)
    assert [re.sub(r".*@1|[?].*", "", link) for link in links] == [
        *["/leaderboard.csv", "/leaderboard.tex", "/leaderboard"] * 2,
        *("/matrix.csv", "/matrix.tex", "/matrix/grid"),
    ]
    ids = f"{measured['D']},{measured['E']}"
    for page, files in (
        (f"/boards/{BOARD}/table?preset=complete&defenses={measured['D']}&base=clean", 3),
        (f"/compare?board={BOARD}&ids={ids}&difficulty=easy", 9),
    ):
        more = re.findall(r'href="(/api/v1/[^"]*)" aria-label', client.get(page).text)
        assert len(more) == files
        links += more
    assert f"?preset=complete&amp;defenses={measured['D']}&amp;base=clean" in links[-10]
    assert f"?ids={ids}&amp;view=reference&amp;difficulty=easy" in links[-1]
    for link in links:
        assert client.get(link.replace("&amp;", "&")).status_code == 200
