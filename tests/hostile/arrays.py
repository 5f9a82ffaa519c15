"""Headers of arrays that ask for too much, or are none; and attacks against the board's rules."""

from __future__ import annotations

import io
import struct
from typing import Any

import numpy as np

from tests.grbcore.forging import header, npy, npy_saying, npz
from tests.grbcore.samples import D, N
from tests.hostile.cases import (
    EDGES,
    FEATURES,
    FEATURES_NPY,
    MODIFICATION,
    Case,
    Recipes,
    attack,
    packed,
)


def member(edges_npy: bytes) -> bytes:
    return npz([("full/0/edges.npy", edges_npy), ("full/0/features.npy", FEATURES_NPY)])


def said(text: str, data: bytes = EDGES.tobytes(), **more: Any) -> bytes:
    return member(npy_saying(text, data, **more))


def headers() -> list[Case]:
    recipes = Recipes("header", "attack")
    add = recipes.add
    shape = EDGES.shape
    for version in (1, 2, 3):
        add(f"version {version}", said(header(shape), version=version))
    add(
        "keys in another order",
        said(f"{{'shape': {shape}, 'fortran_order': False, 'descr': '<i8'}}"),
    )
    add("no spaces", said("{'descr':'<i8','fortran_order':False,'shape':(2,3)}\n"))
    add("padded to its end", said(header(shape) + " " * 200 + "\n"))
    add("padded to 9,999 bytes", said(header(shape).ljust(9998) + "\n"))
    for text, why in (
        ("", "nothing"), ("[]", "a list"), ("{}", "no key"), ("hello", "a word"),
        ("{'descr': '<i8', 'fortran_order': False}", "a key too few"),
        (header(shape)[:-1] + " 'x': 1}", "a key too many"),
        (header(shape)[:-1] + " 'shape': (1,)}", "a key twice"),
        ("{'descr': '<i8', 'fortran_order': False, 'shape': (2.0, 3)}", "a size with a point"),
        ("{'descr': '<i8', 'fortran_order': False, 'shape': (True, 3)}", "a size that is true"),
        ("{'descr': '<i8', 'fortran_order': False, 'shape': [2, 3]}", "sizes in a list"),
        ("{'descr': '<i8', 'fortran_order': False, 'shape': 6}", "one size without a tuple"),
        ("{'descr': '<i8', 'fortran_order': False, 'shape': (2 3)}", "sizes without a comma"),
        ("{'descr': '<i8', 'fortran_order': False, 'shape': (2, 0x3)}", "a size in hexadecimal"),
        ("{'descr': '<i8', 'fortran_order': False, 'shape': (2, 03)}", "a size with a zero before"),
        ("{'descr': '<i8', 'fortran_order': False, 'shape': (2, 3,,)}", "two commas"),
        ("{'descr': '<i8', 'fortran_order': 0, 'shape': (2, 3)}", "an order that is 0"),
        ("{'descr': None, 'fortran_order': False, 'shape': (2, 3)}", "a type that is none"),
        ("{'descr': ['<i8'], 'fortran_order': False, 'shape': (2, 3)}", "a list of types"),
        ("{'descr': [('a', '<i8')], 'fortran_order': False, 'shape': (2, 3)}", "fields"),
        ("{'descr': ('<i8', (3,)), 'fortran_order': False, 'shape': (2,)}", "a type with a shape"),
        ("{'descr': '<i' '8', 'fortran_order': False, 'shape': (2, 3)}", "a type in two pieces"),
        ("{'descr': __import__('os'), 'fortran_order': False, 'shape': (2, 3)}", "a call"),
        ("{'descr': '<i8', 'fortran_order': False, 'shape': (10 ** 9,) * 10 ** 9}", "arithmetic"),
        ("(" * 5000, "parentheses"), ("[" * 90 + "]" * 90, "lists in lists"),
        ("-" * 9000 + "1", "signs"), ("9" * 9000, "digits"), ("'" * 9000, "quotes"),
        (" " * 9000, "spaces"), ("{" + "'a':" * 2000, "keys in keys"), ("\0" * 128, "zeros"),
        ("{'descr': '<i8', 'fortran_order': False, 'shape': (" + "9" * 5000 + ",)}", "a long size"),
        (header(shape) + "#" * 100, "a comment after it"), (header(shape) + ";", "more after it"),
        (header(shape).replace(" ", "\t"), "tabs"), ("\ufeff".encode().decode("latin1"), "a mark"),
    ):  # fmt: skip
        add(why, said(text), "header")
    for length, why in ((0, "no length"), (5, "a length too short"), (9_000, "a length too long")):
        add(why, said(header(shape), length=length), "header")
    add("10,001 bytes", said(header(shape).ljust(10_001)), "header")
    add("65,535 bytes", said(header(shape), length=65_535), "header")
    add("200 MiB", said(header(shape), version=2, length=200 << 20), "header")
    add("4 GiB", said(header(shape), version=3, length=0xFFFFFFFF), "header")
    for start, why in (
        (b"\x93NUMPY\x04\0", "version 4"), (b"\x93NUMPY\x01\x01", "version 1.1"),
        (b"\x93NUMPY\0\0", "version 0"), (b"\x93NUMPX\x01\0", "another sign"),
        (b"NUMPY\x93\x01\0", "a turned sign"),
    ):  # fmt: skip
        text = header(shape).encode()
        made = member(start + struct.pack("<H", len(text)) + text + EDGES.tobytes())
        add(why, made, "header")
    for cut in (0, 1, 6, 8, 9, 10, 11, 40):
        add(f"cut after {cut} bytes", member(npy(EDGES)[:cut]), "header")
    for dtype in (
        "|O", "<U100000000", "|S100000000", "|V8", ">i8", "=i8", "<i8 ", "int64", "<u8", "<c16",
        "<f2", "|i1", "<M8[s]", "<m8", "<i16", "<i0", "i8", "", "\\x3ci8",
    ):  # fmt: skip
        code = "header" if "\\" in dtype else "dtype"
        add(f"type {dtype!r}", said(header(shape).replace("<i8", dtype)), code)
    for other in ("<f4", "<f8", "<i4"):
        add(f"type {other}", member(npy(EDGES.astype(other))), "dtype")
    for size in (1 << 28, 1 << 31, 1 << 39):
        add(f"178 bytes that ask for {8 * size} bytes", said(header((size,))), "damaged")
    for huge in (
        (1 << 41,), (1 << 62, 4), (1 << 63,), (1 << 64,), (-1,), (2, -3), (0, 1 << 63),
        (0, 1 << 40, 1 << 40), (1,) * 9, (1,) * 60, (1 << 32, 1 << 32),
    ):  # fmt: skip
        add(f"shape {huge}"[:60], said(header(huge)), "shape")
    for small in ((), (6,), (3, 2), (1, 6), (2, 3, 1), (6, 1)):
        add(f"shape {small}", said(header(small), bytes(8 * int(np.prod(small)))), "shape")
    add("less data than its shape", said(header(shape), bytes(47)), "damaged")
    add("more data than its shape", said(header(shape), bytes(49)), "damaged")
    add("no data", said(header(shape), b""), "damaged")
    add("Fortran order", member(npy(np.asfortranarray(EDGES))), "order")
    add("every fault at once", said(header((-1, 2), ">i8", True)), "dtype", "order", "shape")
    return recipes.cases


