"""A model for a dataset, in one line."""

from __future__ import annotations

import pytest
import torch

from grbcore import models
from grbcore.architectures import ARCHITECTURES
from tests.grbcore.engine import TOY, TOY_GRAPH


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_every_architecture_is_created_for_a_dataset_without_being_told_more(
    architecture: str,
) -> None:
    model = models.create(architecture, TOY).eval()
    with torch.no_grad():
        assert model(TOY_GRAPH).shape == (TOY.nodes, TOY.classes)


def test_the_same_seed_gives_the_same_weights() -> None:
    first, again, other = (models.create("GCN", TOY, seed=seed) for seed in (1, 1, 2))
    name = "convs.0.weight"
    assert torch.equal(first.state_dict()[name], again.state_dict()[name])
    assert not torch.equal(first.state_dict()[name], other.state_dict()[name])


def test_an_unknown_architecture_is_named_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"architecture: found 'GNC', allowed: GCN, GAT"):
        models.create("GNC", TOY)


def test_a_parameter_that_an_architecture_does_not_take_is_named() -> None:
    with pytest.raises(ValueError, match=r"parameters/heads: found 4, allowed: .*of GCN: hidden"):
        models.create("GCN", TOY, {"hidden": [8], "heads": 4})
