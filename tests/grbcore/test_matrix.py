"""The matrix at home: the service's numbers, told as JSON, CSV, LaTeX, Markdown and a plot."""

from __future__ import annotations

import csv
import io
import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from grbcore.catalog import Board
from grbcore.datasets import Dataset
from grbcore.evaluate import evaluate
from grbcore.matrix import Matrix, evaluate_matrix, measure_cells
from grbcore.models import build, save
from grbcore.reporting import cell_of
from grbcore.results import CLEAN, Cell
from grbcore.scenario import DIFFICULTIES
from grbcore.submission import write_attack
from grbcore.violations import Refused
from grbcore.visualise import MissingExtra, heat_map
from tests.grbcore.engine import small
from tests.grbcore.samples import injection


def model(name: str = "GCN", seed: int = 0):
    return build(name, small(name), features=64, classes=10, seed=seed).eval()


@pytest.fixture(scope="module")
def attacks(digits: Dataset) -> dict[str, dict]:
    return {
        "thrice": {"easy": [injection(digits, seed=s) for s in range(3)],
                   "full": [injection(digits, seed=s) for s in range(3, 6)]},
        "once": {"full": [injection(digits, seed=9)]},
    }  # fmt: skip


@pytest.fixture(scope="module")
def matrix(board: Board, digits: Dataset, attacks: dict[str, dict]) -> Matrix:
    return evaluate_matrix({"GCN": model(), "GIN": model("GIN")}, attacks, board, digits)


def test_every_cell_is_what_evaluating_its_pair_alone_gives(
    board: Board, digits: Dataset, attacks: dict[str, dict], matrix: Matrix
) -> None:
    assert len(matrix.cells) == 6
    for name in ("GCN", "GIN"):
        for attack_id, attack in {CLEAN: None, **attacks}.items():
            alone = evaluate(board, digits, model=model(name), attack=attack)
            assert matrix.cell(attack_id, name).correct == alone.correct
            assert matrix.cell(attack_id, name).total == alone.total


def test_files_give_the_same_counts_as_what_they_hold(
    board: Board, digits: Dataset, attacks: dict[str, dict], matrix: Matrix, tmp_path: Path
) -> None:
    save(tmp_path / "gcn.safetensors", model())
    write_attack(tmp_path / "attack.npz", attacks["thrice"])
    found = evaluate_matrix(
        {"GCN": tmp_path / "gcn.safetensors"},
        {"thrice": str(tmp_path / "attack.npz")},
        board,
        digits,
    )
    for row in (CLEAN, "thrice"):
        assert found.cell(row, "GCN").correct == matrix.cell(row, "GCN").correct


def test_a_model_in_memory_may_take_raw_features(
    board: Board, digits: Dataset, attacks: dict[str, dict]
) -> None:
    attack = {"thrice": attacks["thrice"]}
    found = evaluate_matrix({"GCN": model()}, attack, board, digits, raw={"GCN"})
    alone = evaluate(board, digits, model=model(), attack=attack["thrice"], features="raw")
    assert found.cell("thrice", "GCN").correct == alone.correct


def test_pairs_to_skip_are_not_measured_and_their_files_not_read(
    board: Board, digits: Dataset, attacks: dict[str, dict]
) -> None:
    found = measure_cells(
        {"GCN": model(), "gone": "gone.safetensors"},
        {"once": attacks["once"], "missing": "missing.npz"},
        board,
        digits,
        skip={
            (CLEAN, "GCN"),
            ("missing", "GCN"),
            *((a, "gone") for a in (CLEAN, "once", "missing")),
        },
    )
    assert [(cell.attack, cell.defense) for cell in found] == [("once", "GCN")]


def known() -> Matrix:
    """Two repeats over ten targets, so that everything can be done in one's head."""
    counts = {
        (CLEAN, "A"): (9,), (CLEAN, "B"): (8,),
        ("strong", "A"): (2, 4), ("strong", "B"): (5, 5),
        ("weak", "A"): (9, 9), ("weak", "B"): (7, 7),
    }  # fmt: skip
    cells = tuple(
        Cell(row, column, {"full": found}, {"full": 10}) for (row, column), found in counts.items()
    )
    return Matrix("digits/injection@1", ("strong", "weak"), ("A", "B"), 2, cells)