def rules() -> list[Case]:
    recipes = Recipes("rules", "attack")

    def add(name: str, members: dict[str, Any], *codes: str, late: bool = False) -> None:
        recipes.add(name, lambda: packed(members), *codes, late=late)

    def edges(*pairs: tuple[int, int], rows: int = 2) -> dict[str, Any]:
        array = np.array(pairs, np.int64).reshape(-1, 2).T.copy()
        return attack(array, np.zeros((rows, D), np.float32))

    for end in (-1, -(1 << 63), N + 2, (1 << 63) - 1, 1 << 40):
        add(f"node {end}", edges((N, end)), "node-range", late=True)
        add(f"node {end} turned", edges((end, N)), "node-range", late=True)
    add("two nodes out of range", edges((-1, N + 7)), "node-range", late=True)
    add("an edge of the graph", edges((3, 4)), "edge-original", late=True)
    add("a self-loop", edges((N, N)), "edge-self", late=True)
    add("a self-loop of the graph", edges((3, 3)), "edge-original", "edge-self", late=True)
    add("an edge twice", edges((N, 3), (N, 3)), "edge-duplicate", late=True)
    add("an edge in both directions", edges((N, 3), (3, N)), "edge-duplicate", late=True)
    add("an edge among new nodes in both directions", edges((N, N + 1), (N + 1, N)),
        "edge-duplicate", late=True)  # fmt: skip
    add("21 edges", edges(*((N, i) for i in range(21))), "budget-degree", late=True)
    add("21 edges, one among new nodes", edges(*((N, i) for i in range(20)), (N + 1, N)),
        "budget-degree", late=True)  # fmt: skip
    add("20 edges", edges(*((N, i) for i in range(20))))
    add("edges turned", edges((3, N), (N, 4)))
    add("an edge of a node that is not there", edges((N, 3), rows=0), "node-range", late=True)
    add("edges where there are no nodes", attack(EDGES, np.zeros((0, D), np.float32)),
        "node-range", late=True)  # fmt: skip
    add("new nodes without edges", attack(np.zeros((2, 0), np.int64)))
    add("nothing", attack(np.zeros((2, 0), np.int64), np.zeros((0, D), np.float32)))
    add("90 nodes", attack(features=np.zeros((90, D), np.float32)))
    add("91 nodes", attack(features=np.zeros((91, D), np.float32)), "budget-nodes")
    add("4,000 nodes", attack(features=np.zeros((4000, D), np.float32)), "budget-nodes")
    add("1,801 edges", attack(np.zeros((2, 1801), np.int64)), "budget-degree")
    for value, code in (
        (np.nan, "finite"), (np.inf, "finite"), (-np.inf, "finite"), (0.7, "feature-range"),
        (-0.5, "feature-range"), (3.4e38, "feature-range"), (-3.4e38, "feature-range"),
        (0.684157, None), (-0.434091, None), (1e-45, None), (-1e-40, None), (-0.0, None),
        (1.1754942e-38, None),
    ):  # fmt: skip
        changed = FEATURES.copy()
        changed[1, 63] = value
        add(f"a feature of {value:g}", attack(features=changed), *filter(None, [code]),
            late=code is not None)  # fmt: skip
    payload = FEATURES.copy()
    payload.view(np.uint32)[0, 0] = 0x7FC0DEAD
    add("a number that is none, with a message", attack(features=payload), "finite", late=True)
    add("every feature no number", attack(features=np.full((2, D), np.nan, np.float32)),
        "finite", late=True)  # fmt: skip
    add("every rule broken", attack(
        np.array([[N, 3, N, -1], [N, 4, 5, 5]]), np.full((2, D), np.inf, np.float32)),
        "edge-self", "edge-original", "node-range", "finite", late=True)  # fmt: skip
    add("65 features", attack(features=np.zeros((2, D + 1), np.float32)), "shape")
    add("features in doubles", attack(features=FEATURES.astype(np.float64)), "dtype")
    add("features turned", attack(features=FEATURES.T.copy()), "shape")
    add("edges in int32", attack(EDGES.astype(np.int32)), "dtype")
    add("edges turned to (e, 2)", attack(np.zeros((4, 2), np.int64)), "shape")
    add("no features", attack(features=None), "member-missing")
    add("no edges", attack(None), "member-missing")
    add("easy alone", attack(at="easy/0"), "member-missing")
    for at in ("full/1", "full/01", "full/-1", "full/999999", "extreme/0", "full"):
        code = "repeats" if at == "full/1" else "member-name"
        more = () if at == "full/1" else ("member-missing",)
        add(f"at {at}", attack(at=at), code, *more)
    add("two of three repeats", attack() | attack(at="full/1"), "repeats")
    add("four repeats", {k: v for r in range(4) for k, v in attack(at=f"full/{r}").items()},
        "repeats")  # fmt: skip
    add("three repeats", {k: v for r in range(3) for k, v in attack(at=f"full/{r}").items()})
    add("other repeats at easy", attack() | attack(at="easy/1"), "repeats")
    add("31 nodes at easy", attack() | attack(
        at="easy/0", features=np.zeros((31, D), np.float32)), "budget-nodes")  # fmt: skip
    add("flips on an injection board", {"full/0/flips": EDGES}, "member-name")
    add("flips beside an injection", attack() | {"full/0/flips": EDGES}, "member-name")
    return recipes.cases


