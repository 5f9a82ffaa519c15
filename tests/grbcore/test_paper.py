"""The paper's table over a choice: metrics, differences, marks and presets by arithmetic."""

from __future__ import annotations

import pytest

from grbcore.leaderboard import Arena, rank
from grbcore.metrics import Score
from grbcore.paper import PLAIN, Choice, firsts, preset, table, wins
from grbcore.results import CLEAN, Cell
from grbcore.scenario import BUDGETS, DIFFICULTIES, MEAN
from tests.grbcore import tables

FULL = Choice(("A", "B"), ("D", "E"), ("full",))


def numbers(found: Score | None) -> list[float | None]:
    assert found is not None
    return [found.mean, found.std]


def cell(attack: str, defense: str, *correct: int, at: str = "full") -> Cell:
    return Cell(attack, defense, {at: correct}, {at: 100})  # type: ignore[dict-item]


CELLS = [
    cell("A", "D", 40, 60),
    cell("B", "D", 60, 40),
    cell(CLEAN, "D", 90),
    cell("A", "E", 50, 50),
    cell("B", "E", 20, 30),
    cell(CLEAN, "E", 80),
]


def test_metrics_of_a_defense_are_of_each_repeat_first() -> None:
    """D in both repeats: rows 40, 60, 90 %.  w = 36/49, 9/49, 4/49.

    Weighted (40 * 36 + 60 * 9 + 90 * 4) / 49 = 2340 / 49 = 47.7551 % in each, so its std is 0;
    of the means (50, 50, 90) it would be 53.27 %.  Avg and 3-Min: 190 / 3 = 63.3333 %.
    """
    found = table(FULL, CELLS, 2)
    at = found.defenses["D", "full", "weighted"].draws.score
    assert at.mean == pytest.approx(0.477551, abs=1e-6)
    assert at.std == pytest.approx(0.0, abs=1e-12)
    for name in ("average", "three"):
        assert found.defenses["D", "full", name].draws.score.mean == pytest.approx(0.6333333)
    assert (found.rows["full"], found.columns) == (3, 2)


def test_metrics_of_an_attack_run_over_the_chosen_defenses() -> None:
    """A: repeat 1 has 50, 40; repeat 2 60, 50.  w = 4/5, 1/5: 48 and 58 %, mean 53, std 5.

    The row without an attack has them too: 90, 80: (4 * 90 + 80) / 5 = 88 %, of one repeat.
    """
    found = table(FULL, CELLS, 2)
    weighted = found.attacks["A", "full", "weighted"].draws.score
    assert numbers(weighted) == pytest.approx([0.53, 0.05], abs=1e-9)
    clean = found.attacks[CLEAN, "full", "weighted"].draws.score
    assert numbers(clean) == pytest.approx([0.88, None], abs=1e-9)


def test_a_choice_of_everything_has_the_numbers_of_the_rankings() -> None:
    found = table(FULL, CELLS, 2)
    arena = Arena(2, *(("A", "B"), ("D", "E")), ("D", "E"), ("A", "B"))
    for side, metrics in (("attack", found.attacks), ("defense", found.defenses)):
        for row in rank(arena, CELLS, side).rows:  # type: ignore[arg-type]
            for name in ("weighted", "average", "three"):
                key = (row.id, "full", name)
                assert metrics[key].draws.score == getattr(row.metrics["full"], name)  # type: ignore[index]


def test_what_is_left_out_counts_for_nothing() -> None:
    """Without B: D has 40, 90 and 60, 90 %: (4 * 40 + 90) / 5 = 50 and 66 %, mean 58, std 8."""
    found = table(FULL._replace(attacks=("A",)), CELLS, 2)
    at = found.defenses["D", "full", "weighted"].draws.score
    assert numbers(at) == pytest.approx([0.58, 0.08], abs=1e-9)


def test_differences_from_a_base_are_of_each_repeat_first() -> None:
    """B against E minus A against E: 20 - 50 and 30 - 50, mean -25, std 5 points; as parts of A's
    -60 % and -40 %, mean -50, std 10 %.  Of D minus E under A: -10 and 10, mean 0, std 10."""
    value = table(FULL, CELLS, 2, base="A").cells["B", "full", "E"]
    assert numbers(value.difference) == pytest.approx([-0.25, 0.05], abs=1e-9)
    assert numbers(value.relative) == pytest.approx([-0.5, 0.1], abs=1e-9)
    found = table(FULL, CELLS, 2, base="E")
    other = found.cells["A", "full", "D"].difference
    assert numbers(other) == pytest.approx([0.0, 0.1], abs=1e-9)
    assert found.attacks["A", "full", "weighted"].difference is None
    assert found.defenses["E", "full", "weighted"].difference is not None


def test_nothing_is_a_part_of_zero() -> None:
    cells = [cell("A", "D", 0, 10), cell("B", "D", 5, 5), cell(CLEAN, "D", 90)]
    value = table(FULL._replace(defenses=("D",)), cells, 2, base="A").cells["B", "full", "D"]
    assert value.relative is None and value.difference is not None


def test_the_best_of_each_difficulty_are_marked() -> None:
    """Red: A and B leave D 50 % alike, B leaves E least.  Blue: E under A (50 and 50: alike)."""
    found = table(FULL, CELLS, 2)
    red = {key[::2] for key, value in found.cells.items() if value.best_attack}
    blue = {key[::2] for key, value in found.cells.items() if value.best_defense}
    assert red == {("A", "D"), ("B", "D"), ("B", "E")}
    assert blue == {("A", "D"), ("A", "E"), ("B", "D"), (CLEAN, "D")}
    assert wins(found, "defense") == {"D": {"full": 3}, "E": {"full": 1}}
    assert wins(found, "attack") == {"A": {"full": 1}, "B": {"full": 2}}
    assert found.attacks["B", "full", "weighted"].best_attack
    assert not found.attacks[CLEAN, "full", "weighted"].best_attack


