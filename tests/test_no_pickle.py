"""Nothing is unpickled but by ``grb convert``, found in the syntax tree and not by text."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted(
    path
    for top in ("grbcore", "api", "worker", "migrations", "benchmarks")
    for path in (ROOT / top).rglob("*.py")
)

#: The converter, on the user's own machine, with a reader that knows what a pickle may name.
CONVERTER = "grbcore/convert.py"

#: Modules that make objects from bytes.
PICKLING = {
    "pickle", "_pickle", "cPickle", "pickletools", "dill", "cloudpickle", "joblib", "shelve",
    "marshal", "jsonpickle", "copyreg", "yaml", "h5py", "torch.package", "torch.jit", "torch.hub",
    "torch.distributed", "torch.serialization",
}  # fmt: skip

#: Calls that unpickle, or may, unless they are told not to.
LOADING = {"torch.load", "torch.save", "torch.jit.load", "read_pickle", "to_pickle", "load_npz"}
NUMPYS = {"load", "read_array"}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def dotted(node: ast.expr) -> str:
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    parts.append(node.id if isinstance(node, ast.Name) else "")
    return ".".join(reversed(parts))


def imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
            yield node.module or ""


def unpickling(tree: ast.AST) -> list[str]:
    """What in this module unpickles."""
    found = [
        name
        for name in imports(tree)
        if any(name == module or name.startswith(f"{module}.") for module in PICKLING)
        or name in LOADING
    ]
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = dotted(node.func)
        last = name.rpartition(".")[2]
        if name in LOADING or last in LOADING:
            found.append(name)
        refused = any(
            word.arg == "allow_pickle"
            and isinstance(word.value, ast.Constant)
            and word.value.value is False
            for word in node.keywords
        )
        if name.startswith(("np.", "numpy.")) and last in NUMPYS and not refused:
            found.append(name)
    return found


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_a_module_unpickles_nothing(path: Path) -> None:
    found = unpickling(ast.parse(path.read_text("utf-8")))
    if name_of(path) == CONVERTER:
        assert {"pickle", "torch.load"} <= set(found)  # the rule sees what it forbids elsewhere
    else:
        assert found == []


@pytest.mark.parametrize(
    "code",
    [
        "import pickle as harmless",
        "from torch import load",
        "from torch.serialization import load",
        "import torch\ntorch.load(path, weights_only=True)",
        "import numpy as np\nnp.load(path)",
        "import numpy as np\nnp.load(path, allow_pickle=flag)",
        "import numpy as np\nnp.lib.format.read_array(file, allow_pickle=True)",
        "import pandas\npandas.read_pickle(path)",
        "import joblib",
        "from scipy.sparse import load_npz\nload_npz(path)",
    ],
)
def test_the_rule_sees(code: str) -> None:
    assert unpickling(ast.parse(code))


def test_the_api_and_the_worker_load_no_array_with_numpy_and_no_torch() -> None:
    for path in SOURCES:
        if name_of(path).startswith(("api/", "worker/")):
            tree = ast.parse(path.read_text("utf-8"))
            calls = {dotted(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
            assert not calls & {"np.load", "numpy.load", "np.lib.format.read_array"}, path
            assert not any(name.split(".")[0] == "torch" for name in imports(tree)), path
