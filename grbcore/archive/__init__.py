"""Reading ``.npz`` files that nobody has vouched for: every header is checked before any data.

numpy's own reader believes what a header says: 178 bytes can make it ask for gigabytes, and of two
members of one name it takes the last.  Here the zip directory, each member's own header and each
array's header are read first, within limits; data is read only where the declared size equals the
real one, and counted while it is unpacked.
"""

from grbcore.archive.arrays import ArchiveLimits, ArrayArchive
from grbcore.archive.directory import MAX_DIRECTORY, MAX_MEMBERS
from grbcore.archive.header import MAX_NPY_HEADER, ArrayHeader
from grbcore.archive.kinds import sniff
from grbcore.archive.shapes import MAX_DIMENSIONS, MAX_ELEMENTS, PLAUSIBLE, plausible

MIB = 1024 * 1024

__all__ = [
    "MAX_DIMENSIONS",
    "MAX_DIRECTORY",
    "MAX_ELEMENTS",
    "MAX_MEMBERS",
    "MAX_NPY_HEADER",
    "MIB",
    "PLAUSIBLE",
    "ArchiveLimits",
    "ArrayArchive",
    "ArrayHeader",
    "plausible",
    "sniff",
]
