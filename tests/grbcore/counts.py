"""The parameter counts of GRB's Tables 6-10, one row each."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from grbcore.architectures import ARCHITECTURES, Parameters

TABLES = json.loads(
    (Path(__file__).resolve().parents[1] / "oracles" / "grb_parameter_counts.json").read_text()
)
_OURS = {"SAGE": "GraphSAGE", "GCNSVD": "GCN-SVD"}  # their names -> ours, where they differ


@dataclass(frozen=True)
class Count:
    """One printed count, and what the architecture was told."""

    architecture: str
    parameters: Parameters
    features: int
    classes: int
    printed: int


def architecture_of(name: str) -> str:
    """Our name of the architecture of a printed row such as ``SAGE+LN``."""
    plain = name.removesuffix("+LN")
    return _OURS.get(plain, plain)


def _counts() -> dict[str, Count]:
    found = {}
    for board, table in TABLES.items():
        for name, row in table["models"].items():
            if architecture_of(name) not in ARCHITECTURES:
                continue
            settings = {
                "hidden": row["hidden"],
                "layer_norm": name.endswith("+LN"),
                "heads": row.get("heads"),
                "hops": row.get("k"),
                "alpha": row.get("alpha"),
            }
            kind = ARCHITECTURES[architecture_of(name)].parameters
            told = kind.model_validate({k: v for k, v in settings.items() if v is not None})
            found[f"{board} {name}"] = Count(
                architecture_of(name), told, table["in_features"], table["classes"], row["params"]
            )
    return found


#: Every printed count of a registered architecture, by its board and its name there.
COUNTS = _counts()
