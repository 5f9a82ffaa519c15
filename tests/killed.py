"""Work of a process that is killed in the midst of it."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable


def killed(work: Callable[[], object]) -> None:
    """Do it in another process, which must end by `die`.

    That is a fork: nothing in it may use torch.
    """
    child = os.fork()
    if not child:
        try:
            work()
        finally:
            os._exit(1)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL


def die(*_: object, **__: object) -> None:
    """End this process at once; nothing is tidied up."""
    os.kill(os.getpid(), signal.SIGKILL)
