"""Feet of a robot in MuJoCo, one by one: what they stand on, how deep it is, and what the test rig says of that depth.

A foot can be compared if it stands on one shape alone, as on the rig: no other shape of its link reaches down to the
lower half of that one, which it would cover. Depths are taken from MuJoCo's poses, not from the plugin.
"""

from __future__ import annotations

import tempfile
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


def single_shape(model: mujoco.MjModel, data: mujoco.MjData, shapes: list[int], ground: int) -> int | None:
    """The one that a foot stands on, if it is alone."""
    heights = {clearance(model, data, geom, ground): geom for geom in shapes}
    lowest = min(heights)
    geom = heights.pop(lowest)
    reach = in_ground(data, geom, ground)[1][2] - lowest
    return geom if all(height > max(0, lowest + reach / 2) for height in heights) else None


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
