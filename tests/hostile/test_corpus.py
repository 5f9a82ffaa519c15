"""Every hostile file gets the right codes from both stages of the check, and no other answer."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from grbcore import catalog, datasets
from grbcore.submission import check_content, check_header, scale_of
from tests.hostile.cases import Case
from tests.hostile.corpus import corpus

CASES = corpus()


def test_there_are_enough_and_most_are_refused_at_the_door() -> None:
    assert len(CASES) >= 250
    assert sum(not case.valid and not case.late for case in CASES) >= 250
    assert sum(case.valid for case in CASES) >= 20


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_file_is_given_its_codes(case: Case, tmp_path: Path) -> None:
    """Both stages together find them; the header stage alone finds them unless they are late."""
    board, dataset = catalog.board(case.board), datasets.load("digits")
    data = case.make()
    path = tmp_path / "file"
    path.write_bytes(data)
    whole = check_content(path, side=case.side, board=board, dataset=dataset)
    assert {violation.code for violation in whole} == case.codes, whole[:5]
    header = check_header(io.BytesIO(data), side=case.side, board=board, scale=scale_of(dataset))
    at_the_door = {violation.code for violation in header.violations}
    assert at_the_door == (frozenset() if case.late else case.codes)
