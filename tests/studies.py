"""Folders as `grb study` writes them, with few numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from grbcore.graphlevel.study import report
from grbcore.graphlevel.study.plan import CLEAN, Key, Study
from grbcore.graphlevel.study.store import Failure, Kept, Run

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="300"><style>*{}</style></svg>'

VARIANCE = {"split": 0.0004, "training": 0.0001, "repeat": None, "rest": None, "total": 0.0005}


def splits(folder: Path) -> Path:
    """GCN and MLP on citeseer, 2 splits; MLP has no run."""
    cell = {"runs": 4, "mean": 0.7, "std": 0.01, "median": 0.701, "low": 0.69, "high": 0.71,
            "failures": 1, "published": [0.719, 0.019]}  # fmt: skip
    names = ("GCN", "MLP <b>")
    return _write(
        folder,
        {
            "kind": "splits",
            "study": {"datasets": ["citeseer"], "models": names, "splits": 2, "inits": 2,
                      "scheme": "per-class", "seed": 2018},
            "models": [
                {"model": name, "configuration": {"hidden": 64}, "relative_accuracy": relative,
                 "average_rank": relative, "datasets": {"citeseer": found}}
                for name, relative, found in zip(
                    names, (1.0, None), (cell, {"runs": 0, "published": None}), strict=True
                )
            ],
            "pairs": [{"dataset": "citeseer", "first": "GCN", "second": names[1],
                       "difference": 0.125, "wins": 2, "splits": 2, "p_value": 0.03}],
            "winners": {"citeseer": {"GCN": 2}},
            "flips": [{"dataset": "citeseer", "splits": [0, 1], "winners": names,
                       "leads": [0.1, 0.2],
                       "accuracies": [{"GCN": 0.8, names[1]: 0.7}, {"GCN": 0.5, names[1]: 0.7}]}],
        },
        {"runs.csv": "a\r\n1\r\n", "table.tex": "\\toprule\n", "boxes.svg": SVG},
    )  # fmt: skip


def robustness(folder: Path, board: str = "digits/injection@1") -> Path:
    """One defense and one attack over 2 splits."""
    entry = {"name": "GCN", "official": 0.625, "official_rank": 1, "mean": 0.6,
             "variance": VARIANCE, "by_split": [0.6], "ranks": [1, 2], "rank": 1.5}  # fmt: skip
    return _write(
        folder,
        {
            "kind": "robustness",
            "study": {"board": board, "difficulty": "full", "splits": 2, "seeds": 2, "repeats": 1,
                      "seed": 2018, "defenses": ["GCN"], "attacks": ["RND"]},
            "estimator": "Method of moments.",
            "sides": {
                "defense": {"entries": [entry], "winners": {"GCN": 1}},
                "attack": {"entries": [{**entry, "name": "RND"}], "winners": {"RND": 1}},
            },
            "cells": [{"defense": "GCN", "attack": "clean", "official": 0.9, "mean": 0.91,
                       "variance": VARIANCE}],
            "failures": [],
        },
        {"draws.csv": "a\r\n1\r\n", "table.tex": "\\toprule\n", "scores.svg": SVG},
    )  # fmt: skip


def expressive(folder: Path, dataset: str = "mutag") -> Path:
    """Bag and GINE of two seeds, clean and at budgets 1 and 3; a third GINE has no runs.

    Of ``zinc`` the scores are errors.
    """
    study = Study(dataset, ("Bag", "GINE"), (0, 1, 2), ("adjpgd", "random"), (1, 2, 3))
    kept = []
    for model, height in (("Bag", 0.5), ("GINE", 0.9)):
        for seed in range(2):
            found = [(CLEAN, 0, Run(height + 0.05 * seed, 0.4, 0.9, 300, 200))]
            for budget in (1, 3):
                drop = 0.0 if model == "Bag" else 0.2 * budget
                run = Run(height - drop, 0.4, rate=0.1, unmoved=1.0 if model == "Bag" else 0.25)
                found.append(("adjpgd", budget, run))
            for attack, budget, run in found:
                kept.append(Kept(Key(dataset, model, seed, attack, budget), run, 1.0))
    folder.mkdir(parents=True)
    lost = Failure(dataset, "GINE", 2, "training: found <b>, allowed: a lower rate")
    report.write(folder, study, kept, [lost])
    return folder


def _write(folder: Path, results: dict[str, Any], files: dict[str, str]) -> Path:
    folder.mkdir(parents=True)
    (folder / "results.json").write_text(json.dumps(results), "utf-8")
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8", newline="")
    return folder
