"""The page for readers without JavaScript: tables from the view models of the JSON answers.

They stand in the ``<noscript>`` of the built index, with the title and the description of what is
shown, so that a browser with JavaScript draws the page as before.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined

from api import schemas, status_schemas, table_schemas, words
from api.ranking_schemas import BreaksOut, IntervalOut, IntervalsOut
from grbcore.measure import MEASURES, Measure

SITE = "Graph Robustness Leaderboard"

#: What the words of the state of the service mean for a reader.
FAULTS = {"submission": "the submission", "infrastructure": "this service"}
WORKS = {"validation": "the check of a file", "cells": "a cell"}
OUTCOMES = {
    "rejected": "rejected",
    "failed": "failed, for good",
    "dead": "waits for an admin",
    "stopped": "waits for an admin",
    "retried": "is tried again",
    "recovered": "done at a later try",
}

#: By which a ranking may be ordered, as a choice says it.
METRIC_NAMES = {
    "weighted": "Weighted",
    "average": "Avg",
    "three": "3-Min / 3-Max",
    "worst": "Worst case",
}

#: Which entries of a ranking are shown, as a choice says it.
BEST_NAMES = {
    "all": "All",
    "submitter": "Best of each submitter and family",
    "team": "Best of each team and family",
}

#: The picture of the site, and what it shows.
_PICTURE, _PICTURED = "/picture.png", "Bars of accuracy that fall as a graph is tampered with"

_TITLE = re.compile(r"<title>.*?</title>", re.DOTALL)
_DESCRIPTION = re.compile(r'(<meta\s+name="description"\s+content=")[^"]*(")')
_NOSCRIPT = re.compile(r"<noscript>.*?</noscript>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Document:
    """What one address shows: the browser's title, one sentence for search engines, HTML."""

    title: str
    description: str
    body: str
    status: int = 200
    feed: str | None = None  # the path of its Atom feed
    picture: str | None = None  # the path of a picture of its own; the site's otherwise


def captions(measure: Measure, *, graphs: bool) -> Mapping[str, Mapping[str, str]]:
    """What ranks on a board of this measure, of whole ``graphs`` or of one, by side and metric; the
    page in the browser says the same (``rankedBy``)."""
    one, many = measure.word, measure.many
    low, high = ("highest", "lowest") if measure.errors else ("lowest", "highest")
    left = f"{one} that {'the defenses make' if measure.errors else 'is left to the defenses'}"
    every = f"over all attacks and the clean {'graphs' if graphs else 'graph'}"
    unit = f"; in {measure.unit}" if measure.errors else ""
    told = {
        "defense": {
            "weighted": f"Weighted: {one} {every}, the worst weighing most",
            "average": f"Avg: mean {one} {every}",
            "three": f"{measure.three('defense')}: mean of the three {low} {many}",
            "worst": f"the worst case: the {low} {one}, in each repeat",
        },
        "attack": {
            "weighted": f"Weighted: {left}, the best weighing most",
            "average": f"Avg: mean {left}",
            "three": f"{measure.three('attack')}: mean of the three {high} {many}",
            "worst": f"the worst case: the {high} {left}, in each repeat",
        },
    }
    return {
        side: {name: f"Ranked by {words}{unit}." for name, words in each.items()}
        for side, each in told.items()
    }


def render(template: str, **context: Any) -> str:
    """A template of ``api/templates``; every value is escaped."""
    return _ENVIRONMENT.get_template(template).render(**context)


def fill(index: str, document: Document, address: str = "") -> str:
    """The built index with this document in its title, its description, its head and its noscript.

    ``address`` is the document's own, with scheme and host.
    """
    title = document.title if document.title == SITE else f"{document.title} · {SITE}"
    for place, text in (
        (_DESCRIPTION, rf"\g<1>{_literal(escape(document.description))}\g<2>"),
        (_TITLE, _literal(f"<title>{escape(title)}</title>\n{_shared(document, title, address)}")),
        (_NOSCRIPT, f"<noscript>{_literal(document.body)}</noscript>"),
    ):
        index = place.sub(text, index, count=1)
    return index


def _shared(document: Document, title: str, address: str) -> str:
    """What other sites show of a link to this document (Open Graph), and its feed."""
    parts = urlsplit(address)
    site = f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
    graph = {
        "og:type": "website",
        "og:site_name": SITE,
        "og:title": title,
        "og:description": document.description,
        "og:url": address,
        "og:image": f"{site}{document.picture or _PICTURE}",
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": document.description if document.picture else _PICTURED,
    }
    lines = [f'<meta property="{name}" content="{escape(text)}">' for name, text in graph.items()]
    twitter = {"twitter:card": "summary_large_image"}
    for name in ("title", "description", "image"):
        twitter[f"twitter:{name}"] = graph[f"og:{name}"]
    lines += [f'<meta name="{name}" content="{escape(text)}">' for name, text in twitter.items()]
    if document.feed is not None:
        href = escape(document.feed)
        lines.append(f'<link rel="alternate" type="application/atom+xml" href="{href}">')
    return "\n".join(lines)


def _literal(text: str) -> str:
    """The text as a replacement that stands for nothing but itself."""
    return text.replace("\\", r"\\")


def _percent(fraction: float | None) -> str:
    return "–" if fraction is None else f"{100 * fraction:.2f}"


def _day(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d}"