def flips() -> list[Case]:
    recipes = Recipes("rules", "attack", board=MODIFICATION)

    def add(name: str, pairs: Any, *codes: str, late: bool = True) -> None:
        array = np.array(pairs, np.int64).reshape(-1, 2).T.copy()
        recipes.add(
            name, lambda: packed({"full/0/flips": array}), *codes, late=bool(codes) and late
        )

    add("no flip", [])
    add("195 flips", [(0, 1)] * 195, "budget-flips", late=False)
    add("a flip of node -1", [(-1, 5)], "node-range")
    add("a flip of node n", [(N, 5)], "node-range")
    add("a self-loop", [(target(), target())], "edge-self")
    add("a pair twice", [(target(), 1), (1, target())], "edge-duplicate")
    add("a flip away from the targets", [others()], "flip-target")
    add("a flip at a target", [(target(), others()[0])])
    recipes.add("an injection", lambda: packed(attack()), "member-name")
    recipes.add(
        "turned flips", lambda: packed({"full/0/flips": np.zeros((3, 2), np.int64)}), "shape"
    )
    recipes.add("flips in doubles", lambda: packed({"full/0/flips": np.zeros((2, 1))}), "dtype")
    return recipes.cases


def target() -> int:
    from grbcore import datasets

    return int(datasets.load("digits").targets["full"][0])


def others() -> tuple[int, int]:
    """Two nodes that are no targets."""
    from grbcore import datasets

    outside = np.setdiff1d(np.arange(N), datasets.load("digits").targets["full"])
    return int(outside[0]), int(outside[1])


def numpys_own() -> list[Case]:
    """What numpy's own writers make, to files and to pipes."""
    recipes = Recipes("numpy", "attack")

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def tell(self) -> int:
            raise OSError

        def seek(self, *_: Any) -> int:
            raise OSError

    def written(write: Any, buffer: io.BytesIO) -> bytes:
        write(buffer, **attack())
        return buffer.getvalue()

    recipes.add("savez", lambda: written(np.savez, io.BytesIO()))
    recipes.add("savez_compressed", lambda: written(np.savez_compressed, io.BytesIO()))
    recipes.add("savez to a pipe", lambda: written(np.savez, Pipe()))
    recipes.add("savez_compressed to a pipe", lambda: written(np.savez_compressed, Pipe()))
    return recipes.cases


def cases() -> list[Case]:
    return headers() + rules() + flips() + numpys_own()
