"""The models under robots/, seen through MuJoCo: what their headers and the README promise, they keep."""

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

np = pytest.importorskip("numpy")
mujoco = pytest.importorskip("mujoco")

ROBOTS = Path(__file__).resolve().parents[2] / "robots"
LEGS = ("front_left", "front_right", "rear_left", "rear_right")
FOUR_FEET = tuple(f"{leg}_foot" for leg in LEGS)
TWO_FEET = ("left_foot", "right_foot")


@dataclass(frozen=True)
class Promise:
    """What one model says about itself."""

    mass: float  # total [kg]
    bodies: int  # moving ones
    dofs: int
    joints: int  # without those of the base
    actuators: int
    feet: tuple
    height: float  # base above ground at stand [m], to a millimetre
    com: tuple | None = None  # at stand [m], world frame


PROMISES = {
    "ball": Promise(1.0, 1, 6, 0, 0, ("ball_foot",), 0.05, (0, 0, 0.05)),
    "box": Promise(100.0, 1, 6, 0, 0, ("box_foot",), 0.1, (0, 0, 0.1)),
    "single_foot": Promise(7.357, 1, 3, 0, 3, ("single_foot",), 0.154, (0, 0, 0.154)),
    "quadruped": Promise(15.0, 13, 18, 12, 12, FOUR_FEET, 0.299),
    "humanoid": Promise(1.762, 23, 28, 22, 22, TWO_FEET, 0.232, (0.009, 0, 0.213)),
    "biped": Promise(34.0, 7, 20, 14, 14, TWO_FEET, 0.845),
    "robosimian_planar": Promise(108.0, 13, 15, 12, 12, FOUR_FEET, 0.754),
    "robosimian": Promise(108.0, 13, 18, 12, 12, FOUR_FEET, 0.754),
}
PD_GAINS = {  # of the robots with motors: stiffness [N m/rad], damping [N m s/rad]
    "quadruped": (100.0, 2.0),
    "biped": (1000.0, 30.0),
    "robosimian_planar": (5000.0, 100.0),
    "robosimian": (5000.0, 100.0),
}
GROUNDED_KEYS = ("stand", "crouch")  # keyframes in which the soles touch z = 0
ONE_FOOT_KEY = "one_foot"  # the left sole does, and nothing else

every_robot = pytest.mark.parametrize("name", PROMISES)


def load(name):
    return mujoco.MjModel.from_xml_path(str(ROBOTS / f"{name}.xml"))


def load_on_plane(name, plane_height=0.0):
    """The model with a ground plane added, as a user of MuJoCo would add it."""
    spec = mujoco.MjSpec.from_file(str(ROBOTS / f"{name}.xml"))
    spec.worldbody.add_geom(
        name="ground", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[5, 5, 0.1], pos=[0, 0, plane_height]
    )
    return spec.compile()


def pose_at(model, key):
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, model.key(key).id)
    mujoco.mj_forward(model, data)
    return data


def key_names(model):
    return [model.key(i).name for i in range(model.nkey)]


def geom_extent(model, geom, direction, R_WG):
    """How far a geom reaches from its centre along a world direction [m]."""
    size = model.geom_size[geom]
    d = R_WG.T @ direction
    kind = model.geom_type[geom]
    if kind == mujoco.mjtGeom.mjGEOM_SPHERE:
        return size[0]
    if kind == mujoco.mjtGeom.mjGEOM_BOX:
        return np.abs(d) @ size
    if kind == mujoco.mjtGeom.mjGEOM_CAPSULE:
        return size[0] + abs(d[2]) * size[1]
    if kind == mujoco.mjtGeom.mjGEOM_CYLINDER:
        return size[0] * np.hypot(d[0], d[1]) + abs(d[2]) * size[1]
    raise AssertionError(f"geom type {kind} is not one of the primitives")


def lowest_point(model, data, geom):
    down = np.array([0.0, 0.0, -1.0])
    return data.geom_xpos[geom][2] - geom_extent(model, geom, down, data.geom_xmat[geom].reshape(3, 3))


def feet_of(model):
    return [g for g in range(model.ngeom) if model.geom(g).name.endswith("_foot")]


def contact_pairs(model, data):
    names = [(model.geom(c.geom1).name, model.geom(c.geom2).name) for c in data.contact]
    return {tuple(sorted(pair)) for pair in names}


