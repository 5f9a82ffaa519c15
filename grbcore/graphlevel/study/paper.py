"""What the thesis printed: mean and standard deviation of five models, and the baseline's means."""

from __future__ import annotations

from collections.abc import Mapping

#: Dataset, then model: accuracy, or normalised error of ZINC, of clean graphs.  Tables 5.2 and 5.9.
PUBLISHED: Mapping[str, Mapping[str, tuple[float, float]]] = {
    "mutag": {
        "Bag": (0.484, 0.146),
        "meanGINE": (0.874, 0.047),
        "GIN": (0.947, 0.037),
        "GINE": (0.989, 0.024),
        "SignNet": (0.958, 0.058),
        "DropGINE": (0.947, 0.037),
        "ESAN": (0.979, 0.029),
        "PPGN": (0.853, 0.044),
    },
    "imdb-binary": {
        "Bag": (0.632, 0.016),
        "meanGINE": (0.678, 0.030),
        "GINE": (0.684, 0.036),
        "SignNet": (0.698, 0.015),
        "DropGINE": (0.720, 0.037),
        "ESAN": (0.708, 0.038),
        "PPGN": (0.672, 0.018),
    },
    "imdb-multi": {
        "Bag": (0.481, 0.015),
        "meanGINE": (0.493, 0.008),
        "GINE": (0.487, 0.016),
        "SignNet": (0.389, 0.032),
        "DropGINE": (0.485, 0.007),
        "ESAN": (0.464, 0.017),
        "PPGN": (0.451, 0.010),
    },
    "zinc": {
        "Bag": (0.343, 0.001),
        "meanGINE": (0.180, 0.005),
        "GIN": (0.148, 0.007),
        "GINE": (0.122, 0.004),
        "SignNet": (0.087, 0.017),
        "DropGINE": (0.124, 0.003),
        "ESAN": (0.091, 0.009),
        "PPGN": (0.073, 0.001),
    },
}
