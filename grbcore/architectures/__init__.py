"""The registered architectures: their parameters, tensor names and shapes, without torch.

A defense names one of these and brings the weights; nobody uploads code.  The engine's models
give the same names and shapes, and a test compares the two.  Shapes follow the closed formulas
that reproduce the parameter counts of GRB's Tables 6-10.
"""

from collections.abc import Mapping
from typing import Any

from grbcore.architectures.architecture import (
    MAX_PARAMETERS,
    Architecture,
    Features,
    HeadParameters,
    Parameters,
    Shapes,
    Width,
    trained,
)
from grbcore.architectures.convolutional import GAT, GCN, GIN
from grbcore.architectures.defenses import (
    GAT_GUARD,
    GCN_CLIP,
    GCN_GUARD,
    GCN_JACCARD,
    GCN_SVD,
    RGCN,
)
from grbcore.architectures.floors import MLP, LogReg, NoHiddenParameters
from grbcore.architectures.graphlevel import (
    GRAPH_ARCHITECTURES,
    GraphArchitecture,
    GraphParameters,
)
from grbcore.architectures.hops import (
    APPNP,
    SGCN,
    TAGCN,
    APPNPParameters,
    SGCNParameters,
    TAGCNParameters,
)
from grbcore.architectures.robust import (
    EVENNET,
    GPRGNN,
    RUNG,
    SOFT_MEDIAN_GDC,
    PolynomialParameters,
    RUNGParameters,
    SoftMedianParameters,
)
from grbcore.architectures.sage import GraphSAGE
from grbcore.architectures.scale import Scale
from grbcore.scenario import GRAPH_SCENARIOS, Scenario

#: Every registered architecture by name.
ARCHITECTURES: Mapping[str, Architecture] = {
    architecture.name: architecture
    for architecture in (
        GCN,
        GAT,
        GIN,
        APPNP,
        TAGCN,
        GraphSAGE,
        SGCN,
        RGCN,
        GCN_SVD,
        GCN_GUARD,
        GAT_GUARD,
        GCN_JACCARD,
        GCN_CLIP,
        MLP,
        LogReg,
        GPRGNN,
        EVENNET,
        RUNG,
        SOFT_MEDIAN_GDC,
    )
}


#: What a defense of either kind of board is, and is told.
Registered = Architecture | GraphArchitecture
Told = Parameters | GraphParameters


def registered(scenario: Scenario) -> Mapping[str, Registered]:
    """The architectures that a board of this scenario takes, by name."""
    return GRAPH_ARCHITECTURES if scenario in GRAPH_SCENARIOS else ARCHITECTURES


def shapes_of(architecture: Registered, told: Any, scale: Scale) -> Shapes:
    """Name and shape of every tensor of the state dict, on data of this scale."""
    if isinstance(architecture, GraphArchitecture):
        return architecture.shapes(told, scale)
    return architecture.shapes(told, scale.features, scale.classes)


def work_of(architecture: Registered, told: Any, scale: Scale) -> int:
    """Multiplications of one prediction of all that is judged, on data of this scale."""
    if isinstance(architecture, GraphArchitecture):
        return architecture.work(told, scale)
    return architecture.work(
        told,
        nodes=scale.nodes,
        edges=2 * scale.edges,
        features=scale.features,
        classes=scale.classes,
    )


def family(architecture: str, parameters: Told, adversarially_trained: bool = False) -> str:
    """The family that a defense belongs to: ``GCN``, ``GCN+LN``, ``GCN+LN+AT``."""
    name = architecture + ("+LN" if parameters.layer_norm else "")
    return name + ("+AT" if adversarially_trained else "")


__all__ = [
    "ARCHITECTURES",
    "GRAPH_ARCHITECTURES",
    "MAX_PARAMETERS",
    "APPNPParameters",
    "Architecture",
    "Features",
    "GraphArchitecture",
    "GraphParameters",
    "HeadParameters",
    "NoHiddenParameters",
    "Parameters",
    "PolynomialParameters",
    "RUNGParameters",
    "Registered",
    "SGCNParameters",
    "Scale",
    "Shapes",
    "SoftMedianParameters",
    "TAGCNParameters",
    "Told",
    "Width",
    "family",
    "registered",
    "shapes_of",
    "trained",
    "work_of",
]
