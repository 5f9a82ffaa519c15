"""Studies: as JSON, as files, and on pages without JavaScript."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import httpx
import pytest

from grbcore import studies
from grbcore.store.session import now
from tests import studies as samples
from tests.api.stage import BOARD, Stage, problem


@pytest.fixture
def shown(stage: Stage, tmp_path: Path) -> None:
    """A study of models, one of the board and one of whole graphs."""
    for made, name, title in (
        (samples.splits(tmp_path / "a"), "citeseer", "CiteSeer <i>"),
        (samples.robustness(tmp_path / "b"), "digits", "Digits over splits"),
        (samples.expressive(tmp_path / "c"), "mutag", "MUTAG, white box"),
    ):
        studies.publish(made, stage.settings.studies_dir, name=name, title=title, now=now())


class Cells(HTMLParser):
    """The texts of a page's rows."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1] and self.lasttag in ("td", "th"):
            self.rows[-1][-1] += data.strip("\n")


@pytest.mark.usefixtures("shown")
def test_studies_are_listed_newest_first_with_their_files(client: httpx.Client) -> None:
    listed = client.get("/api/v1/studies").json()
    assert [(one["name"], one["kind"], one["of"]) for one in listed] == [
        ("mutag", "expressive", ["mutag"]),
        ("digits", "robustness", [BOARD]),
        ("citeseer", "splits", ["citeseer"]),
    ]
    for one in listed:
        assert client.get(one["page"]).status_code == 200
        for file in one["files"]:
            assert client.get(file["url"]).status_code == 200


@pytest.mark.usefixtures("shown")
def test_a_study_is_told_with_its_numbers(client: httpx.Client) -> None:
    found = client.get("/api/v1/studies/digits").json()
    entry = found["results"]["sides"]["defense"]["entries"][0]
    assert entry["official"] == 0.625 and entry["variance"]["repeat"] is None
    found = client.get("/api/v1/studies/citeseer").json()
    assert found["results"]["models"][1]["datasets"]["citeseer"]["mean"] is None


@pytest.mark.usefixtures("shown")
def test_pages_show_the_numbers_and_escape_what_is_told(client: httpx.Client) -> None:
    text = client.get("/studies/citeseer").text
    assert "<i>" not in text and "<b>" not in text
    rows = Cells(text).rows
    assert ["GCN", "70.0 ± 1.0", "70.1", "1 of 4", "71.9 ± 1.9", "100.0", "1.0"] in rows
    assert ["MLP <b>", "–", "–", "–", "–", "–", "–"] in rows
    assert ["citeseer", "GCN", "MLP <b>", "+12.50", "2 of 2", "0.03"] in rows
    rows = Cells(client.get("/studies/digits").text).rows
    text = client.get("/studies/digits").text
    assert "1 repeat of each" in text and "lower is stronger" in text
    numbers = ["62.5", "60.0 ± 2.2", "2.00", "1.00", "–", "–", "1", "1 to 2", "1 of 2"]
    assert ["GCN", *numbers] in rows and ["RND", *numbers] in rows
    assert ["GCN", "none", "90.0", "91.0 ± 2.2", "2.00", "1.00", "–", "–"] in rows


