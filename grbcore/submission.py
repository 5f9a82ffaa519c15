"""The files that are submitted, and the rules that they must keep.

Two stages share one list of codes.  *Header*: bytes, directory, array and tensor headers,
metadata, names and shapes; cheap and safe, so the API does it while the submitter waits.
*Content*: values, indices and budgets; done in a worker's child and by ``grb check``.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from grbcore.architectures import ARCHITECTURES, MAX_PARAMETERS, Features, Parameters
from grbcore.archive import ArchiveLimits, ArrayArchive, ArrayHeader
from grbcore.catalog import Board
from grbcore.datasets.dataset import Dataset
from grbcore.perturbation import Injection, Modification, Perturbation
from grbcore.scenario import DIFFICULTIES, Difficulty, InjectionBudget, Side
from grbcore.tensors import TensorFile, read_header, read_tensors, write_tensors
from grbcore.violations import MOST, Refused, Violation

FORMAT = 1

_MEMBER = re.compile(r"(easy|medium|hard|full)/(0|[1-9][0-9]{0,3})/(edges|features|flips)")
_PARTS = {"injection": ("edges", "features"), "modification": ("flips",)}
_ALLOWED_MEMBERS = {
    "injection": "<difficulty>/<repeat>/edges and <difficulty>/<repeat>/features",
    "modification": "<difficulty>/<repeat>/flips",
}


@dataclass(frozen=True, slots=True)
class Header:
    """What the header stage learned: the contents in brief, and every violation."""

    side: Side
    contents: dict[str, Any]
    violations: tuple[Violation, ...]


@dataclass(frozen=True, slots=True)
class DefenseHeader:
    """What the weights say of themselves."""

    architecture: str
    parameters: Parameters
    features: Features


@dataclass(frozen=True, slots=True)
class Scale:
    """The size of a board's graph, as far as the header stage needs it."""

    nodes: int
    edges: int  # undirected
    features: int
    classes: int


def check_header(file: BinaryIO, *, side: Side, board: Board, scale: Scale) -> Header:
    """Check everything that can be known without reading data; pure Python, no torch."""
    try:
        _refuse_large(file, side, board)
        if side == "attack":
            return Header(side, _attack_header(file, board, scale), ())
        return Header(side, _defense_contents(_defense_header(file, board, scale)), ())
    except Refused as refused:
        return Header(side, {}, refused.violations)


def check_content(
    path: Path, *, side: Side, board: Board, dataset: Dataset
) -> tuple[Violation, ...]:
    """Both stages: every violation of the file, up to a hundred of a kind."""
    scale = scale_of(dataset)
    with path.open("rb") as file:
        header = check_header(file, side=side, board=board, scale=scale)
    if header.violations:
        return header.violations
    try:
        if side == "attack":
            return tuple(_attack_violations(path, board, dataset))
        return tuple(_weight_violations(path))
    except Refused as refused:
        return refused.violations


def _refuse_large(file: BinaryIO, side: Side, board: Board) -> None:
    most = board.limits.attack_bytes if side == "attack" else board.limits.defense_bytes
    size = file.seek(0, 2)
    if size > most:
        raise Refused([Violation("size", "file", f"{size} bytes", f"at most {most} bytes")])


def scale_of(dataset: Dataset) -> Scale:
    """The size of a dataset's graph."""
    return Scale(dataset.nodes, dataset.edges, int(dataset.features.shape[1]), dataset.classes)


# Attacks


def _limits(board: Board, side: Side) -> ArchiveLimits:
    limits = board.limits
    most = limits.attack_bytes if side == "attack" else limits.defense_bytes
    return ArchiveLimits(most * limits.expansion, limits.ratio)


def _attack_header(file: BinaryIO, board: Board, scale: Scale) -> dict[str, Any]:
    archive = ArrayArchive(file, _limits(board, "attack"))
    faults: list[Violation] = []
    members: dict[tuple[Difficulty, int], dict[str, ArrayHeader]] = {}
    for name, header in archive.arrays.items():
        match = _MEMBER.fullmatch(name)
        if match is None or match[3] not in _PARTS[board.scenario]:
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
            else:
                faults += _array_faults(parts[part], part, board, scale, difficulty)
    faults += _repeat_faults(members, board)
    if faults:
        raise Refused(faults[:MOST])
    carried = [d for d in DIFFICULTIES if (d, 0) in members]
    return {"difficulties": carried, "repeats": len({repeat for _, repeat in members})}


