"""Robustness over splits as files: every draw as CSV, all as JSON, tables for LaTeX, a plot."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from grbcore import latex, sheets
from grbcore.pitfalls.robustness import Measured, Values, ranks, winners
from grbcore.pitfalls.variance import ESTIMATOR, components
from grbcore.reproduction.making import Failure
from grbcore.results import CLEAN
from grbcore.scenario import Side

DRAWS, RESULTS, LATEX, PLOT = "draws.csv", "results.json", "table.tex", "scores.svg"

SIDES: tuple[Side, ...] = ("defense", "attack")

#: What `document` is, for those who find several kinds of studies beside each other.
KIND = "robustness"


def document(measured: Measured, failures: Sequence[Failure] = ()) -> dict[str, Any]:
    """Every number, as JSON has it: accuracies 0..1, variances their squares."""
    study = measured.study
    return {
        "kind": KIND,
        "study": {
            "board": study.board.id,
            "difficulty": study.difficulty,
            "splits": study.splits,
            "seeds": study.seeds,
            "repeats": study.repeats,
            "seed": study.seed,
            "defenses": list(measured.defenses),
            "attacks": list(measured.attacks),
        },
        "estimator": ESTIMATOR,
        "sides": {side: _side(measured, side) for side in SIDES},
        "cells": _cells(measured),
        "failures": [asdict(failure) for failure in failures],
    }


def _side(measured: Measured, side: Side) -> dict[str, Any]:
    names, scores = measured.names(side), measured.scores(side)
    official = measured.official_scores(side)
    by_split = scores.mean(axis=(2, 3))
    placed = ranks(by_split, side)
    official_rank = ranks(official.mean(axis=1, keepdims=True), side)[:, 0]
    entries = [
        {
            "name": name,
            "official": float(official[place].mean()),
            "official_rank": int(official_rank[place]),
            **_spread(scores[place]),
            "by_split": by_split[place].tolist(),
            "ranks": placed[place].tolist(),
            "rank": float(placed[place].mean()),
        }
        for place, name in enumerate(names)
    ]
    entries.sort(key=lambda entry: entry["official_rank"])
    return {"entries": entries, "winners": dict(winners(names, placed))}


def _cells(measured: Measured) -> list[dict[str, Any]]:
    """Each defense under each attack; without one there are no repeats."""
    found = []
    for place, defense in enumerate(measured.defenses):
        for row, attack in enumerate((CLEAN, *measured.attacks)):
            values = measured.drawn[place, row]
            official = measured.official[place, row, 0]
            found.append(
                {
                    "defense": defense,
                    "attack": attack,
                    "official": float(official.mean()),
                    **_spread(values[..., :1] if row == 0 else values),
                }
            )
    return found


def _spread(values: Values) -> dict[str, Any]:
    """Of (splits, seeds, repeats): the mean, and the variance of a draw with what it is made of."""
    parts = components(values)
    return {"mean": float(values.mean()), "variance": {**asdict(parts), "total": parts.total}}


def write(
    folder: Path, measured: Measured, failures: Sequence[Failure] = (), *, plot: bool = True
) -> list[Path]:
    """Write a study's files into ``folder``.

    Raises:
        MissingExtra: ``plot`` without matplotlib.
    """
    told = document(measured, failures)
    texts = {
        DRAWS: "".join(sheets.lines(_rows(measured))),
        RESULTS: json.dumps(told, indent=1) + "\n",
        LATEX: "\n".join(_latex(told, side) for side in SIDES),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8", newline="")
    written = [folder / name for name in texts]
    if plot:
        from grbcore.visualise import split_scores

        split_scores(told).savefig(folder / PLOT, format="svg")
        written.append(folder / PLOT)
    return written


def _rows(measured: Measured) -> list[list[sheets.Cell]]:
    """Split 0 is the board's own; the row of no attack has one repeat."""
    rows: list[list[sheets.Cell]] = [
        ["defense", "attack", "split", "training", "repeat", "accuracy"]
    ]
    every = np.concatenate([measured.official[:, :, None], measured.drawn], axis=2)
    names = (CLEAN, *measured.attacks)
    for place in np.ndindex(every.shape):
        defense, row, split, training, repeat = place
        if row or not repeat:
            named = [measured.defenses[defense], names[row], split, training, repeat]
            rows.append([*named, float(every[place])])
    return rows


def _latex(told: dict[str, Any], side: Side) -> str:
    study = told["study"]
    rows = []
    for entry in told["sides"][side]["entries"]:
        variance = entry["variance"]
        parts = [variance[name] for name in ("split", "training", "repeat", "rest")]
        rows.append(
            [
                latex.escape(entry["name"]),
                latex.number(entry["official"]),
                latex.number(entry["mean"], variance["total"] ** 0.5),
                *("--" if part is None else f"{100 * part**0.5:.2f}" for part in parts),
                f"{entry['official_rank']}",
                f"{min(entry['ranks'])}--{max(entry['ranks'])}",
            ]
        )
    head = [
        side.capitalize(), "Official", "Over splits", "Split", "Training", "Repeat", "Rest",
        "Rank", "Ranks",
    ]  # fmt: skip
    about = (
        f"{study['board']}, Weighted at {study['difficulty']} in percent: the board's split, mean "
        f"and standard deviation of a draw over {study['splits']} splits x {study['seeds']} "
        f"trainings x {study['repeats']} repeats, seed {study['seed']}, and the standard "
        "deviations that it is made of"
    )
    return latex.tabular("l" + "r" * (len(head) - 1), head, [rows], about)
