"""The service's own address, as people and programs elsewhere open it."""

from __future__ import annotations

from starlette.requests import Request

from grbcore.settings import Settings


def site(request: Request, settings: Settings) -> str:
    """Scheme and host, without a slash: ``GRB_PUBLIC_URL``, or as it was asked for."""
    here = f"{request.url.scheme}://{request.headers['host']}"
    return settings.public_url.rstrip("/") or here
