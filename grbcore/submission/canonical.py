"""The canonical hash of a file: one for one content, however it is ordered, named or packed.

It is taken of what a file says, not of its bytes.  For an attack: edges in any order and
direction, injected nodes and repeats in any order, one repeat given once or in all of them; of
whole graphs, with or without new values that are the old ones.  For a defense: tensors and
metadata in any order, defaults spelled out or not; the counters of batch normalisation, which no
prediction uses, are left out.  Zero has no sign.  Anything else counts: values are compared bit for
bit.

Injected nodes are told apart by colour refinement (Weisfeiler and Leman 1968), which is what a
message-passing model can tell apart: at most `ROUNDS` rounds, more than any registered
architecture has layers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grbcore.catalog import Board
from grbcore.changes_budget import effective
from grbcore.datasets.dataset import Dataset
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.shape import shape_of_tests
from grbcore.perturbation import GraphChanges, Injection, Modification, Perturbation
from grbcore.scenario import Difficulty, Side, in_order
from grbcore.submission.attack import read_attack
from grbcore.submission.defense import DefenseHeader, read_defense_metadata
from grbcore.tensors import read_tensors

ROUNDS = 20


def canonical_hash(path: Path, *, side: Side, board: Board, dataset: Dataset | GraphDataset) -> str:
    """The canonical hash of a file that both stages have found valid; 64 hexadecimal digits.

    ``dataset`` is the board's.

    Raises:
        Refused: the file is not valid after all.
    """
    if side == "defense":
        return defense_hash(read_defense_metadata(path, board.scenario), read_tensors(path))
    with path.open("rb") as file:
        attack = read_attack(file, board)
    if isinstance(dataset, Dataset):
        return attack_hash(attack, dataset.nodes)
    graphs = shape_of_tests(dataset)
    changes = {
        name: [effective(one, graphs) for one in repeats if isinstance(one, GraphChanges)]
        for name, repeats in attack.items()
    }
    return attack_hash(changes, 0)


def attack_hash(attack: Mapping[Difficulty, Sequence[Perturbation]], nodes: int) -> str:
    """The canonical hash of the perturbations of a graph with this many nodes."""
    repeats = max((len(perturbations) for perturbations in attack.values()), default=0)
    each = [
        _sha256(*(_about(d, attack[d][repeat], nodes) for d in in_order(attack)))
        for repeat in range(repeats)
    ]
    each = each[:1] if len(set(each)) == 1 else sorted(each)
    return _sha256(b"attack 1", *each).hex()


def defense_hash(header: DefenseHeader, tensors: Mapping[str, NDArray[Any]]) -> str:
    """The canonical hash of weights and of what they say of themselves."""
    parameters = {
        key: value + 0.0 if isinstance(value, float) else value
        for key, value in header.parameters.model_dump().items()
    }
    said = [header.architecture, parameters, header.features]
    parts = [json.dumps(said, sort_keys=True).encode()]
    for name in sorted(tensors):
        if not name.endswith(".num_batches_tracked"):
            tensor = tensors[name]
            head = json.dumps([name, str(tensor.dtype), tensor.shape]).encode()
            parts.append(_sha256(head, _bytes(tensor)))
    return _sha256(b"defense 1", *parts).hex()


def _about(difficulty: Difficulty, perturbation: Perturbation, nodes: int) -> bytes:
    if isinstance(perturbation, GraphChanges):
        found = bytes.fromhex(perturbation.digest())
    elif isinstance(perturbation, Modification):
        low, high = np.sort(perturbation.flips, axis=0)
        order = np.lexsort((high, low))
        found = _bytes(np.stack([low, high])[:, order])
    else:
        found = b"".join(sorted(_colours(perturbation, nodes)))
    return _sha256(difficulty.encode(), found)


def _colours(injection: Injection, nodes: int) -> list[bytes]:
    """What tells each injected node apart: features, original neighbours, injected ones."""
    original: list[list[int]] = [[] for _ in range(injection.nodes)]
    injected: list[list[int]] = [[] for _ in range(injection.nodes)]
    for first, second in injection.edges.T.tolist():
        for end, other in ((first - nodes, second), (second - nodes, first)):
            if end >= 0:
                (original if other < nodes else injected)[end].append(other)
    colours = [
        _sha256(_bytes(row), _bytes(np.sort(np.array(ends, np.int64))))
        for row, ends in zip(injection.features, original, strict=True)
    ]
    for _ in range(ROUNDS):
        before = len(set(colours))
        colours = [
            _sha256(own, *sorted(colours[other - nodes] for other in others))
            for own, others in zip(colours, injected, strict=True)
        ]
        if len(set(colours)) == before:
            break
    return colours


def _bytes(array: NDArray[Any]) -> bytes:
    """Little-endian, in C order, zeros without a sign."""
    plain = array + 0.0 if array.dtype.kind == "f" else array
    return np.ascontiguousarray(plain, array.dtype.newbyteorder("<")).tobytes()


def _sha256(*parts: bytes) -> bytes:
    """Of parts that can't run into each other."""
    hasher = hashlib.sha256()
    for part in parts:
        hasher.update(len(part).to_bytes(8, "little"))
        hasher.update(part)
    return hasher.digest()
