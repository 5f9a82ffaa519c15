"""Files of boards on whole graphs: what is written is read, and what is wrong is named."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grbcore.graphlevel.models import Shape, build
from grbcore.graphlevel.models.weights import load, parameters_of, save
from grbcore.perturbation import GraphChanges, Modification
from grbcore.scenario import BUDGETS, Difficulty
from grbcore.submission import (
    canonical_hash,
    check_content,
    check_header,
    read_attack,
    write_attack,
    write_defense,
)
from grbcore.submission.scale import scale_of
from grbcore.tensors import read_tensors
from grbcore.violations import Refused, Violation
from tests.grbcore.graphlevel.boards import DATASET, attack, board, within
from tests.grbcore.graphlevel.samples import small_model

PARTS = ("graph_ptr", "node_ptr", "edge_ptr", "flips", "node_changes", "edge_changes")
BOARD = board()


def checked(path: Path, side: str = "attack", of=BOARD) -> tuple[Violation, ...]:
    return check_content(path, side=side, board=of, dataset=DATASET)


def written(tmp_path: Path, found, name: str = "attack.npz") -> Path:
    path = tmp_path / name
    write_attack(path, found)
    return path


@given(st.integers(0, 10**6), st.sampled_from([1, 3]))
@settings(max_examples=8, deadline=None)
def test_what_is_written_is_read(tmp_path_factory, seed: int, repeats: int) -> None:
    path = tmp_path_factory.mktemp("attack") / "attack.npz"
    one = attack(seed, repeats)
    write_attack(path, one)
    assert checked(path) == ()
    found = read_attack(io.BytesIO(path.read_bytes()), BOARD)
    assert tuple(found) == BUDGETS
    for name in BUDGETS:
        for mine, theirs in zip(one[name], found[name], strict=True):
            assert isinstance(theirs, GraphChanges)
            for part in PARTS:
                np.testing.assert_array_equal(getattr(mine, part), getattr(theirs, part))


def test_the_header_says_what_is_carried(tmp_path: Path) -> None:
    path = written(tmp_path, attack(0, 1))
    with path.open("rb") as file:
        found = check_header(file, side="attack", board=BOARD, scale=scale_of(DATASET))
    assert found.violations == ()
    assert found.contents == {"difficulties": list(BUDGETS), "repeats": 1}


def test_the_members_are_those_of_the_format(tmp_path: Path) -> None:
    with np.load(written(tmp_path, attack())) as archive:
        assert set(archive.files) == {f"{b}/{r}/{p}" for b in "12345" for r in "012" for p in PARTS}
        assert {archive[name].dtype for name in archive.files} == {np.dtype(np.int64)}


def test_every_budget_is_required(tmp_path: Path) -> None:
    found: dict[Difficulty, tuple[GraphChanges, ...]] = attack()
    del found["2"], found["4"]
    faults = checked(written(tmp_path, found))
    assert [(fault.code, fault.place) for fault in faults] == [
        ("member-missing", "2"),
        ("member-missing", "4"),
    ]
    assert faults[0].allowed == "budgets 1 to 5, all of them"


def test_repeats_are_the_same_at_every_budget(tmp_path: Path) -> None:
    found = attack() | {"2": (within(2, 0),)}
    (fault,) = checked(written(tmp_path, found))
    allowed = "repeats 0..2, or repeat 0 alone, the same at every budget"
    assert fault == Violation("repeats", "2", "repeats 0", allowed)


@pytest.mark.parametrize(
    ("name", "array", "code", "words"),
    [
        ("1/0/flips", np.zeros((3, 0), np.int64), "shape", "shape (2, …)"),
        ("1/0/flips", np.zeros((2, 0), np.int32), "dtype", "<i8 (int64)"),
        ("1/0/flips", np.zeros((2, 0), np.uint64), "dtype", "<i8 (int64)"),
        ("1/0/flips", np.zeros((2, 0), ">i8"), "dtype", "<i8 (int64)"),
        ("1/0/flips", np.zeros((2, 7), np.int64), "budget-changes", "at most 6 in total"),
        ("1/0/edge_ptr", np.zeros(6, np.int64), "shape", "shape (7,)"),
        ("1/0/edges", np.zeros((2, 0), np.int64), "member-name", "budgets 1 to 5"),
        ("full/0/flips", np.zeros((2, 0), np.int64), "member-name", "budgets 1 to 5"),
        ("1/0/node_ptr", np.full(7, 1), "pointer", "the columns of node_changes"),
    ],
)
def test_a_member_that_is_wrong_is_named(
    tmp_path: Path, name: str, array: np.ndarray, code: str, words: str
) -> None:
    members = {
        f"{budget}/0/{part}": getattr(GraphChanges.empty(6), part)
        for budget in BUDGETS
        for part in PARTS
    }
    np.savez(tmp_path / "a.npz", **(members | {name: array}))
    (fault,) = checked(tmp_path / "a.npz")
    assert (fault.code, fault.place) == (code, name)
    assert words in fault.allowed


def test_more_changes_than_places_are_refused_before_they_are_read() -> None:
    """Six graphs of 5 values of nodes and 4 of edges, each of which budget 2 gives 2 more edges."""
    scale = scale_of(DATASET)
    most = {
        "node_changes": (3, 5 * scale.nodes),
        "edge_changes": (4, 4 * (scale.edges + 2 * 6)),
    }
    for more, found in ((0, []), (1, ["change-duplicate"] * 2)):
        large = {part: np.zeros((rows, n + more), np.int64) for part, (rows, n) in most.items()}
        members = {
            f"{budget}/0/{part}": getattr(GraphChanges.empty(6), part)
            for budget in BUDGETS
            for part in PARTS
        }
        file = io.BytesIO()
        np.savez(file, **(members | {f"2/0/{part}": array for part, array in large.items()}))
        header = check_header(file, side="attack", board=BOARD, scale=scale)
        assert [fault.code for fault in header.violations] == found
        allowed = [f"at most {n}: each place once" for _, n in most.values()]
        assert [fault.allowed for fault in header.violations] == allowed * more


def test_budgets_are_counted_again_at_each_budget(tmp_path: Path) -> None:
    three = within(3, 1)
    found = attack() | {"1": (within(1, 0), within(1, 0), three)}
    faults = checked(written(tmp_path, found))
    costs = [sum(c) for c in _costs(three)]
    assert [fault.code for fault in faults] == ["budget-changes"] * sum(c > 1 for c in costs)
    assert {fault.place for fault in faults} == {"1/2"}


def _costs(changes: GraphChanges) -> list[tuple[int, int]]:
    from grbcore.graphlevel.shape import apart

    clean = DATASET.part("test")
    return [one.cost(graph) for one, graph in zip(apart(changes), clean, strict=True)]


def test_an_attack_for_nodes_is_told_apart(tmp_path: Path) -> None:
    flips = Modification(np.array([[0], [1]]))
    (fault,) = checked(written(tmp_path, {"full": (flips,)}))
    assert (fault.code, fault.found) == ("member-name", "an attack for a modification board")


def test_repeats_are_all_or_one(tmp_path: Path) -> None:
    found = attack() | {"3": attack()["3"][:2]}
    (fault,) = checked(written(tmp_path, found))
    assert (fault.code, fault.place) == ("repeats", "3")


def about(path: Path) -> str:
    return canonical_hash(path, side="attack", board=BOARD, dataset=DATASET)


def test_the_canonical_hash_is_of_what_changes(tmp_path: Path) -> None:
    """A new value that is the old one, of the last node of the last graph, is left out."""
    nothing = {name: (GraphChanges.empty(6),) for name in BUDGETS}
    last = DATASET.part("test")[-1]
    value = int(last.nodes[-1, 1])
    assert last.nodes.shape[1] == 2

    def with_value(value: int) -> str:
        changes = replace(
            GraphChanges.empty(6),
            node_ptr=np.array([0] * 6 + [1]),
            node_changes=np.array([[last.n - 1], [1], [value]]),
        )
        return about(written(tmp_path, nothing | {"4": (changes,)}))

    assert with_value(value) == about(written(tmp_path, nothing))
    assert with_value(1 - value) != about(written(tmp_path, nothing))


def test_the_canonical_hash_does_not_depend_on_the_order_of_changes(tmp_path: Path) -> None:
    one = attack()
    first = one["5"][0]
    order = np.concatenate(
        [
            np.arange(a, b)[::-1]
            for a, b in zip(first.graph_ptr[:-1], first.graph_ptr[1:], strict=True)
        ]
    )
    other = one | {"5": (replace(first, flips=first.flips[:, order]), *one["5"][1:])}
    assert about(written(tmp_path, one)) == about(written(tmp_path, other, "other.npz"))
    assert about(written(tmp_path, one)) != about(written(tmp_path, attack(1), "another.npz"))


def test_a_defense_is_weights_of_a_graph_level_architecture(tmp_path: Path) -> None:
    told = {"hidden": 8, "layers": 2}
    model = build("GINE", Shape.of(DATASET), told, seed=3)
    path = tmp_path / "gine.safetensors"
    save(path, model)
    assert checked(path, "defense") == ()
    found, header = load(path, Shape.of(DATASET))
    assert (header.architecture, header.parameters.model_dump()) == ("GINE", told)
    for name, tensor in model.state_dict().items():
        np.testing.assert_array_equal(found.state_dict()[name], tensor)


def test_weights_of_other_data_are_refused(tmp_path: Path) -> None:
    told = {"hidden": 8, "layers": 1}
    path = tmp_path / "gin.safetensors"
    save(path, build("GIN", Shape((9,), (4,), 1), told, seed=0))
    (fault,) = checked(path, "defense")
    assert (fault.code, fault.place) == ("shape", "nodes")
    assert (fault.found, fault.allowed) == ("shape (9, 8)", "shape (5, 8)")
    with pytest.raises(Refused, match="nodes"):
        load(path, Shape.of(DATASET))


def test_features_of_whole_graphs_have_one_name(tmp_path: Path) -> None:
    """Another word for the same weights would hide that they are the same."""
    path = tmp_path / "gin.safetensors"
    model = small_model("GIN").float()
    save(path, model)
    told = {"architecture": "GIN", "parameters": parameters_of(model), "features": "raw"}
    write_defense(path, read_tensors(path), **told)
    (fault,) = checked(path, "defense")
    assert fault == Violation("metadata", "metadata/features", "'raw'", "normalised")
    with pytest.raises(Refused, match="allowed: normalised "):
        load(path, model.shape)


def test_architectures_of_nodes_are_none_of_graphs(tmp_path: Path) -> None:
    path = tmp_path / "gcn.safetensors"
    write_defense(path, {}, architecture="GCN", parameters={"hidden": [8]})
    (fault,) = checked(path, "defense")
    assert fault.code == "architecture"
    assert fault.allowed.startswith("Bag, meanGINE, GIN")


def test_more_work_than_fifty_times_gines_is_refused(tmp_path: Path) -> None:
    told = {"hidden": 64, "layers": 1, "runs": 100}
    plain = BOARD.model_copy(update={"limits": BOARD.limits.model_copy(update={"work_factor": 0})})
    path = tmp_path / "drop.safetensors"
    save(path, build("DropGINE", Shape.of(DATASET), told, seed=0))
    assert checked(path, "defense") == ()
    (fault,) = checked(path, "defense", plain)
    assert fault.code == "work"
    assert fault.found.endswith("times the work of the board's GINE")


def test_no_graph_level_model_without_a_name_is_written(tmp_path: Path) -> None:
    class Own(type(small_model("GIN"))):  # type: ignore[misc]
        pass

    with pytest.raises(ValueError, match="allowed: a model of a registered architecture"):
        save(tmp_path / "own.safetensors", Own(Shape.of(DATASET), hidden=4))
