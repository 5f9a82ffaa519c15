"""Archives of arrays that nobody has vouched for."""

from __future__ import annotations

import io
import tracemalloc
import zipfile

import numpy as np
import pytest

from grbcore.archive import MIB, ArchiveLimits, ArrayArchive, plausible, sniff
from grbcore.violations import Refused, Violation
from tests.grbcore.forging import arrays, header, npy, npy_saying, npz, only, patched

LIMITS = ArchiveLimits(total=16 * MIB)
EDGES = np.arange(6, dtype=np.int64).reshape(2, 3)


def opened(data: bytes, limits: ArchiveLimits = LIMITS) -> ArrayArchive:
    return ArrayArchive(io.BytesIO(data), limits)


def refusal(data: bytes, limits: ArchiveLimits = LIMITS) -> Violation:
    """The one violation that opening gives."""
    with pytest.raises(Refused) as caught:
        opened(data, limits)
    return only(caught.value)


def member(data: bytes) -> bytes:
    return npz([("a.npy", data)])


# What is read


@pytest.mark.parametrize("dtype", ["<f4", "<f8", "<i4", "<i8", "|u1", "|b1"])
def test_an_honest_array_is_read_as_numpy_reads_it(dtype: str) -> None:
    array = np.array([[0, 1, 0], [1, 1, 0]], dtype)
    archive = opened(arrays(a=array))
    found = archive.read("a")
    assert found.dtype == array.dtype
    assert np.array_equal(found, array)


def test_an_archive_that_numpy_wrote_is_read() -> None:
    buffer = io.BytesIO()
    np.savez(buffer, a=EDGES, b=np.zeros((0, 5), np.float32))
    archive = opened(buffer.getvalue())
    assert archive.arrays["a"].shape == (2, 3)
    assert archive.read("b").shape == (0, 5)


@pytest.mark.parametrize("version", [1, 2, 3])
def test_each_version_of_the_header_is_read(version: int) -> None:
    archive = opened(member(npy_saying(header((2, 3)), EDGES.tobytes(), version=version)))
    assert np.array_equal(archive.read("a"), EDGES)


def test_an_array_of_one_dimension_has_no_order() -> None:
    archive = opened(member(npy_saying(header((6,), order=True), EDGES.tobytes())))
    assert np.array_equal(archive.read("a"), EDGES.ravel())


# The file and its directory


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", "an empty file"),
        (npy(EDGES), "a single numpy array (.npy)"),
        (b"\x80\x04\x95", "a pickle"),
        (b"\x80\x02}q\x00", "a pickle"),
        (b"\x1f\x8b\x08", "a gzip file"),
        (b"\x89HDF\r\n", "an HDF5 file"),
        (b"\x10\0\0\0\0\0\0\0{\"__metadata__", "a .safetensors file"),
        (b"hello, world", "a file that starts with b'hello, w'"),
    ],
)  # fmt: skip
def test_another_format_is_refused_by_its_name(data: bytes, found: str) -> None:
    assert refusal(data) == Violation("format", "file", found, "a .npz archive")
    assert sniff(io.BytesIO(data)) == found


@pytest.mark.parametrize("keep", [4, 21, 60, -1, -22])
def test_an_archive_that_is_cut_short_is_damaged(keep: int) -> None:
    assert refusal(arrays(a=EDGES)[:keep]).code == "damaged"


def test_an_archive_with_more_after_its_end_is_damaged() -> None:
    violation = refusal(arrays(a=EDGES) + b"more")
    assert (violation.code, violation.place) == ("damaged", "file")


def test_a_zip64_archive_is_refused_as_what_torch_writes() -> None:
    data = arrays(a=EDGES)
    locator = b"PK\x06\x07" + bytes(16)
    violation = refusal(data[:-22] + locator + data[-22:])
    assert (violation.code, violation.found) == (
        "format",
        "a zip64 archive (torch.save writes such)",
    )


def test_a_directory_of_thousands_of_members_is_refused_before_it_is_parsed() -> None:
    violation = refusal(npz((f"{i}.npy", b"") for i in range(1001)))
    assert violation == Violation("size", "file", "1001 members", "at most 1000")


def test_a_directory_of_megabytes_is_refused_before_it_is_parsed() -> None:
    data = bytearray(arrays(a=EDGES))
    data[-10:-6] = (64 * MIB).to_bytes(4, "little")
    violation = refusal(bytes(data))
    assert (violation.code, violation.found) == ("size", f"a directory of {64 * MIB} bytes")