def _array_faults(
    header: ArrayHeader, part: str, board: Board, scale: Scale, difficulty: Difficulty
) -> list[Violation]:
    budget = board.budget(difficulty, edges=scale.edges)
    dtype = "<f4" if part == "features" else "<i8"
    faults = []
    if header.dtype != dtype:
        allowed = f"{dtype} ({'float32' if part == 'features' else 'int64'})"
        faults.append(Violation("dtype", header.name, header.dtype, allowed))
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
    if not any(difficulty == "full" for difficulty, _ in members):
        allowed = "full (easy, medium and hard are optional)"
        return [Violation("member-missing", "full", "no member of full", allowed)]
    faults = []
    allowed = f"repeats 0..{board.repeats - 1}, or repeat 0 alone, the same at every difficulty"
    expected = sorted(repeat for difficulty, repeat in members if difficulty == "full")
    for difficulty in DIFFICULTIES:
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
    archive = ArrayArchive(file, _limits(board, "attack"))
    found: dict[Difficulty, tuple[Perturbation, ...]] = {}
    for difficulty in DIFFICULTIES:
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
    return Modification(arrays[0])


def write_attack(path: Path, attack: Mapping[Difficulty, Sequence[Perturbation]]) -> None:
    """Write an attack as one ``.npz``; the same content gives the same bytes.

    Args:
        path: the file to write.
        attack: one perturbation per repeat, for ``full`` and any of the other difficulties.
    """
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for difficulty in DIFFICULTIES:
            for repeat, perturbation in enumerate(attack.get(difficulty, ())):
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
    return {"flips": np.ascontiguousarray(perturbation.flips, np.int64)}


def _npy_bytes(array: NDArray[Any]) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def _attack_violations(path: Path, board: Board, dataset: Dataset) -> list[Violation]:
    with path.open("rb") as file:
        attack = read_attack(file, board)
    faults: list[Violation] = []
    for difficulty, perturbations in attack.items():
        budget = board.budget(difficulty, edges=dataset.edges)
        shape = dataset.shape(difficulty)
        for repeat, perturbation in enumerate(perturbations):
            faults += budget.violations(perturbation, shape, f"{difficulty}/{repeat}")
    return faults


# Defenses


def read_defense_metadata(path: Path) -> DefenseHeader:
    """What the weights in ``path`` say of themselves.

    Raises:
        Refused: the file is no ``.safetensors``, or its metadata is not ours.
    """
    with path.open("rb") as file:
        return _metadata(read_header(file))


def write_defense(
    path: Path,
    tensors: Mapping[str, NDArray[Any]],
    *,
    architecture: str,
    parameters: Mapping[str, Any],
    features: Features = "normalised",
) -> None:
    """Write weights with the metadata that names their architecture."""
    write_tensors(
        path,
        tensors,
        {
            "format": str(FORMAT),
            "architecture": architecture,
            "parameters": json.dumps(dict(parameters), sort_keys=True),
            "features": features,
        },
    )


def _metadata(file: TensorFile) -> DefenseHeader:
    metadata = file.metadata
    needed = ("format", "architecture", "parameters", "features")
    allowed = "format, architecture, parameters and features"
    faults = [
        Violation("metadata", f"metadata/{key}", "nothing", allowed)
        for key in needed
        if key not in metadata
    ]
    if faults:
        raise Refused(faults)
    if metadata["format"] != str(FORMAT):
        found = f"format {metadata['format'][:20]!r}"
        faults.append(Violation("metadata", "metadata/format", found, f"{FORMAT}"))
    features = metadata["features"]
    if features not in ("normalised", "raw"):
        found = f"{features[:40]!r}"
        faults.append(Violation("metadata", "metadata/features", found, "normalised or raw"))
    architecture = ARCHITECTURES.get(metadata["architecture"])
    if architecture is None:
        found, names = f"{metadata['architecture'][:40]!r}", ", ".join(ARCHITECTURES)
        faults.append(Violation("architecture", "metadata/architecture", found, names))
        raise Refused(faults)
    try:
        parameters = architecture.parameters.model_validate_json(metadata["parameters"])
    except ValidationError as error:
        raise Refused([*faults, *_parameter_faults(error)]) from None
    if faults:
        raise Refused(faults)
    return DefenseHeader(architecture.name, parameters, cast(Features, features))


