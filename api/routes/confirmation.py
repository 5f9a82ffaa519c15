"""The page that confirms a mail address: a button, because programs follow links in mails too."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from api.deps import ServiceDep
from api.templating import render
from grbcore.store import addresses
from grbcore.store.session import now

router = APIRouter(include_in_schema=False)

# the token is in the address, so no referrer tells it and nothing keeps the page
_HEADERS = {
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}

TokenParameter = Annotated[str, Query(max_length=200)]


@router.get("/confirm-email")
def ask(service: ServiceDep, token: TokenParameter = "") -> HTMLResponse:
    """Show whose address the link confirms, and the button that does."""
    with service.sessions.reading() as session:
        user = addresses.awaiting(session, token)
    if user is None:
        return _page("unknown", 404)
    state = "asked" if user.email_confirmed_at is None else "confirmed"
    return _page(state, name=user.name, address=user.email, token=token)


@router.post("/confirm-email")
def confirm(service: ServiceDep, token: TokenParameter = "") -> HTMLResponse:
    """Confirm the address that this link was sent to."""
    with service.sessions.writing() as session:
        user = addresses.confirm(session, token, now())
    if user is None:
        return _page("unknown", 404)
    return _page("confirmed", name=user.name, address=user.email, token=token)


def _page(
    state: str, status: int = 200, *, name: str = "", address: str | None = None, token: str = ""
) -> HTMLResponse:
    html = render("confirm.html", state=state, name=name, address=address, token=token)
    return HTMLResponse(html, status, headers=_HEADERS)
