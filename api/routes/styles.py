"""The style of the pages that are not the built one: a file, since no page has anything inline."""

from __future__ import annotations

from importlib.resources import files

from fastapi import APIRouter, Response

ADDRESS = "/plain.css"

router = APIRouter(include_in_schema=False)

_STYLE = (files("api") / "templates" / "plain.css").read_text("utf-8")


@router.get(ADDRESS)
def get_style() -> Response:
    """The style sheet."""
    return Response(
        _STYLE, media_type="text/css", headers={"Cache-Control": "public, max-age=3600"}
    )
