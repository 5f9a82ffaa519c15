"""Whatever is sent gets an answer: fuzzed files, and files that were really sent."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grbcore import catalog, datasets
from grbcore.catalog import Board
from grbcore.datasets import Dataset
from grbcore.perturbation import Injection
from grbcore.scenario import Difficulty, Side
from grbcore.submission import (
    check_content,
    check_header,
    scale_of,
    write_attack,
)
from grbcore.violations import CODES, MOST, Refused, Violation, shortened
from tests.grbcore.forging import only
from tests.grbcore.samples import NO_EDGES, D, N, injection, of


def test_every_violation_has_a_registered_code() -> None:
    with pytest.raises(ValueError, match="code: found 'nonsense'"):
        Violation("nonsense", "", "", "")


class Checked:
    """A checker without fixtures, for thousands of files."""

    def __init__(self, side: Side, data: bytes, folder: Path) -> None:
        self.side, self.valid, self.path = side, data, folder / "fuzzed"
        self.board, self.dataset = catalog.board("digits/injection"), datasets.load("digits")

    def __call__(self, data: bytes) -> None:
        """Never an exception; a violation always says what was found and allowed."""
        self.path.write_bytes(data)
        found = check_content(self.path, side=self.side, board=self.board, dataset=self.dataset)
        for violation in found:
            assert violation.code in CODES
            assert violation.place and violation.found and violation.allowed
            json.dumps(violation.as_dict()).encode()
            str(violation).encode("utf-8")


@pytest.fixture(params=["attack", "defense"])
def checked(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    attack: dict[Difficulty, tuple[Injection, ...]],
    defense_file: Path,
) -> Checked:
    if request.param == "defense":
        return Checked("defense", defense_file.read_bytes(), tmp_path)
    path = tmp_path / "small.npz"
    write_attack(path, {"full": [injection(datasets.load("digits"), nodes=2)]})
    return Checked("attack", path.read_bytes(), tmp_path)


@given(st.data())
def test_flipped_bytes_are_checked(checked: Checked, draw: st.DataObject) -> None:
    data = bytearray(checked.valid)
    for _ in range(draw.draw(st.integers(1, 5))):
        data[draw.draw(st.integers(0, len(data) - 1))] = draw.draw(st.integers(0, 255))
    checked(bytes(data))


@given(st.data())
def test_removed_and_repeated_pieces_are_checked(checked: Checked, draw: st.DataObject) -> None:
    places = st.integers(0, len(checked.valid))
    checked(checked.valid[: draw.draw(places)] + checked.valid[draw.draw(places) :])


@given(st.binary(max_size=300))
def test_any_bytes_are_checked(checked: Checked, data: bytes) -> None:
    checked(data)
    checked(checked.valid[:8] + data)


@given(st.data())
def test_any_values_of_an_attack_are_checked(tmp_path: Path, draw: st.DataObject) -> None:
    rows = draw.draw(st.integers(0, 4))
    ends = st.integers(-2, N + 5) | st.integers(-(1 << 63), (1 << 63) - 1)
    pairs = draw.draw(st.lists(st.tuples(ends, ends), max_size=12))
    values = st.floats(width=32, allow_nan=True, allow_infinity=True)
    matrix = np.zeros((rows, D), np.float32)
    matrix[:, :1] = np.array([draw.draw(values) for _ in range(rows)], np.float32).reshape(-1, 1)
    edges = np.array(pairs, np.int64).reshape(-1, 2).T.copy()
    Checked("attack", b"", tmp_path)(of({"full/0": {"edges": edges, "features": matrix}}))


def test_a_refusal_carries_every_violation() -> None:
    violations = [Violation("size", "file", "2", "1"), Violation("format", "file", "a", "b")]
    refused = Refused(violations)
    assert refused.violations == tuple(violations)
    assert str(refused).splitlines() == [
        "file: found 2; allowed: 1 [size]",
        "file: found a; allowed: b [format]",
    ]


def test_a_long_list_is_cut_to_some_of_every_code_in_their_order() -> None:
    many = [Violation("finite", f"a[{i}]", "nan", "numbers") for i in range(500)]
    found = shortened([*many, Violation("edge-self", "b", "one", "none"), *many[:2]])
    assert len(found) == MOST
    assert [violation.code for violation in found] == ["finite"] * 99 + ["edge-self"]
    assert [violation.place for violation in found[:3]] == ["a[0]", "a[1]", "a[2]"]
    assert shortened(many[:3]) == many[:3]


# Files that were really sent


@pytest.mark.parametrize("name", ["corrupt-checkpoint.pt", "whole-module-pickle.pt"])
def test_a_checkpoint_is_refused_as_a_defense_for_its_format(
    real_data: Path, board: Board, digits: Dataset, name: str
) -> None:
    path = real_data / "malformed" / name
    violation = only(check_content(path, side="defense", board=board, dataset=digits))
    assert (violation.code, violation.place) == ("format", "file")
    assert violation.found == "a zip archive (.npz, or a checkpoint of torch.save)"
    assert "grb convert" in violation.allowed


@pytest.mark.parametrize(
    ("name", "code"), [("corrupt-checkpoint.pt", "damaged"), ("whole-module-pickle.pt", "format")]
)
def test_a_checkpoint_is_refused_as_an_attack(
    real_data: Path, board: Board, digits: Dataset, name: str, code: str
) -> None:
    path = real_data / "malformed" / name
    violation = only(check_content(path, side="attack", board=board, dataset=digits))
    assert (violation.code, violation.place) == (code, "file")
    assert "zip" in violation.found


def test_an_attack_in_another_layout_is_refused_by_its_members(
    real_data: Path, board: Board, digits: Dataset
) -> None:
    path = real_data / "malformed" / "weights-1e10" / "adj_attack.npz"
    found = check_content(path, side="attack", board=board, dataset=digits)
    assert {v.place for v in found} >= {"indptr", "indices", "data"}
    path = real_data / "malformed" / "weights-1e10" / "features_attack.npy"
    violation = only(check_content(path, side="attack", board=board, dataset=digits))
    assert (violation.code, violation.found) == ("format", "a single numpy array (.npy)")


def test_a_hundred_features_on_grb_cora_are_refused(real_data: Path) -> None:
    board = catalog.board("grb-cora/injection@1")
    dataset = datasets.load("grb-cora", data_dir=real_data)
    features = np.load(real_data / "malformed" / "weights-1e10" / "features_attack.npy")
    data = of({"full/0": {"edges": NO_EDGES, "features": features.astype(np.float32)}})
    found = check_header(
        io.BytesIO(data), side="attack", board=board, scale=scale_of(dataset)
    ).violations
    assert only(found) == Violation(
        "shape",
        "full/0/features",
        "shape (500, 100)",
        "shape (k, 302): the features of grb-cora",
    )