def support_polygon(model, data):
    """Convex hull of the points where the soles touch the ground, counter-clockwise [m]."""
    points = []
    for g in feet_of(model):
        size, p, R = model.geom_size[g], data.geom_xpos[g], data.geom_xmat[g].reshape(3, 3)
        kind = model.geom_type[g]
        if kind == mujoco.mjtGeom.mjGEOM_BOX:
            corners = [np.array([sx, sy, -1.0]) * size for sx in (-1, 1) for sy in (-1, 1)]
        elif kind == mujoco.mjtGeom.mjGEOM_CYLINDER:
            turn = np.linspace(0, 2 * np.pi, 16, endpoint=False)
            corners = [np.array([size[0] * np.cos(t), size[0] * np.sin(t), -size[1]]) for t in turn]
        else:
            corners = [R.T @ np.array([0.0, 0.0, -size[0]])]
        points += [tuple((p + R @ c)[:2]) for c in corners]
    return convex_hull(points)


def convex_hull(points):
    def half(ordered):
        chain = []
        for p in ordered:
            while len(chain) > 1 and cross(chain[-2], chain[-1], p) <= 0:
                chain.pop()
            chain.append(p)
        return chain[:-1]

    ordered = sorted(set(points))
    return half(ordered) + half(ordered[::-1])


def cross(a, b, p):
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def margin_inside(polygon, p):
    """Distance of p from the nearest edge of a convex polygon, positive inside [m]."""
    edges = zip(polygon, polygon[1:] + polygon[:1], strict=True)
    return min(cross(a, b, p) / np.hypot(b[0] - a[0], b[1] - a[1]) for a, b in edges)


# What the files say.


def test_every_file_is_promised():
    assert {f.stem for f in ROBOTS.glob("*.xml")} == set(PROMISES)
    readme = (ROBOTS / "README.md").read_text()
    for file in [*ROBOTS.glob("*.xml"), *ROBOTS.glob("*.urdf")]:
        assert f"`{file.name}`" in readme


@pytest.mark.parametrize("file", [*(f"{n}.xml" for n in PROMISES), "two_link_leg.urdf"])
def test_loads_without_a_warning(file, tmp_path, monkeypatch, capfd, recwarn):
    monkeypatch.chdir(tmp_path)  # MuJoCo writes its warnings to MUJOCO_LOG.TXT here
    mujoco.MjModel.from_xml_path(str(ROBOTS / file))
    assert os.listdir(tmp_path) == []
    assert capfd.readouterr() == ("", "")
    assert not recwarn.list


@every_robot
def test_counts_and_mass(name):
    model, promise = load(name), PROMISES[name]
    assert model.body_subtreemass[0] == pytest.approx(promise.mass, rel=1e-12)
    assert model.nbody - 1 == promise.bodies
    assert model.nv == promise.dofs
    base = [j for j in range(model.njnt) if model.joint(j).name.startswith("root")]
    assert model.njnt - len(base) == promise.joints
    assert base == list(range(len(base)))  # the base comes first
    assert model.nu == promise.actuators
    assert {model.geom(g).name for g in feet_of(model)} == set(promise.feet)


@every_robot
def test_actuators_stand_in_the_order_of_the_joints(name):
    model = load(name)
    driven = model.actuator_trnid[:, 0].tolist()
    assert driven == sorted(driven)
    for a in range(model.nu):
        assert model.actuator(a).name == model.joint(driven[a]).name
    if PROMISES[name].joints:
        assert driven == list(range(model.njnt - PROMISES[name].joints, model.njnt))
        assert model.actuator_forcelimited.all() and model.actuator_ctrllimited.all()
        assert model.jnt_limited[driven].all()


@every_robot
def test_common_options(name):
    model = load(name)
    assert model.opt.timestep == 0.001
    assert model.opt.integrator == mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    assert model.opt.cone == mujoco.mjtCone.mjCONE_ELLIPTIC
    assert model.nmesh == model.nhfield == model.ntendon == model.neq == 0
    assert (model.geom_contype == 0).all() and (model.geom_conaffinity == 1).all()
    assert (model.geom_friction[feet_of(model), 0] == 0.8).all()
    assert not (model.geom_type == mujoco.mjtGeom.mjGEOM_PLANE).any()


@every_robot
def test_inertias_are_physical(name):
    model = load(name)
    for body in range(1, model.nbody):
        a, b, c = np.sort(model.body_inertia[body])
        assert model.body_mass[body] > 0 and a > 0, model.body(body).name
        assert c <= (a + b) * (1 + 1e-9), model.body(body).name


# How they stand.


@every_robot
def test_soles_touch_the_ground(name):
    model = load(name)
    assert "stand" in key_names(model)
    for key in set(GROUNDED_KEYS) & set(key_names(model)):
        data = pose_at(model, key)
        for g in range(model.ngeom):
            low = lowest_point(model, data, g)
            if g in feet_of(model):
                assert abs(low) < 1e-9, (key, model.geom(g).name)
            else:
                assert low > 1e-3, (key, model.geom(g).name)


