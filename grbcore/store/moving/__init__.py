"""A board in one file: written by ``grb board export``, taken in by ``grb board import``.

`container` is how members lie in the file, `records` what the rows say, `exporting` writes,
`reading` checks a file from anywhere, `importing` puts it into a database.
"""

from grbcore.store.moving.container import Damaged
from grbcore.store.moving.exporting import Exported, export_board
from grbcore.store.moving.importing import (
    Choices,
    Plan,
    Refusal,
    Taken,
    keep_blobs,
    plan,
    put_blobs,
    take_in,
)
from grbcore.store.moving.reading import BoardFile, read_board_file

__all__ = [
    "BoardFile",
    "Choices",
    "Damaged",
    "Exported",
    "Plan",
    "Refusal",
    "Taken",
    "export_board",
    "keep_blobs",
    "plan",
    "put_blobs",
    "read_board_file",
    "take_in",
]