@pytest.mark.usefixtures("shown")
def test_curves_are_shown_beside_the_thesis_and_what_the_attack_could_not_steer(
    client: httpx.Client,
) -> None:
    text = client.get("/studies/mutag").text
    rows = Cells(text).rows
    assert ["Bag", "2", "52.5 ± 2.5", "48.4 ± 14.6"] in rows
    assert ["GINE", "2", "92.5 ± 2.5", "98.9 ± 2.4"] in rows
    assert ["Model", "1", "3", "CRR", "Efficacy", "No slope"] in rows
    (bag,) = [row for row in rows if row[0] == "Bag" and len(row) == 6]
    assert bag[:3] == ["Bag", "50.0 ± 0.0", "50.0 ± 0.0"] and bag[4:] == ["–", "100"]
    assert "GINE, seed 2, has no runs: training: found &lt;b&gt;" in text
    pages = text + client.get("/studies/citeseer").text
    plots = re.findall(r'<img src="/api/v1/studies/[^>]*>', pages)
    # with their sizes, so that nothing below moves when they come
    assert [re.findall(r'files/(\w+)|width="(\d+)" height="(\d+)"', plot) for plot in plots] == [
        [("adjpgd", "", ""), ("", "960", "346")],
        [("boxes", "", ""), ("", "900", "300")],
    ]
    assert '<h2 id="under-adjpgd">AdjPGD</h2>' in text and "under-random" not in text
    told = client.get("/api/v1/studies/mutag").json()["results"]
    assert told["models"][0]["attacks"]["adjpgd"]["budgets"]["1"]["unmoved"]["mean"] == 1.0
    for board in ("mutag/adjacency@1", "mutag/attributes@1"):
        found = client.get(f"/api/v1/boards/{board}/rules").json()["studies"]
        assert [one["page"] for one in found] == ["/studies/mutag"]
        page = client.get(f"/boards/{board}/rules").text
        assert "white box" in page and 'href="/studies/mutag"' in page


def test_a_study_of_errors_is_told_in_errors(
    client: httpx.Client, stage: Stage, tmp_path: Path
) -> None:
    made = samples.expressive(tmp_path / "out", "zinc")
    studies.publish(made, stage.settings.studies_dir, name="zinc", title="ZINC", now=now())
    text = client.get("/studies/zinc").text
    assert "lower is better" in text and "height of the curve below 0.525" in text
    assert "percent:" not in text
    assert ["GINE", "2", "0.925 ± 0.025", "0.122 ± 0.004"] in Cells(text).rows


@pytest.mark.usefixtures("shown")
def test_a_plot_runs_nothing_when_it_is_opened_by_itself(client: httpx.Client) -> None:
    answer = client.get("/api/v1/studies/citeseer/files/boxes.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "sandbox" in policy and "script" not in policy


@pytest.mark.usefixtures("shown")
def test_the_rules_of_a_board_lead_to_its_studies(client: httpx.Client) -> None:
    told = client.get(f"/api/v1/boards/{BOARD}/rules").json()
    assert [one["page"] for one in told["studies"]] == ["/studies/digits"]
    assert 'href="/studies/digits"' in client.get(f"/boards/{BOARD}/rules").text


def test_what_is_not_there_is_not_found(client: httpx.Client, stage: Stage) -> None:
    assert client.get("/api/v1/studies").json() == []
    assert "No study is published" in client.get("/studies").text
    problem(client.get("/api/v1/studies/none"), 404, "not-found")
    assert client.get("/studies/none").status_code == 404
    outside = stage.settings.studies_dir.parent / "about.json"
    outside.write_text("{}")
    for name in ("..", "%2e%2e", "a/../.."):
        assert client.get(f"/api/v1/studies/{name}/files/about.json").status_code == 404


@pytest.mark.usefixtures("shown")
def test_only_the_files_of_a_study_are_handed_out(client: httpx.Client) -> None:
    for name in ("about.json", "runs.sqlite", "..%2fdigits%2fresults.json"):
        assert client.get(f"/api/v1/studies/citeseer/files/{name}").status_code == 404


@pytest.mark.usefixtures("shown")
def test_a_study_that_was_damaged_is_not_found(client: httpx.Client, stage: Stage) -> None:
    folder = stage.settings.studies_dir
    results = folder / "digits" / "results.json"
    results.write_text(results.read_text().replace('"attack": {', '"other": {'))
    for name in ("citeseer", "mutag"):
        (folder / name / "results.json").unlink()
    for name in ("digits", "citeseer", "mutag"):
        problem(client.get(f"/api/v1/studies/{name}"), 404, "not-found")
        assert client.get(f"/studies/{name}").status_code == 404
    found = client.get("/api/v1/studies/citeseer/files/results.json")
    problem(found, 404, "not-found")
    assert client.get("/api/v1/studies").json() == []
    assert "No study is published" in client.get("/studies").text
    assert client.get(f"/api/v1/boards/{BOARD}/rules").json()["studies"] == []
