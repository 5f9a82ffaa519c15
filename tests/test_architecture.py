"""The rules of the house beside the import contracts, which ``make check`` holds."""

from __future__ import annotations

import re
import subprocess
import sys
import tokenize
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted(
    path for top in ("grbcore", "api", "worker") for path in (ROOT / top).rglob("*.py")
)
MOST_LINES = 400

#: Files above the limit, each with its reason.
LONG: dict[str, str] = {}

#: Files that may unpickle: the converter, on the user's machine, with a list of allowed names.
UNPICKLES = {"grbcore/convert.py"}

#: Files that seed torch within ``torch.random.fork_rng``, which restores the caller's stream.
FORKS_THE_SEED = {
    "grbcore/graphlevel/models/building.py",
    "grbcore/graphlevel/training.py",
    "grbcore/models/building.py",
    "grbcore/training/fitting.py",
}

#: What may not be written anywhere, and where it may be all the same.
FORBIDDEN: dict[str, tuple[str, set[str]]] = {
    "pickle.load": (r"\bpickle\.loads?\(|\bUnpickler\b", UNPICKLES),
    "allow_pickle=True": (r"allow_pickle\s*=\s*True", set()),
    "eval(": (r"(?<![\w.])(?<!def )eval\(", set()),
    "exec(": (r"(?<![\w.])exec\(", set()),
    "shell=True": (r"shell\s*=\s*True", set()),
    "torch.load": (r"\btorch\.load\((?!.*weights_only=True)", set()),
    "os.system": (r"\bos\.system\(", set()),
    "scipy.sparse.load_npz": (r"\bload_npz\(", set()),
    "print(": (r"(?<![\w.])print\(", set()),
    "global seed": (r"\b(np\.random\.seed|torch\.manual_seed|random\.seed)\(", FORKS_THE_SEED),
    "unfinished": (r"\b(TODO|FIXME|XXX)\b|raise NotImplementedError", set()),
}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def code_of(path: Path) -> list[tuple[int, str]]:
    """Numbered lines of a file without strings that span lines, comments left in."""
    text = path.read_text("utf-8").splitlines()
    with tokenize.open(path) as file:
        for token in tokenize.generate_tokens(file.readline):
            if token.type == tokenize.STRING and token.end[0] > token.start[0]:
                for line in range(token.start[0] - 1, token.end[0]):
                    text[line] = ""
    return list(enumerate(text, start=1))


@pytest.mark.parametrize("what", FORBIDDEN)
def test_nobody_writes(what: str) -> None:
    pattern, allowed = FORBIDDEN[what]
    found = [
        f"{name_of(path)}:{number}: {line.strip()}"
        for path in SOURCES
        if name_of(path) not in allowed
        for number, line in code_of(path)
        if re.search(pattern, line)
    ]
    assert found == []


def test_no_file_is_longer_than_four_hundred_lines_but_those_with_a_reason() -> None:
    long = {
        name_of(path) for path in SOURCES if len(path.read_text("utf-8").splitlines()) > MOST_LINES
    }
    assert long == set(LONG)


def test_no_file_is_called_after_what_does_not_say_anything() -> None:
    assert [name_of(p) for p in SOURCES if p.stem in {"utils", "helpers", "manager", "misc"}] == []


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        name_of(path)
        for path in SOURCES
        if not path.read_text("utf-8").lstrip().startswith(('"""', 'r"""'))
    ]
    assert silent == []


CONTRACT = (
    "grbcore.archive", "grbcore.architectures", "grbcore.catalog", "grbcore.datasets",
    "grbcore.graphlevel", "grbcore.graphlevel.metrics", "grbcore.graphlevel.random_changes",
    "grbcore.leaderboard", "grbcore.metrics", "grbcore.perturbation", "grbcore.results",
    "grbcore.scenario", "grbcore.seeds", "grbcore.submission", "grbcore.tensors",
    "grbcore.validator", "grbcore.violations",
)  # fmt: skip
STORE = tuple(
    name_of(path).removesuffix(".py").replace("/", ".")
    for path in sorted((ROOT / "grbcore" / "store").glob("*.py"))
    if path.stem != "__init__"
)
HEAVY = ("torch", "torch_geometric", "scipy", "sklearn")


def imported(modules: tuple[str, ...]) -> set[str]:
    """Everything that a fresh interpreter holds after importing these."""
    lines = [f"import {module}" for module in modules]
    script = "\n".join([*lines, "import sys", "sys.stdout.write('\\n'.join(sys.modules))"])
    command = [sys.executable, "-c", script]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert found.returncode == 0, found.stderr
    return set(found.stdout.split())


@pytest.mark.parametrize(
    "modules",
    [CONTRACT, STORE, ("api.main",), ("worker.app", "worker.tasks", "worker.supervisor")],
    ids=["contract", "store", "api", "worker"],
)
def test_it_runs_without_the_heavy_libraries(modules: tuple[str, ...]) -> None:
    assert not imported(modules) & set(HEAVY)


def test_the_contract_ring_runs_without_the_service() -> None:
    found = imported(CONTRACT)
    assert not found & {"fastapi", "celery", "sqlalchemy", "typer", "httpx", "rich"}


def test_the_command_answers_without_torch() -> None:
    assert not imported(("grbcore.cli.main",)) & set(HEAVY)


def test_every_module_of_the_library_is_under_a_contract() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    rule = next(c for c in contracts["contracts"] if "only the command" in c["name"])
    modules = {
        f"grbcore.{path.stem}"
        for path in (ROOT / "grbcore").iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert set(rule["source_modules"]) == modules - {
        "grbcore.__init__",
        "grbcore.store",
        "grbcore.cli",
    }
