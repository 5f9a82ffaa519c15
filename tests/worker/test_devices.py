"""Which devices a worker uses, and which GPUs its children see; the machine's are told here."""

from __future__ import annotations

import pytest

from worker.devices import Device, NoSuchDevice, ids, resolve

TWO = ("GPU-aa", "GPU-bb")

LISTING = """\
GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-11111111-aaaa)
GPU 1: NVIDIA A100-SXM4-40GB (UUID: GPU-22222222-bbbb)
  MIG 3g.20gb     Device  0: (UUID: MIG-33333333-cccc)
  MIG 3g.20gb     Device  1: (UUID: MIG-44444444-dddd)
GPU 2: NVIDIA A100-SXM4-40GB (UUID: GPU-55555555-eeee)
"""


def devices(asked: str, visible: str | None = None, gpus: tuple[str, ...] = ()) -> list[Device]:
    environment = {} if visible is None else {"CUDA_VISIBLE_DEVICES": visible}
    return [*resolve(asked, environment, lambda: gpus)]


def test_the_cpu_is_one_device_and_sees_no_gpu() -> None:
    assert devices("cpu", "0,1", TWO) == [Device("cpu", "cpu", "")]
    assert len(devices("cpu,cpu")) == 2


def test_cuda_alone_leaves_the_choice_of_the_gpu_as_it_is() -> None:
    assert devices("cuda", "3") == [Device("cuda", "cuda", None)]


def test_each_child_of_a_numbered_gpu_sees_it_alone() -> None:
    assert devices("cuda:0,cuda:2") == [
        Device("cuda:0", "cuda", "0"),
        Device("cuda:2", "cuda", "2"),
    ]


@pytest.mark.parametrize("outer", ["5,GPU-bb", " 5 , GPU-bb, -1, 7"])
def test_numbers_count_what_is_visible_from_outside(outer: str) -> None:
    found = devices("cuda:0,cuda:1", outer)
    assert [device.visible for device in found] == ["5", "GPU-bb"]


def test_a_number_beyond_what_is_visible_is_refused() -> None:
    with pytest.raises(NoSuchDevice, match="found cuda:2, allowed: cuda:0 to cuda:1"):
        devices("cuda:2", "4,5")
    with pytest.raises(NoSuchDevice, match="found cuda:0, allowed: no GPU"):
        devices("cuda:0", "")


def test_auto_is_every_gpu_of_the_machine() -> None:
    assert devices("auto", None, TWO) == [
        Device("cuda:0", "cuda", "GPU-aa"),
        Device("cuda:1", "cuda", "GPU-bb"),
    ]


def test_auto_keeps_to_the_gpus_that_are_visible() -> None:
    assert devices("auto", "GPU-bb", TWO) == [Device("cuda:0", "cuda", "GPU-bb")]


@pytest.mark.parametrize(("visible", "gpus"), [(None, ()), ("0,1", ()), ("", TWO), ("-1", TWO)])
def test_auto_is_the_cpu_where_no_gpu_is_there_or_visible(
    visible: str | None, gpus: tuple[str, ...]
) -> None:
    assert devices("auto", visible, gpus) == [Device("cpu", "cpu", "")]


def test_of_a_divided_gpu_the_parts_are_used() -> None:
    assert ids(LISTING) == (
        "GPU-11111111-aaaa",
        "MIG-33333333-cccc",
        "MIG-44444444-dddd",
        "GPU-55555555-eeee",
    )
    assert ids("No devices were found\n") == ()
