"""Turning published files into submissions, on the submitter's own machine.

Reads GRB's attack layout (``adj.pkl`` or ``adj_attack.npz`` of shape (k, n+k), and features) and
state dicts in ``.pt``.  Nothing here is ever run by the service.
"""

from __future__ import annotations

import pickle
import pickletools
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grbcore.architectures import ARCHITECTURES
from grbcore.archive import ArchiveLimits, ArrayArchive, sniff
from grbcore.catalog import Board
from grbcore.datasets.dataset import Dataset
from grbcore.perturbation import Injection
from grbcore.published import infer, rename
from grbcore.scenario import InjectionBudget
from grbcore.violations import MOST, Refused, Violation

_ADJACENCIES = ("adj_attack.npz", "adj.npz", "adj.pkl", "adj_attack.pkl")
_FEATURES = ("features_attack.npy", "features.npy")
_LIMITS = ArchiveLimits(total=1 << 30, ratio=10_000)

#: What a state dict may name in its pickle; anything else is not unpickled.
_PLAIN = frozenset(
    {
        "collections OrderedDict",
        "torch._utils _rebuild_tensor_v2",
        "torch._utils _rebuild_parameter",
    }
)


def attack(folder: Path, board: Board, dataset: Dataset, *, clip: bool = False) -> Injection:
    """The published attack in ``folder`` as a perturbation of the full target set.

    Args:
        folder: holds the adjacency block (k, n+k) and the features (k, d).
        board: an injection board.
        dataset: the board's dataset.
        clip: bring features into the board's range instead of refusing them.

    Raises:
        Refused: with every fault: weights other than 1, wrong shapes, an asymmetric block.
    """
    features = _features(_one_of(folder, _FEATURES))
    rows, columns, weights, shape = _block(_one_of(folder, _ADJACENCIES))
    injected, nodes = shape[0], dataset.nodes
    faults: list[Violation] = []
    if shape[1] != nodes + injected:
        allowed = f"({injected}, {nodes + injected}): {nodes} nodes of {board.dataset}"
        faults.append(Violation("shape", "adjacency", f"shape {shape}", allowed))
    if (weights != 1).any():
        worst = float(weights[weights != 1][np.argmax(np.abs(weights[weights != 1] - 1))])
        found = f"{int((weights != 1).sum())} weights other than 1, such as {worst:g}"
        faults.append(Violation("edge-weight", "adjacency", found, "weights of 1"))
    if features.shape != (injected, dataset.features.shape[1]):
        allowed = f"shape ({injected}, {dataset.features.shape[1]})"
        faults.append(Violation("shape", "features", f"shape {features.shape}", allowed))
    if not faults:
        faults += _symmetry(rows, columns, nodes)
    if faults:
        raise Refused(faults)
    keep = (columns < nodes) | (rows <= columns - nodes)  # the check refuses self-loops
    edges = np.stack([rows[keep] + nodes, columns[keep]])
    budget = board.budget("full", edges=dataset.edges)
    if clip and isinstance(budget, InjectionBudget):
        features = np.clip(features, budget.feature_min, budget.feature_max)
    return Injection(features.astype(np.float32), edges.astype(np.int64))


def _symmetry(rows: Any, columns: Any, nodes: int) -> list[Violation]:
    """The block among injected nodes must hold both directions of each edge."""
    inside = columns >= nodes
    forward = set(zip(rows[inside].tolist(), (columns[inside] - nodes).tolist(), strict=True))
    lonely = sorted(pair for pair in forward if pair[::-1] not in forward)
    return [
        Violation(
            "symmetry",
            f"adjacency[{row}, {nodes + column}]",
            f"an edge from {row} to {column} and none back",
            "both directions of each edge among injected nodes",
        )
        for row, column in lonely[:MOST]
    ]


def _one_of(folder: Path, names: tuple[str, ...]) -> Path:
    for name in names:
        if (folder / name).is_file():
            return folder / name
    present = ", ".join(sorted(path.name for path in folder.iterdir())) or "nothing"
    raise Refused([Violation("member-missing", folder.name, present, " or ".join(names))])


