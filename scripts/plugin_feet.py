"""Feet of a robot in MuJoCo, one by one: what they stand on, how deep it is, and what the test rig says of that depth.

A foot can be compared if it stands on one shape alone, as on the rig: no other shape of its link reaches into the
ground, nor, on plastic soil, down to the lower half of that one, which it would cover. Depths are taken from MuJoCo's poses, not from the plugin.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import mujoco
import numpy as np
from robots import call

Geom = mujoco.mjtGeom
BOX_FACES = [(0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6)]  # seen from outside


def support(kind: int, size: np.ndarray, u: np.ndarray) -> float:
    """How far a shape reaches along a unit vector from its middle."""
    level = np.hypot(u[0], u[1])
    match kind:
        case Geom.mjGEOM_SPHERE:
            return size[0]
        case Geom.mjGEOM_CAPSULE:
            return size[0] + size[1] * abs(u[2])
        case Geom.mjGEOM_CYLINDER:
            return size[0] * level + size[1] * abs(u[2])
        case Geom.mjGEOM_ELLIPSOID:
            return np.linalg.norm(size * u)
    return np.abs(u) @ size


def mesh_points(model: mujoco.MjModel, geom: int) -> np.ndarray:
    mesh = model.mesh(model.geom_dataid[geom])
    first, count = mesh.vertadr[0], mesh.vertnum[0]
    return model.mesh_vert[first : first + count].astype(float)


def in_ground(data: mujoco.MjData, geom: int, ground: int) -> tuple[np.ndarray, np.ndarray]:
    """Rotation and position of a geom in the frame of the ground's plane."""
    floor, frame = data.geom(ground), data.geom(geom)
    turn = floor.xmat.reshape(3, 3).T
    return turn @ frame.xmat.reshape(3, 3), turn @ (frame.xpos - floor.xpos)


def clearance(model: mujoco.MjModel, data: mujoco.MjData, geom: int, ground: int) -> float:
    """Of a geom's lowest point above the plane [m]."""
    R, p = in_ground(data, geom, ground)
    if model.geom_type[geom] == Geom.mjGEOM_MESH:
        return p[2] + (mesh_points(model, geom) @ R[2]).min()
    return p[2] - support(model.geom_type[geom], model.geom_size[geom], -R[2])


def shapes_of_feet(model: mujoco.MjModel, feet: list[int]) -> list[list[int]]:
    """The geoms of each foot, in the order of the plugin's sensor."""
    shapes: dict[int, list[int]] = {}
    for geom in feet:
        shapes.setdefault(int(model.body_weldid[model.geom_bodyid[geom]]), []).append(geom)
    return list(shapes.values())


def single_shape(
    model: mujoco.MjModel, data: mujoco.MjData, shapes: list[int], ground: int, elastic: bool
) -> int | None:
    """The one that a foot stands on, if it is alone."""
    heights = {clearance(model, data, geom, ground): geom for geom in shapes}
    lowest = min(heights)
    geom = heights.pop(lowest)
    reach = in_ground(data, geom, ground)[1][2] - lowest
    free = 0 if elastic else max(0, lowest + reach / 2)
    return geom if all(height > free for height in heights) else None


def hull(model: mujoco.MjModel, geom: int) -> tuple[np.ndarray, list[tuple[int, ...]]]:
    """Corners of a box or mesh, and faces of its hull, seen from outside against the clock."""
    if model.geom_type[geom] == Geom.mjGEOM_BOX:
        signs = np.array([[i & 1, i >> 1 & 1, i >> 2] for i in range(8)]) * 2 - 1
        return signs * model.geom_size[geom], BOX_FACES
    mesh = model.mesh(model.geom_dataid[geom])
    graph = model.mesh_graph[mesh.graphadr[0] :]
    vertices, faces = int(graph[0]), int(graph[1])
    at = 2 + 3 * vertices + 3 * faces  # after the counts, the vertices and their edges
    return mesh_points(model, geom), [tuple(face) for face in graph[at : at + 3 * faces].reshape(-1, 3)]


def lower_triangles(model: mujoco.MjModel, geom: int, R: np.ndarray, p: np.ndarray) -> np.ndarray:
    """The faces of a box or mesh in the frame of the ground, those that look down: corners of triangles × 3 × 3."""
    points, faces = hull(model, geom)
    points = points @ R.T + p
    triangles = np.array([points[[f[0], f[k], f[k + 1]]] for f in faces for k in range(1, len(f) - 1)])
    a, b, c = triangles.transpose(1, 0, 2)
    outwards = triangles.mean(axis=1) - triangles.mean(axis=(0, 1))
    inside_out = np.einsum("ij,ij->i", np.cross(b - a, c - a), outwards) < 0
    triangles[inside_out] = triangles[inside_out][:, ::-1]
    a, b, c = triangles.transpose(1, 0, 2)
    return triangles[np.cross(b - a, c - a)[:, 2] < 0]


