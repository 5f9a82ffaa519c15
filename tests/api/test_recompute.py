"""``grb reproduce`` of what a server has published: taken by hash, evaluated, compared."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import httpx
import numpy as np
import pytest
import torch
from typer.testing import CliRunner, Result

from grbcore import catalog, datasets, models
from grbcore.cli.main import app
from grbcore.files import sha256_of
from grbcore.matrix import evaluate_matrix
from grbcore.perturbation import Injection
from grbcore.results import CLEAN
from grbcore.store.session import now
from grbcore.submission import write_attack
from tests.api.stage import BOARD, Stage

HERE = {"torch": torch.__version__, "numpy": np.__version__}

Run = Callable[..., Result]


@pytest.fixture(scope="module")
def artefacts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A small trained-like GCN and an attack of one node, as files."""
    folder = tmp_path_factory.mktemp("artefacts")
    model = models.create("GCN", {"hidden": [8]}, features=64, classes=10, seed=1)
    models.save(folder / "gcn.safetensors", model, "GCN", {"hidden": [8]})
    rng = np.random.default_rng(0)
    node = Injection(
        features=rng.uniform(-0.4, 0.6, (1, 64)).astype(np.float32),
        edges=np.array([[1797] * 20, range(20)], np.int64),
    )
    write_attack(folder / "node.npz", {"full": [node]})
    return {"defense": folder / "gcn.safetensors", "attack": folder / "node.npz"}
