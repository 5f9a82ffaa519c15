"""``/metrics``: the state of the service and its requests, in Prometheus' text format."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from threading import Lock

from api import status_schemas
from grbcore.store.notices import Counts

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

#: Upper bounds of the histogram of latencies; seconds.
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

Labels = tuple[tuple[str, str], ...]
Sample = tuple[str, Labels, float]  # suffix of the name, labels, value


class Requests:
    """How many requests each route has answered, and how fast; of this process, since its start.

    A route is its template, such as ``/api/v1/cells/{cell_id}``, so their number is bounded.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._answers: Counter[tuple[str, str, int]] = Counter()
        self._latencies: dict[str, list[int]] = {}  # one count per bound, and one above
        self._seconds: Counter[str] = Counter()
        self._refusals: Counter[str] = Counter()

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Note one answer."""
        with self._lock:
            self._answers[method, route, status] += 1
            counts = self._latencies.setdefault(route, [0] * (len(BOUNDS) + 1))
            counts[bisect_left(BOUNDS, seconds)] += 1
            self._seconds[route] += seconds  # type: ignore[assignment]

    def refuse(self, code: str) -> None:
        """Note a request that was refused for want of a quota, a rate or a place."""
        with self._lock:
            self._refusals[code] += 1

    def lines(self) -> Iterator[str]:
        """The three families of metrics."""
        with self._lock:
            answers = sorted(self._answers.items())
            latencies = {route: [*counts] for route, counts in sorted(self._latencies.items())}
            seconds = dict(self._seconds)
            refusals = sorted(self._refusals.items())
        yield from _family(
            "grb_http_requests_total",
            "counter",
            "Answers by method, route and status.",
            (
                ("", (("method", method), ("route", route), ("status", str(status))), count)
                for (method, route, status), count in answers
            ),
        )
        yield from _family(
            "grb_http_request_seconds",
            "histogram",
            "Time until an answer was sent, by route.",
            (
                sample
                for route, counts in latencies.items()
                for sample in _histogram(route, counts, seconds[route])
            ),
        )
        yield from _family(
            "grb_refusals_total",
            "counter",
            "Requests refused for want of a quota, a rate or a place, by the code of the answer.",
            (("", (("code", code),), count) for code, count in refusals),
        )


def service(
    status: status_schemas.StatusOut, cells: Mapping[str, int], notices: Counts
) -> Iterator[str]:
    """The metrics of the queue, the workers and what users are told; ``cells`` is by state."""
    queues = {"validations": status.validations, "cells": status.cells}
    workers = Counter(worker.state for worker in status.workers)
    gauges: list[tuple[str, str, list[tuple[Labels, float]]]] = [
        ("grb_database_up", "Whether the database answers.", [((), 1)]),
        ("grb_workers_alive", "Workers heard of within 45 s.", [((), status.alive)]),
        (
            "grb_workers_lost",
            "Workers that did not stop in good order and were not heard of for 45 s.",
            [((), workers["lost"])],
        ),
    ]
    gauges += [
        (
            "grb_workers_taking",
            "Workers heard of within 45 s that take boards of a need.",
            [((("need", need),), count) for need, count in status.takers.items()],
        ),
        (
            "grb_queue_unserved",
            "Work that waits for a need which no living worker takes.",
            [
                ((("need", one.need), ("queue", queue)), getattr(one, queue))
                for one in status.unserved
                for queue in queues
            ],
        ),
    ]
    gauges += [
        (
            f"grb_queue_{name}",
            text,
            [((("queue", queue),), getattr(found, field) or 0) for queue, found in queues.items()],
        )
        for name, field, text in (
            ("waiting", "waiting", "Work that waits for a worker."),
            ("oldest_seconds", "oldest_seconds", "How long the oldest of it has been waiting."),
            ("running", "running", "Work under a lease."),
            ("stopped", "stopped", "Work that waits for an admin."),
            ("done_24h", "done", "Work done within 24 hours."),
        )
    ]
    gauges += [
        (
            "grb_cells",
            "Cells under their board's protocol, by state.",
            [((("state", state),), count) for state, count in sorted(cells.items())],
        ),
        (
            "grb_failures_24h",
            "Failures within 24 hours: whose fault, of what, and how it ended.",
            [
                (
                    (
                        ("family", kind.family),
                        ("work", kind.work),
                        ("code", kind.code),
                        ("outcome", kind.outcome),
                    ),
                    kind.count,
                )
                for kind in status.failures
            ],
        ),
    ]
    gauges += [
        (
            "grb_notices_waiting",
            "Messages to users that are not delivered yet.",
            [((), notices.waiting)],
        ),
        (
            "grb_notices_failed_24h",
            "Messages to users that were given up within 24 hours.",
            [((), notices.failed)],
        ),
    ]
    for name, text, samples in gauges:
        yield from _family(name, "gauge", text, (("", labels, value) for labels, value in samples))


def without_database() -> Iterator[str]:
    """What is left to say of the service while its database does not answer."""
    return _family("grb_database_up", "gauge", "Whether the database answers.", [("", (), 0)])


def _histogram(route: str, counts: list[int], seconds: float) -> Iterator[Sample]:
    total = 0
    for bound, count in zip((*map(str, BOUNDS), "+Inf"), counts, strict=True):
        total += count
        yield "_bucket", (("route", route), ("le", bound)), total
    yield "_sum", (("route", route),), seconds
    yield "_count", (("route", route),), total


def _family(name: str, kind: str, text: str, samples: Iterable[Sample]) -> Iterator[str]:
    yield f"# HELP {name} {text}"
    yield f"# TYPE {name} {kind}"
    for suffix, labels, value in samples:
        written = ",".join(f'{label}="{_escape(said)}"' for label, said in labels)
        yield f"{name}{suffix}{{{written}}} {value}" if labels else f"{name}{suffix} {value}"


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
