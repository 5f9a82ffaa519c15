"""How the best of a side grew over time."""

from __future__ import annotations

from datetime import UTC, datetime

from grbcore.records import Entered, records


def entered(day: int, name: str, score: float) -> Entered:
    return Entered(datetime(2026, 1, day, tzinfo=UTC), name, score)


ENTRIES = [entered(3, "c", 0.7), entered(1, "a", 0.5), entered(2, "b", 0.4), entered(4, "d", 0.7)]


def test_a_defense_is_a_record_where_nothing_before_was_as_good() -> None:
    assert [one.id for one in records(ENTRIES, "defense")] == ["a", "c"]


def test_an_attack_is_a_record_where_nothing_before_left_as_little() -> None:
    assert [one.id for one in records(ENTRIES, "attack")] == ["a", "b"]


def test_of_nothing_there_is_no_record() -> None:
    assert records([], "attack") == []
