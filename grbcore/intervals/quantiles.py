"""Quantiles of Student's t, without a library of statistics."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: The 97.5 % quantile of the normal distribution.
Z = 1.959964

#: Those of t, by degrees of freedom from 1 on.  Source: any table, such as NIST/SEMATECH 1.3.6.7.2.
_T = (
    12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157,
    2.228139, 2.200985, 2.178813, 2.160369, 2.144787, 2.131450, 2.119905, 2.109816, 2.100922,
    2.093024, 2.085963, 2.079614, 2.073873, 2.068658, 2.063899, 2.059539, 2.055529, 2.051831,
    2.048407, 2.045230, 2.042272,
)  # fmt: skip


def t_quantile(freedom: NDArray[np.float64]) -> NDArray[np.float64]:
    """The 97.5 % quantile of t with so many degrees of freedom, 1 or more, infinity among them.

    Between those of the table its logarithm is interpolated in ``1 / freedom``, where it is nearly
    straight.
    """
    known = np.append(1 / np.arange(1, len(_T) + 1), 0.0)
    logarithms = np.log(np.append(_T, Z))
    found = np.exp(np.interp(1 / np.asarray(freedom), known[::-1], logarithms[::-1]))
    return np.asarray(found)
