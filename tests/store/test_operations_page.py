"""The operator's guide names what there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.main import get_command

from grbcore.cli.main import app
from grbcore.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs" / "operations.md").read_text("utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

#: Commands of children, which only tests replace.
INNER = {"evaluator", "validator"}


def test_every_setting_is_in_the_table() -> None:
    table = GUIDE.split("## Settings")[1].split("\n## ")[0]
    named = set(re.findall(r"`GRB_([A-Z_]+)`", table))
    assert {name.upper() for name in set(Settings.model_fields) - INNER} <= named


def test_every_metric_that_it_watches_exists() -> None:
    source = (ROOT / "api" / "metrics.py").read_text("utf-8").replace("{name}", "")
    known = set(re.findall(r"grb_[a-z_0-9]+", source))
    named = set(re.findall(r"grb_[a-z_0-9]+", GUIDE.split("## What to watch")[1]))
    unknown = {name for name in named if not any(name.startswith(one) for one in known)}
    assert named and not unknown


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_every_command_of_the_operator_that_a_page_names_exists(page: Path) -> None:
    groups = get_command(app).commands  # type: ignore[attr-defined]
    for group, command in re.findall(r"grb (admin|board) ([a-z-]+)", page.read_text("utf-8")):
        assert command in groups[group].commands, f"grb {group} {command}"


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_every_link_between_pages_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        path, _, anchor = target.partition("#")
        if "://" in path:
            continue
        found = (page.parent / path) if path else page
        assert found.exists(), target
        if anchor and found.suffix == ".md":
            assert anchor in anchors(found), target


def anchors(page: Path) -> set[str]:
    """The headings of a page as GitHub names them."""
    heads = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head).strip().lower().replace(" ", "-") for head in heads}
