"""Quantiles of Student's t, without a library of statistics."""

from __future__ import annotations

from functools import cache
from math import exp, lgamma, log, pi, sqrt
from statistics import NormalDist

import numpy as np
from numpy.polynomial import Chebyshev
from numpy.polynomial.legendre import leggauss
from numpy.typing import NDArray

#: Which quantile: the upper end of a 95 % interval.
_LEVEL = 0.975

#: That of the normal distribution.
Z = NormalDist().inv_cdf(_LEVEL)

_DEGREE = 40  # of the polynomial; its error is that of rounding from about 30 on
_STEPS = 30  # of Newton's method at most


def t_quantile(freedom: NDArray[np.float64]) -> NDArray[np.float64]:
    """The 97.5 % quantile of t with so many degrees of freedom, 1 or more, infinity among them.

    Exact to about 12 digits: its logarithm is smooth in ``1 / freedom``, so a polynomial through
    41 solved ones is all of it.
    """
    return np.asarray(np.exp(_logarithm()(1 / np.asarray(freedom))))


@cache
def _logarithm() -> Chebyshev:
    """The logarithm of the quantile over ``1 / freedom``, from 0 to 1."""

    def solved(inverse: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.array([log(_solve(1 / one)) for one in inverse])

    return Chebyshev.interpolate(solved, _DEGREE, domain=[0, 1])


@cache
def _rule() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    places, shares = leggauss(64)
    return places, shares


def _solve(freedom: float) -> float:
    """The quantile as ``sqrt(freedom) tan(angle)``: in the angle, t has the density
    ``c cos(angle)^(freedom - 1)``, which is integrated by Gauss's rule."""
    places, shares = _rule()
    scale = exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2)) / sqrt(pi)
    angle = 0.0
    for _ in range(_STEPS):  # the integral is concave, so no step goes too far
        inner = angle * (places + 1) / 2
        found = scale * angle / 2 * float(shares @ np.cos(inner) ** (freedom - 1))
        step = (_LEVEL - 0.5 - found) / (scale * float(np.cos(angle)) ** (freedom - 1))
        angle += step
        if abs(step) < 1e-15 * angle:
            break
    return sqrt(freedom) * float(np.tan(angle))
