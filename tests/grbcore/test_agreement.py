"""Whether what is measured here is what was published: by which rule, and what differs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grbcore.agreement import Kernel, Published, compare
from grbcore.results import Cell

HERE = Kernel("cpu", "2.13.0", "2.4.0")
PUBLISHED = Published(
    id="cell",
    attack="a" * 64,
    defense="d" * 64,
    correct={"easy": (90, 91), "full": (500, 501)},
    total={"easy": 100, "full": 1000},
    hits_sha256="e" * 64,
    kernel=HERE,
)


def found(full: tuple[int, ...] = (500, 501), hits: str = "e" * 64) -> Cell:
    correct = {"easy": (90, 91), "full": full}
    return Cell("a", "d", correct, PUBLISHED.total, {"hits_sha256": hits})  # type: ignore[arg-type]


def test_on_the_same_kernel_the_same_counts_and_hits_agree() -> None:
    verdict = compare(PUBLISHED, found(), HERE)
    assert (verdict.rule, verdict.differences, verdict.agrees) == ("exact", (), True)


def test_on_the_same_kernel_one_target_too_many_is_a_difference() -> None:
    verdict = compare(PUBLISHED, found((500, 502)), HERE)
    assert verdict.differences == ("full/1: published 501, found 502",)
    assert (verdict.rule, verdict.agrees) == ("exact", False)


def test_on_the_same_kernel_other_targets_may_not_be_right() -> None:
    verdict = compare(PUBLISHED, found(hits="f" * 64), HERE)
    assert verdict.differences == ("hits: as many targets are right, but others",)
    assert not verdict.agrees


def test_hits_whose_hash_is_not_told_are_not_held() -> None:
    assert compare(replace(PUBLISHED, hits_sha256=None), found(hits="f" * 64), HERE).agrees


OTHERS = [None, replace(HERE, torch="2.12.0"), replace(HERE, numpy="1.0")]


@pytest.mark.parametrize("kernel", [*OTHERS, replace(HERE, device="NVIDIA H100")])
def test_elsewhere_a_count_may_differ_by_the_tolerance(kernel: Kernel | None) -> None:
    """0.5 % of 1,000 targets are 5."""
    elsewhere = replace(PUBLISHED, kernel=kernel)
    near, far = found((505, 496)), found((505, 495))
    verdict = compare(elsewhere, near, HERE)
    assert verdict.differences == (
        "full/0: published 500, found 505",
        "full/1: published 501, found 496",
    )
    assert (verdict.rule, verdict.agrees) == ("tolerance", True)
    assert not compare(elsewhere, far, HERE).agrees


def test_elsewhere_one_target_may_differ_where_there_are_few() -> None:
    few = replace(PUBLISHED, kernel=None)
    one = Cell("a", "d", {"easy": (90, 92), "full": (500, 501)}, PUBLISHED.total)
    two = Cell("a", "d", {"easy": (90, 93), "full": (500, 501)}, PUBLISHED.total)
    assert compare(few, one, HERE).agrees
    assert not compare(few, two, HERE).agrees


def test_with_no_tolerance_none_may() -> None:
    assert not compare(replace(PUBLISHED, kernel=None), found((500, 502)), HERE, tolerance=0).agrees


@pytest.mark.parametrize("kernel", [HERE, None])
def test_another_number_of_repeats_or_targets_agrees_by_no_rule(kernel: Kernel | None) -> None:
    verdict = compare(replace(PUBLISHED, kernel=kernel), found((500,)), HERE)
    assert not verdict.agrees
    assert "published {'easy': 2, 'full': 2}" in verdict.differences[0]
    fewer = Cell("a", "d", PUBLISHED.correct, {"easy": 100, "full": 999})
    assert not compare(replace(PUBLISHED, kernel=kernel), fewer, HERE).agrees


ERRORS = replace(PUBLISHED, correct={}, errors={"1": (0.5, 0.25)}, total={"1": 100})


def erring(*means: float, hits: str = "e" * 64) -> Cell:
    return Cell("a", "d", {}, {"1": 100}, {"hits_sha256": hits}, errors={"1": means})


def test_on_the_same_kernel_the_same_mean_errors_agree_and_no_others() -> None:
    assert compare(ERRORS, erring(0.5, 0.25), HERE).agrees
    verdict = compare(ERRORS, erring(0.5, 0.2500001), HERE)
    assert verdict.differences == ("1/1: published 0.25, found 0.2500001",)
    assert not verdict.agrees
    verdict = compare(ERRORS, erring(0.5, 0.25, hits="f" * 64), HERE)
    assert verdict.differences == ("errors: the means of others",)
    assert not verdict.agrees


def test_elsewhere_a_mean_error_may_differ_by_a_share_of_itself() -> None:
    """0.5 % of 0.5 is 0.0025, of 0.25 half of that."""
    elsewhere = replace(ERRORS, kernel=None)
    assert compare(elsewhere, erring(0.5024, 0.2488), HERE).agrees
    assert not compare(elsewhere, erring(0.5, 0.2514), HERE).agrees
    assert not compare(elsewhere, found(), HERE).agrees
