"""A worker whose leases are shorter: ``hasty_worker.py SECONDS``, for tests that can't wait.

Everything that is measured against a lease is shortened with it, in the same proportion.
"""

from __future__ import annotations

import sys
from datetime import timedelta

from grbcore.store import leases


def shorten(seconds: float) -> None:
    """Let leases last so long; before the modules that read these constants are imported."""
    share = seconds / leases.LEASE.total_seconds()
    leases.LEASE = timedelta(seconds=seconds)
    leases.HEARTBEAT *= share

    from grbcore.store import recovery, session

    recovery.REAP *= share
    idle, lock = (f"{1000 * seconds * of:.0f}ms" for of in (30 / 45, 1.0))
    session._POSTGRES["options"] = (
        f"-c idle_in_transaction_session_timeout={idle} -c lock_timeout={lock}"
    )


if __name__ == "__main__":
    shorten(float(sys.argv.pop(1)))
    from worker.app import app

    app.worker_main(
        ["worker", "-l", "INFO", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    )