def test_two_members_of_one_name_are_refused() -> None:
    violation = refusal(npz([("a.npy", npy(EDGES)), ("a.npy", npy(EDGES + 1))]))
    assert violation == Violation("member-duplicate", "a.npy", "a second time", "each name once")


@pytest.mark.parametrize("name", ["/a.npy", "../a.npy", "x/../a.npy", "x\\a.npy", "folder/"])
def test_a_path_that_leads_elsewhere_is_refused(name: str) -> None:
    violation = refusal(npz([(name, npy(EDGES))]))
    assert (violation.code, violation.found) == ("member-name", "a path or folder")


@pytest.mark.parametrize("name", ["a.txt", "a", "a.npy.pkl"])
def test_a_member_that_is_no_array_is_refused(name: str) -> None:
    violation = refusal(npz([(name, b"")]))
    assert violation == Violation(
        "member-name", name, "a member that is no array", "members ending in .npy"
    )


def test_an_encrypted_member_is_refused() -> None:
    data = patched(arrays(a=EDGES), local={6: b"\x01"}, central={8: b"\x01"})
    assert refusal(data) == Violation("member-encrypted", "a.npy", "encrypted", "not encrypted")


@pytest.mark.parametrize("flag", [0x20, 0x40])
def test_a_member_with_an_unusual_flag_is_damaged(flag: int) -> None:
    flags = bytes([flag])
    data = patched(arrays(a=EDGES), local={6: flags}, central={8: flags})
    assert refusal(data).code == "damaged"


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_another_compression_is_refused(method: int) -> None:
    violation = refusal(npz([("a.npy", npy(EDGES))], method=method))
    assert violation == Violation(
        "format", "a.npy", f"compression method {method}", "stored or deflated"
    )


def test_a_member_compressed_a_thousand_times_is_refused() -> None:
    violation = refusal(arrays(a=np.zeros(MIB, np.int64)))
    assert (violation.code, violation.place, violation.allowed) == (
        "ratio",
        "a.npy",
        "at most 200 times",
    )


def test_zeros_of_less_than_a_mebibyte_may_compress_well() -> None:
    assert opened(arrays(a=np.zeros(100_000, np.int64))).read("a").sum() == 0


def test_members_that_unpack_to_more_than_the_limit_are_refused() -> None:
    rng = np.random.default_rng(0)
    data = arrays(a=rng.integers(0, 255, 4000, np.uint8))
    violation = refusal(data, ArchiveLimits(total=4000))
    assert violation == Violation("size", "file", "4128 bytes when unpacked", "at most 4000 bytes")


def test_a_bomb_that_hides_its_size_is_damaged_and_takes_no_memory() -> None:
    """64 MiB of zeros whose directory says 10,128 bytes."""
    honest = npy(np.zeros(10_000, np.uint8))
    bomb = npz([("a.npy", honest + bytes(64 * MIB))])
    size = len(honest).to_bytes(4, "little")
    data = patched(bomb, local={22: size}, central={24: size})
    tracemalloc.start()
    with pytest.raises(Refused) as caught:
        opened(data).read("a")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert only(caught.value).code == "damaged"
    assert peak < 4 * MIB


def test_members_that_share_their_bytes_are_refused() -> None:
    """The second directory entry points to the first one's data, as overlap bombs do."""
    data = bytearray(npz([("a.npy", npy(EDGES)), ("b.npy", npy(EDGES))]))
    entries = [at for at in range(len(data)) if data[at : at + 4] == b"PK\x01\x02"]
    data[entries[1] + 42 : entries[1] + 46] = bytes(4)
    violation = refusal(bytes(data))
    assert (violation.code, violation.found) == ("damaged", "bytes that belong to a.npy")


def test_a_member_without_a_name_is_refused() -> None:
    data = patched(arrays(a=EDGES), local={30: b"\0"}, central={46: b"\0"})
    assert refusal(data).code == "member-name"


def test_a_member_whose_checksum_is_wrong_is_damaged() -> None:
    data = bytearray(npz([("a.npy", npy(EDGES))], method=zipfile.ZIP_STORED))
    at = data.index(EDGES.tobytes())
    data[at] ^= 1
    with pytest.raises(Refused) as caught:
        opened(bytes(data)).read("a")
    assert (only(caught.value).code, only(caught.value).place) == ("damaged", "a")


def test_every_fault_of_a_directory_is_named_at_once() -> None:
    data = npz([("a.txt", b""), ("../b.npy", b""), ("c.npy", npy(EDGES)), ("c.npy", npy(EDGES))])
    with pytest.raises(Refused) as caught:
        opened(data)
    codes = sorted(violation.code for violation in caught.value.violations)
    assert codes == ["member-duplicate", "member-name", "member-name"]


