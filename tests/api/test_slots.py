"""Uploads at once: bounded in all and for each user, and whoever waits gets the next turn."""

from __future__ import annotations

import asyncio

import pytest

from api.errors import ApiError
from api.slots import Slots


def test_each_user_has_so_many_turns_and_others_wait_for_none_of_theirs() -> None:
    async def run() -> None:
        slots = Slots(10, 2, patience=0.05)
        async with slots.taken("ann"), slots.taken("ann"):
            with pytest.raises(ApiError) as refused:
                async with slots.taken("ann"):
                    raise AssertionError
            async with slots.taken("bob"):
                pass
        assert (refused.value.status, refused.value.code) == (429, "uploads-at-once")
        assert refused.value.message == "uploads at once: found 2 of yours, allowed: 2"
        assert refused.value.headers["Retry-After"] == "1"
        async with slots.taken("ann"):
            pass

    asyncio.run(run())


def test_all_together_have_so_many_turns() -> None:
    async def run() -> None:
        slots = Slots(2, 2, patience=0.05)
        async with slots.taken("ann"), slots.taken("bob"):
            with pytest.raises(ApiError) as refused:
                async with slots.taken("eve"):
                    raise AssertionError
        assert (refused.value.status, refused.value.code) == (503, "busy")

    asyncio.run(run())


def test_whoever_waits_gets_the_next_turn() -> None:
    most = 0

    async def run() -> None:
        slots, running = Slots(3, 2), 0

        async def upload(user: str) -> None:
            nonlocal running, most
            async with slots.taken(user):
                running += 1
                most = max(most, running)
                await asyncio.sleep(0.01)
                running -= 1

        await asyncio.gather(*(upload(user) for user in ("ann", "bob") for _ in range(6)))

    asyncio.run(run())
    assert most == 3


def test_an_upload_that_fails_or_is_cancelled_gives_its_turn_back() -> None:
    async def run() -> None:
        slots = Slots(1, 1, patience=0.5)
        with pytest.raises(KeyError):
            async with slots.taken("ann"):
                raise KeyError
        holds = asyncio.Event()

        async def hold() -> None:
            async with slots.taken("ann"):
                holds.set()
                await asyncio.sleep(60)

        task = asyncio.create_task(hold())
        await holds.wait()
        waiting = asyncio.create_task(slots.taken("ann").__aenter__())
        await asyncio.sleep(0)
        task.cancel()
        await waiting

    asyncio.run(run())
