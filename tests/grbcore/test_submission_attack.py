"""Attacks against the rules of a board: the header and the content stage."""

from __future__ import annotations

import io
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from grbcore.catalog import Board, Limits
from grbcore.datasets import Dataset
from grbcore.perturbation import Injection, Modification
from grbcore.scenario import DIFFICULTIES, Difficulty, Side
from grbcore.submission import (
    Header,
    check_content,
    check_header,
    read_attack,
    scale_of,
    write_attack,
)
from grbcore.violations import Violation
from tests.grbcore.forging import arrays, entry, header, npy, npy_saying, npz, only, safetensors
from tests.grbcore.samples import NO_EDGES, NO_NODES, D, Members, N, of

Check = Callable[[bytes], tuple[Violation, ...]]

EMPTY = {"edges": NO_EDGES, "features": NO_NODES}


def headers(data: bytes, board: Board, digits: Dataset, side: Side) -> Header:
    return check_header(io.BytesIO(data), side=side, board=board, scale=scale_of(digits))


def test_an_honest_attack_passes_and_tells_what_it_holds(
    attack_file: Path, board: Board, digits: Dataset
) -> None:
    assert check_content(attack_file, side="attack", board=board, dataset=digits) == ()
    found = headers(attack_file.read_bytes(), board, digits, "attack")
    assert found.contents == {"difficulties": list(DIFFICULTIES), "repeats": 3}


def test_full_alone_with_one_repeat_passes(attacked: Check, board: Board, digits: Dataset) -> None:
    data = of({"full/0": EMPTY})
    assert attacked(data) == ()
    found = headers(data, board, digits, "attack")
    assert found.contents == {"difficulties": ["full"], "repeats": 1}


def test_what_is_written_is_read_back(
    attack_file: Path, attack: dict[Difficulty, tuple[Injection, ...]], board: Board
) -> None:
    with attack_file.open("rb") as file:
        found = read_attack(file, board)
    assert list(found) == list(DIFFICULTIES)
    for difficulty, perturbations in attack.items():
        assert [p.digest() for p in found[difficulty]] == [p.digest() for p in perturbations]


def test_the_same_attack_gives_the_same_bytes(
    attack_file: Path, attack: dict[Difficulty, tuple[Injection, ...]], tmp_path: Path
) -> None:
    again = tmp_path / "again.npz"
    write_attack(again, {difficulty: attack[difficulty] for difficulty in reversed(DIFFICULTIES)})
    assert again.read_bytes() == attack_file.read_bytes()


def test_numpy_reads_what_is_written(
    attack_file: Path, attack: dict[Difficulty, tuple[Injection, ...]]
) -> None:
    with np.load(attack_file, allow_pickle=False) as found:
        assert np.array_equal(found["hard/2/edges"], attack["hard"][2].edges)


# Attacks: the header stage


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", "an empty file"),
        (pickle.dumps({"full/0/edges": 1}), "a pickle"),
        (npy(NO_EDGES), "a single numpy array (.npy)"),
        (safetensors({"a": entry([1], 0, 4)}, bytes(4)), "a .safetensors file"),
    ],
)
def test_an_attack_of_another_format_is_refused(attacked: Check, data: bytes, found: str) -> None:
    assert attacked(data) == (Violation("format", "file", found, "a .npz archive"),)


def test_a_file_above_the_boards_limit_is_refused(board: Board, digits: Dataset) -> None:
    small = board.model_copy(update={"limits": Limits(attack_bytes=100, defense_bytes=100)})
    for side in ("attack", "defense"):
        found = headers(bytes(101), small, digits, side)  # type: ignore[arg-type]
        assert only(found.violations) == Violation("size", "file", "101 bytes", "at most 100 bytes")


