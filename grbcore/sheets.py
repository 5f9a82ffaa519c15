"""Rows as CSV that a spreadsheet takes for numbers and texts, and never for a formula."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

#: The beginning of a formula, at the beginning of a text or of what may be split off from it.
_FORMULA = re.compile(r"(^|[;,|\"'])(\s*)(?=[=+\-@＝＋－＠﹢﹣−])")

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")

Cell = str | int | float | bool | None


def lines(rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    """Each row as a line that ends with CRLF; texts are quoted and safe, None is empty."""
    for row in rows:
        out = io.StringIO()
        csv.writer(out, quoting=csv.QUOTE_NONNUMERIC).writerow(map(_cell, row))
        yield out.getvalue()


def safe(text: str) -> str:
    """The text as a cell that nothing takes for a formula, on one line."""
    return _FORMULA.sub(r"\1\2'", _CONTROL.sub(" ", text))


def _cell(value: Cell) -> str | int | float:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return safe(value or "") if value is None or isinstance(value, str) else value
