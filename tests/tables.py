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


def ranking(leaderboard: dict) -> list[list[str]]:
    """What a page must show of a ranking, row by row: rank, name, family, authors, scores, n."""
    shown = []
    for row in leaderboard["rows"]:
        entry, at = row["entry"], row["metrics"].get(leaderboard["difficulty"])
        clean = [score((row["clean"] or {}).get(leaderboard["difficulty"]))]
        shown.append(
            [
                str(row["rank"] or "–"),
                _name(entry) if entry else "Without attack",
                entry["family"] if entry else "",
                entry["authors"] if entry else "",
                *(clean if leaderboard["side"] == "defense" else []),
                *(score(at and at[name]) for name in ("weighted", "average", "three")),
                str(at["n"]) if at else "–",
            ]
        )
    return shown


def _name(entry: dict) -> str:
    marks = [
        entry["name"],
        "reference" if entry["is_reference"] else "",
        "AT" if entry["adversarially_trained"] else "",
        f"attempt {entry['attempt']} of {entry['attempts']}"
        if entry["attempts"] > 1 and not entry["is_reference"]
        else "",
        *(kind for kind in ("paper", "code") if (entry[f"{kind}_url"] or "").startswith("http")),
    ]
    return " ".join(filter(None, marks))


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
