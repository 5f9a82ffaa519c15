"""The files that are submitted, and the rules that they must keep.

Two stages share one list of codes.  *Header*: bytes, directory, array and tensor headers,
metadata, names and shapes; cheap and safe, so the API does it while the submitter waits.
*Content*: values, indices and budgets; done in a worker's child and by ``grb check``.
"""

from grbcore.submission.attack import read_attack, write_attack
from grbcore.submission.canonical import canonical_hash
from grbcore.submission.checking import Header, check_content, check_header
from grbcore.submission.defense import (
    DefenseHeader,
    parameter_faults,
    read_defense_metadata,
    write_defense,
)
from grbcore.submission.naming import SUFFIXES, side_of
from grbcore.submission.scale import Scale, scale_of

__all__ = [
    "SUFFIXES",
    "DefenseHeader",
    "Header",
    "Scale",
    "canonical_hash",
    "check_content",
    "check_header",
    "parameter_faults",
    "read_attack",
    "read_defense_metadata",
    "scale_of",
    "side_of",
    "write_attack",
    "write_defense",
]
