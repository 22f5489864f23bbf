"""Problems of solver/wrench_qp.hpp solved again by an interior-point method, PIQP, of PyPI.

Called by test_wrench_qp.py with a few hundred problems; for 10,000:

    .venv/bin/python tests/python/wrench_qp_check.py --count 10000

The witness has the problem as the paper does, in the weights of the vertices: Hessian G + G N G, G = YᵀY, N
the grains' inertia. Nothing of it is shared with the program's own way.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

REPOSITORY = Path(__file__).resolve().parents[2]
PROGRAM = REPOSITORY / "build/release/tests/footfall_wrench_problems"


@dataclass
class Problem:
    """One problem and what the program found."""

    parts: int
    Y: np.ndarray  # rows × (feet · parts)
    z_free: np.ndarray
    masses: np.ndarray
    vertices: list[np.ndarray]  # of each foot: parts × count
    converged: bool
    iterations: int
    seconds: float
    seconds_again: float
    impulses: np.ndarray


def read_problems(numbers: np.ndarray):
    """Takes the program's stream apart; see wrench_problems.cpp."""
    at = 0

    def take(count: int) -> np.ndarray:
        nonlocal at
        at += count
        return numbers[at - count : at]

    while at < len(numbers):
        feet, parts, rows = (int(x) for x in take(3))
        columns = feet * parts
        Y = take(columns * rows).reshape(columns, rows).T
        z_free, masses = take(rows), take(columns)
        vertices = []
        for _ in range(feet):
            count = int(take(1)[0])
            vertices.append(take(parts * count).reshape(parts, count))
        converged, _, iterations, seconds, again = take(5)
        yield Problem(
            parts, Y, z_free, masses, vertices, converged == 1, int(iterations), seconds, again, take(columns)
        )


def solve_by_piqp(problem: Problem) -> tuple[np.ndarray, float]:
    """The impulses by PIQP, polished, and the seconds that its solve took."""
    V = np.zeros((problem.Y.shape[1], sum(v.shape[1] for v in problem.vertices)))
    sums = np.zeros((len(problem.vertices), V.shape[1]))
    column = 0
    for foot, vertices in enumerate(problem.vertices):
        columns = slice(column, column + vertices.shape[1])
        V[foot * problem.parts : (foot + 1) * problem.parts, columns] = vertices
        sums[foot, columns] = 1
        column += vertices.shape[1]
    G = problem.Y.T @ problem.Y
    H = G + G @ (problem.masses[:, None] * G)
    u_free = problem.Y.T @ problem.z_free
    P, q = V.T @ H @ V, V.T @ (u_free + G @ (problem.masses * u_free))
    # weights in units in which each vertex counts alike, the objective in units of its start
    start = problem.z_free @ problem.z_free
    unit = np.sqrt(start / np.maximum(np.diag(P), 1e-24 * start))
    P, q, sums = P * np.outer(unit, unit) / start, q * unit / start, sums * unit
    begin = time.perf_counter()
    weights = call_piqp(P, q, sums, np.ones(len(sums)), np.zeros(len(q)))
    seconds = time.perf_counter() - begin
    return V @ (polish(problem, V, sums, weights, unit) * unit), seconds


def polish(problem: Problem, V: np.ndarray, sums: np.ndarray, weights: np.ndarray, unit: np.ndarray) -> np.ndarray:
    """The same weights to more digits.

    An interior point ends where rounding hides the rest of the objective, in the middle of the face that it has
    found. From there the best point of that face is a small step away, by least squares over the weights that
    are not nearly zero, with Σλ kept where it is 1. A step counts if it leads into the set and down."""
    exact = [x.astype(np.longdouble) for x in (problem.Y, V, problem.z_free, problem.masses, unit)]
    root = np.linalg.cholesky(np.eye(len(problem.Y)) + problem.Y @ (problem.masses[:, None] * problem.Y.T))
    images = root.T @ problem.Y @ (V * unit)
    weights = into_set(weights, sums)
    best, z = look_closely(weights, *exact)
    for least in (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8) * 2:
        directions = []
        for foot in sums:
            members = np.flatnonzero((weights > least * weights.max()) & (foot > 0))
            if len(members) == 0:
                continue
            full = foot @ weights > 1 - 1e-7
            heaviest = members[np.argmax(foot[members] * weights[members])]
            for member in members:
                if full and member == heaviest:
                    continue
                direction = np.zeros_like(weights)
                direction[member] = 1
                if full:
                    direction[heaviest] = -foot[member] / foot[heaviest]
                directions.append(direction)
        if not directions:
            continue
        D = np.array(directions).T
        step = D @ np.linalg.lstsq(images @ D, -(root.T @ z.astype(float)), rcond=1e-13)[0]
        nearer = into_set(weights + step, sums)
        objective, there = look_closely(nearer, *exact)
        if objective < best:
            best, z, weights = objective, there, nearer
    return weights


