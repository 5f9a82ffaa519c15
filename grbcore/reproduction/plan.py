"""What a reproduction makes: a file for each defense and seed, each attack and difficulty."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from grbcore.baselines import artefact_name, surrogate_recipe
from grbcore.catalog import AttackRecipe, Board, DefenseRecipe
from grbcore.datasets.dataset import Dataset
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.results import CLEAN
from grbcore.scenario import Difficulty
from grbcore.submission import SUFFIXES
from grbcore.violations import Refused, Violation

Kind = Literal["surrogate", "defense", "attack"]


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """One file to make; its name says what it is made from.

    ``difficulty`` is an attack's; a surrogate names the first attack that wants it.
    """

    kind: Kind
    recipe: DefenseRecipe | AttackRecipe
    path: Path
    difficulty: Difficulty | None = None

    @property
    def name(self) -> str:
        """What it is called in progress and reports, such as ``GCN+LN, seed 1``."""
        if self.kind == "surrogate":
            return f"surrogate of {self.recipe.name}"
        if isinstance(self.recipe, DefenseRecipe):
            return f"{self.recipe.name}, seed {self.recipe.seed}"
        return f"{self.recipe.name}, {self.difficulty}"

    @property
    def seed(self) -> int:
        """The training seed; 0 for an attack, whose streams have names."""
        return self.recipe.seed if isinstance(self.recipe, DefenseRecipe) else 0

    @property
    def done(self) -> bool:
        return self.path.exists()


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that a reproduction is about.

    ``board`` has the chosen recipes only, and as many repeats as were asked for.  ``published``
    are folders in GRB's layout, by the name of their row.  ``stream`` is the seed of the attacks'
    random streams: no part of their files' names, so one dataset has one.
    """

    board: Board
    dataset: Dataset | GraphDataset
    folder: Path
    seeds: tuple[int, ...]
    difficulties: tuple[Difficulty, ...]
    published: tuple[tuple[str, Path], ...]
    models: tuple[Task, ...]
    attacks: tuple[Task, ...]
    stream: int = 0

    @property
    def defenses(self) -> tuple[Task, ...]:
        return tuple(task for task in self.models if task.kind == "defense")


def plan(
    board: Board,
    dataset: Dataset | GraphDataset,
    folder: Path,
    *,
    defenses: Sequence[str] | None = None,
    attacks: Sequence[str] | None = None,
    seeds: Sequence[int] = (0, 1, 2),
    repeats: int | None = None,
    difficulties: Sequence[Difficulty] | None = None,
    published: Iterable[Path] = (),
    starter: bool = False,
    stream: int = 0,
) -> Plan:
    """What is to be made in ``folder`` for a board's table.

    Args:
        board: its recipes are followed.
        dataset: the board's dataset.
        folder: where files are kept.
        defenses: names of recipes; None for all, or all of the starter set.
        attacks: likewise.
        seeds: training seeds, in place of the recipes' own.
        repeats: of each attack; None for the board's number.
        difficulties: to attack at; all of the board's where it is None.
        published: folders of attacks in GRB's layout; the folder's name is that of its row.
        starter: only recipes of the starter set, where no names are given.
        stream: see `Plan`.

    Raises:
        Refused: a name that the board has not, a seed below 0 or given twice, no repeats, an
            unknown difficulty, two rows of one name; every fault is named.
    """
    wanted = board.difficulties if difficulties is None else difficulties
    found = _faults(board, defenses, attacks, seeds, repeats, wanted)
    folders = [(path.name, path) for path in (path.absolute() for path in published)]
    names = [recipe.name for recipe in board.attacks] + [CLEAN]
    for name, path in folders:
        if names.count(name):
            words = f"{path}, whose name {name} is that of another row"
            found.append(Violation("format", "--published", words, "a folder of another name"))
        elif not path.is_dir():
            found.append(Violation("format", "--published", f"{path}", "an existing folder"))
        elif board.scenario != "injection":
            found.append(Violation("format", "--published", f"{path}", "none on this board"))
        names.append(name)
    if found:
        raise Refused(found)
    wanted_defenses = _chosen(board.defenses, defenses, starter)
    wanted_attacks = _chosen(board.attacks, attacks, starter)
    update = {
        "defenses": wanted_defenses,
        "attacks": wanted_attacks,
        "repeats": board.repeats if repeats is None else repeats,
    }
    chosen = board.model_copy(update=update)
    ordered = tuple(name for name in board.difficulties if name in wanted)
    return Plan(
        chosen,
        dataset,
        folder.absolute(),
        tuple(seeds),
        ordered,
        tuple(folders),
        (*_surrogates(chosen, dataset, folder), *_models(chosen, dataset, folder, seeds)),
        _attacks(chosen, dataset, folder, ordered),
        stream,
    )


