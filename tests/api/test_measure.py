"""How results are named and written: accuracies in percent, errors as they are."""

from __future__ import annotations

import pytest

from api.templating import captions
from grbcore.measure import ACCURACY, ERROR, Measure


@pytest.mark.parametrize(
    ("measure", "alone", "spread", "after"),
    [(ACCURACY, "12.35", "12.35 ± 0.50", " %"), (ERROR, "0.123", "0.123 ± 0.005", "")],
)
def test_a_score_is_its_mean_and_its_deviation_where_there_is_one(
    measure: Measure, alone: str, spread: str, after: str
) -> None:
    assert measure.score(0.12346) == alone
    assert measure.score(0.12346, 0.005) == spread
    assert measure.score(0.12346, 0.005, join="~") == spread.replace(" ± ", "~")
    assert measure.after == after


def test_captions_name_the_end_by_which_each_side_is_judged() -> None:
    """The worst of a defense is its lowest accuracy, or its highest error; attacks: the other."""
    assert captions(ACCURACY, graphs=False)["defense"]["three"] == (
        "Ranked by 3-Min: mean of the three lowest accuracies."
    )
    assert captions(ERROR, graphs=True)["defense"]["three"] == (
        "Ranked by 3-Max: mean of the three highest errors; in standard deviations of the labels."
    )
    assert captions(ACCURACY, graphs=False)["attack"]["worst"] == (
        "Ranked by the worst case: the highest accuracy that is left to the defenses, "
        "in each repeat."
    )
    assert captions(ERROR, graphs=True)["attack"]["worst"] == (
        "Ranked by the worst case: the lowest error that the defenses make, in each repeat; "
        "in standard deviations of the labels."
    )


def test_captions_tell_one_clean_graph_from_several() -> None:
    for graphs, words in ((False, "the clean graph,"), (True, "the clean graphs,")):
        assert words in captions(ACCURACY, graphs=graphs)["defense"]["weighted"]