def test_defenses_are_ranked_over_the_attacks_and_the_clean_row() -> None:
    """Weights 36/49, 9/49, 4/49.  A: (36·.2+9·.9+4·.9, 36·.4+…)/49; B: (36·.5+9·.7+4·.8)/49."""
    rows = known().leaderboard("defense").rows
    assert [row.id for row in rows] == ["B", "A"]
    assert rows[0].metrics["full"].weighted.mean == pytest.approx((18 + 6.3 + 3.2) / 49)
    assert rows[1].metrics["full"].weighted.mean == pytest.approx((10.8 + 8.1 + 3.6) / 49)


def test_attacks_are_ranked_over_the_defenses_lowest_first() -> None:
    rows = known().leaderboard("attack", "full").rows
    assert [(row.rank, row.id) for row in rows] == [(1, "strong"), (2, "weak"), (None, CLEAN)]


def test_json_holds_every_cell() -> None:
    record = json.loads(known().to_json())
    assert record["board"] == "digits/injection@1"
    assert [(c["attack"], c["defense"], c["correct"]) for c in record["cells"]] == [
        (cell.attack, cell.defense, {"full": list(cell.correct["full"])}) for cell in known().cells
    ]


def test_csv_has_a_line_for_each_repeat() -> None:
    lines = list(csv.DictReader(io.StringIO(known().to_csv())))
    assert len(lines) == 2 + 4 * 2
    strong = [line for line in lines if (line["attack"], line["defense"]) == ("strong", "A")]
    assert [(line["repeat"], line["accuracy"]) for line in strong] == [
        ("0", "0.200000"),
        ("1", "0.400000"),
    ]


def test_latex_gives_mean_and_std_in_percent_and_escapes_names() -> None:
    """0.2 and 0.4: mean 30, population standard deviation 10."""
    text = Matrix("b", ("a_b",), ("A&B",), 2, (
        Cell("a_b", "A&B", {"full": (2, 4)}, {"full": 10}),
        Cell(CLEAN, "A&B", {"full": (9,)}, {"full": 10}),
    )).to_latex()  # fmt: skip
    assert r"attack & A\&B \\" in text
    assert r"a\_b & 30.00 $\pm$ 10.00 \\" in text
    assert r"clean & 90.00 \\" in text


def test_markdown_has_a_row_for_each_attack_and_the_clean_one_last() -> None:
    assert known().to_markdown().splitlines() == [
        "| attack | A | B |",
        "| --- | --: | --: |",
        "| strong | 30.00 ± 10.00 | 50.00 ± 0.00 |",
        "| weak | 90.00 ± 0.00 | 70.00 ± 0.00 |",
        "| clean | 90.00 | 80.00 |",
    ]


