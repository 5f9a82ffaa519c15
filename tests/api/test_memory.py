"""A value is worked out once, however many ask for it at the same time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event, Semaphore

import pytest

from api.memory import Memory


def nothing() -> None:
    """Nothing to give back."""


def test_while_one_works_the_others_wait_and_hold_nothing() -> None:
    memory: Memory[str, int] = Memory(4)
    working, over, released = Event(), Event(), Semaphore(0)
    calls = []

    def make() -> int:
        calls.append(1)
        working.set()
        assert over.wait(20)
        return 7

    with ThreadPoolExecutor(9) as threads:
        first = threads.submit(memory.get, "key", make, nothing)
        assert working.wait(20)
        others = [threads.submit(memory.get, "key", make, released.release) for _ in range(8)]
        for _ in others:
            assert released.acquire(timeout=20)
        over.set()
        assert [future.result(20) for future in (first, *others)] == [7] * 9
    assert len(calls) == 1


def test_an_error_is_told_and_not_remembered() -> None:
    memory: Memory[str, int] = Memory(4)

    def broken() -> int:
        raise OSError("no database")

    with pytest.raises(OSError, match="no database"):
        memory.get("key", broken, nothing)
    assert memory.get("key", lambda: 3, nothing) == 3


def test_the_least_recently_used_goes_first() -> None:
    memory: Memory[str, int] = Memory(2)
    for key in ("a", "b", "a", "c"):
        memory.get(key, lambda: 1, nothing)
    assert [memory.get(key, lambda: 2, nothing) for key in ("a", "c", "b")] == [1, 1, 2]
