"""Honest attacks and defenses of the bundled board, as values and as bytes."""

from __future__ import annotations

from typing import Any

import numpy as np

from grbcore.architectures import ARCHITECTURES
from grbcore.datasets import Dataset
from grbcore.perturbation import Injection
from tests.grbcore.forging import arrays, entry, safetensors

N, D = 1797, 64  # digits
NO_EDGES = np.zeros((2, 0), np.int64)
NO_NODES = np.zeros((0, D), np.float32)

Members = dict[str, np.ndarray]
FEW = 3


def injection(dataset: Dataset, nodes: int = FEW, seed: int = 0) -> Injection:
    """A legal injection: each new node joined to two original ones and to the one before it."""
    rng = np.random.default_rng(seed)
    n = dataset.nodes
    features = rng.uniform(-0.4, 0.6, (nodes, dataset.features.shape[1])).astype(np.float32)
    new = np.arange(n, n + nodes)
    ends = [rng.choice(n, 2, replace=False) for _ in new]
    edges = [(node, int(end)) for node, pair in zip(new, ends, strict=True) for end in pair]
    edges += [(node, node - 1) for node in new[1:]]
    return Injection(features, np.array(edges, np.int64).reshape(-1, 2).T.copy())


def weights(architecture: str = "GIN", **parameters: object) -> dict[str, np.ndarray]:
    """Small weights of a registered architecture for digits."""
    registered = ARCHITECTURES[architecture]
    chosen = registered.parameters.model_validate(parameters or {"hidden": [4]})
    rng = np.random.default_rng(0)
    return {
        name: np.array(7, np.int64)
        if name.endswith("num_batches_tracked")
        else rng.uniform(0.1, 1, shape).astype(np.float32)
        for name, shape in registered.shapes(chosen, 64, 10).items()
    }


def of(places: dict[str, Members]) -> bytes:
    """An archive with these parts at these places, such as ``full/0``."""
    return arrays(
        **{f"{at}/{part}": array for at, parts in places.items() for part, array in parts.items()}
    )


METADATA = {
    "format": "1",
    "architecture": "GIN",
    "parameters": '{"hidden": [4]}',
    "features": "normalised",
}


def defense(
    tensors: dict[str, np.ndarray] | None = None, metadata: dict[str, Any] | None = None
) -> bytes:
    """A defense with these tensors and metadata, or honest ones."""
    header: dict[str, Any] = {"__metadata__": METADATA if metadata is None else metadata}
    blocks, at = [], 0
    kinds = {np.dtype(np.float32): "F32", np.dtype(np.int64): "I64", np.dtype(np.float64): "F64"}
    for name, tensor in (weights() if tensors is None else tensors).items():
        header[name] = entry(tensor.shape, at, at + tensor.nbytes, kinds[tensor.dtype])
        blocks.append(tensor.tobytes())
        at += tensor.nbytes
    return safetensors(header, b"".join(blocks))