def _features(path: Path) -> NDArray[Any]:
    try:
        with path.open("rb") as file:
            array = np.lib.format.read_array(file, allow_pickle=False, max_header_size=10_000)
    except (ValueError, EOFError, OSError, OverflowError, MemoryError) as error:
        raise Refused([Violation("damaged", path.name, str(error)[:200], "a .npy array")]) from None
    if array.ndim != 2 or array.dtype.kind != "f":
        found = f"{array.dtype} of shape {array.shape}"
        raise Refused([Violation("shape", path.name, found, "floats of shape (k, d)")])
    return np.asarray(array)


def _block(path: Path) -> tuple[Any, Any, Any, tuple[int, int]]:
    """Rows, columns, weights and shape of a stored CSR block, its indices checked."""
    if path.suffix == ".pkl":
        parts = _pickled_csr(path)
    else:
        with path.open("rb") as file:
            archive = ArrayArchive(file, _LIMITS)
            needed = ("indptr", "indices", "data", "shape")
            missing = [name for name in needed if name not in archive.arrays]
            if missing:
                allowed = ", ".join(needed)
                found = f"no {missing[0]}"
                raise Refused([Violation("member-missing", path.name, found, allowed)])
            parts = {name: archive.read(name) for name in needed}
    indptr, indices, size = (_row(path, parts, name) for name in ("indptr", "indices", "shape"))
    weights = _row(path, parts, "data", kinds="biuf")
    if size.shape != (2,):
        found = f"shape of {size.shape[0]} numbers"
        raise Refused([Violation("format", path.name, found, "a matrix")])
    shape = int(size[0]), int(size[1])
    sound = (
        indptr.shape == (shape[0] + 1,)
        and indptr[0] == 0
        and indptr[-1] == len(indices) == len(weights)
        and not (indptr[1:] < indptr[:-1]).any()
        and (not len(indices) or 0 <= indices.min() <= indices.max() < shape[1])
    )
    if not sound:
        found = f"row pointers or columns that don't fit shape {shape}"
        raise Refused([Violation("node-range", path.name, found, "a valid CSR matrix")])
    rows = np.repeat(np.arange(shape[0]), np.diff(indptr))
    return rows, indices, weights, shape


def _row(path: Path, parts: Mapping[str, Any], name: str, kinds: str = "iu") -> NDArray[Any]:
    """One part of a CSR matrix: a row of numbers of these kinds, whole ones as int64."""
    try:
        array = np.asarray(parts[name])
    except ValueError as error:  # nested lists of different lengths
        raise Refused([Violation("format", path.name, f"{name}: {error}", "numbers")]) from None
    if array.ndim != 1 or array.dtype.kind not in kinds:
        found = f"{name}: {array.dtype} of shape {array.shape}"
        raise Refused([Violation("format", path.name, found, "a CSR matrix: one row of numbers")])
    return array.astype(np.int64) if kinds == "iu" else array


class _Csr:
    """Stands in for scipy's class, so that unpickling creates nothing else."""


class _CsrUnpickler(pickle.Unpickler):
    """Knows scipy's CSR matrix and numpy's arrays; every other name is refused."""

    def find_class(self, module: str, name: str) -> Any:
        if module.startswith("scipy.sparse") and name in ("csr_matrix", "csr_array"):
            return _Csr
        if module in ("numpy.core.multiarray", "numpy._core.multiarray") and name in (
            "_reconstruct",
            "scalar",
        ):
            return super().find_class("numpy._core.multiarray", name)
        if (module, name) in {("numpy", "ndarray"), ("numpy", "dtype"), ("_codecs", "encode")}:
            return super().find_class(module, name)
        found = f"a pickle that names {module}.{name}"
        raise Refused([Violation("format", "adjacency", found, "a scipy CSR matrix alone")])


def _pickled_csr(path: Path) -> Mapping[str, Any]:
    try:
        with path.open("rb") as file:
            found = _CsrUnpickler(file).load()
    except Refused:
        raise
    except Exception as error:  # a damaged pickle can raise anything
        text = f"a pickle that can't be read ({error})"[:200]
        raise Refused([Violation("damaged", path.name, text, "a scipy CSR matrix")]) from None
    parts = dict(vars(found)) if isinstance(found, _Csr) else {}
    parts["shape"] = parts.get("_shape", parts.get("shape"))
    if any(parts.get(name) is None for name in ("indptr", "indices", "data", "shape")):
        found_kind = type(found).__name__.lstrip("_")
        raise Refused([Violation("format", path.name, found_kind, "a scipy CSR matrix")])
    return parts


