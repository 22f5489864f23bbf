"""From rig data to a soil: identify()."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from . import _footfall
from ._footfall import Estimate, FootSole, InputError, Soil
from ._run import Progress, choose_progress
from ._scenario import PathText
from ._soils import as_soil

if TYPE_CHECKING:
    import pandas

Table = Mapping[str, Any]  # columns by name; a pandas DataFrame has these too
Data = "PathText | Table | pandas.DataFrame"
T = TypeVar("T")


class Parameter:
    """A fitted parameter: value, standard error, interval, unit."""

    def __init__(self, estimate: Estimate, confidence: float) -> None:
        self._estimate = estimate
        self.confidence = confidence
        self.name = estimate.name
        self.unit = estimate.unit
        self.value = estimate.value
        self.standard_error = estimate.standard_error
        self.interval = estimate.interval
        self.fixed = estimate.fixed
        self.at_bound = estimate.at_bound

    @property
    def interval_95(self) -> tuple[float, float]:
        """The interval of 95 %."""
        if self.confidence != 0.95:
            raise AttributeError(f"the intervals are of {100 * self.confidence:g} %: see interval")
        return self.interval

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        if self.fixed:
            return f"{self.name} = {self.value:.6g}{unit}, fixed"
        low, high = self.interval
        return f"{self.name} = {self.value:.6g}{unit}, {100 * self.confidence:g} % in {low:.6g} to {high:.6g}"


class Identification:
    """What identify() found.

    parameters  by name; those that nobody asked for are left out
    parts       the laws that were fitted, each with its curves
    models      with compare=True, how well each law suits the data
    notes, warnings
    """

    def __init__(self, found: _footfall.Identification, confidence: float) -> None:
        self._found = found
        self.confidence = confidence
        self.parameters = {
            e.name: Parameter(e, confidence) for e in found.estimates if not (e.fixed and e.value == 0)
        }
        self.parts = found.parts
        self.models = found.models
        self.notes = found.notes
        self.warnings = found.warnings

    @property
    def soil(self) -> Soil:
        """The soil; what was not identified comes from `base`."""
        if self._found.soil is None:
            raise InputError(f"no soil: {self._found.soil_problem}")
        return self._found.soil

    @property
    def not_identified(self) -> list[str]:
        """Keys of the soil that come from `base`."""
        return self._found.from_base

    def save_soil(self, file: PathText, overwrite: bool = False) -> Path:
        """Writes the soil with where each of its values is from."""
        from ._soils import write_soil

        self.soil  # says why there is none
        return write_soil(self._found.soil_text, file, overwrite)

    def table(self) -> pandas.DataFrame:
        """The parameters as a pandas DataFrame."""
        import pandas

        rows = [
            {"parameter": p.name, "value": p.value, "standard error": p.standard_error, "lower": p.interval[0],
             "upper": p.interval[1], "unit": p.unit, "fixed": p.fixed}
            for p in self.parameters.values()
        ]  # fmt: skip
        return pandas.DataFrame(rows).set_index("parameter")

    def plot(self, axes: Any = None) -> Any:
        """Data, law and band of every part, by matplotlib; returns the axes, one per part."""
        from .plot import plot_identification

        return plot_identification(self, axes)

    def __repr__(self) -> str:
        return "<footfall.Identification\n  " + "\n  ".join(map(repr, self.parameters.values())) + "\n>"


def read_columns(data: Any, number: int) -> tuple[str, dict[str, np.ndarray[Any, np.dtype[np.float64]]]]:
    """Name and columns of one test; of a file no columns, for the library reads it."""
    if isinstance(data, str | os.PathLike):
        return os.fspath(data), {}
    if not hasattr(data, "keys"):
        raise TypeError(f"test {number} is a {type(data).__name__}, expected a file, a dict of arrays or a DataFrame")
    columns = {}
    for key in data.keys():
        values = np.asarray(data[key])
        if values.ndim != 1:
            raise InputError(f"test {number}: column '{key}' has {values.ndim} dimensions, expected one")
        if np.issubdtype(values.dtype, np.number) or values.dtype == bool:
            columns[str(key)] = np.ascontiguousarray(values, dtype=np.float64)
    if not columns:
        raise InputError(f"test {number} has no columns of numbers")
    return f"test {number}", columns


def per_test(name: str, value: T | Sequence[T | None] | None, count: int) -> list[T | None]:
    """One value for all tests, or a list with one each."""
    if isinstance(value, list | tuple):
        if len(value) != count:
            raise InputError(f"{name} has {len(value)} values, expected one, or one for each of the {count} tests")
        return list(value)
    return [value] * count  # type: ignore[list-item]


def identify(
    data: Any,
    *,
    foot: FootSole | Sequence[FootSole | None] | None = None,
    mass: float | Sequence[float | None] | None = None,
    load: float | Sequence[float] = 0.0,
    kind: str | Sequence[str | None] | None = None,
    fit: str | Sequence[str] = "auto",
    model: str | None = None,
    form: str = "exact",
    shear: str = "exponential",
    fix: Mapping[str, float] | None = None,
    free: Iterable[str] = (),
    soil: Soil | str | None = None,
    base: Soil | str | None = None,
    method: str = "least_squares",
    loss: str = "square",
    starts: int | None = None,
    confidence: float = 0.95,
    contact: str = "auto",
    cutoff: float | None = None,
    direct: bool = False,
    compare: bool = False,
    columns: PathText | None = None,
    accept_implausible: bool = False,
    soil_name: str = "identified",
    progress: bool | Progress = True,
) -> Identification:
    """Finds a soil's parameters in rig data, as `footfall identify` does: docs/identify.md.

    data     a file, a dict of arrays, a DataFrame; or a list of such, one test each. Columns are known by name and
             unit, "sinkage_mm", "Fz [kN]", or by a mapping in the file `columns`
    foot     what was pressed, Disc(radius=0.05); without it the law is that of this foot on this ground
    mass     of what falls in a drop [kg]; `load`: a force beside its weight [N]
    kind     press, drop, drag or points, where the data look otherwise
             (foot, mass, load and kind: one for all tests, or a list with one each)
    fit      "auto", or some of static, equilibrium, dynamic, shear, friction, series
    fix      values that are known, SI units: {"n": 1.1};  free: unknowns besides, ["foot_weight"]
    soil     its k and n are known for a dynamic fit;  base: gives the soil what was not identified
    cutoff   of the filter of position [Hz]
    """
    tests = [data] if isinstance(data, str | os.PathLike) or hasattr(data, "keys") else list(data)
    inputs = []
    feet: list[FootSole | None] = per_test("foot", foot, len(tests))
    kinds: list[str | None] = per_test("kind", kind, len(tests))
    masses, loads = per_test("mass", mass, len(tests)), per_test("load", load, len(tests))
    for i, test in enumerate(tests):
        one = _footfall.TestIn()
        one.name, one.columns = read_columns(test, i + 1)
        one.foot, one.mass, one.load, one.kind = feet[i], masses[i], loads[i] or 0.0, kinds[i]
        inputs.append(one)
    request = _footfall.RequestIn()
    request.fit = [] if fit == "auto" else [fit] if isinstance(fit, str) else list(fit)
    request.model, request.form, request.shear, request.method, request.loss = model, form, shear, method, loss
    request.fix, request.free = dict(fix or {}), set(free)
    request.soil = None if soil is None else as_soil(soil)
    request.base = None if base is None else as_soil(base)
    request.starts, request.confidence, request.contact, request.cutoff = starts, confidence, contact, cutoff
    request.direct, request.compare, request.accept_implausible = direct, compare, accept_implausible
    request.columns = "" if columns is None else os.fspath(columns)
    request.soil_name = soil_name
    tell, clear = choose_progress(progress, "identify")
    try:
        return Identification(_footfall.identify(inputs, request, tell), confidence)
    finally:
        clear()