def wet_mean(triangles: np.ndarray) -> float:
    """The mean depth over the plan of a sole, 0 where it is above the ground: linear ground carries stiffness times that."""
    a, b, c = triangles.transpose(1, 0, 2)
    plan = -np.cross(b - a, c - a)[:, 2]
    total = 0.0
    for area, depths in zip(plan, np.sort(-triangles[:, :, 2], axis=1), strict=True):
        low, middle, high = depths
        if low >= 0 or high <= 0:
            total += area * max(depths.mean(), 0)
        elif middle <= 0:  # one corner is in the ground
            total += area * high / 3 * high / (high - middle) * high / (high - low)
        else:  # one is not
            total += area * (depths.mean() - low / 3 * low / (low - middle) * low / (low - high))
    return total / plan.sum()


def write_stl(triangles: np.ndarray, file: Path) -> None:
    corners = "\n".join(
        "facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {x!r} {y!r} {z!r}\n" for x, y, z in t) + "endloop\nendfacet"
        for t in triangles.tolist()
    )
    file.write_text(f"solid foot\n{corners}\nendsolid foot\n", encoding="utf-8")


def on_rig(
    model: mujoco.MjModel, data: mujoco.MjData, geom: int, ground: int, elastic: bool, folder: Path
) -> tuple[list[str], float] | None:
    """The rig's options for a shape as it stands, and how deep it is there [m]; None: the rig has no such foot.

    The rig's feet are level, but for meshes, whose corners are written as they stand. A round or flat end that leans by
    more than a hundredth of its depth has no match.
    """
    (radius, half, _), kind = model.geom_size[geom].tolist(), Geom(model.geom_type[geom])
    R, p = in_ground(data, geom, ground)
    if kind in (Geom.mjGEOM_BOX, Geom.mjGEOM_MESH):
        triangles = lower_triangles(model, geom, R, p)
        write_stl(triangles, folder / "foot.stl")
        depth = wet_mean(triangles) if elastic else -triangles[:, :, 2].min()
        return ["--foot", "mesh", "--mesh", str(folder / "foot.stl")], depth
    axis = abs(R[2, 2])
    if kind == Geom.mjGEOM_SPHERE or (kind == Geom.mjGEOM_CAPSULE and axis > 0.7):
        return ["--foot", "sphere", "--radius", repr(radius)], -clearance(model, data, geom, ground)
    level = np.sqrt(1 - axis**2)
    if kind == Geom.mjGEOM_CYLINDER and axis > 0.7:
        foot, depth, lean = ["--foot", "disc"], half * axis - p[2], radius * level
    elif kind in (Geom.mjGEOM_CYLINDER, Geom.mjGEOM_CAPSULE):
        reach = radius if kind == Geom.mjGEOM_CAPSULE else radius * level
        foot, depth, lean = ["--foot", "cylinder", "--width", repr(2 * half)], reach - p[2], half * axis
    else:
        return None
    return (foot + ["--radius", repr(radius)], depth) if lean <= (1 if elastic else 0.01) * depth else None


@dataclass
class Loads:
    """Of each foot, and the pose of the robot under it."""

    loads_N: list[float] = field(default_factory=list)
    poses: list[list[float]] = field(default_factory=list)


def deviations(
    program: Path, model: mujoco.MjModel, feet: list[int], ground: int, soil: str, largest: Loads, rest: Loads
) -> list[float]:
    """Of each foot that the rig has: its depth over that of a press with its load, less 1.

    At its largest load where the soil yields to it, at its resting load where it is elastic; soil that yields is elastic
    too as long as the load is small.
    """
    data, found = mujoco.MjData(model), []
    with tempfile.TemporaryDirectory() as folder:
        for i, shapes in enumerate(shapes_of_feet(model, feet)):
            for loads, elastic in (largest, False), (rest, True):
                if not loads.loads_N:  # never at rest
                    continue
                data.qpos[:], load = loads.poses[i], loads.loads_N[i]
                mujoco.mj_kinematics(model, data)
                geom = single_shape(model, data, shapes, ground, elastic)
                foot = None if geom is None or load < 1e-3 else on_rig(model, data, geom, ground, elastic, Path(folder))
                if foot is None:
                    continue
                pressed = call(program, "rig", "press", *foot[0], "--soil", soil, "--load", repr(load))
                if elastic or pressed.get("plastic_sinkage_m", 0) > 0.01 * pressed["sinkage_m"]:
                    found.append(float(foot[1] / pressed["sinkage_m"] - 1))
                    break
    return found
