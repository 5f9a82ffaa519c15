"""How the service's processes log: one line per event, with what it is about.

As text for people or as JSON for programs (``GRB_LOG_FORMAT``).  What a line is about, such as a
request or a cell, is bound once and told by every line of the same thread or task.
"""

from __future__ import annotations

import logging
import re
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType

from pythonjsonlogger.json import JsonFormatter

from grbcore.settings import Settings

#: What a line may be about, in the order in which text tells it.
FIELDS = (
    "request_id",
    "method",
    "path",
    "status",
    "ms",
    "worker",
    "board",
    "submission",
    "cell",
)

_SECRETS = (
    (re.compile(r"\b(grb_|whsec_)[A-Za-z0-9_+/=-]{16,}"), r"\1…"),  # of a user, of a webhook
    (re.compile(r"(\b[a-z][a-z0-9+.-]*://[^\s/:@]*):[^\s/@]+@", re.IGNORECASE), r"\1:…@"),
    (re.compile(r"(\bauthorization:\s*(?:bearer|basic)\s+)\S+", re.IGNORECASE), r"\1…"),
)

_PLAIN = re.compile(r"[^\s\"=\x00-\x1f\x7f]+")

_about: ContextVar[Mapping[str, str]] = ContextVar("about", default=MappingProxyType({}))


@contextmanager
def about(**fields: str) -> Iterator[None]:
    """Every line of this thread or task is about these too, until the end of the block."""
    token = _about.set({**_about.get(), **fields})
    try:
        yield
    finally:
        _about.reset(token)


def bound(field: str) -> str | None:
    """What lines are about at the moment, in this field."""
    return _about.get().get(field)


def redact(text: str) -> str:
    """The text without tokens, and without the passwords of addresses."""
    for secret, instead in _SECRETS:
        text = secret.sub(instead, text)
    return text


def configure(settings: Settings) -> None:
    """Log to standard error, all loggers of this process alike, as the settings say."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Json() if settings.log_format == "json" else _Text())
    handler.addFilter(_tell)
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(settings.log_level)
    if root.level > logging.DEBUG:
        for chatty in ("httpx", "httpcore", "alembic"):
            logging.getLogger(chatty).setLevel(logging.WARNING)
    logging.captureWarnings(True)


def _tell(record: logging.LogRecord) -> bool:
    """Add what this thread or task is about, where the line itself does not say."""
    for name, value in _about.get().items():
        record.__dict__.setdefault(name, value)
    return True


class _Json(JsonFormatter):
    """One JSON object in one line."""

    def __init__(self) -> None:
        super().__init__(
            "%(levelname)s %(name)s %(message)s",
            rename_fields={"levelname": "level", "name": "logger", "exc_info": "error"},
            timestamp="time",
            json_ensure_ascii=False,
        )

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))


class _Text(logging.Formatter):
    """Time, level, logger, message, then the fields as ``name=value``."""

    converter = staticmethod(time.gmtime)

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self.default_time_format = "%Y-%m-%dT%H:%M:%S"
        self.default_msec_format = "%s.%03dZ"

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        found = [
            f"{name}={_quoted(str(record.__dict__[name]))}"
            for name in FIELDS
            if name in record.__dict__
        ]
        return " ".join([super().formatMessage(record), *found])

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))


def _quoted(value: str) -> str:
    return value if _PLAIN.fullmatch(value) else repr(value)
