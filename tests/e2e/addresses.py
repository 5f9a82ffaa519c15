"""Every page of the site with an address that shows it, and what is there once it does.

The routes are those of ``frontend/src/App.tsx``: one that is not here fails
``test_accessibility.test_every_route_of_the_page_has_an_address``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx
from playwright.sync_api import BrowserContext

from tests.e2e.stack import BOARD, ROOT, Stack


@dataclass(frozen=True)
class Address:
    """An address of a route; ``ready`` is a selector that is there once its content is."""

    route: str  # as in App.tsx
    path: str  # with {submission}, {cell}, {pair}, {snapshot} and {job} for their ids
    ready: str = "h1"
    admin: bool = False  # only an admin sees its content
    signed_out: bool = False  # who is signed in is led elsewhere


_BOARD = f"/boards/{BOARD}"
_TABLE = "table[data-table={}]"

ADDRESSES: Mapping[str, Address] = {
    "home": Address("/", "/", _TABLE.format("boards")),
    "board": Address(
        "boards/:dataset/:scenario",
        f"{_BOARD}?difficulty=full&view=all",
        _TABLE.format("matrix"),
    ),
    "board-unknown": Address(
        "boards/:dataset/:scenario", "/boards/digits/nothing@9", "[role=alert]"
    ),
    "rules": Address("boards/:dataset/:scenario/rules", f"{_BOARD}/rules", "figure svg"),
    "table": Address("boards/:dataset/:scenario/table", f"{_BOARD}/table", _TABLE.format("paper")),
    "charts": Address("boards/:dataset/:scenario/charts", f"{_BOARD}/charts", "svg.drawing"),
    "arena": Address(
        "boards/:dataset/:scenario/arena", f"{_BOARD}/arena", _TABLE.format("arena-attacks")
    ),
    "season": Address(
        "boards/:dataset/:scenario/seasons/:number",
        f"{_BOARD}/seasons/1",
        f"{_TABLE.format('defenses')}, [role=alert]",  # where none has begun yet
    ),
    "snapshots": Address(
        "boards/:dataset/:scenario/snapshots", f"{_BOARD}/snapshots", _TABLE.format("snapshots")
    ),
    "snapshot": Address("snapshots/:id", "/snapshots/{snapshot}", _TABLE.format("files")),
    "compare": Address(
        "compare", f"/compare?board={BOARD}&ids={{pair}}", _TABLE.format("comparison")
    ),
    "submit": Address("submit", f"/submit?board={BOARD}&side=defense", "form", admin=True),
    "mine": Address("mine", "/mine", _TABLE.format("quotas"), admin=True),
    "submissions": Address("submissions", "/submissions", _TABLE.format("submissions")),
    "submission": Address("submissions/:id", "/submissions/{submission}", _TABLE.format("results")),
    "cell": Address("cells/:id", "/cells/{cell}", _TABLE.format("counts")),
    "status": Address("status", "/status", _TABLE.format("expected")),
    "guide": Address("guide", "/guide", ".guide-list"),
    "guide-page": Address("guide/:name", "/guide/datasets", ".text table"),
    "api": Address("docs", "/docs", ".reference summary"),
    "about": Address("about", "/about", ".text pre"),
    "account": Address("account", "/account", _TABLE.format("tokens"), admin=True),
    "sign-in": Address("account/sign-in", "/account/sign-in", "form", signed_out=True),
    "sign-up": Address("account/sign-up", "/account/sign-up", "main .notice", signed_out=True),
    "reset": Address("account/reset", "/account/reset#token", "main form", signed_out=True),
    "admin": Address("admin", "/admin", _TABLE.format("workers"), admin=True),
    "admin-refused": Address("admin", "/admin", ".notice", signed_out=True),
    "users": Address("admin/users", "/admin/users", _TABLE.format("users"), admin=True),
    "entries": Address("admin/entries", "/admin/entries", _TABLE.format("entries"), admin=True),
    "uploads": Address("admin/uploads", "/admin/uploads", ".filters ~ *", admin=True),
    "reevaluations": Address(
        "admin/reevaluations",
        "/admin/reevaluations",
        _TABLE.format("reevaluations"),
        admin=True,
    ),
    "reevaluation-new": Address(
        "admin/reevaluations/new", "/admin/reevaluations/new", "fieldset", admin=True
    ),
    "reevaluation": Address(
        "admin/reevaluations/:id", "/admin/reevaluations/{job}", ".facts", admin=True
    ),
    "versions": Address("admin/boards", "/admin/boards", _TABLE.format("versions"), admin=True),
    "seasons": Address("admin/seasons", "/admin/seasons", "form", admin=True),
    "audit": Address("admin/audit", "/admin/audit", _TABLE.format("audit"), admin=True),
    "not-found": Address("*", "/bords/digits", "main ul"),
}


def routes() -> set[str]:
    """Every route of the page, as its source spells it."""
    source = (ROOT / "frontend" / "src" / "App.tsx").read_text("utf-8")
    found = set(re.findall(r'<Route\s+path="([^"]+)"', source))
    return found | ({"/"} if re.search(r"<Route\s+index", source) else set())


def identifiers(stack: Stack) -> dict[str, str]:
    """A submission and a cell of the board, and a re-evaluation that is made for this."""
    matrix = stack.get(f"/boards/{BOARD}/matrix")
    cell = matrix["cells"][0]
    pair = ",".join(defense["id"] for defense in matrix["defenses"][:2])
    asked: dict[str, Any] = {
        "board": BOARD,
        "reason": "a look at every page",
        "selection": {"submissions": [cell["defense"]], "side": "defense"},
    }
    job = httpx.post(
        f"{stack.address}/api/v1/admin/reevaluations",
        json=asked,
        headers={"Authorization": f"Bearer {stack.token}"},
        timeout=30,
    )
    job.raise_for_status()
    kept = httpx.post(
        f"{stack.address}/api/v1/admin/boards/{BOARD}/snapshots",
        json={"reason": "a look at every page"},
        headers={"Authorization": f"Bearer {stack.token}"},
        timeout=30,
    )
    kept.raise_for_status()
    pair_of = {"pair": pair, "snapshot": kept.json()["id"]}
    found = {"submission": cell["defense"], "cell": cell["id"], **pair_of}
    return {**found, "job": job.json()["id"]}


def password_of(stack: Stack, name: str = "admin") -> str:
    """A new password of somebody, made as an operator makes it."""
    return stack.grb("admin", "password", name, "--generate").stdout.strip().splitlines()[-1]


def sign_in(context: BrowserContext, address: str, password: str, name: str = "admin") -> None:
    """Sign a browser in."""
    answer = context.request.post(
        f"{address}/api/v1/auth/sign-in",
        data={"name": name, "password": password},
        headers={"Origin": address},
    )
    assert answer.ok, answer.text()
