"""``python -m worker``: a worker with the options that suit it."""

from __future__ import annotations

import os
import sys

from pydantic import ValidationError

from grbcore import logs
from grbcore.settings import faults

try:
    from worker.app import app, settings
except ValidationError as error:
    sys.exit("; ".join(faults(error)))

if __name__ == "__main__":
    logs.configure(settings)  # what is told before Celery asks for it too
    if settings.log_format == "json":
        # Celery tells a few things on standard output, which is no part of the log
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    app.worker_main(
        [
            "--quiet",  # no banner: what it tells, the log tells
            "worker",
            "--without-gossip",
            "--without-mingle",
            "--without-heartbeat",
        ]
    )
