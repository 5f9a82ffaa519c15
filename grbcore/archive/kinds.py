"""What kind of file the first bytes suggest, in words for an error message."""

from __future__ import annotations

from typing import BinaryIO

#: What the first bytes of a file say about it.
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", "a zip archive (.npz, or a checkpoint of torch.save)"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"\x93NUMPY", "a single numpy array (.npy)"),
    (b"\x80\x02", "a pickle"),
    (b"\x80\x03", "a pickle"),
    (b"\x80\x04", "a pickle"),
    (b"\x80\x05", "a pickle"),
    (b"\x89HDF", "an HDF5 file"),
    (b"\x1f\x8b", "a gzip file"),
)


def sniff(file: BinaryIO) -> str:
    """What the first bytes of ``file`` look like, in words for an error message."""
    file.seek(0)
    start = file.read(16)
    if not start:
        return "an empty file"
    for magic, kind in _MAGIC:
        if start.startswith(magic):
            return kind
    if len(start) > 8 and start[8:9] == b"{" and int.from_bytes(start[:8], "little") < 1 << 32:
        return "a .safetensors file"
    return f"a file that starts with {start[:8]!r}"
