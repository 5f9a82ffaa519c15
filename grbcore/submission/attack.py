"""Attacks: one ``.npz`` with the perturbations of each difficulty and repeat."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from grbcore.archive import ArchiveLimits, ArrayArchive, ArrayHeader
from grbcore.catalog import Board
from grbcore.changes_budget import PARTS as CHANGE_PARTS
from grbcore.datasets.dataset import Dataset
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.shape import shape_of_tests
from grbcore.perturbation import GraphChanges, Injection, Modification, Perturbation
from grbcore.scenario import (
    BUDGETS,
    DIFFICULTIES,
    GRAPH_SCENARIOS,
    Difficulty,
    InjectionBudget,
    Scenario,
    in_order,
)
from grbcore.submission.scale import Scale
from grbcore.violations import MOST, Refused, Violation

#: The arrays of changes of whole graphs; the first three are their pointers.
_CHANGES = ("graph_ptr", "node_ptr", "edge_ptr", "flips", "node_changes", "edge_changes")
_PARTS: Mapping[Scenario, tuple[str, ...]] = {
    "injection": ("edges", "features"),
    "modification": ("flips",),
    "adjacency": _CHANGES,
    "attributes": _CHANGES,
}
_MEMBER = re.compile(
    r"(easy|medium|hard|full|[1-5])/(0|[1-9][0-9]{0,3})"
    r"/(edges|features|flips|node_changes|edge_changes|graph_ptr|node_ptr|edge_ptr)"
)
_A: Mapping[Scenario, str] = {
    "injection": "an injection board",
    "modification": "a modification board",
    "adjacency": "a board on whole graphs",
}
_ALLOWED_CHANGES = f"<budget>/<repeat>/<part>, budgets 1 to 5, parts {', '.join(_CHANGES)}"
_ALLOWED_MEMBERS: Mapping[Scenario, str] = {
    "injection": "<difficulty>/<repeat>/edges and <difficulty>/<repeat>/features",
    "modification": "<difficulty>/<repeat>/flips",
    "adjacency": _ALLOWED_CHANGES,
    "attributes": _ALLOWED_CHANGES,
}


def _limits(board: Board) -> ArchiveLimits:
    return ArchiveLimits(board.limits.attack_bytes * board.limits.expansion, board.limits.ratio)


def attack_header(file: BinaryIO, board: Board, scale: Scale) -> dict[str, Any]:
    """What an attack holds, from its directory and the headers of its arrays.

    Raises:
        Refused: with every violation.
    """
    try:
        archive = ArrayArchive(file, _limits(board))
    except Refused as refused:
        raise Refused(_with_dtype(fault) for fault in refused.violations) from None
    faults = _scenario_faults(archive, board)
    if faults:
        raise Refused(faults)
    members: dict[tuple[Difficulty, int], dict[str, ArrayHeader]] = {}
    for name, header in archive.arrays.items():
        match = _MEMBER.fullmatch(name)
        if match is None or not _belongs(match, board.scenario):
            allowed = _ALLOWED_MEMBERS[board.scenario]
            faults.append(Violation("member-name", name[:100], "a member of this name", allowed))
            continue
        key = cast(Difficulty, match[1]), int(match[2])
        members.setdefault(key, {})[match[3]] = header
    for (difficulty, repeat), parts in sorted(members.items()):
        place = f"{difficulty}/{repeat}"
        for part in _PARTS[board.scenario]:
            if part not in parts:
                found = f"no {place}/{part}"
                faults.append(Violation("member-missing", place, found, f"{place}/{part}"))
            elif board.scenario in GRAPH_SCENARIOS:
                faults += _changes_faults(parts[part], part, board, scale, difficulty)
            else:
                faults += _array_faults(parts[part], part, board, scale, difficulty)
    faults += _repeat_faults(members, board)
    if faults:
        raise Refused(faults[:MOST])
    carried = [d for d in board.difficulties if (d, 0) in members]
    return {"difficulties": carried, "repeats": len({repeat for _, repeat in members})}


def _dtype(part: str) -> str:
    return "<f4" if part == "features" else "<i8"


def _named(dtype: str) -> str:
    return f"{dtype} ({np.dtype(dtype).name})"


def _with_dtype(fault: Violation) -> Violation:
    """A fault of an archive; of a type that no archive has, with the type of that member."""
    match = _MEMBER.fullmatch(fault.place)
    if fault.code != "dtype" or match is None:
        return fault
    return replace(fault, allowed=_named(_dtype(match[3])))


def _scenario_faults(archive: ArrayArchive, board: Board) -> list[Violation]:
    """One fault where every member is of another scenario: its one cause."""
    matches = [_MEMBER.fullmatch(name) for name in archive.arrays]
    for scenario, other in _A.items():
        theirs = all(match is not None and _belongs(match, scenario) for match in matches)
        if matches and theirs and _PARTS[scenario] != _PARTS[board.scenario]:
            found = f"an attack for {other}"
            return [Violation("member-name", "file", found, _ALLOWED_MEMBERS[board.scenario])]
    return []


def _belongs(match: re.Match[str], scenario: Scenario) -> bool:
    """Whether a member of this name may be in an attack on a board of this scenario."""
    scale = BUDGETS if scenario in GRAPH_SCENARIOS else DIFFICULTIES
    return match[1] in scale and match[3] in _PARTS[scenario]


def _changes_faults(
    header: ArrayHeader, part: str, board: Board, scale: Scale, difficulty: Difficulty
) -> list[Violation]:
    faults = []
    if header.dtype != _dtype(part):
        faults.append(Violation("dtype", header.name, header.dtype, _named(_dtype(part))))
    shape = f"shape {header.shape}"
    if part.endswith("_ptr"):
        if header.shape != (scale.graphs + 1,):
            allowed = f"shape ({scale.graphs + 1},): one more than the test graphs"
            faults.append(Violation("shape", header.name, shape, allowed))
        return faults
    rows = next(rows for name, (_, rows) in CHANGE_PARTS.items() if name == part)
    if len(header.shape) != 2 or header.shape[0] != rows:
        return [*faults, Violation("shape", header.name, shape, f"shape ({rows}, …)")]
    most = scale.graphs * board.changes(difficulty).changes
    places = {
        "flips": most,
        "node_changes": scale.nodes * scale.features,
        "edge_changes": (scale.edges + most) * scale.edge_features,
    }[part]
    if header.shape[1] > places:
        code, what, allowed = "change-duplicate", "changes", f"at most {places}: each place once"
        if part == "flips":
            code, what, allowed = "budget-changes", "flips", f"at most {places} in total"
        faults.append(Violation(code, header.name, f"{header.shape[1]} {what}", allowed))
    return faults


def _array_faults(
    header: ArrayHeader, part: str, board: Board, scale: Scale, difficulty: Difficulty
) -> list[Violation]:
    budget = board.budget(difficulty, edges=scale.edges)
    faults = []
    if header.dtype != _dtype(part):
        faults.append(Violation("dtype", header.name, header.dtype, _named(_dtype(part))))
    shape = f"shape {header.shape}"
    if part == "features":
        if len(header.shape) != 2 or header.shape[1] != scale.features:
            allowed = f"shape (k, {scale.features}): the features of {board.dataset}"
            faults.append(Violation("shape", header.name, shape, allowed))
        elif isinstance(budget, InjectionBudget) and header.shape[0] > budget.nodes:
            found = f"{header.shape[0]} injected nodes"
            faults.append(Violation("budget-nodes", header.name, found, f"at most {budget.nodes}"))
        return faults
    if len(header.shape) != 2 or header.shape[0] != 2:
        return [*faults, Violation("shape", header.name, shape, "shape (2, e)")]
    most = (
        budget.nodes * budget.edges_per_node
        if isinstance(budget, InjectionBudget)
        else budget.flips
    )
    if header.shape[1] > most:
        code = "budget-degree" if isinstance(budget, InjectionBudget) else "budget-flips"
        found = f"{header.shape[1]} edges"
        faults.append(Violation(code, header.name, found, f"at most {most} in total"))
    return faults


def _repeat_faults(
    members: Mapping[tuple[Difficulty, int], object], board: Board
) -> list[Violation]:
    carried = {difficulty for difficulty, _ in members}
    missing = [d for d in board.required if d not in carried]
    allowed = "full (easy, medium and hard are optional)"
    if board.scenario in GRAPH_SCENARIOS:
        allowed = "budgets 1 to 5, all of them"
    faults = [Violation("member-missing", d, f"no member of {d}", allowed) for d in missing]
    if faults:
        return faults
    each = "budget" if board.difficulties == BUDGETS else "difficulty"
    allowed = f"repeats 0..{board.repeats - 1}, or repeat 0 alone, the same at every {each}"
    expected = sorted(repeat for difficulty, repeat in members if difficulty == board.main)
    for difficulty in board.difficulties:
        repeats = sorted(repeat for name, repeat in members if name == difficulty)
        complete = repeats in ([0], list(range(board.repeats)))
        if repeats and (not complete or repeats != expected):
            listed = ", ".join(map(str, repeats[:20]))
            faults.append(Violation("repeats", difficulty, f"repeats {listed}", allowed))
    return faults


def read_attack(file: BinaryIO, board: Board) -> dict[Difficulty, tuple[Perturbation, ...]]:
    """The perturbations of an attack, by difficulty and repeat.

    The headers are taken to have been checked with `check_header`.

    Raises:
        Refused: the archive is damaged or lacks a part.
    """
    archive = ArrayArchive(file, _limits(board))
    found: dict[Difficulty, tuple[Perturbation, ...]] = {}
    for difficulty in board.difficulties:
        perturbations: list[Perturbation] = []
        part = _PARTS[board.scenario][0]
        while f"{difficulty}/{len(perturbations)}/{part}" in archive.arrays:
            place = f"{difficulty}/{len(perturbations)}"
            perturbations.append(_read_perturbation(archive, place, board))
        if perturbations:
            found[difficulty] = tuple(perturbations)
    return found


def _read_perturbation(archive: ArrayArchive, place: str, board: Board) -> Perturbation:
    arrays = [archive.read(f"{place}/{part}") for part in _PARTS[board.scenario]]
    if board.scenario == "injection":
        edges, features = arrays
        return Injection(features, edges)
    if board.scenario == "modification":
        return Modification(arrays[0])
    return GraphChanges(*arrays)


def write_attack(path: Path, attack: Mapping[Difficulty, Sequence[Perturbation]]) -> None:
    """Write an attack as one ``.npz``; the same content gives the same bytes.

    Args:
        path: the file to write.
        attack: one perturbation per repeat, for ``full`` and any of the other difficulties, or
            for every budget of a board on whole graphs.
    """
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for difficulty in in_order(attack):
            for repeat, perturbation in enumerate(attack[difficulty]):
                for part, array in _parts(perturbation).items():
                    member = zipfile.ZipInfo(f"{difficulty}/{repeat}/{part}.npy")
                    member.compress_type = zipfile.ZIP_DEFLATED
                    archive.writestr(member, _npy_bytes(array))


def _parts(perturbation: Perturbation) -> dict[str, NDArray[Any]]:
    if isinstance(perturbation, Injection):
        return {
            "edges": np.ascontiguousarray(perturbation.edges, np.int64),
            "features": np.ascontiguousarray(perturbation.features, np.float32),
        }
    parts = ("flips",) if isinstance(perturbation, Modification) else _CHANGES
    return {part: np.ascontiguousarray(getattr(perturbation, part), np.int64) for part in parts}


def _npy_bytes(array: NDArray[Any]) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def attack_violations(path: Path, board: Board, dataset: Dataset | GraphDataset) -> list[Violation]:
    """Every rule that the perturbations break; the headers have been checked.

    Raises:
        Refused: the data is damaged.
    """
    with path.open("rb") as file:
        attack = read_attack(file, board)
    return [
        fault
        for difficulty, perturbations in attack.items()
        for fault in budget_violations(board, dataset, difficulty, perturbations)
    ]


def budget_violations(
    board: Board,
    dataset: Dataset | GraphDataset,
    difficulty: Difficulty,
    perturbations: Sequence[Perturbation],
) -> list[Violation]:
    """Every rule that the repeats of one difficulty break; the place is ``difficulty/repeat``."""
    faults: list[Violation] = []
    if isinstance(dataset, GraphDataset):
        changes, graphs = board.changes(difficulty), shape_of_tests(dataset)
        for repeat, found in enumerate(perturbations):
            place = f"{difficulty}/{repeat}"
            if isinstance(found, GraphChanges):
                faults += changes.violations(found, graphs, place)
            else:
                allowed = "GraphChanges on a board on whole graphs"
                faults.append(Violation("format", place, type(found).__name__, allowed))
        return faults
    budget = board.budget(difficulty, edges=dataset.edges)
    shape = dataset.shape(difficulty)
    for repeat, found in enumerate(perturbations):
        faults += budget.violations(found, shape, f"{difficulty}/{repeat}")
    return faults