def _ranks(interval: IntervalOut | None) -> str:
    """The ranks that an entry could have, and with how many it is tied."""
    if interval is None or interval.ranks is None:
        return "–"
    best, last = interval.ranks
    found = str(best) if best == last else f"{best} to {last}"
    return f"{found}, tied with {interval.tied}" if interval.tied else found


def _span(interval: IntervalOut | None, measure: Measure) -> str:
    """Between which numbers an expected score is."""
    if interval is None:
        return "–"
    found = f"{measure.number(interval.low)} to {measure.number(interval.high)}"
    return found if interval.repeated else f"{found}, targets only"


def _breaks(found: BreaksOut | None) -> str:
    """How many defenses an attack breaks."""
    return "–" if found is None else f"{found.broken} of {found.of}"


def _known(found: IntervalsOut | None) -> str:
    """What the intervals of a ranking are of, as a sentence."""
    if found is None:
        return "Intervals are not computed yet."
    if found.too_large:
        return "Intervals are not computed: too many cells."
    state = "; they are being recomputed" if found.stale else ""
    draws = f"{found.draws:,} draws, those of ranks of {found.rank_draws:,}"
    return f"Intervals of {draws}, for revision {found.revision} of the board{state}."


def _sure_of(found: table_schemas.ComparedDifferencesOut, measure: Measure) -> str:
    """What the intervals of differences are of, as a caption."""
    new = "new attack samples and targets" if found.repeated else "new targets only"
    pairs = len(found.pairs)
    many = f", by Holm's method for {pairs} pairs; who wins has one below 0.05" if pairs > 1 else ""
    much = "how much" if measure.errors else "how many percentage points"
    return (
        f"Who wins at {words.spelt(found.difficulty)} over {found.counted} counterparts, by "
        f"{much}, and the 95 % interval over {new}, of {found.draws:,} draws. p is "
        f"that of Wilcoxon's signed ranks over all targets{many}."
    )


def _verdict(
    known: table_schemas.ComparedInterval, names: Mapping[str, str], measure: Measure
) -> str:
    """Who wins by how much, with the interval; or that the two can't be told apart."""
    ends = sorted((known.low, known.high), key=abs) if known.winner else (known.low, known.high)
    low, high = (_points(abs(end) if known.winner else end, measure) for end in ends)
    said = "can't be told apart"
    if known.winner:
        said = f"{names[known.winner]} wins by {_points(abs(known.mean), measure)}"
    return f"{said} ({low} to {high})"


def _points(difference: float, measure: Measure) -> str:
    """As the page prints percentage points, or differences of errors."""
    found = measure.number(difference)
    return found.lstrip("-") if float(found) == 0 else found.replace("-", "−")


def _p_value(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def _absent(board: schemas.BoardSummary | status_schemas.BoardPaceOut) -> bool:
    """Whether a board has neither its data nor entries of a time when it had."""
    entries = board.attacks + board.defenses + getattr(board, "pending", 0)
    return board.state == "no-data" and entries == 0


def _web(address: str | None) -> bool:
    return address is not None and urlsplit(address).scheme in ("http", "https")


def _duration(seconds: float | None) -> str:
    """A time to wait, in the largest unit that tells enough; halves are rounded up."""
    if seconds is None:
        return "–"
    for unit, size, most in (("s", 1, 90), ("min", 60, 90), ("h", 3600, 36)):
        count = math.floor(seconds / size + 0.5)
        if count < most:
            return f"{count} {unit}"
    return f"{math.floor(seconds / 86_400 + 0.5)} days"


def _place(place: schemas.PlaceOut) -> str:
    """Where a submission stands, as a sentence."""
    said = "A worker is at it"
    if place.position is not None:
        said = f"Position {place.position} of {place.waiting} in the queue"
    if place.seconds is not None:
        said += f"; its rank is expected in about {_duration(place.seconds)}"
    if place.missing is not None:
        said += f"; no worker that takes {place.missing} boards is alive"
    return f"{said}."


def _unserved(work: status_schemas.UnservedOut) -> str:
    """What waits for workers of a kind that there is none of, as a sentence."""
    counts = (
        (work.cells, "cell", "cells"),
        (work.validations, "check of a file", "checks of files"),
    )
    parts = [f"{count:,} {one if count == 1 else many}" for count, one, many in counts if count]
    verb = "waits" if work.cells + work.validations == 1 else "wait"
    return f"{' and '.join(parts)} {verb} for {work.need}: no worker that takes it is alive."


def _work(work: status_schemas.WorkOut) -> str:
    """What a worker does, before the name of the submission."""
    if work.kind == "validation":
        return "the check of"
    return "1 cell of" if work.cells == 1 else f"{work.cells} cells of"


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("api"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.filters |= {
        "percent": _percent,
        "moment": _moment,
        "day": _day,
        "ranks": _ranks,
        "span": _span,
        "breaks": _breaks,
        "known": _known,
        "duration": _duration,
        "place": _place,
        "work": _work,
        "unserved": _unserved,
        "sure_of": _sure_of,
        "verdict": _verdict,
        "p_value": _p_value,
        "difficulty": words.title,
        "spelt": words.spelt,
        "counted": words.counted,
        "values": words.values,
    }
    environment.globals["measures"] = MEASURES
    environment.tests |= {"web": _web, "absent": _absent}
    return environment


_ENVIRONMENT = _environment()
