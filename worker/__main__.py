"""``python -m worker``: a worker with the options that suit it."""

from __future__ import annotations

from worker.app import app

if __name__ == "__main__":
    app.worker_main(
        [
            "--quiet",  # no banner: what it tells, the log tells
            "worker",
            "--without-gossip",
            "--without-mingle",
            "--without-heartbeat",
        ]
    )
