"""Work done in a process forked for it, which can tell this one nothing but answers."""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable
from threading import Thread
from typing import TextIO

from grbcore.isolation import isolate

#: Bytes of one answer.
LONGEST = 64 * 1024

_SLICE = 0.1  # seconds between looks at whether the parent lives


def apart(work: Callable[[], None], answers: TextIO) -> None:
    """Do this in a process that has the imports done and nothing else in common with others.

    It has no standard input, so that it can't take what is meant for the next.  What it writes to
    ``answers`` gets there through this process, line by line: a JSON object with ``cell`` as it
    is, of anything else the beginning as ``garbled``, and then it is ended.  So it can't speak
    for this process.

    This process ends as that one does, unless that ends well; and with its parent.
    """
    parent = os.getppid()
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        _be_the_child(work, answers, reading, writing)
    os.close(writing)
    try:
        in_order = _relay(reading, answers, pid, parent)
    finally:
        os.close(reading)
    status = _ending(pid, parent)
    if not in_order:
        sys.exit("a process wrote something else than answers")
    if os.WIFSIGNALED(status):
        # nothing here handles signals, but for SIGINT, which nobody sends
        os.kill(os.getpid(), os.WTERMSIG(status))
    elif status:
        sys.exit(os.waitstatus_to_exitcode(status))


def _be_the_child(work: Callable[[], None], answers: TextIO, reading: int, writing: int) -> None:
    status = 1
    try:
        os.close(reading)
        os.dup2(writing, answers.fileno())
        os.close(writing)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        isolate()  # before there is a second thread, which it might not reach
        end_with_parent()
        work()
        answers.flush()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def _relay(reading: int, answers: TextIO, pid: int, parent: int) -> bool:
    """Hand on lines until the writer has none left: True; or writes something else: False."""
    pending = b""
    while True:
        ready, _, _ = select.select([reading], [], [], _SLICE)
        _end_without(parent, pid)
        if not ready:
            continue
        chunk = os.read(reading, LONGEST)
        *lines, pending = (pending + chunk).split(b"\n")
        if len(pending) > LONGEST or (pending and not chunk):
            lines.append(pending)
        for line in lines:
            if not _is_answer(line):
                os.kill(pid, signal.SIGKILL)
                answers.write(json.dumps({"garbled": repr(line[:80])}) + "\n")
                answers.flush()
                return False
            answers.write(line.decode() + "\n")
        answers.flush()
        if not chunk:
            return True


def _is_answer(line: bytes) -> bool:
    try:
        message = json.loads(line) if len(line) <= LONGEST else None
    except (ValueError, RecursionError):
        return False
    return isinstance(message, dict) and "cell" in message and message.keys().isdisjoint(_OURS)


#: What only this process may say.
_OURS = {"ready", "finished", "again", "garbled"}


def _ending(pid: int, parent: int) -> int:
    ended, status = os.waitpid(pid, os.WNOHANG)
    while not ended:
        time.sleep(0.01)
        _end_without(parent, pid)
        ended, status = os.waitpid(pid, os.WNOHANG)
    return status


def _end_without(parent: int, pid: int) -> None:
    """Where the parent is gone, end the process ``pid`` and this one."""
    if os.getppid() != parent:
        os.kill(pid, signal.SIGKILL)
        os._exit(1)


def end_with_parent(seconds: float = 1.0) -> None:
    """From now on this process ends soon after the one that started it, whatever it is doing."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(seconds)
        os._exit(1)

    Thread(target=watch, name="grb-parent", daemon=True).start()
