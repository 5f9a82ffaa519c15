"""Defenses: one ``.safetensors`` whose metadata names a registered architecture."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from grbcore import strict_json
from grbcore.architectures import (
    MAX_PARAMETERS,
    Features,
    Registered,
    Told,
    registered,
    shapes_of,
    trained,
    work_of,
)
from grbcore.catalog import Board
from grbcore.scenario import GRAPH_SCENARIOS, Scenario
from grbcore.submission.scale import Scale
from grbcore.tensors import TensorFile, read_header, read_tensors, write_tensors
from grbcore.violations import MOST, Refused, Violation

FORMAT = 1


@dataclass(frozen=True, slots=True)
class DefenseHeader:
    """What the weights say of themselves."""

    architecture: str
    parameters: Told
    features: Features


def read_defense_metadata(path: Path, scenario: Scenario = "injection") -> DefenseHeader:
    """What the weights in ``path`` say of themselves, for boards of this scenario.

    Raises:
        Refused: the file is no ``.safetensors``, or its metadata is not ours.
    """
    with path.open("rb") as file:
        header, faults = _metadata(read_header(file), scenario)
    if header is None or faults:
        raise Refused(faults)
    return header


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


def features_of(scenario: Scenario) -> tuple[Features, ...]:
    """What weights may say that they take: whole graphs have categories, which nobody normalises,
    so that one value says it."""
    return ("normalised",) if scenario in GRAPH_SCENARIOS else ("normalised", "raw")


def _metadata(file: TensorFile, scenario: Scenario) -> tuple[DefenseHeader | None, list[Violation]]:
    """What the metadata says, as far as it can be understood, and what is wrong with it."""
    metadata = file.metadata
    needed = ("format", "architecture", "parameters", "features")
    allowed = "format, architecture, parameters and features"
    faults = [
        Violation("metadata", f"metadata/{key}", "nothing", allowed)
        for key in needed
        if key not in metadata
    ]
    if "format" in metadata and metadata["format"] != str(FORMAT):
        found = f"format {metadata['format'][:20]!r}"
        faults.append(Violation("metadata", "metadata/format", found, f"{FORMAT}"))
    features = metadata.get("features", "normalised")
    known_features = features_of(scenario)
    if features not in known_features:
        found, names = f"{features[:40]!r}", " or ".join(known_features)
        faults.append(Violation("metadata", "metadata/features", found, names))
    name, text = metadata.get("architecture"), metadata.get("parameters")
    known = registered(scenario)
    architecture = known.get(name or "")
    if architecture is None and name is not None:
        found, names = f"{name[:40]!r}", ", ".join(known)
        faults.append(Violation("architecture", "metadata/architecture", found, names))
    if architecture is None or text is None:
        return None, faults
    try:
        parameters = _parameters(architecture, text)
    except Refused as refused:
        return None, [*faults, *refused.violations]
    return DefenseHeader(architecture.name, parameters, cast(Features, features)), faults


def _parameters(architecture: Registered, text: str) -> Told:
    where = "metadata/parameters"
    try:
        strict_json.parse(text.encode("utf-8"))
    except strict_json.Repeated as repeated:
        raise Refused(
            Violation("parameters", f"{where}/{name}"[:100], "a second time", "each name once")
            for name in repeated.names[:MOST]
        ) from None
    except ValueError:
        pass  # pydantic says it better
    try:
        return architecture.parameters.model_validate_json(text)
    except ValidationError as error:
        raise Refused(parameter_faults(error, where, architecture)) from None


#: What pydantic's ``type`` of a fault means here; of others its own words say what is allowed.
_PLAIN = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "missing": "a value",
}


def parameter_faults(
    error: ValidationError, where: str, architecture: Registered
) -> list[Violation]:
    """What is wrong with an architecture's parameters, each at its place below ``where``."""
    its = (
        f"the parameters of {architecture.name}: {', '.join(architecture.parameters.model_fields)}"
    )
    plain = _PLAIN | {"extra_forbidden": its}
    faults = []
    for item in error.errors()[:MOST]:
        place = "/".join(str(part) for part in (where, *item["loc"]))
        found = repr(item["input"])[:80]
        allowed = plain.get(item["type"], item["msg"].removeprefix("Input should be "))
        faults.append(Violation("parameters", place[:100], found, allowed))
    return faults


def defense_header(file: BinaryIO, board: Board, scale: Scale) -> DefenseHeader:
    """What the weights are, names and shapes compared with the registered architecture.

    Raises:
        Refused: with every violation.
    """
    tensors = read_header(file, header_bytes=board.limits.header_bytes)
    header, faults = _metadata(tensors, board.scenario)
    if header is None:
        raise Refused(faults)
    architecture = registered(board.scenario)[header.architecture]
    shapes = shapes_of(architecture, header.parameters, scale)
    faults += _tensor_faults(tensors, shapes, header.architecture)
    count = trained(shapes)
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
    for name in sorted(shapes.keys() - file.tensors.keys()):
        found = f"no tensor {name}"
        faults.append(Violation("tensor-missing", name, found, f"shape {shapes[name]}"))
    allowed = f"the tensors of {architecture}: {', '.join(shapes)}"[:400]
    for name in sorted(file.tensors.keys() - shapes.keys())[:MOST]:
        faults.append(Violation("tensor-unknown", name[:100], "an unknown tensor", allowed))
    for name in sorted(shapes.keys() & file.tensors.keys()):
        tensor = file.tensors[name]
        if tensor.shape != shapes[name]:
            found, allowed = f"shape {tensor.shape}", f"shape {shapes[name]}"
            faults.append(Violation("shape", name, found, allowed))
        kind = "I64" if name.endswith("num_batches_tracked") else "F32"
        if tensor.dtype != kind:
            faults.append(Violation("dtype", name, tensor.dtype, kind))
    return sorted(faults, key=lambda fault: (fault.code, fault.place))


def _work_faults(header: DefenseHeader, board: Board, scale: Scale) -> list[Violation]:
    """Multiplications of one prediction, against those of the board's GCN baseline; on whole
    graphs against those of GINE as it is by default."""
    known = registered(board.scenario)
    name, told = "GINE", {}
    if "GCN" in known:
        recipes = [recipe for recipe in board.defenses if recipe.architecture == "GCN"]
        hidden = recipes[0].parameters["hidden"] if recipes else [64, 64, 64]
        name, told = "GCN", {"hidden": hidden}
    baseline = work_of(known[name], known[name].parameters.model_validate(told), scale)
    work = work_of(known[header.architecture], header.parameters, scale)
    most = board.limits.work_factor * baseline
    if work <= most:
        return []
    found = f"{work / baseline:.0f} times the work of the board's {name}"
    allowed = f"at most {board.limits.work_factor} times"
    return [Violation("work", "metadata/parameters", found, allowed)]


def defense_contents(header: DefenseHeader) -> dict[str, Any]:
    """The header as the plain values that are stored with a submission."""
    return {
        "architecture": header.architecture,
        "parameters": header.parameters.model_dump(),
        "features": header.features,
    }


def weight_violations(path: Path) -> list[Violation]:
    """Weights that are no finite numbers, and variances below 0; the header has been checked."""
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
