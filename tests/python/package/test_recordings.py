"""Bags and MCAP files of robots become the tables that identify() takes."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("rosbags")
from rosbags.rosbag1 import Writer as Writer1  # noqa: E402
from rosbags.rosbag2 import StoragePlugin, Writer as Writer2  # noqa: E402
from rosbags.typesys import Stores, get_typestore  # noqa: E402

K, N = 12160.0, 1.1  # force = K sinkage^N [N]


def record(kind: str, path):
    """A press: sinkage by joint states at 100 Hz, force by a wrench at 250 Hz, pulled down, so with the other sign."""
    ros1 = kind == "bag"
    store = get_typestore(Stores.ROS1_NOETIC if ros1 else Stores.ROS2_JAZZY)
    types = store.types
    stamp = types["builtin_interfaces/msg/Time"]
    header, vector = types["std_msgs/msg/Header"], types["geometry_msgs/msg/Vector3"]
    wrench, stamped = types["geometry_msgs/msg/Wrench"], types["geometry_msgs/msg/WrenchStamped"]
    joints = types["sensor_msgs/msg/JointState"]

    def head(t):
        values = {"stamp": stamp(sec=int(t), nanosec=round((t - int(t)) * 1e9)), "frame_id": "world"}
        return header(**({"seq": 0} if ros1 else {}), **values)

    def sinkage(t):
        return 1e-3 * (t - 100.0)  # 1 mm/s, from 100 s

    events = [(100 + i / 100, "/stage") for i in range(2001)] + [(100.003 + i / 250, "/ft") for i in range(4990)]
    if ros1:
        writer = Writer1(path)
    else:
        plugin = StoragePlugin.MCAP if kind == "mcap" else StoragePlugin.SQLITE3
        writer = Writer2(path, version=9, storage_plugin=plugin)
    with writer:
        connections = {
            "/stage": writer.add_connection("/stage", joints.__msgtype__, typestore=store),
            "/ft": writer.add_connection("/ft", stamped.__msgtype__, typestore=store),
        }
        for t, topic in sorted(events):
            if topic == "/stage":
                message = joints(header=head(t), name=["turn", "lift"], position=np.array([0.5, sinkage(t)]),
                                 velocity=np.zeros(2), effort=np.zeros(2))  # fmt: skip
            else:
                force = vector(x=0.0, y=0.0, z=-K * max(sinkage(t), 0) ** N)
                message = stamped(header=head(t), wrench=wrench(force=force, torque=vector(x=0.0, y=0.0, z=0.0)))
            raw = (store.serialize_ros1 if ros1 else store.serialize_cdr)(message, type(message).__msgtype__)
            writer.write(connections[topic], round((t + 0.02) * 1e9), raw)  # recorded 20 ms late
    return next(path.glob("*.mcap")) if kind == "mcap" else path


@pytest.fixture(scope="module", params=["bag", "db3", "mcap"])
def recording(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    return record(request.param, folder / ("press.bag" if request.param == "bag" else "press"))


COLUMNS = {"normal_force_N": ("/ft:wrench.force.z", -1), "sinkage_mm": ("/stage:position[lift]", 1000)}


def test_topics_become_a_table_and_the_table_a_soil(ff, recording):
    table = ff.read_recording(recording, COLUMNS)
    assert list(table) == ["time_s", "normal_force_N", "sinkage_mm"]
    assert table["time_s"][0] == 0 and np.allclose(np.diff(table["time_s"]), 1 / 250, atol=1e-6)
    # the straight line of the sinkage is met between its samples, the force is where it was measured
    assert np.allclose(table["sinkage_mm"], table["time_s"] + 0.003, atol=1e-5)
    assert np.allclose(table["normal_force_N"], K * (1e-3 * table["sinkage_mm"]) ** N, rtol=1e-4, atol=1e-3)
    fit = ff.identify(table, foot=ff.Disc(radius=0.05), progress=False)
    assert fit.parameters["n"].value == pytest.approx(N, rel=1e-3)
    assert ff.recorded_topics(recording).keys() == {"/stage", "/ft"}


def test_parts_entries_and_clocks_are_chosen(ff, recording):
    by_number = ff.read_recording(recording, {"z_m": "/stage:position[1]"})
    by_name = ff.read_recording(recording, {"z_m": "/stage:position[lift]"})
    assert np.array_equal(by_number["z_m"], by_name["z_m"]) and len(by_name["z_m"]) == 2001
    part = ff.read_recording(recording, {"z_m": "/stage:position[1]"}, start=2, end=5)
    assert part["time_s"][0] == pytest.approx(2) and part["time_s"][-1] == pytest.approx(5)
    # all messages were recorded 20 ms after their stamps, so the table itself is the same
    late = ff.read_recording(recording, COLUMNS, clock="bag")
    stamped = ff.read_recording(recording, COLUMNS)
    assert np.allclose(late["sinkage_mm"], stamped["sinkage_mm"], atol=1e-5)


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        ({"F_N": "/fft:wrench.force.z"}, {}, "no topic '/fft', did you mean '/ft'?"),
        ({"F_N": "/ft:wrench.forces.z"}, {}, "no field 'forces', expected one of force, torque"),
        ({"F_N": "/ft:wrench.force"}, {}, "expected a number"),
        ({"F_N": "wrench.force.z"}, {}, "expected topic:field"),
        ({"z_m": "/stage:position[7]"}, {}, "entry 7 of 2"),
        ({"z_m": "/stage:position[knee]"}, {}, "no 'knee' among the names turn, lift"),
        ({"z_m": "/stage:position[1]"}, {"start": 90}, "nothing between start = 90"),
        ({"z_m": "/stage:position[1]"}, {"clock": "wall"}, "clock = 'wall', expected 'header' or 'bag'"),
        ({}, {}, "columns is empty"),
    ],
)
def test_wrong_input_is_one_clear_error(ff, recording, columns, options, message):
    with pytest.raises(ff.InputError) as error:
        ff.read_recording(recording, columns, **options)
    assert message in str(error.value)


def test_a_file_that_is_no_recording_is_named(ff, tmp_path):
    (tmp_path / "no.mcap").write_text("hello")
    for name in ("no.mcap", "missing.bag"):
        with pytest.raises(ff.InputError, match=name):
            ff.read_recording(tmp_path / name, COLUMNS)