@pytest.mark.parametrize(
    "name",
    ["edges", "full/edges", "full/0/flips", "full/0/labels", "Full/0/edges", "extreme/0/edges",
     "full/00/edges", "full/-1/edges", "full/10000/edges", "full/0/edges/x", "full/0/edges ",
     "full/\u0660/edges", "full/0/edges\n"],
)  # fmt: skip
def test_a_member_of_another_name_is_refused(attacked: Check, name: str) -> None:
    data = npz(
        [
            ("full/0/edges.npy", npy(NO_EDGES)),
            ("full/0/features.npy", npy(NO_NODES)),
            (f"{name}.npy", npy(NO_EDGES)),
        ]
    )
    violation = only(attacked(data))
    assert violation.code == "member-name"
    assert violation.place == name.replace("\n", "\\n")
    assert violation.allowed == "<difficulty>/<repeat>/edges and <difficulty>/<repeat>/features"


@pytest.mark.parametrize("part", ["edges", "features"])
def test_half_an_injection_is_refused(attacked: Check, part: str) -> None:
    other = {"edges": "features", "features": "edges"}[part]
    violation = only(attacked(of({"full/0": {part: EMPTY[part]}})))
    assert violation == Violation(
        "member-missing", "full/0", f"no full/0/{other}", f"full/0/{other}"
    )


def test_an_attack_without_full_is_refused(attacked: Check) -> None:
    assert only(attacked(of({"easy/0": EMPTY}))) == Violation(
        "member-missing", "full", "no member of full", "full (easy, medium and hard are optional)"
    )


def test_an_archive_of_nothing_is_refused(attacked: Check) -> None:
    violation = only(attacked(npz([])))
    assert (violation.code, violation.place) == ("member-missing", "full")


@pytest.mark.parametrize(
    ("places", "at", "found"),
    [
        (["full/0", "full/1"], "full", "repeats 0, 1"),
        (["full/1"], "full", "repeats 1"),
        (["full/0", "full/1", "full/2", "full/3"], "full", "repeats 0, 1, 2, 3"),
        (["full/0", "full/2"], "full", "repeats 0, 2"),
        (["full/0", "easy/0", "easy/1", "easy/2"], "easy", "repeats 0, 1, 2"),
        (["full/0", "full/1", "full/2", "hard/0"], "hard", "repeats 0"),
    ],
)
def test_repeats_are_all_or_one_and_the_same_everywhere(
    attacked: Check, places: list[str], at: str, found: str
) -> None:
    assert only(attacked(of(dict.fromkeys(places, EMPTY)))) == Violation(
        "repeats", at, found, "repeats 0..2, or repeat 0 alone, the same at every difficulty"
    )


@pytest.mark.parametrize(
    ("part", "array", "code", "found", "allowed"),
    [
        ("edges", np.zeros((2, 0), np.int32), "dtype", "<i4", "<i8 (int64)"),
        ("edges", np.zeros((2, 0), np.float64), "dtype", "<f8", "<i8 (int64)"),
        ("features", np.zeros((0, D), np.float64), "dtype", "<f8", "<f4 (float32)"),
        ("features", np.zeros((0, D), np.float16), "dtype", "type '<f2'", "<f4 (float32)"),
        ("edges", np.zeros((3, 2), np.int64), "shape", "shape (3, 2)", "shape (2, e)"),
        ("edges", np.zeros(2, np.int64), "shape", "shape (2,)", "shape (2, e)"),
        ("features", np.zeros((0, 100), np.float32), "shape", "shape (0, 100)",
         "shape (k, 64): the features of digits"),
        ("features", np.zeros(D, np.float32), "shape", "shape (64,)",
         "shape (k, 64): the features of digits"),
        ("features", np.zeros((91, D), np.float32), "budget-nodes", "91 injected nodes",
         "at most 90"),
        ("edges", np.zeros((2, 1801), np.int64), "budget-degree", "1801 edges",
         "at most 1800 in total"),
    ],
)  # fmt: skip
def test_an_array_of_another_type_or_shape_is_refused(
    attacked: Check, part: str, array: np.ndarray, code: str, found: str, allowed: str
) -> None:
    violation = only(attacked(of({"full/0": {**EMPTY, part: array}})))
    assert violation == Violation(code, f"full/0/{part}", found, allowed)


