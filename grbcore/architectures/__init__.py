"""The registered architectures: their parameters, tensor names and shapes, without torch.

A defense names one of these and brings the weights; nobody uploads code.  The engine's models
give the same names and shapes, and a test compares the two.  Shapes follow the closed formulas
that reproduce the parameter counts of GRB's Tables 6-10.
"""

from collections.abc import Mapping

from grbcore.architectures.architecture import (
    MAX_PARAMETERS,
    Architecture,
    Features,
    HeadParameters,
    Parameters,
    Shapes,
    Width,
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


def family(architecture: str, parameters: Parameters, adversarially_trained: bool = False) -> str:
    """The family that a defense belongs to: ``GCN``, ``GCN+LN``, ``GCN+LN+AT``."""
    name = architecture + ("+LN" if parameters.layer_norm else "")
    return name + ("+AT" if adversarially_trained else "")


__all__ = [
    "ARCHITECTURES",
    "MAX_PARAMETERS",
    "APPNPParameters",
    "Architecture",
    "Features",
    "HeadParameters",
    "NoHiddenParameters",
    "Parameters",
    "PolynomialParameters",
    "RUNGParameters",
    "SGCNParameters",
    "Shapes",
    "SoftMedianParameters",
    "TAGCNParameters",
    "Width",
    "family",
]
