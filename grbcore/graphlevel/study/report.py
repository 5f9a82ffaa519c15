"""A robustness study as files: every run as CSV, all numbers as JSON, a table for LaTeX, curves."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from grbcore import latex, sheets
from grbcore.graphlevel.study.paper import PUBLISHED
from grbcore.graphlevel.study.plan import CLEAN, Study
from grbcore.graphlevel.study.results import Mean, Results
from grbcore.graphlevel.study.store import Failure, Kept, columns

RUNS, TABLE, LATEX = "runs.csv", "results.json", "table.tex"


def document(study: Study, results: Results, failures: Sequence[Failure] = ()) -> dict[str, Any]:
    """Every number of a study, as JSON has it; null where there is none."""
    level, whose = results.baseline()
    models = []
    for name in results.models:
        published = PUBLISHED[study.dataset].get(name)
        attacks = {
            attack: {
                "budgets": {
                    str(budget): {
                        "score": _mean(results.scores(name, attack, budget)),
                        "label_difference": _mean(results.differences(name, attack, budget)),
                        "unmoved": _mean(results.unmoved(name, attack, budget)),
                    }
                    for budget in results.budgets(attack)
                },
                "crr": _dict(results.robustness(name, attack)),
                "efficacy": _dict(results.efficacy(name, attack)),
            }
            for attack in results.attacks
        }
        models.append(
            {
                "model": name,
                "recipe": asdict(study.recipe(name)),
                "clean": {
                    "score": _mean(results.scores(name, CLEAN, 0)),
                    "label_difference": _mean(results.differences(name, CLEAN, 0)),
                    "published": None if published is None else list(published),
                },
                "attacks": attacks,
            }
        )
    return {
        "kind": "expressive",
        "study": asdict(study),
        "score": "accuracy" if results.higher_is_better else "normalised mean absolute error",
        "baseline": {"score": level, "source": whose},
        "models": models,
        "failures": [asdict(failure) for failure in failures],
    }


def write(
    folder: Path,
    study: Study,
    kept: Sequence[Kept],
    failures: Sequence[Failure] = (),
    *,
    plot: bool = True,
) -> list[Path]:
    """Write a study's files into ``folder``: one picture for each attack with runs.

    Raises:
        MissingExtra: ``plot`` without matplotlib.
    """
    results = Results.of(kept, study.dataset, study.models, study.attacks)
    rows = [columns(one) for one in kept]
    head: list[sheets.Cell] = list(rows[0]) if rows else []
    texts = {
        RUNS: "".join(sheets.lines([head, *(list(row.values()) for row in rows)])),
        TABLE: json.dumps(document(study, results, failures), indent=1) + "\n",
        LATEX: _latex(study, results),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8", newline="")
    written = [folder / name for name in texts]
    if plot:
        from grbcore.visualise import robustness_curves

        for attack in results.attacks:
            if results.budgets(attack):
                path = folder / f"{attack}.svg"
                robustness_curves(results, attack).savefig(path, format="svg")
                written.append(path)
    return written


def _latex(study: Study, results: Results) -> str:
    places = [(CLEAN, 0)]
    places += [(attack, b) for attack in results.attacks for b in results.budgets(attack)]
    rows = []
    for name in results.models:
        cells = [Mean.of(results.scores(name, *place)) for place in places]
        scores = [results.robustness(name, attack) for attack in results.attacks]
        rows.append(
            [
                latex.escape(name),
                *(latex.number(*((m.mean, m.std) if m else (None,))) for m in cells),
                *("--" if m is None else f"{m.mean:.3f}" for m in scores),
            ]
        )
    head = ["Model", "clean"]
    head += [latex.escape(f"{attack}, {budget}") for attack, budget in places[1:]]
    head += [latex.escape(f"CRR, {attack}") for attack in results.attacks]
    what = "test accuracy" if results.higher_is_better else "normalised error times 100"
    about = (
        f"{what} in percent, mean and standard deviation over {len(study.seeds)} seeds at most, "
        f"{study.dataset}, by attack and budget; CRR above {results.baseline()[0]:.3f}"
    )
    return latex.tabular("l" + "r" * (len(head) - 1), head, [rows], about)


def _mean(values: Sequence[float]) -> dict[str, float] | None:
    return _dict(Mean.of(values))


def _dict(mean: Mean | None) -> dict[str, float] | None:
    return None if mean is None else asdict(mean)