def defense(
    path: Path, *, features_in: int, classes: int, architecture: str | None = None
) -> tuple[dict[str, NDArray[Any]], str, dict[str, Any]]:
    """Tensors, architecture and parameters from a published state dict in ``.pt``.

    Args:
        path: a checkpoint of ``torch.save`` that holds a plain state dict.
        features_in: input width of the board.
        classes: output width of the board.
        architecture: the registered architecture; by default the one that the names suggest.

    Raises:
        Refused: the file is damaged, holds a pickled module (which is not unpickled), or its
            tensors are not those of a registered architecture, with the names that differ.
    """
    state = _state_dict(path)
    tensors = rename(state)
    name, parameters = infer(tensors, architecture)
    expected = ARCHITECTURES[name].shapes(
        ARCHITECTURES[name].parameters.model_validate(parameters), features_in, classes
    )
    faults = []
    for key in sorted(expected.keys() - tensors.keys()):
        found, allowed = f"no tensor {key}", f"{name} has it, shape {expected[key]}"
        faults.append(Violation("tensor-missing", key, found, allowed))
    for key in sorted(tensors.keys() - expected.keys()):
        found, allowed = f"a tensor of shape {tensors[key].shape}", f"{name} has no such tensor"
        faults.append(Violation("tensor-unknown", key, found, allowed))
    for key in sorted(expected.keys() & tensors.keys()):
        if tensors[key].shape != expected[key]:
            found, allowed = f"shape {tensors[key].shape}", f"shape {expected[key]}"
            faults.append(Violation("shape", key, found, allowed))
    if faults:
        raise Refused(faults[:MOST])
    return tensors, name, parameters


def _state_dict(path: Path) -> dict[str, NDArray[Any]]:
    names = _pickle_names(path)
    foreign = sorted(name for name in names if name not in _PLAIN and not _is_storage(name))
    if foreign:
        listed = ", ".join(name.replace(" ", ".") for name in foreign[:8])
        found = f"a pickled module that names {listed}"
        allowed = "a state dict: torch.save(model.state_dict(), path)"
        raise Refused([Violation("format", path.name, found, allowed)])
    import torch

    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # torch raises many kinds for a damaged file
        found = f"a checkpoint that can't be read ({error})"[:200]
        raise Refused([Violation("damaged", path.name, found, "a state dict")]) from None
    if not isinstance(state, dict) or not all(torch.is_tensor(value) for value in state.values()):
        raise Refused([Violation("format", path.name, type(state).__name__, "a state dict")])
    return {name: _plain_array(value.detach().numpy()) for name, value in state.items()}


def _plain_array(array: NDArray[Any]) -> NDArray[Any]:
    return array.astype(np.float32 if array.dtype.kind == "f" else np.int64)


def _is_storage(name: str) -> bool:
    module, _, kind = name.partition(" ")
    return module == "torch" and kind.endswith("Storage")


def _pickle_names(path: Path) -> set[str]:
    """Every class or function that the checkpoint's pickle names, found without running it."""
    with path.open("rb") as file:
        kind = sniff(file)
        if not kind.startswith("a zip"):
            allowed = "a state dict saved by torch.save (a zip archive)"
            raise Refused([Violation("format", path.name, kind, allowed)])
    try:
        with zipfile.ZipFile(path) as archive:
            member = next(n for n in archive.namelist() if n.endswith("/data.pkl"))
            code = archive.read(member)
        return _globals(code)
    except StopIteration:
        found = "a zip archive without data.pkl"
        raise Refused([Violation("format", path.name, found, "a state dict")]) from None
    except (zipfile.BadZipFile, ValueError, EOFError, OSError, NotImplementedError) as error:
        found = f"a damaged zip archive ({error})"[:200]
        raise Refused([Violation("damaged", path.name, found, "an undamaged file")]) from None


def _globals(code: bytes) -> set[str]:
    names = set()
    strings: list[str] = []
    for opcode, argument, _ in pickletools.genops(code):
        if opcode.name in ("GLOBAL", "INST"):
            names.add(str(argument))
        elif opcode.name == "STACK_GLOBAL":
            names.add(" ".join(strings[-2:]) if len(strings) > 1 else "an unknown name")
        elif isinstance(argument, str):
            strings.append(argument)
    return names
