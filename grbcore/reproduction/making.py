"""Making the files of a plan, one after the other or several at once; what is there stays."""

from __future__ import annotations

import datetime
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from grbcore import baselines
from grbcore.catalog import AttackRecipe, DefenseRecipe
from grbcore.processes import Workers
from grbcore.reproduction.host import source_digest
from grbcore.reproduction.plan import Plan, Task


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that could not be made, and why."""

    task: str
    reason: str


class Watch(Protocol):
    """Told how the work goes; in tasks made elsewhere `moved` is never called."""

    def began(self, task: Task) -> None: ...

    def moved(self, task: Task, fraction: float) -> None:
        """A fraction (0..1) of the task is done."""
        ...

    def ended(self, task: Task, seconds: float, failure: Failure | None) -> None: ...


def make_all(plan: Plan, watch: Watch, *, jobs: int = 1) -> list[Failure]:
    """Make every file that is not there: first the models, then the attacks.

    A file that can't be made stops no other; it is named in what is returned.  With more than
    one job each runs in a process of its own, with one thread.

    Raises:
        ValueError: fewer than one job.
    """
    if jobs < 1:
        raise ValueError(f"jobs: found {jobs}, allowed: 1 or more")
    for name in ("models", "attacks"):
        (plan.folder / name).mkdir(parents=True, exist_ok=True)
    missing = [[task for task in tasks if not task.done] for tasks in (plan.models, plan.attacks)]
    if jobs == 1 or not any(missing):
        return [failure for tasks in missing for failure in _one_by_one(plan, tasks, watch)]
    with Workers(_elsewhere, plan, jobs) as workers:
        return [failure for tasks in missing for failure in _at_once(workers, tasks, watch)]


def details(path: Path) -> dict[str, Any]:
    """What was written down when the file was made; empty where nothing was."""
    beside = path.with_suffix(".json")
    return dict(json.loads(beside.read_text("utf-8"))) if beside.is_file() else {}


def outdated(path: Path) -> bool:
    """Whether other code than this made the file: models, attacks or training have changed."""
    return details(path).get("source") != source_digest()


def _one_by_one(plan: Plan, tasks: Sequence[Task], watch: Watch) -> list[Failure]:
    failures = []
    for task in tasks:
        watch.began(task)
        started = time.perf_counter()
        failure = _attempt(plan, task, watch)
        watch.ended(task, time.perf_counter() - started, failure)
        failures += [failure] if failure else []
    return failures


def _at_once(
    workers: Workers[Plan, Task, tuple[float, Failure | None]], tasks: Sequence[Task], watch: Watch
) -> list[Failure]:
    failures = []
    for task, (seconds, failure) in workers.each(tasks, watch.began):
        watch.ended(task, seconds, failure)
        failures += [failure] if failure else []
    return failures


def _elsewhere(plan: Plan, task: Task) -> tuple[float, Failure | None]:
    started = time.perf_counter()
    failure = _attempt(plan, task, _Silent())
    return time.perf_counter() - started, failure


class _Silent:
    def began(self, task: Task) -> None: ...

    def moved(self, task: Task, fraction: float) -> None: ...

    def ended(self, task: Task, seconds: float, failure: Failure | None) -> None: ...


def _attempt(plan: Plan, task: Task, watch: Watch) -> Failure | None:
    """Make one file; a fault of one recipe, of whatever kind, is told and stops no other."""
    try:
        _make(plan, task, watch)
    except Exception as fault:
        return Failure(task.name, f"{type(fault).__name__}: {fault}"[:2000])
    return None


def _make(plan: Plan, task: Task, watch: Watch) -> None:
    started = time.perf_counter()
    found: dict[str, Any] = {}

    def make_file(path: Path) -> None:
        if isinstance(task.recipe, AttackRecipe):
            _attack(plan, task, task.recipe, path, watch)
        else:
            found.update(_train(plan, task, task.recipe, path, watch))

    if task.kind == "surrogate" and isinstance(task.recipe, AttackRecipe):
        models = plan.folder / "models"
        baselines.surrogate_of(plan.board, plan.dataset, task.recipe, models, lambda step: None)
        _note(task, started, found)
        return
    baselines.write(task.path, make_file)
    _note(task, started, found)


def _note(task: Task, started: float, found: dict[str, Any]) -> None:
    """Write down beside the file what making it took."""
    record = {
        "recipe": task.recipe.model_dump(mode="json"),
        "seconds": time.perf_counter() - started,
        "made": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "source": source_digest(),
        **found,
    }
    task.path.with_suffix(".json").write_text(json.dumps(record, indent=1), "utf-8")


def _train(
    plan: Plan, task: Task, recipe: DefenseRecipe, path: Path, watch: Watch
) -> dict[str, Any]:
    fit = baselines.train(
        recipe,
        plan.dataset,
        path,
        progress=lambda epoch, epochs, accuracy: watch.moved(task, epoch / epochs),
    )
    return {"fit": asdict(fit)}


def _attack(plan: Plan, task: Task, recipe: AttackRecipe, path: Path, watch: Watch) -> None:
    assert task.difficulty is not None
    models = plan.folder / "models"
    surrogate = baselines.surrogate_of(plan.board, plan.dataset, recipe, models, lambda step: None)
    repeats = plan.board.repeats
    baselines.run(
        recipe,
        plan.board,
        plan.dataset,
        surrogate,
        path,
        seed=plan.stream,
        difficulties=(task.difficulty,),
        progress=lambda difficulty, repeat: watch.moved(task, (repeat + 1) / repeats),
    )
