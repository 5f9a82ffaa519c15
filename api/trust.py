"""Whom connections that the service opens believe."""

from __future__ import annotations

import ssl
from functools import cache

import httpx


@cache
def trusted() -> ssl.SSLContext:
    """The authorities that httpx trusts; read once, since reading them takes a while."""
    return httpx.create_ssl_context()
