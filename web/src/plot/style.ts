// What all plots share: axes in the page's colours, with names and units.
import type uPlot from "uplot";
import { cssColor } from "../colors";

const font = '11px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

export function axisLabel(name: string, unit: string): string {
  return unit ? `${name} (${unit})` : name;
}

export function xAxis(label: string): uPlot.Axis {
  return { ...common(label), space: 60, size: 26, labelSize: 16, labelGap: 0 };
}

export function yAxis(label: string, scale = "y"): uPlot.Axis {
  return { ...common(label), scale, space: 28, size: 46, labelSize: 16, labelGap: 0 };
}

function common(label: string): uPlot.Axis {
  return {
    label,
    font,
    labelFont: font,
    stroke: () => cssColor("--ink-soft"),
    grid: { stroke: () => cssColor("--line"), width: 1 },
    ticks: { stroke: () => cssColor("--line"), width: 1, size: 4 },
    gap: 4,
    values: (_u, ticks) => ticks.map(tick),
  };
}

function tick(value: number | null): string {
  if (value === null) return "";
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e5 || size < 1e-3)) return value.toExponential(0).replaceAll("-", "−");
  return String(Number(value.toPrecision(6))).replace("-", "−");
}

// A little air above and below; never an empty range.
export function padded(low: number, high: number): [number, number] {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  if (low === high)
    return [low - Math.max(1e-3, 0.1 * Math.abs(low)), high + Math.max(1e-3, 0.1 * Math.abs(high))];
  const air = 0.06 * (high - low);
  return [low === 0 ? 0 : low - air, high === 0 ? 0 : high + air];
}

// Calls back when the element's width changes, once per picture.
export function onResize(element: HTMLElement, changed: (width: number) => void): void {
  let last = 0;
  new ResizeObserver(() => {
    const width = Math.floor(element.clientWidth);
    if (width > 0 && width !== last) {
      last = width;
      requestAnimationFrame(() => changed(width));
    }
  }).observe(element);
}