def test_easy_has_a_budget_of_its_own(attacked: Check) -> None:
    many = {"edges": NO_EDGES, "features": np.zeros((31, D), np.float32)}
    assert only(attacked(of({"full/0": EMPTY, "easy/0": many}))) == Violation(
        "budget-nodes", "easy/0/features", "31 injected nodes", "at most 30"
    )


def test_fortran_order_is_refused(attacked: Check) -> None:
    edges = np.asfortranarray([[N, N + 1], [0, 1]])
    violation = only(attacked(of({"full/0": {**EMPTY, "edges": edges}})))
    assert (violation.code, violation.place) == ("order", "full/0/edges")


@pytest.mark.parametrize("side", ["attack", "defense"])
def test_a_tiny_file_that_asks_for_gigabytes_is_refused(
    board: Board, digits: Dataset, side: Side
) -> None:
    big = 1 << 28
    if side == "attack":
        data = npz([("full/0/edges.npy", npy_saying(header((2, big))))])
    else:
        data = safetensors({"convs.0.weight": entry([big], 0, 4 * big)})
    violation = only(headers(data, board, digits, side).violations)
    assert violation.code == "damaged"
    assert len(data) < 300


def test_every_fault_of_a_header_is_named_at_once(attacked: Check) -> None:
    found = attacked(
        of(
            {
                "full/0": {"edges": np.zeros((3, 1), np.int32), "features": NO_NODES},
                "easy/1": {"edges": NO_EDGES},
                "full/0/x": {"y": NO_EDGES},
            }
        )
    )
    assert {(violation.code, violation.place) for violation in found} == {
        ("dtype", "full/0/edges"),
        ("shape", "full/0/edges"),
        ("member-missing", "easy/1"),
        ("repeats", "easy"),
        ("member-name", "full/0/x/y"),
    }


def test_a_scipy_archive_is_refused_by_the_names_of_its_members(attacked: Check) -> None:
    data = arrays(indptr=np.zeros(1, np.int32), indices=np.zeros(0, np.int32), data=np.zeros(0))
    found = attacked(data)
    assert {violation.place for violation in found if violation.code == "member-name"} == {
        "indptr",
        "indices",
        "data",
    }


# Attacks: the content stage


def injected(edges: list[tuple[int, int]], rows: int = 2) -> dict[str, Members]:
    pairs = np.array(edges, np.int64).reshape(-1, 2).T.copy()
    return {"full/0": {"edges": pairs, "features": np.zeros((rows, D), np.float32)}}


@pytest.mark.parametrize(
    ("edges", "code", "at", "found"),
    [
        ([(N, N + 2)], "node-range", 0, f"node {N + 2}"),
        ([(N, 0), (-1, N)], "node-range", 1, "node -1"),
        ([(N, 1 << 62)], "node-range", 0, f"node {1 << 62}"),
        ([(N, 0), (3, 4)], "edge-original", 1, "nodes 3 and 4"),
        ([(N, N)], "edge-self", 0, f"an edge from node {N} to itself"),
        ([(N, 5), (N + 1, 5), (5, N)], "edge-duplicate", 2, f"nodes 5 and {N} again"),
    ],
)
def test_an_edge_that_may_not_be_is_refused_with_its_index(
    attacked: Check, edges: list[tuple[int, int]], code: str, at: int, found: str
) -> None:
    violation = only(attacked(of(injected(edges))))
    assert (violation.code, violation.place, violation.found) == (
        code,
        f"full/0/edges[{at}]",
        found,
    )


def test_a_node_with_too_many_edges_is_refused(attacked: Check) -> None:
    assert only(attacked(of(injected([(N, i) for i in range(21)])))) == Violation(
        "budget-degree",
        "full/0/edges",
        f"node {N} has 21 edges",
        "at most 20 for each injected node",
    )


def test_an_edge_among_injected_nodes_counts_for_both(attacked: Check) -> None:
    edges = [(N, i) for i in range(20)] + [(N + 1, N)]
    assert only(attacked(of(injected(edges)))).found == f"node {N} has 21 edges"


