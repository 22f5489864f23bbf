// What stands on a picture for a paper: title, time, legend, and a plot with the present time.
import { currentTheme, paletteColor, pressureColors } from "./colors";
import { niceAbove, niceBelow, plainNumber, seconds, words } from "./format";
import type { Page } from "./page";
import { thin, type Curve } from "./plot/series";
import { axisLabel } from "./plot/style";
import type { MarkScale } from "./view/marks";

export interface OverlayData {
  page: Page;
  group: string;
  unit: string;
  curves: Curve[];
  duration: number;
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

class Pen {
  readonly unit: number; // [px] of a picture 720 high
  readonly ink: string;
  readonly soft: string;
  readonly panel: string;

  constructor(readonly context: CanvasRenderingContext2D) {
    const dark = currentTheme() === "dark";
    this.unit = context.canvas.height / 720;
    this.ink = dark ? "#eef2f6" : "#1c2530";
    this.soft = dark ? "#a3afbb" : "#55616d";
    this.panel = dark ? "rgba(18,22,27,0.78)" : "rgba(255,255,255,0.8)";
  }

  text(
    text: string,
    x: number,
    y: number,
    size: number,
    color = this.ink,
    align: CanvasTextAlign = "left",
    weight = 400,
  ): number {
    this.context.font = `${weight} ${size * this.unit}px system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif`;
    this.context.fillStyle = color;
    this.context.textAlign = align;
    this.context.fillText(text, x, y);
    return this.context.measureText(text).width;
  }

  line(points: [number, number][], color: string, width: number): void {
    this.context.strokeStyle = color;
    this.context.lineWidth = width * this.unit;
    this.context.lineJoin = "round";
    this.context.beginPath();
    for (const [x, y] of points) this.context.lineTo(x, y);
    this.context.stroke();
  }
}

export function drawOverlay(
  context: CanvasRenderingContext2D,
  data: OverlayData,
  time: number,
  scale: MarkScale,
): void {
  const pen = new Pen(context);
  const { width, height } = context.canvas;
  const margin = 24 * pen.unit;
  pen.text(data.page.title, margin, 42 * pen.unit, 24, pen.ink, "left", 600);
  pen.text(data.page.subtitle, margin, 66 * pen.unit, 15, pen.soft);
  pen.text(seconds(time), width - margin, 42 * pen.unit, 24, pen.ink, "right", 600);
  drawScales(pen, width - margin, 66 * pen.unit, scale);
  if (!data.curves.length) return;
  drawPlot(pen, data, time, { left: 0, top: height - plotHeight(height), width, height: plotHeight(height) });
}

export function plotHeight(pictureHeight: number): number {
  return 0.22 * pictureHeight;
}

// The length of a force and the colours of pressure, under the time.
function drawScales(pen: Pen, right: number, top: number, scale: MarkScale): void {
  const { context, unit } = pen;
  const newtons = niceBelow((0.4 * scale.size) / scale.metresPerNewton);
  const length = 100 * newtons * scale.metresPerNewton;
  pen.text(`force: ${plainNumber(newtons)} N = ${length.toFixed(0)} cm`, right, top, 13, pen.soft, "right");
  const label = `${plainNumber(scale.maximumPressure / 1000)} kPa`;
  const labelWidth = pen.text(label, right, top + 20 * unit, 13, pen.soft, "right");
  const barWidth = 110 * unit;
  const barLeft = right - labelWidth - 8 * unit - barWidth;
  const gradient = context.createLinearGradient(barLeft, 0, barLeft + barWidth, 0);
  pressureColors.forEach((color, i) => gradient.addColorStop(i / (pressureColors.length - 1), color));
  context.fillStyle = gradient;
  context.fillRect(barLeft, top + 11 * unit, barWidth, 9 * unit);
  pen.text("pressure: 0", barLeft - 8 * unit, top + 20 * unit, 13, pen.soft, "right");
}

function drawPlot(pen: Pen, data: OverlayData, time: number, box: Box): void {
  const { context, unit } = pen;
  context.fillStyle = pen.panel;
  context.fillRect(box.left, box.top, box.width, box.height);
  const inner = {
    left: box.left + 70 * unit,
    top: box.top + 32 * unit,
    width: box.width - 94 * unit,
    height: box.height - 64 * unit,
  };
  const rows = thin(data.curves, 0, data.duration, Math.floor(inner.width / 1.5));
  const [low, high] = limits(rows.slice(1) as (number | null)[][]);
  const x = (t: number) => inner.left + (t / data.duration) * inner.width;
  const y = (v: number) => inner.top + inner.height - ((v - low) / (high - low)) * inner.height;
  for (const v of [low, (low + high) / 2, high]) {
    pen.line(
      [
        [inner.left, y(v)],
        [inner.left + inner.width, y(v)],
      ],
      "rgba(128,140,150,0.35)",
      1,
    );
    pen.text(plainNumber(v), inner.left - 8 * unit, y(v) + 4 * unit, 12, pen.soft, "right");
  }
  const step = niceAbove(data.duration / 9);
  for (let t = 0; t <= data.duration + 1e-9; t += step) {
    const last = t + step > data.duration + 1e-9;
    pen.text(
      `${plainNumber(t)}${last ? " s" : ""}`,
      x(t),
      inner.top + inner.height + 18 * unit,
      12,
      pen.soft,
      "center",
    );
  }
  drawCurves(pen, data, rows, x, y);
  pen.line(
    [
      [x(time), inner.top - 4 * unit],
      [x(time), inner.top + inner.height],
    ],
    pen.ink,
    1.5,
  );
  drawNames(pen, data, inner.left, box.top + 20 * unit);
}

function limits(rows: (number | null)[][]): [number, number] {
  let [low, high] = [0, 0];
  for (const row of rows) {
    for (const v of row) {
      if (v === null) continue;
      low = Math.min(low, v);
      high = Math.max(high, v);
    }
  }
  return [low < 0 ? -niceAbove(-low) : 0, high > 0 ? roundAbove(high) : 1];
}

// Less generous than 1, 2, 5.
function roundAbove(value: number): number {
  const step = niceBelow(value) / 2;
  return Math.ceil(value / step) * step;
}

function drawCurves(
  pen: Pen,
  data: OverlayData,
  rows: ReturnType<typeof thin>,
  x: (t: number) => number,
  y: (v: number) => number,
): void {
  data.curves.forEach((curve, i) => {
    const points: [number, number][] = [];
    rows[0].forEach((t, k) => {
      const v = rows[i + 1]![k];
      if (v !== null && v !== undefined) points.push([x(t), y(v)]);
    });
    pen.line(points, curve.color(), 1.6);
  });
}

function drawNames(pen: Pen, data: OverlayData, left: number, y: number): void {
  const { unit } = pen;
  let x = left + pen.text(axisLabel(data.group, data.unit), left, y, 13, pen.ink, "left", 600) + 22 * unit;
  const names =
    data.page.runs.length > 1
      ? data.page.runs.map((run, i) => ({ name: run.name, color: paletteColor(i) }))
      : data.curves.map((curve) => ({ name: words(curve.label), color: curve.color() }));
  for (const { name, color } of names) {
    pen.line(
      [
        [x, y - 4 * unit],
        [x + 16 * unit, y - 4 * unit],
      ],
      color,
      3,
    );
    x += 22 * unit;
    x += pen.text(name, x, y, 13, pen.soft) + 18 * unit;
  }
}
