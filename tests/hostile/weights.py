"""Weights that are none: headers, offsets, metadata, names, shapes and values."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from grbcore.architectures import ARCHITECTURES
from tests.grbcore.forging import entry, safetensors
from tests.grbcore.samples import METADATA, defense, weights
from tests.hostile.cases import Case, Recipes

ONE = entry([1], 0, 4)


def text(**more: Any) -> str:
    """A header with honest metadata and these entries."""
    return json.dumps({"__metadata__": METADATA, **more})


def honest_header() -> tuple[dict[str, Any], bytes]:
    data = defense()
    length = int.from_bytes(data[:8], "little")
    return json.loads(data[8 : 8 + length]), data[8 + length :]


def told(name: str = "head.0.bias", **lies: Any) -> bytes:
    """Honest weights but for what is said of one tensor."""
    header, data = honest_header()
    header[name] = {**header[name], **lies}
    return safetensors(header, data)


def layout() -> list[Case]:
    recipes = Recipes("layout", "defense")
    add = recipes.add
    header, data = honest_header()
    honest = json.dumps(header)
    add("honest", defense)
    add("padded", lambda: safetensors(honest + " " * 40, data))
    add("names in another order", lambda: safetensors(dict(reversed(header.items())), data))
    add("escapes in names", lambda: safetensors(honest.replace("head", "\\u0068ead"), data))
    add("spaces between", lambda: safetensors(json.dumps(header, indent=2), data))
    add("a space before", lambda: safetensors(" " + honest, data), "format")
    add("a mark before", lambda: safetensors("\ufeff" + honest, data), "format")
    for length in (0, 1, (1 << 20) + 1, 1 << 32, 1 << 63, (1 << 64) - 1):
        add(f"a header of {length} bytes", lambda n=length: safetensors(honest, data, length=n),
            "header")  # fmt: skip
    add("a header of 1 MiB and one", lambda: safetensors(honest.ljust((1 << 20) + 1), data),
        "header")  # fmt: skip
    add("a header of 1 MiB", lambda: safetensors(honest.ljust(1 << 20), data))
    add("a header longer than the file", lambda: safetensors(honest, b"", length=900_000),
        "damaged")  # fmt: skip
    for change, why in ((-1, "short"), (1, "long"), (-40, "very short")):
        add(f"a header {why} by {abs(change)}", lambda c=change: safetensors(
            honest, data, length=len(honest) + c), "header")  # fmt: skip
    for made, why in (
        ("{", "an open brace"), ("{}}", "a brace too many"), ("{'a': 1}", "other quotes"),
        ('{"a": 1,}', "a comma too many"), ('{"a": NaN}', "NaN"), ('{"a": Infinity}', "Infinity"),
        ('{"a": -Infinity}', "-Infinity"), ('{"a": 0x10}', "hexadecimal"), ('{"a": 01}', "01"),
        ('{"a": "\n"}', "a bare line end"), ('{"\\x": 1}', "a wrong escape"),
        ('{"a":' * 100_000 + "1" + "}" * 100_000, "objects in objects"),
        ('{"a":' + "[" * 500_000 + "]" * 500_000 + "}", "lists in lists"),
        ('{"a": ' + "9" * 5000 + "}", "a long number"), ("{\0}", "a zero"),
        ('{"a": 1} {"b": 2}', "two objects"), ("{// hello\n}", "a comment"),
    ):  # fmt: skip
        add(why, lambda m=made: safetensors(m, bytes(8)), "header")
    add("bytes that are no UTF-8", lambda: safetensors(b'{"\xff": 1}', bytes(8)), "header")
    one = json.dumps(ONE)
    for pair, why in (
        (f'"a": {one}, "a": {one}', "a tensor twice"),
        (f'"a": {one}, "\\u0061": {one}', "a tensor twice, once in escapes"),
        (f'"a": {one}, "a": 1', "a tensor twice, the second is none"),
        ('"a": {"dtype": "F32", "dtype": "F32", "shape": [1], "data_offsets": [0, 4]}',
         "a type twice"),
        ('"__metadata__": {"x": "1", "x": "2"}', "a key of the metadata twice"),
        (f'"__metadata__": {{}}, "__metadata__": {json.dumps(METADATA)}', "metadata twice"),
    ):  # fmt: skip
        add(why, lambda p=pair: safetensors("{" + p + "}", bytes(4)), "member-duplicate")
    add("90,000 names", lambda: safetensors(
        "{" + ",".join(f'"{i}":0' for i in range(90_000)) + "}"), "header")  # fmt: skip
    add("no tensors", lambda: safetensors(text(), b""), "tensor-missing")
    add("no data", lambda: safetensors(header, b""), "damaged")
    add("bytes after the tensors", lambda: defense() + bytes(8), "damaged")
    add("a byte after the tensors", lambda: defense() + b"\0", "damaged")
    add("a byte less", lambda: defense()[:-1], "damaged")
    begin, end = header["head.0.bias"]["data_offsets"]
    for lies, code, why in (
        ({"data_offsets": [0, 16]}, "damaged", "the bytes of another tensor"),
        ({"data_offsets": [begin + 4, end + 4]}, "damaged", "a gap"),
        ({"data_offsets": [end, begin]}, "damaged", "an end before its begin"),
        ({"data_offsets": [begin, end + 4]}, "damaged", "too many bytes"),
        ({"data_offsets": [begin, 1 << 62]}, "damaged", "exabytes"),
        ({"data_offsets": [begin, 1 << 64]}, "damaged", "an offset above 64 bits"),
        ({"data_offsets": [-16, 0]}, "header", "offsets below zero"),
        ({"data_offsets": [0.0, 16.0]}, "header", "offsets with a point"),
        ({"data_offsets": ["0", "16"]}, "header", "offsets in text"),
        ({"data_offsets": [0]}, "header", "one offset"),
        ({"data_offsets": [0, 8, 16]}, "header", "three offsets"),
        ({"data_offsets": None}, "header", "no offsets"),
        ({"data_offsets": {"0": 0}}, "header", "offsets by name"),
        ({"shape": [-4]}, "shape", "a size below zero"), ({"shape": [4.0]}, "shape", "4.0"),
        ({"shape": [True]}, "shape", "true"), ({"shape": "4"}, "shape", "text"),
        ({"shape": None}, "shape", "nothing"), ({"shape": [1] * 9}, "shape", "nine sizes"),
        ({"shape": [1 << 63]}, "shape", "a size of 2^63"),
        ({"shape": [1 << 64]}, "shape", "a size of 2^64"),
        ({"shape": [1 << 32, 1 << 32]}, "shape", "sizes whose product is 2^64"),
        ({"shape": [1 << 31, 1 << 31, 4]}, "shape", "sizes whose product overflows to 0"),
        ({"shape": [0, 1 << 62]}, "shape", "nothing, very often"),
        ({"shape": [1 << 30]}, "damaged", "4 GiB"), ({"shape": []}, "damaged", "one number"),
        ({"dtype": "f32"}, "dtype", "small letters"), ({"dtype": None}, "dtype", "no type"),
        ({"dtype": 1}, "dtype", "type 1"), ({"dtype": ["F32"]}, "dtype", "a list of types"),
        ({"more": 1}, "header", "a field too many"),
    ):  # fmt: skip
        add(f"{why} ({', '.join(lies)})", lambda x=lies: told(**x), code)
    for dtype in (
        "F16", "BF16", "F64", "F8_E4M3", "F8_E5M2", "F4", "I8", "I16", "I32", "U8", "U16", "U32",
        "U64", "BOOL", "C64", "F32 ", "F32\0", "", "object",
    ):  # fmt: skip
        add(f"type {dtype!r}", lambda d=dtype: told(dtype=d), "dtype")
    for value in (1, None, [], "F32", {}, {"dtype": "F32", "shape": [1]}, True, 1.5):
        add(f"an entry that is {json.dumps(value)}",
            lambda v=value: safetensors(text(a=v), bytes(4)), "header")  # fmt: skip
    add("half of a surrogate pair as a name",
        lambda: safetensors('{"\\ud800": ' + one + "}", bytes(4)), "header")  # fmt: skip
    return recipes.cases


def metadata() -> list[Case]:
    recipes = Recipes("metadata", "defense")
    add = recipes.add
    tensors, data = honest_header()
    del tensors["__metadata__"]

    def said(found: Any) -> bytes:
        return safetensors({"__metadata__": found, **tensors}, data)

    add("none", lambda: safetensors(tensors, data), "metadata")
    add("of another library", lambda: said({"format": "pt"}), "metadata")
    for value in (None, 1, "1", [], {"format": 1}, {"format": None}, {"a": {"b": "c"}}):
        add(f"{json.dumps(value)}", lambda v=value: said(v), "metadata")
    add("more of it", lambda: said({**METADATA, "note": "trained on a rainy day"}))
    add("half of a surrogate pair", lambda: said({**METADATA, "note": "\ud800"}), "metadata")
    for key in METADATA:
        left = {name: value for name, value in METADATA.items() if name != key}
        add(f"without {key}", lambda m=left: said(m), "metadata")
    for key, value in (
        ("format", "2"), ("format", ""), ("format", "1 "), ("features", "standardised"),
        ("features", ""), ("features", "RAW"),
    ):  # fmt: skip
        add(f"{key} {value!r}", lambda k=key, v=value: said({**METADATA, k: v}), "metadata")
    for name in ("", "ResNet", "gin", "GIN\0", "../GIN", "__class__", "os.system", "A" * 100_000):
        add(f"architecture {name[:20]!r}", lambda n=name: said({**METADATA, "architecture": n}),
            "architecture")  # fmt: skip
    for parameters in (
        "", "[]", "null", "{}", '{"hidden": []}', '{"hidden": [0]}', '{"hidden": [-4]}',
        '{"hidden": [1025]}', '{"hidden": [4.5]}', '{"hidden": ["4"]}', '{"hidden": 4}',
        '{"hidden": [1e3]}', '{"hidden": [true]}', '{"hidden": [NaN]}', '{"hidden": [4], "x": 1}',
        '{"hidden": [4], "layer_norm": 1}', '{"hidden": [4], "layer_norm": "yes"}',
        '{"hidden": [4], "hidden": [4]}', '{"hidden": [99999999999999999999]}',
        json.dumps({"hidden": [4] * 16}), "[" * 100_000, '{"hidden": [4]', "\0",
    ):  # fmt: skip
        add(f"parameters {parameters[:40]!r}",
            lambda p=parameters: said({**METADATA, "parameters": p}), "parameters")  # fmt: skip
    for architecture, given in (
        ("GAT", '{"hidden": [8], "heads": 17}'), ("GAT", '{"hidden": [8], "heads": 0}'),
        ("APPNP", '{"hidden": [8], "alpha": NaN}'), ("APPNP", '{"hidden": [8], "alpha": 1.5}'),
        ("APPNP", '{"hidden": [8], "hops": 21}'), ("APPNP", '{"hidden": [8], "hops": 1e400}'),
        ("R-GCN", '{"hidden": [8], "samples": 65}'), ("GCN-SVD", '{"hidden": [8], "rank": 257}'),
        ("RUNG", '{"hidden": [8], "gamma": Infinity}'), ("MLP", '{"hidden": [2000]}'),
        ("GCN-Clip", '{"hidden": [8], "quantile": 0.5}'), ("LogReg", '{"hidden": [8]}'),
        ("Soft-Median-GDC", '{"hidden": [8], "neighbours": 257}'),
    ):  # fmt: skip
        add(f"{architecture} {given}", lambda a=architecture, p=given: said(
            {**METADATA, "architecture": a, "parameters": p}), "parameters")  # fmt: skip
    add("GAT with 16 times 1,024 heads twice", lambda: said({
        **METADATA, "architecture": "GAT",
        "parameters": '{"hidden": [1024, 1024], "heads": 16}'}),
        "parameters", "work", "tensor-missing", "tensor-unknown")  # fmt: skip
    add("15 layers of 1,024", lambda: said({
        **METADATA, "architecture": "GCN", "parameters": json.dumps({"hidden": [1024] * 15})}),
        "work", "tensor-missing", "tensor-unknown")  # fmt: skip
    return recipes.cases


def values() -> list[Case]:
    recipes = Recipes("tensors", "defense")

    def add(name: str, tensors: dict[str, Any], *codes: str, late: bool = False) -> None:
        recipes.add(name, lambda: defense(tensors), *codes, late=late)

    first = "convs.0.linears.0.weight"
    counter = "convs.0.batch_norm.num_batches_tracked"
    honest = weights()
    for name in honest:
        left = {key: value for key, value in honest.items() if key != name}
        add(f"without {name}", left, "tensor-missing")
    for other in ("extra", "module.head.0.bias", "head.0.bias ", "\0", "\x1b[31mred", "a" * 5000,
                  "../head", "__class__"):  # fmt: skip
        add(f"with {other[:20]!r}", {**honest, other: np.zeros(1, np.float32)}, "tensor-unknown")
    add("a name of another case", {
        ("HEAD.0.BIAS" if key == "head.0.bias" else key): v for key, v in honest.items()},
        "tensor-missing", "tensor-unknown")  # fmt: skip
    for shape in ((5,), (4, 1), (1, 4), (0,), (), (2, 2)):
        add(f"head.0.bias of shape {shape}", {**honest, "head.0.bias": np.zeros(shape, np.float32)},
            "shape")  # fmt: skip
    add("weights turned", {**honest, first: honest[first].T.copy()}, "shape")
    add("100 features", {**honest, first: np.zeros((4, 100), np.float32)}, "shape")
    add("a bias of integers", {**honest, "head.0.bias": np.zeros(4, np.int64)}, "dtype")
    add("a counter of floats", {**honest, counter: np.array(1, np.float32)}, "dtype")
    add("doubles", {**honest, "head.0.bias": np.zeros(4)}, "dtype")
    for value, code in ((np.nan, "finite"), (np.inf, "finite"), (-np.inf, "finite"),
                        (3.4e38, None), (1e-45, None), (-0.0, None)):  # fmt: skip
        changed = honest[first].copy()
        changed[3, 5] = value
        add(f"a weight of {value:g}", {**honest, first: changed}, *filter(None, [code]),
            late=code is not None)  # fmt: skip
    add("no weight a number", {**honest, first: np.full((4, 64), np.nan, np.float32)},
        "finite", late=True)  # fmt: skip
    variance = "convs.0.batch_norm.running_var"
    add("a variance below zero", {**honest, variance: np.full(4, -1, np.float32)},
        "finite", late=True)  # fmt: skip
    add("every weight denormal", {
        key: np.full_like(value, 1e-40) if value.dtype == np.float32 else value
        for key, value in honest.items()})  # fmt: skip
    add("a counter below zero", {**honest, counter: np.array(-1, np.int64)})
    for architecture in ("GCN", "GAT", "APPNP", "R-GCN", "MLP"):
        registered = ARCHITECTURES[architecture]
        found = {**METADATA, "architecture": architecture, "parameters": '{"hidden": [8]}'}
        chosen = registered.parameters.model_validate({"hidden": [8]})
        tensors = {
            name: np.full(shape, 0.1, np.float32)
            for name, shape in registered.shapes(chosen, 64, 10).items()
        }
        recipes.add(f"an honest {architecture}", lambda t=tensors, m=found: defense(t, m))
    return recipes.cases


def cases() -> list[Case]:
    return layout() + metadata() + values()