def _faults(
    board: Board,
    defenses: Sequence[str] | None,
    attacks: Sequence[str] | None,
    seeds: Sequence[int],
    repeats: int | None,
    difficulties: Sequence[str],
) -> list[Violation]:
    found = []
    for option, names, recipes in (
        ("--defenses", defenses, board.defenses),
        ("--attacks", attacks, board.attacks),
    ):
        listed = ", ".join(recipe.name for recipe in recipes) or f"none: {board.id} has no recipes"
        known = {recipe.name for recipe in recipes}
        unknown = [name for name in names or () if name not in known]
        found += [Violation("format", option, name or "no name", listed) for name in unknown]
        if names and len(set(names)) < len(names):
            found.append(Violation("format", option, ",".join(names), "each name once"))
    if not board.defenses:
        words = f"no recipe of a defense on {board.id}"
        found.append(Violation("format", "board", words, "a board with recipes"))
    allowed = "one or more different whole numbers, 0 or more"
    if not seeds or min(seeds) < 0 or len(set(seeds)) < len(seeds):
        words = ",".join(map(str, seeds)) or "none"
        found.append(Violation("parameters", "--seeds", words, allowed))
    if repeats is not None and not 1 <= repeats <= 1000:
        found.append(Violation("repeats", "--repeats", str(repeats), "1 to 1000"))
    listed = "one or more of " + ", ".join(board.difficulties)
    if not difficulties:
        found.append(Violation("format", "--difficulty", "none", listed))
    for name in difficulties:
        if name not in board.difficulties:
            found.append(Violation("format", "--difficulty", name, listed))
    return found


_Recipe = TypeVar("_Recipe", DefenseRecipe, AttackRecipe)


def _chosen(
    recipes: tuple[_Recipe, ...], names: Sequence[str] | None, starter: bool
) -> tuple[_Recipe, ...]:
    if names is not None:
        return tuple(recipe for recipe in recipes if recipe.name in names)
    return tuple(recipe for recipe in recipes if recipe.starter or not starter)


def _models(
    board: Board, dataset: Dataset | GraphDataset, folder: Path, seeds: Sequence[int]
) -> tuple[Task, ...]:
    """Every recipe with the first seed, then with the second: a part is a whole table."""
    tasks = []
    for seed in seeds:
        for recipe in board.defenses:
            seeded = recipe.model_copy(update={"seed": seed})
            name = artefact_name(board, dataset, seeded)
            path = folder.absolute() / "models" / f"{name}{SUFFIXES['defense']}"
            tasks.append(Task("defense", seeded, path))
    return tuple(tasks)


def _surrogates(board: Board, dataset: Dataset | GraphDataset, folder: Path) -> tuple[Task, ...]:
    found: dict[str, Task] = {}
    for recipe in board.attacks:
        if recipe.surrogate is not None:
            key = json.dumps(recipe.surrogate.model_dump(mode="json"), sort_keys=True)
            own = surrogate_recipe(recipe.surrogate)
            name = artefact_name(board, dataset, own)
            path = folder.absolute() / "models" / f"{name}{SUFFIXES['defense']}"
            found.setdefault(key, Task("surrogate", recipe, path))
    return tuple(found.values())


def _attacks(
    board: Board, dataset: Dataset | GraphDataset, folder: Path, difficulties: Sequence[Difficulty]
) -> tuple[Task, ...]:
    tasks = []
    for recipe in board.attacks:
        for difficulty in difficulties:
            name = f"{artefact_name(board, dataset, recipe)}-{difficulty}-{board.repeats}"
            path = folder.absolute() / "attacks" / f"{name}{SUFFIXES['attack']}"
            tasks.append(Task("attack", recipe, path, difficulty))
    return tuple(tasks)
