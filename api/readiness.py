"""Which parts of the service do not answer, found out by using them."""

from __future__ import annotations

import logging
import shutil
import time
from pathlib import Path
from threading import Lock
from urllib.parse import unquote, urlsplit

from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from api.errors import full, is_full, unavailable
from api.wake import Waker
from grbcore.settings import Settings
from grbcore.store import migrate
from grbcore.store.blobs import Blobs, BlobsFull
from grbcore.store.session import Sessions

log = logging.getLogger(__name__)

#: An answer holds for so many seconds: asking often costs the parts little.
MEMORY = 1.0

#: What an upload is told of each part.  The broker is none of them: workers look for work
#: without it too.
_NAMES = {"database": "database", "migrations": "database", "blobs": "blob store", "disk": "disk"}


class Readiness:
    """Asks each part, one caller at a time, and remembers the answer for a moment."""

    def __init__(self, settings: Settings, sessions: Sessions, blobs: Blobs, waker: Waker) -> None:
        self._settings = settings
        self._sessions = sessions
        self._blobs = blobs
        self._waker = waker
        self._lock = Lock()
        self._found: dict[str, bool] = {}
        self._until = 0.0  # of the monotonic clock

    def missing(self) -> list[str]:
        """The parts that are not there: database, migrations, broker, blobs, disk."""
        broker = [] if self._waker.reachable() else ["broker"]
        return [*self._ask(), *broker]

    def require(self) -> None:
        """Refuse an upload that could not be stored.

        Raises:
            ApiError: 507 where what is missing is room, else 503.
        """
        found = self._ask()
        if found:
            names = " and the ".join(dict.fromkeys(_NAMES[part] for part in found))
            raise full(names) if all(found.values()) else unavailable(names)

    def _ask(self) -> dict[str, bool]:
        """Each part that an upload needs and lacks, and whether room is what that part lacks."""
        with self._lock:
            if time.monotonic() >= self._until:
                self._found = {
                    **self._database(),
                    **self._store(),
                    **self._disk(),
                }
                self._until = time.monotonic() + MEMORY
            return self._found

    def _database(self) -> dict[str, bool]:
        engine = self._sessions.engine
        try:
            if not migrate.current(engine):
                return {"migrations": False}
            with engine.connect() as connection:  # rolled back at the end
                if connection.dialect.name == "postgresql":
                    connection.execute(text("SET LOCAL lock_timeout = '2s'"))
                connection.execute(text("UPDATE alembic_version SET version_num = version_num"))
        except SQLAlchemyError as error:
            log.warning("the database does not answer: %s", error)
            return {"database": isinstance(error, DBAPIError) and is_full(error)}
        return {}

    def _store(self) -> dict[str, bool]:
        try:
            self._blobs.check()
        except Exception as error:
            log.warning("the blob store can't be used: %s", error)
            return {"blobs": isinstance(error, BlobsFull)}
        return {}

    def _disk(self) -> dict[str, bool]:
        """Whether the disks of uploads, of local blobs and of SQLite have room enough."""
        for folder in self._folders():
            try:
                free = shutil.disk_usage(_existing(folder)).free
            except OSError as error:
                log.warning("the disk can't be asked: %s", error)
                return {"disk": False}
            if free < self._settings.min_free_bytes:
                log.warning("disk of %s: %d bytes free, too few", folder, free)
                return {"disk": True}
        return {}

    def _folders(self) -> list[Path]:
        found = [self._settings.var_dir / "incoming"]
        blobs, database = urlsplit(self._settings.blob_url), make_url(self._settings.database_url)
        if blobs.scheme == "file":
            found.append(Path(unquote(blobs.path)))
        if database.get_backend_name() == "sqlite" and database.database:
            found.append(Path(database.database).parent)
        return found


def _existing(folder: Path) -> Path:
    """The folder, or the nearest above it that is there."""
    return next(path for path in (folder, *folder.parents) if path.exists())