@every_robot
def test_dropped_poses_leave_a_gap(name):
    model = load(name)
    for key in set(key_names(model)) - set(GROUNDED_KEYS) - {ONE_FOOT_KEY}:
        data = pose_at(model, key)
        assert min(lowest_point(model, data, g) for g in range(model.ngeom)) >= 0.05 - 1e-9, key


def test_humanoid_balances_on_one_foot():
    model = load("humanoid")
    data = pose_at(model, ONE_FOOT_KEY)
    foot = model.geom("left_foot").id
    assert abs(lowest_point(model, data, foot)) < 1e-9
    others = [g for g in range(model.ngeom) if g != foot]
    assert min(lowest_point(model, data, g) for g in others) > 5e-3
    assert np.allclose(data.subtree_com[0][:2], data.geom_xpos[foot][:2], atol=1e-9)


@every_robot
def test_keyframes_respect_the_limits(name):
    model = load(name)
    for key in range(model.nkey):
        for j in np.flatnonzero(model.jnt_limited):
            low, high = model.jnt_range[j]
            assert low < model.key_qpos[key][model.jnt_qposadr[j]] <= high, model.joint(j).name
        position = np.flatnonzero(model.actuator_biastype == mujoco.mjtBias.mjBIAS_AFFINE)
        joints = model.actuator_trnid[position, 0]
        held = model.key_qpos[key][model.jnt_qposadr[joints]]
        assert model.key_ctrl[key][position] == pytest.approx(held, abs=1e-12)


@every_robot
def test_base_height_and_centre_of_mass(name):
    model, promise = load(name), PROMISES[name]
    data = pose_at(model, "stand")
    assert data.xpos[1][2] == pytest.approx(promise.height, abs=1e-3)
    if promise.com:
        assert data.subtree_com[0] == pytest.approx(promise.com, abs=1e-9)


@every_robot
def test_feet_and_only_feet_meet_the_ground(name):
    model = load_on_plane(name, plane_height=1e-5)  # soles at z = 0 are 10 um deep
    for key in set(GROUNDED_KEYS) & set(key_names(model)):
        data = pose_at(model, key)
        assert contact_pairs(model, data) == {
            tuple(sorted(("ground", foot))) for foot in PROMISES[name].feet
        }, key


@every_robot
def test_links_do_not_overlap(name):
    """With self-collision switched on, only neighbours in the tree (two joints apart at most) may touch."""
    model = load(name)
    model.geom_contype[:] = 1

    def ancestry(body):
        line = [body]
        while line[-1] != 0:
            line.append(model.body_parentid[line[-1]])
        return line

    def apart(a, b):
        up_a, up_b = ancestry(a), ancestry(b)
        meet = next(body for body in up_a if body in up_b)
        return up_a.index(meet) + up_b.index(meet)

    for key in key_names(model):
        data = pose_at(model, key)
        for c in data.contact:
            near = apart(model.geom_bodyid[c.geom1], model.geom_bodyid[c.geom2]) <= 2
            pair = model.geom(c.geom1).name, model.geom(c.geom2).name
            assert near or c.dist > 0, (key, pair, c.dist)


@pytest.mark.parametrize("name", [n for n in PROMISES if n != "ball"])
def test_weight_falls_inside_the_support(name):
    model = load(name)
    for key in set(GROUNDED_KEYS) & set(key_names(model)):
        data = pose_at(model, key)
        inside = margin_inside(support_polygon(model, data), data.subtree_com[0][:2])
        assert inside > 0.01, (key, inside)


@pytest.mark.parametrize("name", [n for n in PROMISES if PROMISES[n].joints])
def test_holds_its_pose_on_the_ground(name):
    """Position servos, or a plain PD law within the motors' limits, keep it standing for a second."""
    model = load_on_plane(name)
    data = pose_at(model, "stand")
    joints = model.actuator_trnid[:, 0]
    q, v = model.jnt_qposadr[joints], model.jnt_dofadr[joints]
    start = data.qpos[q].copy()
    z_start = data.xpos[1][2]
    for _ in range(1000):
        if name in PD_GAINS:
            kp, kd = PD_GAINS[name]
            data.ctrl[:] = kp * (start - data.qpos[q]) - kd * data.qvel[v]
        mujoco.mj_step(model, data)
    assert not any(w.number for w in data.warning)
    assert np.abs(data.qpos[q] - start).max() < 0.1
    assert data.xpos[1][2] == pytest.approx(z_start, rel=0.05)
    assert data.xmat[1][8] > np.cos(0.1)  # still upright


# What single models say.


