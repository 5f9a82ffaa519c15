"""Questions that a board's recipes can be asked, as boards of other recipes."""

from __future__ import annotations

from collections.abc import Sequence

from grbcore.catalog import AttackRecipe, Board, DefenseRecipe, Surrogate
from grbcore.scenario import GRAPH_SCENARIOS
from grbcore.violations import Refused, Violation

#: The seed that surrogates are trained from, as in the catalog: none of a defense.
SURROGATE_SEED = 1000


def surrogate_study(
    board: Board,
    method: str = "FGSM",
    *,
    targets: Sequence[str] | None = None,
    surrogates: Sequence[str] | None = None,
) -> Board:
    """A board with one attack for each surrogate: does what is made on one reach the others?

    Args:
        board: its recipes are used; those without adversarial training are surrogates.
        method: the name of the board's attack, whose arguments are taken.
        targets: recipes of the defenses to evaluate on; None for all.
        surrogates: recipes of the models to differentiate, which the attacker trains himself;
            None for those of the targets that are not trained adversarially.

    Returns:
        The board with its defenses and with attacks named ``FGSM from GCN``.

    Raises:
        Refused: a name that the board has not, or an attack without a surrogate.
    """
    recipes = {recipe.name: recipe for recipe in board.attacks}
    found = []
    if method not in recipes or recipes[method].surrogate is None:
        listed = ", ".join(name for name, recipe in recipes.items() if recipe.surrogate)
        found.append(Violation("format", "--method", method, listed or "none on this board"))
    found += _unknown("--defenses", targets, board) + _unknown("--surrogates", surrogates, board)
    if found:
        raise Refused(found)
    chosen = tuple(r for r in board.defenses if targets is None or r.name in targets)
    if surrogates is None:
        differentiated = tuple(recipe for recipe in chosen if recipe.adversarial is None)
    else:
        differentiated = tuple(r for r in board.defenses if r.name in surrogates)
    graphs = board.scenario in GRAPH_SCENARIOS
    attacks = tuple(_attack(recipes[method], recipe, graphs) for recipe in differentiated)
    return board.model_copy(update={"defenses": chosen, "attacks": attacks})


def _unknown(option: str, names: Sequence[str] | None, board: Board) -> list[Violation]:
    known = {recipe.name for recipe in board.defenses}
    listed = ", ".join(recipe.name for recipe in board.defenses)
    return [Violation("format", option, name, listed) for name in names or () if name not in known]


#: How a defense of whole graphs is trained, and so the same model as a surrogate.
_TRAINING = {"learning_rate", "dropout", "epochs", "patience", "batch", "schedule", "wait"}


def _attack(recipe: AttackRecipe, model: DefenseRecipe, graphs: bool) -> AttackRecipe:
    surrogate = Surrogate(
        architecture=model.architecture,
        parameters=model.parameters,
        seed=SURROGATE_SEED,
        training=model.model_dump(include=_TRAINING) if graphs else {},
    )
    name = f"{recipe.name} from {model.name}"
    return recipe.model_copy(update={"name": name, "surrogate": surrogate, "starter": True})
