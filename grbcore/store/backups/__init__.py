"""Backups of a service that runs, and how one is restored: ``grb admin backup|restore``.

A folder of backups holds ``blobs/``, which all of them share, and a folder for each, named by its
time, with the database and the list of blobs that belong to it.
"""

from grbcore.store.backups.making import Made, make, prune
from grbcore.store.backups.places import Backup, BackupError, backups
from grbcore.store.backups.restoring import Restored, restore

__all__ = ["Backup", "BackupError", "Made", "Restored", "backups", "make", "prune", "restore"]
