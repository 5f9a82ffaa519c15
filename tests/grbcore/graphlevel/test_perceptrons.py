"""Perceptrons beside torch's own modules, and counted rows beside repeated ones."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn

from grbcore.graphlevel.models import perceptrons
from grbcore.graphlevel.models.perceptrons import Norm, Rows, perceptron, two_layers

MAKERS = {"norm, ReLU": two_layers, "ReLU, norm": lambda i, h, o: perceptron(i, h, o, 3)}
makers = pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)


def plain(rows: Rows) -> nn.Sequential:
    """The same of torch's own parts."""
    parts: list[nn.Module] = []
    for part in rows:
        if isinstance(part, Norm):
            parts.append(nn.BatchNorm1d(part.num_features, momentum=part.momentum))
        elif isinstance(part, nn.Linear):
            parts.append(nn.Linear(part.in_features, part.out_features))
        else:
            parts.append(nn.ReLU())
    found = nn.Sequential(*parts).to(next(rows.parameters()).dtype)
    found.load_state_dict(rows.state_dict())
    return found


def learnt(module: nn.Module, x: torch.Tensor, slope: torch.Tensor, *counts: Any) -> list[Any]:
    x = x.clone().requires_grad_()
    found = module(x, *counts)
    found.backward(slope)
    slopes = [part.grad for part in module.parameters()]
    return [found.detach(), x.grad, slopes, dict(module.named_buffers())]


@pytest.fixture(params=[1, 6, 10**6], ids=["a row a block", "few rows", "one block"])
def blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perceptrons, "_BLOCK", request.param)


@makers
@pytest.mark.parametrize("counts", [[1, 1, 1, 1], [3, 1, 2, 5], [0, 2, 1, 1]])
@pytest.mark.parametrize("momentum", [0.1, None])
@pytest.mark.usefixtures("blocks")
def test_counted_rows_are_repeated_rows(
    maker: Any, counts: list[int], momentum: float | None
) -> None:
    """Outputs, slopes and running statistics, and what follows from these."""
    torch.manual_seed(0)
    rows = maker(3, 4, 2).double()
    norm = next(part for part in rows if isinstance(part, Norm))
    norm.momentum = momentum
    nn.init.normal_(norm.weight)
    nn.init.normal_(norm.bias)
    twin, times = plain(rows), torch.tensor(counts)
    there = times > 0
    first = (times.cumsum(0) - times)[there]
    for _ in range(2):  # statistics move twice
        x, slope = torch.randn(4, 3).double(), torch.randn(4, 2).double()
        found = learnt(rows, x, slope * times[:, None], times)
        wanted = learnt(twin, x.repeat_interleave(times, 0), slope.repeat_interleave(times, 0))
        found[:2] = [part[there] for part in found[:2]]
        wanted[:2] = wanted[0][first], wanted[1][first] * times[there, None]
        torch.testing.assert_close(found, wanted, rtol=1e-11, atol=1e-12)
    torch.testing.assert_close(rows.eval()(x), twin.eval()(x))


@makers
@pytest.mark.parametrize("counted", [False, True])
def test_its_slopes_are_those_of_differences(maker: Any, counted: bool) -> None:
    torch.manual_seed(2)
    rows = maker(3, 4, 2).double()
    x = torch.randn(6, 3, dtype=torch.float64, requires_grad=True)
    counts = torch.tensor([1, 2, 3, 1, 1, 4]) if counted else None
    weights = list(rows.parameters())
    assert torch.autograd.gradcheck(lambda x, *_: rows(x, counts), (x, *weights))


@makers
def test_in_single_precision_a_far_mean_costs_no_more_digits_than_torchs_own(maker: Any) -> None:
    """Columns whose means are a thousand times their deviations, over several blocks."""
    torch.manual_seed(3)
    rows = maker(40, 64, 40)
    rows[0].bias.data += 500.0
    exact, own = plain(rows.double()), plain(rows.float())
    x, slope = torch.randn(5000, 40), torch.randn(5000, 40)
    wanted = learnt(exact, x.double(), slope.double())
    found = learnt(rows, x, slope, torch.ones(5000, dtype=torch.int64))
    torchs = learnt(own, x, slope)

    def off(some: list[Any]) -> list[float]:
        pairs = zip([*some[:2], *some[2]], [*wanted[:2], *wanted[2]], strict=True)
        return [float((a - b).norm() / b.norm().clamp(min=1.0)) for a, b in pairs]

    for ours, theirs in zip(off(found), off(torchs), strict=True):
        assert ours < 2 * theirs + 1e-5


@makers
def test_one_row_is_refused_while_it_learns_as_torchs_own(maker: Any) -> None:
    with pytest.raises(ValueError, match="more than 1 value"):
        maker(3, 4, 2)(torch.zeros(1, 3), torch.tensor([1]))
    assert maker(3, 4, 2).eval()(torch.ones(1, 3), torch.tensor([1])).shape == (1, 2)


@pytest.mark.parametrize("layers", [1, 2, 4])
def test_a_perceptron_has_as_many_linear_maps_as_asked(layers: int) -> None:
    maps = [
        part.weight.shape for part in perceptron(3, 4, 2, layers) if hasattr(part, "in_features")
    ]
    widths = [3, *[4] * (layers - 1), 2]
    assert maps == list(zip(widths[1:], widths, strict=False))


@pytest.mark.usefixtures("blocks")
def test_rows_may_lie_column_after_column() -> None:
    torch.manual_seed(3)
    norm = Norm(4).double()
    nn.init.normal_(norm.weight)
    x, slope = torch.randn(7, 4).double(), torch.randn(7, 4).double()
    counts = torch.tensor([1, 0, 3, 1, 2, 9, 1])
    found = []
    for laid in (lambda x: x, lambda x: x.T.contiguous().T):
        own = Norm(4).double()
        own.load_state_dict(norm.state_dict())
        found.append(learnt(own, laid(x), laid(slope), counts))
    assert found[1][0].stride() == (1, 7)
    torch.testing.assert_close(found[0], found[1], rtol=1e-12, atol=1e-12)
