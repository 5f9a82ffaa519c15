"""Answers that differ from reader to reader are kept by nobody between."""

from __future__ import annotations

from starlette.responses import Response

from grbcore.store.visibility import Viewer

#: A browser may keep it, and asks each time whether it still holds; a proxy may not.
PRIVATE = "private, no-cache"


def keep_to(viewer: Viewer, response: Response) -> None:
    """Mark an answer as the viewer's own, where somebody is signed in."""
    if viewer is not None:
        response.headers["Cache-Control"] = PRIVATE