def _parameter_faults(error: ValidationError) -> list[Violation]:
    faults = []
    for item in error.errors()[:MOST]:
        place = "/".join(str(part) for part in ("metadata/parameters", *item["loc"]))
        found = repr(item["input"])[:80]
        faults.append(Violation("parameters", place[:100], found, item["msg"]))
    return faults


def _defense_header(file: BinaryIO, board: Board, scale: Scale) -> DefenseHeader:
    tensors = read_header(file, header_bytes=board.limits.header_bytes)
    header = _metadata(tensors)
    architecture = ARCHITECTURES[header.architecture]
    shapes = architecture.shapes(header.parameters, scale.features, scale.classes)
    faults = _tensor_faults(tensors, shapes, header.architecture)
    count = architecture.count(header.parameters, scale.features, scale.classes)
    if count > MAX_PARAMETERS:
        found = f"{count:,} parameters"
        faults.append(
            Violation("parameters", "metadata/parameters", found, f"at most {MAX_PARAMETERS:,}")
        )
    faults += _work_faults(header, board, scale)
    if faults:
        raise Refused(faults[:MOST])
    return header


def _tensor_faults(
    file: TensorFile, shapes: Mapping[str, tuple[int, ...]], architecture: str
) -> list[Violation]:
    faults = []
    for name in shapes.keys() - file.tensors.keys():
        found = f"no tensor {name}"
        faults.append(Violation("tensor-missing", name, found, f"shape {shapes[name]}"))
    for name in file.tensors.keys() - shapes.keys():
        allowed = f"the tensors of {architecture}: {', '.join(shapes)}"[:400]
        faults.append(Violation("tensor-unknown", name[:100], "an unknown tensor", allowed))
    for name in shapes.keys() & file.tensors.keys():
        tensor = file.tensors[name]
        if tensor.shape != shapes[name]:
            found, allowed = f"shape {tensor.shape}", f"shape {shapes[name]}"
            faults.append(Violation("shape", name, found, allowed))
        kind = "I64" if name.endswith("num_batches_tracked") else "F32"
        if tensor.dtype != kind:
            faults.append(Violation("dtype", name, tensor.dtype, kind))
    return sorted(faults, key=lambda fault: (fault.code, fault.place))


def _work_faults(header: DefenseHeader, board: Board, scale: Scale) -> list[Violation]:
    """Multiplications of one prediction, against those of the board's GCN baseline."""
    recipes = [recipe for recipe in board.defenses if recipe.architecture == "GCN"]
    hidden = recipes[0].parameters["hidden"] if recipes else [64, 64, 64]
    plain = ARCHITECTURES["GCN"]
    size = {
        "nodes": scale.nodes,
        "edges": 2 * scale.edges,
        "features": scale.features,
        "classes": scale.classes,
    }
    baseline = plain.work(plain.parameters.model_validate({"hidden": hidden}), **size)
    work = ARCHITECTURES[header.architecture].work(header.parameters, **size)
    most = board.limits.work_factor * baseline
    if work <= most:
        return []
    found = f"{work / baseline:.0f} times the work of the board's GCN"
    allowed = f"at most {board.limits.work_factor} times"
    return [Violation("work", "metadata/parameters", found, allowed)]


def _defense_contents(header: DefenseHeader) -> dict[str, Any]:
    return {
        "architecture": header.architecture,
        "parameters": header.parameters.model_dump(),
        "features": header.features,
    }


def _weight_violations(path: Path) -> list[Violation]:
    faults = []
    for name, tensor in read_tensors(path).items():
        bad = np.flatnonzero(~np.isfinite(tensor))
        for flat in bad[:3]:
            index = np.unravel_index(flat, tensor.shape)
            at = f"{name}[{', '.join(map(str, index))}]"
            faults.append(Violation("finite", at, str(tensor[index]), "finite weights"))
        if len(bad) > 3:
            found = f"{len(bad)} values that are not finite"
            faults.append(Violation("finite", name, found, "finite weights"))
        if name.endswith("running_var") and (tensor < 0).any():
            found = f"a variance of {tensor.min():g}"
            faults.append(Violation("finite", name, found, "variances of 0 or more"))
    return faults[:MOST]