@pytest.mark.parametrize("name", ["quadruped", "robosimian"])
def test_left_mirrors_right(name):
    """Mirrored in y: masses, centres of mass, inertias in the trunk's frame, and limits."""
    model = load(name)
    data = pose_at(model, "stand")
    mirror = np.diag([1.0, -1.0, 1.0])

    def inertia_W(body):
        R = data.ximat[body].reshape(3, 3)
        return R @ np.diag(model.body_inertia[body]) @ R.T

    assert data.subtree_com[0][1] == pytest.approx(0, abs=1e-15)
    for left in range(1, model.nbody):
        if "_left" not in model.body(left).name:
            continue
        right = model.body(model.body(left).name.replace("_left", "_right")).id
        assert model.body_mass[left] == model.body_mass[right]
        assert data.xipos[left] == pytest.approx(mirror @ data.xipos[right], abs=1e-15)
        assert np.allclose(inertia_W(left), mirror @ inertia_W(right) @ mirror, rtol=0, atol=1e-15)
        jl, jr = model.body_jntadr[left], model.body_jntadr[right]
        sign = -1 if model.jnt_axis[jl][0] else 1  # a roll joint turns the other way in the mirror
        assert np.sort(sign * model.jnt_range[jl]) == pytest.approx(model.jnt_range[jr])


def test_quadruped_knees_point_backwards():
    model = load("quadruped")
    data = pose_at(model, "stand")
    for leg in LEGS:
        hip, knee = data.body(f"{leg}_thigh").xpos, data.body(f"{leg}_calf").xpos
        foot = data.geom(f"{leg}_foot").xpos
        assert knee[0] < hip[0] - 0.1 and foot[2] < knee[2] < hip[2]
        assert foot[:2] == pytest.approx(hip[:2], abs=1e-12)


@pytest.mark.parametrize(("name", "thigh", "shin"), [("humanoid", "thigh", "shank"), ("biped", "thigh", "shin")])
def test_two_legged_knees_point_forwards(name, thigh, shin):
    model = load(name)
    data = pose_at(model, "stand")
    for side in ("left", "right"):
        hip, knee = data.body(f"{side}_{thigh}").xpos, data.body(f"{side}_{shin}").xpos
        foot = data.geom(f"{side}_foot")
        assert knee[0] > hip[0] and foot.xpos[2] < knee[2] < hip[2]
        assert foot.xmat == pytest.approx(np.eye(3).ravel(), abs=1e-12)  # sole flat, pointing ahead


def test_humanoid_sole_is_50_by_40_mm():
    model = load("humanoid")
    for foot in TWO_FEET:
        assert (2 * model.geom(foot).size[:2]).tolist() == [0.05, 0.04]


def test_single_foot_mass_matrix_is_that_of_the_paper():
    model = load("single_foot")
    data = pose_at(model, "drop_tilted")
    inertia = np.zeros((3, 3))
    mujoco.mj_fullM(model, data, inertia)
    assert inertia == pytest.approx(np.diag([7.357, 7.357, 0.061]), abs=1e-12)
    cylinder = 7.357 * (3 * 0.04**2 + 0.308**2) / 12
    assert cylinder == pytest.approx(0.061, rel=3e-3)


def test_planar_robosimian_is_the_spatial_one_in_its_plane():
    """Same mass matrix and bias once y, roll and yaw are struck out."""
    flat, free = load("robosimian_planar"), load("robosimian")
    a, b = mujoco.MjData(flat), mujoco.MjData(free)
    a.qpos[:], b.qpos[:] = flat.key("stand").qpos, free.key("stand").qpos
    keep = [0, 2, 4, *range(6, 18)]
    rate = np.linspace(-1, 1, flat.nv)
    a.qvel[:], b.qvel[keep] = rate, rate
    mujoco.mj_forward(flat, a)
    mujoco.mj_forward(free, b)
    m_flat, m_free = np.zeros((15, 15)), np.zeros((18, 18))
    mujoco.mj_fullM(flat, a, m_flat)
    mujoco.mj_fullM(free, b, m_free)
    assert m_flat == pytest.approx(m_free[np.ix_(keep, keep)], abs=1e-10)
    assert a.qfrc_bias == pytest.approx(b.qfrc_bias[keep], abs=1e-9)


def test_two_link_leg_urdf():
    model = mujoco.MjModel.from_xml_path(str(ROBOTS / "two_link_leg.urdf"))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert (model.nbody - 1, model.njnt, model.nv, model.nu) == (2, 2, 2, 0)
    assert [model.joint(j).name for j in range(2)] == ["hip", "knee"]
    assert model.jnt_range.tolist() == [[-1.5, 1.5], [-2.7, 0]]
    assert model.jnt_actfrcrange.tolist() == [[-33, 33]] * 2
    assert model.dof_damping.tolist() == [0.1, 0.1]
    assert model.dof_frictionloss.tolist() == [0.05, 0.05]
    assert model.body_mass[1:].sum() == pytest.approx(1.94, rel=1e-12)
    assert lowest_point(model, data, model.geom("leg_foot").id) == pytest.approx(0, abs=1e-9)
    assert data.ncon == 0
