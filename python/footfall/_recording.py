"""Recordings of robots as the tables that identify() takes: read_recording()."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._footfall import InputError
from ._scenario import PathText

Numbers = NDArray[np.float64]
NANOSECONDS = 1e-9
STEP = re.compile(r"([A-Za-z_]\w*)(?:\[([^\]]*)\])?$")


def read_recording(
    file: PathText,
    columns: Mapping[str, str | tuple[str, float]],
    *,
    clock: str = "header",
    start: float | None = None,
    end: float | None = None,
) -> dict[str, Numbers]:
    """Reads topics of a ROS 1 bag, a ROS 2 bag or an MCAP file into one table, which identify() takes.

    file     a .bag file, the folder of a ROS 2 bag, or a single .mcap or .db3 file
    columns  by the name that the column gets, "topic:field", or that with a factor:
                 {"normal_force_N": ("/ft_sensor:wrench.force.z", -1),
                  "sinkage_mm": ("/stage:position[lift]", 1000)}
             A field in square brackets is the number of an entry, or a name in the message's own list `name`
    clock    "header": the time stamps in the messages, where they have one; "bag": when they were recorded
    start, end  what of it counts, from the first time of the table [s]

    The table has the times of the first column's topic, from 0, as "time_s"; other topics are interpolated to
    them, and times that not all of them cover are left out. Needs the package rosbags.
    """
    wanted = [parse_column(name, value) for name, value in columns.items()]
    if not wanted:
        raise InputError("columns is empty, expected topics and fields by the names that their columns get")
    if clock not in ("header", "bag"):
        raise InputError(f"clock = '{clock}', expected 'header' or 'bag'")
    series = read_topics(Path(file), wanted, clock)
    times = series[wanted[0].topic].time_array()
    low = max(topic.time_array()[0] for topic in series.values())
    high = min(topic.time_array()[-1] for topic in series.values())
    times = times[(times >= low) & (times <= high)]
    if len(times) < 2:
        raise InputError(f"{file}: the topics {', '.join(series)} have no time in common")
    table = {"time_s": times - times[0]}
    for column in wanted:
        topic = series[column.topic]
        values = np.asarray(topic.values[column.name], dtype=np.float64)
        table[column.name] = column.factor * np.interp(times, topic.time_array(), values)
    chosen = np.ones(len(times), dtype=bool)
    if start is not None:
        chosen &= table["time_s"] >= start
    if end is not None:
        chosen &= table["time_s"] <= end
    if chosen.sum() < 2:
        raise InputError(f"{file}: nothing between start = {start} and end = {end} s of {table['time_s'][-1]:g} s")
    return {name: np.ascontiguousarray(values[chosen]) for name, values in table.items()}


def recorded_topics(file: PathText) -> dict[str, str]:
    """The topics of a recording with their message types: what read_recording() can be asked for."""
    with open_reader(Path(file)) as reader:
        return {connection.topic: connection.msgtype for connection in reader.connections}


@dataclass
class Column:
    name: str
    topic: str
    path: list[tuple[str, str | None]]  # names, each with what stands in brackets behind it
    factor: float = 1.0

    @property
    def field(self) -> str:
        return ".".join(name if index is None else f"{name}[{index}]" for name, index in self.path)


@dataclass
class Topic:
    times: list[float] = field(default_factory=list)
    values: dict[str, list[float]] = field(default_factory=dict)

    def time_array(self) -> Numbers:
        return np.asarray(self.times)


def parse_column(name: str, value: str | tuple[str, float]) -> Column:
    place, factor = (value, 1.0) if isinstance(value, str) else value
    topic, colon, fields = place.rpartition(":")
    steps = [STEP.match(step) for step in fields.split(".")]
    if not colon or not topic or not all(steps):
        raise InputError(f"columns: '{name}' is '{place}', expected topic:field, as in '/ft_sensor:wrench.force.z'")
    return Column(name, topic, [(s[1], s[2]) for s in steps if s], float(factor))


def make_reader(file: Path) -> Any:
    try:
        from rosbags.highlevel import AnyReader, AnyReaderError
        from rosbags.typesys import Stores, get_typestore
    except ImportError as error:
        raise ImportError("recordings of robots are read by the package rosbags: pip install rosbags") from error
    if not file.exists():
        raise InputError(f"{file}: no such file or folder")
    try:
        # older ROS 2 bags do not hold the definitions of their messages
        return AnyReader([file], default_typestore=get_typestore(Stores.ROS2_HUMBLE))
    except (AnyReaderError, OSError) as error:
        raise InputError(
            f"{file}: {error}; expected a .bag file, the folder of a ROS 2 bag, an .mcap or a .db3 file"
        ) from None


def read_topics(file: Path, columns: Sequence[Column], clock: str) -> dict[str, Topic]:
    series = {column.topic: Topic() for column in columns}
    for column in columns:
        series[column.topic].values[column.name] = []
    with open_reader(file) as reader:
        known = sorted({connection.topic for connection in reader.connections})
        for topic in series:
            if topic not in known:
                near = difflib.get_close_matches(topic, known, 1)
                hint = f"did you mean '{near[0]}'?" if near else "expected one of " + ", ".join(known)
                raise InputError(f"{file}: no topic '{topic}', {hint}")
        chosen = [connection for connection in reader.connections if connection.topic in series]
        for connection, recorded, raw in reader.messages(connections=chosen):
            message = reader.deserialize(raw, connection.msgtype)
            read = series[connection.topic]
            time = message_time(message, recorded, clock)
            if read.times and time <= read.times[-1]:
                continue  # sent twice, or out of order
            read.times.append(time)
            for column in columns:
                if column.topic == connection.topic:
                    read.values[column.name].append(follow(message, column, file))
    for topic, read in series.items():
        if len(read.times) < 2:
            raise InputError(f"{file}: topic '{topic}' has {len(read.times)} messages, expected two or more")
    return series


@contextmanager
def open_reader(file: Path) -> Iterator[Any]:
    """The reader; what keeps it from opening is an input error."""
    reader = make_reader(file)
    try:
        reader.open()
    except Exception as error:
        raise InputError(f"{file}: cannot be read as a ROS bag or an MCAP file: {error}") from error
    try:
        yield reader
    finally:
        reader.close()


def message_time(message: Any, recorded: int, clock: str) -> float:
    """[s]"""
    stamp = getattr(getattr(message, "header", None), "stamp", None)
    if clock == "header" and stamp is not None and (stamp.sec or stamp.nanosec):
        return float(stamp.sec) + NANOSECONDS * float(stamp.nanosec)
    return NANOSECONDS * recorded


def follow(message: Any, column: Column, file: Path) -> float:
    """The number at a column's field."""
    at = message
    for name, index in column.path:
        if not hasattr(at, name):
            fields = [key for key in getattr(at, "__dataclass_fields__", {}) if not key.startswith("_")]
            raise InputError(
                f"{file}: '{column.topic}:{column.field}': no field '{name}', expected one of {', '.join(fields)}"
            )
        parent, at = at, getattr(at, name)
        if index is None:
            continue
        if index.lstrip("-").isdigit():
            number = int(index)
        else:
            names = list(getattr(parent, "name", []))
            if index not in names:
                raise InputError(
                    f"{file}: '{column.topic}:{column.field}': no '{index}' among the names {', '.join(names)}"
                )
            number = names.index(index)
        if not -len(at) <= number < len(at):
            raise InputError(f"{file}: '{column.topic}:{column.field}': entry {number} of {len(at)}")
        at = at[number]
    try:
        return float(at)
    except (TypeError, ValueError):
        raise InputError(
            f"{file}: '{column.topic}:{column.field}' is a {type(at).__name__}, expected a number"
        ) from None
