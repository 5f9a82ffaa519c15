"""Files of other kinds under our names: pickles in every disguise, archives, programs, images."""

from __future__ import annotations

import gzip
import io
import pickle
import pickletools
import tarfile
import zipfile
from collections import OrderedDict

import numpy as np

from grbcore.scenario import Side
from tests.grbcore.forging import npy, npz, safetensors
from tests.grbcore.samples import defense
from tests.hostile.cases import Case, Recipes, attack, honest, packed


class Payload:
    """Runs a command wherever it is unpickled."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        import os

        return os.system, ("touch /tmp/grb-was-here",)


def checkpoint(pickled: bytes, folder: str = "archive") -> bytes:
    """The layout of torch.save: a zip archive with a pickle and raw storages."""
    return npz(
        [
            (f"{folder}/data.pkl", pickled),
            (f"{folder}/byteorder", b"little"),
            (f"{folder}/data/0", bytes(64)),
            (f"{folder}/version", b"3\n"),
        ],
        method=zipfile.ZIP_STORED,
    )


def tar() -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        member = tarfile.TarInfo("../../etc/cron.d/x")
        member.size = 5
        archive.addfile(member, io.BytesIO(b"hello"))
    return buffer.getvalue()


def objects() -> bytes:
    return npy(np.array([Payload()], object))


def both() -> list[Case]:
    """What is no file of either side."""
    found: list[Case] = []
    sides: tuple[Side, ...] = ("attack", "defense")
    for side in sides:
        recipes = Recipes("disguise", side)
        add = recipes.add
        for protocol in range(6):
            add(
                f"pickle of protocol {protocol}",
                lambda p=protocol: pickle.dumps(Payload(), p),
                "format",
            )
        add(
            "pickle after a comment in its stack",
            lambda: b"\x80\x04\x8c\x08" + b"A" * 8 + b"0" + pickle.dumps(Payload())[2:],
            "format",
        )
        add("optimised pickle", lambda: pickletools.optimize(pickle.dumps(Payload(), 2)), "format")
        add("pickled state dict", lambda: pickle.dumps(OrderedDict(a=np.zeros(3))), "format")
        add("old torch.save", lambda: pickle.dumps(0x1950A86A20F9469CFC6C, 2) * 3, "format")
        add("joblib", lambda: pickle.dumps(np.zeros(4), 4) + bytes(40), "format")
        add("gzip of a pickle", lambda: gzip.compress(pickle.dumps(Payload())), "format")
        add("array of objects", objects, "format")
        add("one array", lambda: npy(np.zeros((3, 4), np.float32)), "format")
        add("one byte", b"\0", "format")
        add("one P", b"P", "format")
        add("zeros", bytes(4096), "format")
        add("ones", b"\xff" * 4096, "format")
        add("text", b"full/0/edges\n", "format")
        add("JSON", b'{"__metadata__": {"format": "1"}}', "format")
        add("a page", b"<!doctype html><script>alert(1)</script>", "format")
        add("a shell script", b"#!/bin/sh\nrm -rf /\n", "format")
        add("a program", b"\x7fELF\x02\x01\x01" + bytes(200), "format")
        add("a library of Python", b"\xa7\x0d\x0d\x0a" + bytes(60), "format")
        add("tar", tar, "format")
        add("bzip2", b"BZh91AY&SY" + bytes(40), "format")
        add("xz", b"\xfd7zXZ\0" + bytes(40), "format")
        add("zstandard", b"\x28\xb5\x2f\xfd" + bytes(40), "format")
        add("7z", b"7z\xbc\xaf\x27\x1c" + bytes(40), "format")
        add("rar", b"Rar!\x1a\x07\x01\0" + bytes(40), "format")
        add("HDF5", b"\x89HDF\r\n\x1a\n" + bytes(60), "format")
        add("PNG", b"\x89PNG\r\n\x1a\n" + bytes(60), "format")
        add("YAML that makes an object", b"!!python/object/apply:os.system ['true']\n", "format")
        found += recipes.cases
    return found


def cases() -> list[Case]:
    as_attack, as_defense = Recipes("disguise", "attack"), Recipes("disguise", "defense")
    for name, pickled in (
        ("torch.save of a state dict", OrderedDict(a=1)),
        ("torch.save of a module", Payload()),
    ):
        made = checkpoint(pickle.dumps(pickled, 2))
        as_attack.add(name, made, "member-name")
        as_defense.add(name, made, "format")
    script = checkpoint(pickle.dumps(Payload(), 2), "model/code")
    as_attack.add("TorchScript", script, "member-name")
    as_defense.add("TorchScript", script, "format")
    as_defense.add("an attack", honest, "format")
    as_attack.add("a defense", defense, "format")
    as_attack.add(
        "an array of objects among honest members",
        lambda: npz([("full/0/edges.npy", objects()), ("full/0/features.npy", objects())]),
        "dtype",
    )
    as_attack.add(
        "a pickle as a member beside honest ones",
        lambda: npz(
            [(f"{name}.npy", npy(array)) for name, array in attack().items()]
            + [("full/0/data.pkl", pickle.dumps(Payload()))]
        ),
        "member-name",
    )
    as_attack.add(
        "a pickle that is called an array",
        lambda: npz([("full/0/edges.npy", pickle.dumps(Payload()))]),
        "header",
    )
    as_attack.add(
        "a pickle before an archive", lambda: pickle.dumps(Payload()) + honest(), "format"
    )
    as_attack.add("a pickle after an archive", lambda: honest() + pickle.dumps(1), "damaged")
    as_attack.add(
        "an archive in an archive", lambda: npz([("full/0/edges.npy", honest())]), "header"
    )
    as_attack.add(
        "a matrix of scipy",
        lambda: packed(
            {
                "indices": np.array([999], np.int32),
                "indptr": np.array([0, 1], np.int32),
                "shape": np.array([3, 3], np.int64),
                "data": np.ones(1),
            }
        ),
        "member-name",
        "member-missing",
    )
    as_defense.add(
        "a pickle behind a header",
        lambda: safetensors({"__metadata__": {"format": "pt"}}, pickle.dumps(Payload())),
        "damaged",
    )
    as_defense.add(
        "a pickle after the tensors", lambda: defense() + pickle.dumps(Payload()), "damaged"
    )
    as_defense.add(
        "a pickle in the metadata",
        lambda: safetensors({"__metadata__": {"architecture": pickle.dumps(1, 0).decode()}}),
        "architecture",
        "metadata",
    )
    return both() + as_attack.cases + as_defense.cases