def test_control_characters_of_a_name_are_escaped() -> None:
    violation = refusal(npz([("\x1b[2Ja.npy", b"no array")]))
    assert "\x1b" not in violation.place


# The headers of arrays


def test_a_file_of_178_bytes_can_not_ask_for_two_gibibytes() -> None:
    data = member(npy_saying(header((1 << 28,))))
    assert len(data) < 300
    tracemalloc.start()
    violation = refusal(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert violation == Violation(
        "damaged", "a", "0 bytes of data", f"{1 << 31} bytes for <i8 of shape (268435456,)"
    )
    assert peak < MIB


def test_a_header_that_claims_200_mebibytes_is_refused_unread() -> None:
    size = 200 * MIB
    data = member(npy_saying(header((1,)), version=2, length=size))
    assert refusal(data) == Violation("header", "a", f"a header of {size} bytes", "at most 10000")


@pytest.mark.parametrize("length", [0, 1])
def test_a_header_of_no_length_reads_nothing_else(length: int) -> None:
    """Read to the end of the member, the data would be 8 MiB."""
    data = member(npy_saying("", np.random.default_rng(0).bytes(8 * MIB), length=length))
    tracemalloc.start()
    violation = refusal(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert violation.code == "header"
    assert peak < MIB


@pytest.mark.parametrize(
    "shape",
    [(1 << 64,), (-1,), (1 << 41,), (0, 1 << 40, 1 << 40), (1,) * 9, (1 << 39,) * 8],
)
def test_a_shape_that_no_array_has_is_refused(shape: tuple[int, ...]) -> None:
    violation = refusal(member(npy_saying(header(shape), bytes(8))))
    assert (violation.code, violation.place) == ("shape", "a")
    assert violation.found == f"shape {shape}"
    assert not plausible(shape)


@pytest.mark.parametrize(
    "dtype", ["<U100000000", "|O", "<c16", ">f4", ">i8", "<f2", "<M8[s]", "|V8", "float32"]
)
def test_another_type_is_refused(dtype: str) -> None:
    violation = refusal(member(npy_saying(header((1,), dtype), bytes(8))))
    assert violation == Violation("dtype", "a", f"type {dtype!r}", "<f4, <f8, <i4, <i8, |u1, |b1")


def test_an_array_of_objects_is_refused_without_unpickling() -> None:
    class Payload:
        def __reduce__(self):
            return pytest.fail, ("unpickled",)

    data = arrays(a=np.array([Payload()], object))
    assert refusal(data) == Violation("dtype", "a", "type '|O'", "<f4, <f8, <i4, <i8, |u1, |b1")


def test_a_structured_type_is_refused() -> None:
    data = arrays(a=np.zeros(2, [("x", "<f4"), ("y", "<i8")]))
    assert refusal(data).code == "header"


def test_fortran_order_is_refused() -> None:
    data = arrays(a=np.asfortranarray(EDGES))
    assert refusal(data) == Violation("order", "a", "Fortran order", "C order")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "[1, 2]",
        "{}",
        "{'descr': '<f4'}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': [1]}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1.0,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (True,)}",
        "{'descr': ['<f4'], 'fortran_order': False, 'shape': (1,)}",
        "{[]: 1}",
        "{{}}",
        "__import__('os').system('true')",
        "-" * 9000 + "1",
        "(" * 5000,
        "[" * 90 + "]" * 90,
        "9" * 9000,
        "{'descr': '<f4', 'fortran_order': False, 'shape': (" + "9" * 5000 + ",)}",
    ],
)
def test_a_header_that_is_no_header_is_refused(text: str) -> None:
    violation = refusal(member(npy_saying(text, bytes(4))))
    assert (violation.code, violation.place) == ("header", "a")


@pytest.mark.parametrize("data", [b"", b"\x93NUMP", b"\x93NUMPY\x01", b"\x93NUMPY\x09\0\x04\0abcd"])
def test_a_member_without_a_header_is_refused(data: bytes) -> None:
    violation = refusal(member(data))
    assert violation == Violation("header", "a", "no numpy header", "an array in .npy format")


@pytest.mark.parametrize("data", [b"", bytes(47), bytes(49)])
def test_data_of_another_size_than_declared_is_damaged(data: bytes) -> None:
    violation = refusal(member(npy_saying(header((2, 3)), data)))
    assert violation == Violation(
        "damaged", "a", f"{len(data)} bytes of data", "48 bytes for <i8 of shape (2, 3)"
    )
