"""The tables of a page of HTML, as rows of texts."""

from __future__ import annotations

from html.parser import HTMLParser


def tables(html: str) -> dict[str, list[list[str]]]:
    """Every row of every table, heads included, by the table's name; blanks are single."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.tables


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tables: dict[str, list[list[str]]] = {}
        self._rows: list[list[str]] = []
        self._cell: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self._rows = self.tables[dict(attrs)["data-table"] or ""] = []
        elif tag == "tr":
            self._rows.append([])
        elif tag in ("th", "td"):
            self._cell = []

    def handle_endtag(self, tag: str) -> None:
        if tag in ("th", "td") and self._cell is not None:
            self._rows[-1].append(" ".join("".join(self._cell).split()))
            self._cell = None

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            self._cell.append(data)


def score(found: dict[str, float | None] | None) -> str:
    """A score of the API as a page shows it."""
    if found is None:
        return "–"
    mean, std = found["mean"], found["std"]
    assert mean is not None
    return f"{100 * mean:.2f}" if std is None else f"{100 * mean:.2f} ±{100 * std:.2f}"


METRICS = ("weighted", "average", "three", "worst")
DIFFICULTIES = ("easy", "medium", "hard", "full")


def ranking_head(leaderboard: dict) -> list[str]:
    """The names of the columns of `ranking`."""
    defense = leaderboard["side"] == "defense"
    chosen, by = leaderboard["difficulty"], leaderboard["metric"]
    three = "3-Min" if defense else "3-Max"
    names = dict(zip(METRICS, ("Weighted", "Avg", three, "Worst"), strict=True))
    return [
        *("Rank", "Defense" if defense else "Attack"),
        *(f"{names[by]} {difficulty} (%)" for difficulty in _chosen_first(chosen)),
        f"Clean {chosen} (%)" if defense else f"Budget used {chosen} (%)",
        *("Flags", "Ranks", "95 % interval (%)", "First (%)"),
        *(["Worst attack"] if defense else ["Best defense", "Breaks"]),
        *(f"{names[other]} {chosen} (%)" for other in METRICS if other != by),
        *("n", "Family", "Architecture" if defense else "Surrogate", "Authors", "Links", "Date"),
    ]


def ranking(leaderboard: dict) -> list[list[str]]:
    """What a page must show of a ranking, row by row, in the order of `ranking_head`."""
    return [_ranked(row, leaderboard) for row in leaderboard["rows"]]


def _ranked(row: dict, leaderboard: dict) -> list[str]:
    entry, chosen, by = row["entry"], leaderboard["difficulty"], leaderboard["metric"]
    at = row["metrics"].get(chosen)
    each = [row["metrics"].get(difficulty) for difficulty in _chosen_first(chosen)]
    clean = [score((row["clean"] or {}).get(chosen))]
    detail = "architecture" if leaderboard["side"] == "defense" else "surrogate"
    about = [""] * 5
    if entry:
        about = [entry["family"], entry[detail] or "–", entry["authors"], _links(entry)]
        about += [entry["registered_at"][:10]]
    return [
        str(row["rank"] or "–"),
        entry["name"] if entry else "Without attack",
        *(score(there and there[by]) for there in each),
        *(clean if leaderboard["side"] == "defense" else [_budget(entry)]),
        _flags(entry, leaderboard["flags"]) if entry else "",
        *_interval(row["interval"]),
        row["worst"]["name"] if row["worst"] else "–",
        *([_breaks(row["breaks"])] if leaderboard["side"] == "attack" else []),
        *(score(at and at[name]) for name in METRICS if name != by),
        str(at["n"]) if at else "–",
        *about,
    ]


def _interval(found: dict | None) -> list[str]:
    """The ranks, the interval of the score and the probability of the first place."""
    if found is None:
        return ["–"] * 3
    span = f"{100 * found['low']:.2f} to {100 * found['high']:.2f}"
    span += "" if found["repeated"] else ", targets only"
    if found["ranks"] is None:
        return ["–", span, "–"]
    best, last = found["ranks"]
    ranks = str(best) if best == last else f"{best} to {last}"
    ranks += f", tied with {found['tied']}" if found["tied"] else ""
    return [ranks, span, f"{100 * found['first']:.2f}"]


def _budget(entry: dict | None) -> str:
    """What an attack uses of its budget, in percent; nothing for the clean row."""
    if entry is None:
        return ""
    return "–" if entry["budget_used"] is None else f"{100 * entry['budget_used']:.2f}"


def _breaks(found: dict | None) -> str:
    return "–" if found is None else f"{found['broken']} of {found['of']}"


def _chosen_first(difficulty: str) -> list[str]:
    return [difficulty, *(other for other in DIFFICULTIES if other != difficulty)]


def _flags(entry: dict, kinds: list[dict]) -> str:
    shown = [one for one in kinds if one["code"] in entry["flags"] and one["severity"] != "context"]
    marks = [
        *(one["title"] for one in shown),
        f"{entry['not_finite']['targets']} not finite" if entry["not_finite"] else "",
        f"attempt {entry['attempt']} of {entry['attempts']}"
        if entry["attempts"] > 1 and not entry["is_reference"]
        else "",
    ]
    return " ".join(filter(None, marks))


def _links(entry: dict) -> str:
    there = [kind for kind in ("paper", "code") if (entry[f"{kind}_url"] or "").startswith("http")]
    return " ".join(there)


def matrix(found: dict) -> list[list[str]]:
    """What a page must show of a matrix: the head, then a row for each attack."""
    cells = {(cell["attack"], cell["defense"]): cell for cell in found["cells"]}
    rows = [["Attack \\ Defense", *map(_head, found["defenses"])]]
    for attack in found["attacks"]:
        line = [cells.get((attack["id"], defense["id"])) for defense in found["defenses"]]
        rows.append([_head(attack), *(_cell(cell, found["difficulty"]) for cell in line)])
    return rows


def _head(entry: dict) -> str:
    if entry["id"] == "clean":
        return "Without attack"
    standing = "no score" if entry["state"] == "ranked" else entry["state"]
    if entry["rank"] is not None:
        standing = f"rank {entry['rank']}"
    return f"{entry['name']} {standing}"


def _cell(cell: dict | None, difficulty: str) -> str:
    if cell is None:
        return "–"
    return score(cell["accuracy"].get(difficulty)) if cell["state"] == "done" else cell["state"]