def test_the_best_of_a_matrix_are_those_of_its_table() -> None:
    """As above; in rows A: 50, 50, B: 50, 25, clean: 90, 80."""
    means = {("A", "D", "1"): 0.5, ("A", "E", "2"): 0.5, ("B", "D", "3"): 0.5}
    means |= {("B", "E", "4"): 0.25, (CLEAN, "D", "5"): 0.9, (CLEAN, "E", "6"): 0.8}
    assert firsts(means) == (["1", "3", "4"], ["1", "2", "3", "5"])
    assert firsts({}) == ([], [])


def test_an_attack_has_no_row_where_it_carries_nothing() -> None:
    cells = [*CELLS, cell("A", "D", 10, 10, at="easy"), cell(CLEAN, "D", 90, at="easy")]
    found = table(FULL._replace(difficulties=("easy", "full")), cells, 2)
    assert found.rows == {"easy": 2, "full": 3}
    assert ("E", "easy", "average") not in found.defenses  # it lacks its cells there
    assert found.defenses["D", "easy", "average"].draws.score.mean == pytest.approx(0.5)
    assert ("A", "easy", "average") not in found.attacks


def test_a_cell_of_another_number_of_repeats_is_an_error() -> None:
    with pytest.raises(ValueError, match="repeats: found 3, allowed: 1 or 2"):
        table(FULL, [cell("A", "D", 1, 2, 3)], 2)


def test_presets_are_the_papers_and_parts_of_it() -> None:
    attacks, defenses = [f"a{n}" for n in range(120)], [f"d{n}" for n in range(120)]
    families = {"d3": "GCN", "d5": "GCN+LN", "d9": "GraphSAGE", "d11": "GAT+AT"}
    main = preset("main", attacks, defenses, families)
    assert main == (tuple(attacks[:5]), tuple(defenses[:10]), DIFFICULTIES)
    assert preset("brief", attacks, defenses, families)[2] == ("full",)
    whole = preset("complete", attacks, defenses, families)
    assert (len(whole.attacks), len(whole.defenses)) == (30, 30)
    assert preset("no-defenses", attacks, defenses, families).defenses == ("d3", "d9")
    assert "R-GCN" not in PLAIN


@pytest.mark.parametrize(
    ("name", "side", "metric", "tolerance"),
    [
        *((name, "defense", "Avg.", 0.0085) for name in tables.NAMES),
        *(("reddit", "defense", metric, 0.0135) for metric in ("Avg. 3-Min", "Weighted")),
        *(("reddit", "attack", metric, 0.0135) for metric in ("Avg.", "Avg. 3-Max", "Weighted")),
        ("aminer", "attack", "Weighted", 0.0105),
    ],
)
def test_the_papers_table_is_reproduced(
    name: str, side: str, metric: str, tolerance: float
) -> None:
    """Tables 13-17 from their printed means, as far as these go (Avg is linear, and the spreads of
    reddit and aminer are small): the tolerances are those of the rankings' own tests."""
    printed = tables.table(name)
    attacks = tuple(one for one in printed.attacks if one != tables.CLEAN_ROW)
    found = table(Choice(attacks, tuple(printed.defenses), DIFFICULTIES), printed.cells(), 1)
    metrics = found.defenses if side == "defense" else found.attacks
    names = {"Avg.": "average", "Avg. 3-Min": "three", "Avg. 3-Max": "three"}
    compared = 0
    for entry in printed.defenses if side == "defense" else attacks:
        for letter, at in tables.LETTERS.items():
            value = printed.printed(side, metric, letter, entry)
            if value is None:
                continue
            ours = metrics[entry, at, names.get(metric, "weighted")]  # type: ignore[index]
            assert 100 * ours.draws.score.mean == pytest.approx(value, abs=tolerance)
            compared += 1
    assert compared >= (37 if side == "defense" else 18)


def test_at_the_mean_a_table_has_the_means_over_budgets() -> None:
    """One defense, one attack of two repeats: at budget b it leaves (10 - b, 9 - b) of 10."""
    rights = {name: (10 - int(name), 9 - int(name)) for name in BUDGETS}
    total = dict.fromkeys(BUDGETS, 10)
    cells = [
        Cell("A", "D", rights, total),  # type: ignore[arg-type]
        Cell(CLEAN, "D", dict.fromkeys(BUDGETS, (10,)), total),  # type: ignore[arg-type]
    ]
    found = table(Choice(("A",), ("D",), ("5", MEAN)), cells, 2, base=CLEAN)
    assert {key[1] for key in found.cells} == {"5", MEAN}
    mean = found.cells["A", MEAN, "D"]
    assert mean.draws.values.tolist() == pytest.approx([0.7, 0.6])
    assert (mean.draws.score.mean, mean.draws.score.std) == pytest.approx((0.65, 0.05))
    assert mean.difference is not None
    assert mean.difference.mean == pytest.approx(-0.35)
    assert found.defenses["D", MEAN, "average"].draws.score.mean == pytest.approx((0.65 + 1) / 2)
    assert found.rows == {"5": 2, MEAN: 2}
    assert preset("brief", ["A"], ["D"], {}, (*BUDGETS, MEAN)).difficulties == (MEAN,)