def test_the_heat_map_shows_every_mean_as_colour_and_number() -> None:
    axes = heat_map(known(), "full").axes[0]
    shown = np.asarray(axes.images[0].get_array())
    np.testing.assert_allclose(shown, [[30, 50], [90, 70], [90, 80]])
    texts = [text.get_text() for text in axes.texts]
    assert texts == ["30.0", "50.0", "90.0", "70.0", "90.0", "80.0"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["strong", "weak", CLEAN]


def of_errors() -> Matrix:
    """As `known`, of a board whose metric is an error."""
    errors: dict[tuple[str, str], tuple[float, ...]] = {
        (CLEAN, "A"): (0.25,), (CLEAN, "B"): (0.5,),
        ("strong", "A"): (1.5, 2.5), ("strong", "B"): (1.0, 1.0),
    }  # fmt: skip
    cells = tuple(Cell(*pair, {}, {"5": 10}, errors={"5": e}) for pair, e in errors.items())
    return Matrix("zinc/adjacency@1", ("strong",), ("A", "B"), 2, cells)


def test_errors_are_kept_and_read_again() -> None:
    records = json.loads(of_errors().to_json())["cells"]
    assert [cell_of(record) for record in records] == list(of_errors().cells)
    lines = list(csv.DictReader(io.StringIO(of_errors().to_csv())))
    assert [line["error"] for line in lines] == [
        "0.250000", "0.500000", "1.500000", "2.500000", "1.000000", "1.000000",
    ]  # fmt: skip


def test_errors_are_told_with_three_digits() -> None:
    """1.5 and 2.5: mean 2, population standard deviation 0.5."""
    assert of_errors().to_markdown().splitlines()[2:] == [
        "| strong | 2.000 ± 0.500 | 1.000 ± 0.000 |",
        "| clean | 0.250 | 0.500 |",
    ]
    assert r"strong & 2.000 $\pm$ 0.500" in of_errors().to_latex()


def test_the_heat_map_of_errors_is_as_wide_as_they_are() -> None:
    axes, bar = heat_map(of_errors(), "5").axes
    (image,) = axes.images
    np.testing.assert_allclose(np.asarray(image.get_array()), [[2, 1], [0.25, 0.5]])
    assert image.get_clim() == (0.25, 2)
    assert [text.get_text() for text in axes.texts] == ["2.000", "1.000", "0.250", "0.500"]
    assert bar.get_ylabel() == "error"


def test_the_heat_maps_title_fits_into_the_picture() -> None:
    found = replace(known(), board="grb-citeseer/modification@1")
    figure = heat_map(found, "full")
    figure.savefig(io.BytesIO(), format="png")
    (title,) = figure.texts
    assert title.get_text() == "grb-citeseer/modification@1, full"
    extent = title.get_window_extent()
    assert extent.x0 >= 0
    assert extent.x1 <= figure.bbox.x1


def test_the_plot_is_a_picture(tmp_path: Path) -> None:
    known().plot(tmp_path / "matrix.png")
    assert (tmp_path / "matrix.png").read_bytes()[:4] == b"\x89PNG"


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=r"graph-robustness-leaderboard\[study\]"):
        heat_map(known(), "full")


def test_difficulties_are_those_that_an_attack_carries(matrix: Matrix) -> None:
    assert matrix.difficulties == ("easy", "full")
    clean = Matrix("b", (), ("GCN",), 3, (matrix.cell(CLEAN, "GCN"),))
    assert clean.difficulties == DIFFICULTIES


def test_a_cell_that_is_not_there_is_told_with_what_is() -> None:
    with pytest.raises(ValueError, match=r"found 'strong' x 'C', allowed: .*defenses A, B"):
        known().cell("strong", "C")


def test_no_model_is_refused(board: Board, digits: Dataset) -> None:
    with pytest.raises(ValueError, match="models: found none"):
        evaluate_matrix({}, {}, board, digits)


def test_a_file_that_is_not_there_is_named(board: Board, digits: Dataset) -> None:
    with pytest.raises(FileNotFoundError, match=r"nowhere\.npz: no such file"):
        evaluate_matrix({"GCN": model()}, {"a": "nowhere.npz"}, board, digits)


@pytest.mark.parametrize("case", ["name", "repeats", "nothing", "budget", "difficulty"])
def test_a_wrong_attack_is_refused(board: Board, digits: Dataset, case: str) -> None:
    one = injection(digits)
    attacks, code = {
        "name": ({CLEAN: {"full": [one]}}, "format"),
        "repeats": ({"a": {"full": [one, one]}}, "repeats"),
        "nothing": ({"a": {}}, "member-missing"),
        "budget": ({"a": {"full": [injection(digits, nodes=91)]}}, "budget-nodes"),
        "difficulty": ({"a": {"huge": [one]}}, "format"),
    }[case]
    with pytest.raises(Refused) as refused:
        evaluate_matrix({"GCN": model()}, attacks, board, digits)
    assert refused.value.violations[0].code == code