@pytest.mark.parametrize(
    ("value", "code", "found"),
    [
        (np.nan, "finite", "nan"),
        (np.inf, "finite", "inf"),
        (-np.inf, "finite", "-inf"),
        (0.6842, "feature-range", "0.68419999"),
        (-1e10, "feature-range", "-1e+10"),
    ],
)
def test_a_feature_that_may_not_be_is_refused_with_its_index(
    attacked: Check, value: float, code: str, found: str
) -> None:
    places = injected([(N, 0)])
    places["full/0"]["features"][1, 63] = value
    assert only(attacked(of(places))) == Violation(
        code, "full/0/features[1, 63]", found, "-0.434091 to 0.684157 (tolerance 1e-05)"
    )


def test_a_feature_at_the_edge_of_the_range_passes(attacked: Check, board: Board) -> None:
    places = injected([(N, 0)])
    places["full/0"]["features"][0, :2] = board.feature_range
    assert attacked(of(places)) == ()


def test_every_fault_of_the_content_is_named_at_once(attacked: Check) -> None:
    places = injected([(N, N), (1, 2), (N, 3), (3, N)])
    places["full/0"]["features"][0, 0] = np.nan
    codes = sorted(violation.code for violation in attacked(of(places)))
    assert codes == ["edge-duplicate", "edge-original", "edge-self", "finite"]


def test_a_member_that_is_damaged_inside_is_refused(attack_file: Path, attacked: Check) -> None:
    data = bytearray(attack_file.read_bytes())
    with zipfile.ZipFile(attack_file) as archive:
        info = archive.getinfo("full/1/features.npy")
    at = info.header_offset + 30 + len(info.filename) + info.compress_size - 20
    data[at : at + 8] = bytes(8)
    violation = only(attacked(bytes(data)))
    assert (violation.code, violation.place) == ("damaged", "full/1/features")


# Modification boards


@pytest.fixture(scope="module")
def modification(board: Board) -> Board:
    return board.model_copy(update={"scenario": "modification", "injection": None})


def test_a_modification_is_read_back(modification: Board, tmp_path: Path) -> None:
    path = tmp_path / "attack.npz"
    flips = np.array([[0, 1], [5, 6]])
    write_attack(path, {"full": [Modification(flips)]})
    with path.open("rb") as file:
        (found,) = read_attack(file, modification)["full"]
    assert isinstance(found, Modification)
    assert np.array_equal(found.flips, flips)


def test_a_modification_within_its_budget_passes(
    modification: Board, digits: Dataset, tmp_path: Path
) -> None:
    target = int(digits.targets["full"][0])
    other = (target + 1) % N
    path = tmp_path / "attack.npz"
    write_attack(path, {"full": [Modification(np.array([[target], [other]]))]})
    assert check_content(path, side="attack", board=modification, dataset=digits) == ()


def test_more_flips_than_a_twentieth_of_the_edges_are_refused(
    modification: Board, digits: Dataset
) -> None:
    """5 % of 3,884 edges is 194.2."""
    data = of({"full/0": {"flips": np.zeros((2, 195), np.int64)}})
    violation = only(headers(data, modification, digits, "attack").violations)
    assert violation == Violation(
        "budget-flips", "full/0/flips", "195 edges", "at most 194 in total"
    )


def test_an_injection_on_a_modification_board_is_refused(
    modification: Board, digits: Dataset
) -> None:
    data = of({"easy/0": EMPTY, "full/0": EMPTY})
    assert only(headers(data, modification, digits, "attack").violations) == Violation(
        "member-name",
        "file",
        "an attack for an injection board",
        "<difficulty>/<repeat>/flips",
    )


def test_a_modification_on_an_injection_board_is_refused(attacked: Check) -> None:
    violation = only(attacked(of({"full/0": {"flips": NO_EDGES}})))
    assert (violation.code, violation.found) == (
        "member-name",
        "an attack for a modification board",
    )