def into_set(weights: np.ndarray, sums: np.ndarray) -> np.ndarray:
    """Weights that are not negative, those of a foot no more than one in all."""
    weights = np.maximum(weights, 0)
    return weights / np.maximum((sums @ weights), 1)[np.argmax(sums > 0, axis=0)]


def look_closely(weights, Y, V, z_free, masses, unit) -> tuple[np.longdouble, np.ndarray]:
    """The objective and z, in long double."""
    z = z_free + Y @ (V @ (weights.astype(np.longdouble) * unit))
    u = Y.T @ z
    return (z @ z + u @ (masses * u)) / 2, z


def call_piqp(P, q, sums, room, least) -> np.ndarray:
    """Minimises ½ x·P x + q·x over x ≥ least, sums x ≤ room."""
    import piqp

    solver = piqp.DenseSolver()
    settings = solver.settings
    settings.eps_abs = settings.eps_rel = 1e-13
    settings.eps_duality_gap_abs = settings.eps_duality_gap_rel = 1e-13
    settings.reg_lower_limit, settings.reg_finetune_lower_limit = 1e-14, 1e-16
    solver.setup(P, q, None, None, sums, None, room, least, None)
    solver.solve()
    return np.asarray(solver.result.x)


@dataclass
class Differences:
    """Between the two solutions, in shares of the start; and what is left of the optimality conditions: the
    most by which the objective might still fall, in shares of the terms that it is summed from."""

    objective: float
    velocity: float
    gap: float


def compare(problem: Problem, witness: np.ndarray) -> Differences:
    """Objective, z and the optimality conditions in extended precision."""
    Y, z_free = problem.Y.astype(np.longdouble), problem.z_free.astype(np.longdouble)
    masses = problem.masses.astype(np.longdouble)

    def motion(c: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.longdouble]:
        z = z_free + Y @ c
        u = Y.T @ z
        return z, u, (z @ z + u @ (masses * u)) / 2

    _, u_start, start = motion(np.zeros_like(problem.impulses))
    start_gradient = u_start + Y.T @ (Y @ (masses * u_start))
    z, u, ours = motion(problem.impulses.astype(np.longdouble))
    z_other, _, other = motion(witness.astype(np.longdouble))
    gradient = u + Y.T @ (Y @ (masses * u))
    gap, size = np.longdouble(0), np.longdouble(0)
    for foot, vertices in enumerate(problem.vertices):
        part = slice(foot * problem.parts, (foot + 1) * problem.parts)
        slopes = gradient[part] @ vertices.astype(np.longdouble)
        gap += gradient[part] @ problem.impulses[part].astype(np.longdouble) - min(slopes.min(), 0)
        size = max(size, np.abs(start_gradient[part] @ vertices).max())
    return Differences(
        float(abs(ours - other) / start),
        float(np.linalg.norm((z - z_other).astype(float)) / np.linalg.norm(problem.z_free)),
        float(gap / (start + size)),
    )


def check_problems(count: int, seed: int, program: Path = PROGRAM) -> dict[str, float]:
    """The worst of `count` problems, and median times [s]."""
    out = subprocess.run([program, str(count), str(seed)], check=True, stdout=subprocess.PIPE).stdout
    worst = {"objective": 0.0, "velocity": 0.0, "gap": 0.0, "not_converged": 0, "iterations": 0}
    times = []
    for index, problem in enumerate(read_problems(np.frombuffer(out))):
        witness, seconds = solve_by_piqp(problem)
        found = compare(problem, witness)
        for name in ("objective", "velocity", "gap"):
            value = getattr(found, name)
            if not value <= worst[name]:
                worst[name] = value
                worst[f"{name}_at"] = index
        worst["not_converged"] += 0 if problem.converged else 1
        worst["iterations"] = max(worst["iterations"], problem.iterations)
        times.append((problem.seconds, problem.seconds_again, seconds))
    for name, value in zip(("scratch_s", "again_s", "piqp_s"), np.median(times, axis=0), strict=True):
        worst[name] = float(value)
    return worst


def main() -> int:
    """Prints the worst differences; 1 if they are not below 1e-8."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", type=Path, default=PROGRAM)
    arguments = parser.parse_args()
    worst = check_problems(arguments.count, arguments.seed, arguments.program)
    for name, value in worst.items():
        print(f"{name:16} {value:.3g}")
    return 0 if max(worst["objective"], worst["velocity"], worst["gap"]) < 1e-8 else 1


if __name__ == "__main__":
    sys.exit(main())
