"""Granular contact's quadratic programmes against an independent solver."""

from __future__ import annotations

from pathlib import Path

import pytest
from wrench_qp_check import PROGRAM, check_problems


@pytest.mark.skipif(not Path(PROGRAM).is_file(), reason="footfall_wrench_problems is not built")
def test_agrees_with_an_interior_point_solver() -> None:
    worst = check_problems(count=200, seed=2)
    assert worst["not_converged"] == 0
    assert worst["objective"] < 1e-8
    assert worst["velocity"] < 1e-8
    assert worst["gap"] < 1e-8
