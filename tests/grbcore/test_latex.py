"""Tables for LaTeX: booktabs, and no text that commands anything."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from grbcore.latex import escape, number, tabular


def test_a_tabular_has_the_rules_of_booktabs_and_one_between_groups() -> None:
    text = tabular("lr", ["a", "b"], [[["1", "2"]], [["3", "4"]]], "about\nit")
    assert text.splitlines() == [
        "% about it",
        r"% needs \usepackage{booktabs}",
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"a & b \\",
        r"\midrule",
        r"1 & 2 \\",
        r"\midrule",
        r"3 & 4 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_a_number_is_in_percent_with_its_spread_small() -> None:
    assert number(0.84214, 0.0035) == r"84.21{\scriptsize$\pm$0.35}"
    assert number(0.5) == "50.00"
    assert number(-0.01, sign=True) == "$-1.00$"
    assert number(None) == "--"


def test_what_commands_something_is_a_text() -> None:
    assert escape("50% of $x_1 & {y}") == r"50\% of \$x\_1 \& \{y\}"
    assert escape("\\input{/etc/passwd}\n~^") == (
        r"\textbackslash{}input\{/etc/passwd\} \textasciitilde{}\textasciicircum{}"
    )


def test_a_line_that_begins_with_a_bracket_or_a_star_is_no_part_of_the_command_before_it() -> None:
    r"""LaTeX takes ``[…]`` after ``\\`` or ``\midrule`` for a length, and ``*`` for a variant."""
    assert escape("[1cm] x") == "{[}1cm] x"
    assert escape("*") == "{*}"


def test_a_quotation_mark_is_one_in_every_encoding() -> None:
    assert escape('a "b"') == "a ''b''"


@given(st.text())
def test_no_text_has_a_bare_special_or_a_line_of_its_own(text: str) -> None:
    found = escape(text)
    assert not re.search(r"[\x00-\x1f\x7f]", found)
    allowed = (
        r"\\(?:[&%$#_{}]|text(?:asciitilde|asciicircum|backslash|less|greater|bar)\{\})|\{[\[*]\}"
    )
    assert not set(re.sub(allowed, "", found)) & set('\\&%$#_{}~^[*"')
