"""The paper's models and the configurations that it chose for them."""

from __future__ import annotations

from typing import Final

from pydantic import BaseModel, ConfigDict, Field

#: How long a validation loss may fail to fall, and how long training may last at all.
#: Source: Shchur et al., Appendix C.
PATIENCE, EPOCHS = 50, 100_000


class Configuration(BaseModel):
    """What is chosen for a model before it is trained."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    hidden: int = Field(0, ge=0)  # of all heads together; 0 without a hidden layer
    inner: int = Field(0, ge=0)  # of the transform before pooling
    heads: int = Field(1, ge=1)  # kernels of MoNet
    learning_rate: float = Field(0.0, ge=0)
    dropout: float = Field(0.0, ge=0, lt=1)
    attention_dropout: float = Field(0.0, ge=0, lt=1)
    l2: float = Field(0.0, ge=0)
    back: float = Field(0.0, ge=0, le=1)  # of LabelProp NL: how much of the labels returns


#: Source: Shchur et al., Table 4; of LabelProp NL and the learning rate of LogReg: released code.
CONFIGURATIONS: Final[dict[str, Configuration]] = {
    "GCN": Configuration(hidden=64, learning_rate=0.01, dropout=0.8, l2=0.001),
    "GAT": Configuration(
        hidden=64, heads=8, learning_rate=0.01, dropout=0.6, attention_dropout=0.3, l2=0.01
    ),
    "MoNet": Configuration(hidden=64, heads=2, learning_rate=0.003, dropout=0.7, l2=0.05),
    "GS-mean": Configuration(hidden=32, learning_rate=0.001, dropout=0.4, l2=0.1),
    "GS-maxpool": Configuration(hidden=32, inner=32, learning_rate=0.001, dropout=0.3, l2=0.005),
    "GS-meanpool": Configuration(hidden=32, inner=8, learning_rate=0.001, dropout=0.2, l2=0.01),
    "MLP": Configuration(hidden=64, learning_rate=0.005, dropout=0.8, l2=0.01),
    "LogReg": Configuration(learning_rate=0.1, l2=0.0005),
    "LabelProp": Configuration(),
    "LabelProp NL": Configuration(back=0.05),
}

#: Models without weights: one run for each split, whatever the number of initialisations.
PROPAGATION: Final = ("LabelProp", "LabelProp NL")
