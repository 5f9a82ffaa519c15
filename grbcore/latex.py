"""Tables for LaTeX papers: a tabular with the rules of booktabs, every text escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from grbcore.measure import ACCURACY, Measure

_SPECIAL = str.maketrans(
    {char: f"\\{char}" for char in "&%$#_{}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': "''"}
    | {"–": "--", "[": "{[}", "*": "{*}"}  # at the beginning of a line these belong to \\
)
_BLANKS = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029]+")


def escape(text: str) -> str:
    """The text as LaTeX sets it, on one line: no command, comment or mathematics in it."""
    return _BLANKS.sub(" ", text).strip().translate(_SPECIAL)


def number(
    mean: float | None,
    std: float | None = None,
    *,
    sign: bool = False,
    measure: Measure = ACCURACY,
) -> str:
    """A fraction in percent with its ± small beside it, as the paper prints it; ``--`` is none.

    Of another ``measure`` as that writes it.
    """
    if mean is None:
        return "--"
    spread = "" if std is None else rf"{{\scriptsize$\pm${measure.number(std)}}}"
    text = measure.number(mean, sign=sign)
    return (f"${text}$" if sign else text) + spread


def tabular(
    columns: str, head: Sequence[str], groups: Iterable[Iterable[Sequence[str]]], about: str = ""
) -> str:
    r"""A ``tabular`` with \toprule, \midrule after the head and between groups, \bottomrule.

    Args:
        columns: such as ``lrr``.
        head: the texts of the first line, as LaTeX.
        groups: lines that belong together, as LaTeX.
        about: a comment above, on one line.
    """
    lines = ["% needs \\usepackage{booktabs}"]
    if about:
        lines.insert(0, "% " + _BLANKS.sub(" ", about))
    lines += [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", _line(head)]
    for group in groups:
        rows = [_line(row) for row in group]
        lines += [r"\midrule", *rows] if rows else []
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def _line(words: Sequence[str]) -> str:
    return " & ".join(words) + r" \\"
