"""The paper's models, the configurations that it chose for them, and names for others."""

from __future__ import annotations

from typing import Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

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


def named(model: str, chosen: Configuration) -> str:
    """A model with a configuration of one's own: ``GCN hidden=32 l2=0.01``, what is not Table 4's.

    The configuration of Table 4 is the model's bare name.
    """
    published = CONFIGURATIONS[model].model_dump()
    other = {key: value for key, value in chosen.model_dump().items() if value != published[key]}
    return " ".join([model, *(f"{key}={value!r}" for key, value in other.items())])


def meant(name: str) -> tuple[str, Configuration]:
    """The model and the configuration that a name of `named` says.

    Raises:
        ValueError: no such model or part of a configuration, or a value that it can't have.
    """
    words = name.split(" ")
    model = " ".join(word for word in words if "=" not in word)
    if model not in CONFIGURATIONS:
        raise ValueError(f"model: found {model!r}, allowed: {', '.join(CONFIGURATIONS)}")
    changes = dict(word.split("=", 1) for word in words if "=" in word)
    try:
        chosen = Configuration.model_validate({**CONFIGURATIONS[model].model_dump(), **changes})
    except ValidationError as error:
        raise ValueError(f"{name}: found {error.errors()[0]['loc'][0]}, {error}") from None
    return model, chosen
