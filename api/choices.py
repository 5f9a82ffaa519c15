"""What the addresses of pages choose; what one misspells is the default."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import get_args
from urllib.parse import urlencode

from fastapi import Request

from api.ranking_schemas import Best
from grbcore.flags import KINDS
from grbcore.metrics import METRICS, Metric
from grbcore.scenario import Difficulty, choices_of, ranked_of, scenario_of
from grbcore.store.views import VIEWS, View

#: Where the parts of a board's tables begin is in the address; so many entries are in each part,
#: here and in the page with JavaScript.
PLACES = {"defenses": 50, "attacks": 50, "row": 50, "column": 30}


def difficulty(request: Request, board_id: str) -> Difficulty:
    """The difficulty of the address; what it misspells is that which the board is ranked by."""
    scenario, asked = scenario_of(board_id), request.query_params.get("difficulty")
    return next((d for d in choices_of(scenario) if d == asked), ranked_of(scenario))


def view(request: Request) -> View:
    """The view of the address; what it misspells is the one over the references."""
    return next((v for v in VIEWS if v == request.query_params.get("view")), "reference")


def metric(request: Request) -> Metric:
    """The metric of the address; what it misspells is Weighted."""
    return next((m for m in METRICS if m == request.query_params.get("metric")), "weighted")


def best(request: Request) -> Best:
    """Of whose entries the address asks for the first only; of nobody's where it misspells it."""
    return next((b for b in get_args(Best) if b == request.query_params.get("best")), "all")


def flag(request: Request) -> str | None:
    """The flag of the address that entries must have; none where it misspells it."""
    return next((one for one in KINDS if one == request.query_params.get("flag")), None)


#: What an address of a board leaves out, since it is so without it.
_DEFAULTS = {"metric": "weighted", "best": "all", "flag": None, **dict.fromkeys(PLACES, 0)}


def board_address(board: str, asked: Mapping[str, object]) -> str:
    """The path of a board's page with these choices."""
    given = {name: value for name, value in asked.items() if value != _DEFAULTS.get(name, "")}
    return f"/boards/{board}?{urlencode(given)}"


def place(request: Request, name: str) -> int:
    """Where a part of a table begins, as the address says; the first where it misspells it."""
    asked = request.query_params.get(name, "")
    return int(asked) if re.fullmatch("[0-9]{1,6}", asked) else 0
