// Curves over time, thinned for drawing: of the points under one pixel only the lowest and the highest matter.
import type { Numbers } from "../data";
import { lastAtOrBefore } from "../replay";

export interface CurveStyle {
  label: string;
  color: () => string;
  dash?: number[];
  foot: number | null;
  scale: number; // of the unit
}

export interface Curve extends CurveStyle {
  time: Numbers;
  values: Numbers;
}

export type PlotData = [number[], ...(number | null)[][]];

// Rows for a plot that shows `from` to `to` on `pixels`: all points where they are few, else two per pixel.
export function thin(curves: Curve[], from: number, to: number, pixels: number): PlotData {
  const most = Math.max(0, ...curves.map((curve) => countBetween(curve, from, to)));
  const sameTimes = curves.every((curve) => curve.time === curves[0]?.time);
  return most <= 3 * pixels && sameTimes ? allPoints(curves, from, to) : extremes(curves, from, to, pixels);
}

function countBetween(curve: Curve, from: number, to: number): number {
  return lastAtOrBefore(curve.time, to) - lastAtOrBefore(curve.time, from);
}

function allPoints(curves: Curve[], from: number, to: number): PlotData {
  const time = curves[0]?.time ?? new Float32Array(0);
  const begin = Math.max(0, lastAtOrBefore(time, from));
  const end = Math.min(time.length, lastAtOrBefore(time, to) + 2);
  const rows = curves.map((curve) =>
    Array.from(curve.values.subarray(begin, end), (v) => (Number.isFinite(v) ? v * curve.scale : null)),
  );
  return [Array.from(time.subarray(begin, end)), ...rows];
}

// Each pixel's column has two places: the first and the second extreme, in the order in which they came.
function extremes(curves: Curve[], from: number, to: number, pixels: number): PlotData {
  const step = (to - from) / pixels;
  const x: number[] = [];
  for (let i = 0; i < pixels; ++i) x.push(from + (i + 0.25) * step, from + (i + 0.75) * step);
  const rows = curves.map((curve) => {
    const row = new Array<number | null>(2 * pixels).fill(null);
    let at = Math.max(0, lastAtOrBefore(curve.time, from));
    for (let i = 0; i < pixels; ++i) {
      const end = from + (i + 1) * step;
      let low = -1;
      let high = -1;
      for (; at < curve.time.length && curve.time[at]! <= end; ++at) {
        const v = curve.values[at]!;
        if (!Number.isFinite(v)) continue;
        if (low < 0 || v < curve.values[low]!) low = at;
        if (high < 0 || v > curve.values[high]!) high = at;
      }
      if (low < 0) continue;
      row[2 * i] = curve.values[Math.min(low, high)]! * curve.scale;
      row[2 * i + 1] = curve.values[Math.max(low, high)]! * curve.scale;
    }
    return row;
  });
  return [x, ...rows];
}

// The value at a time, in the unit; NaN before the first.
export function valueAt(curve: Curve, time: number): number {
  const i = lastAtOrBefore(curve.time, time + 1e-9);
  return i < 0 ? NaN : curve.values[i]! * curve.scale;
}
