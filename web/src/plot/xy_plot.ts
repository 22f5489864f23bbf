// A plot of one quantity over another, which need not be ordered: loops, hulls, fits. uPlot draws the axes, we
// draw what lies between them.
import uPlot from "uplot";
import type { Axis } from "../page";
import { h } from "../ui/dom";
import { axisLabel, onResize, padded, xAxis, yAxis } from "./style";

export interface Shape {
  kind: "line" | "dashed" | "points" | "band" | "area";
  color: () => string;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  high?: ArrayLike<number>; // of a band
  width?: number; // [px]
  opacity?: number;
}

export interface Mark {
  x: number;
  y: number;
  color: string;
  hollow?: boolean;
}

interface Range {
  x: [number, number];
  y: [number, number];
}

export class XYPlot {
  readonly frame: HTMLElement;
  private plot: uPlot | null = null;
  private shapes: Shape[] = [];
  private dots: HTMLElement[] = [];
  private marks: Mark[] = [];
  private full: Range = { x: [0, 1], y: [0, 1] };

  constructor(
    private xName: Axis,
    private yName: Axis,
    private height = 220, // [px]
    label = "",
  ) {
    this.frame = h("div", { class: "plot-frame", style: `height:${height}px`, role: "img" });
    this.frame.setAttribute(
      "aria-label",
      `${label} ${axisLabel(yName.label, yName.unit)} over ${axisLabel(xName.label, xName.unit)}`,
    );
    onResize(this.frame, (width) => this.resize(width));
  }

  // `keepRange`: the axes stay as they are, for shapes that move with time.
  setShapes(shapes: Shape[], range?: Range): void {
    this.shapes = shapes;
    this.full = range ?? rangeOf(shapes, this.xName.log ?? false, this.yName.log ?? false);
    if (!this.plot) return;
    this.plot.batch(() => {
      this.plot!.setScale("x", limits(this.full.x));
      this.plot!.setScale("y", limits(this.full.y));
    });
    this.showMarks(this.marks);
  }

  // Shapes within the same axes: cheap enough for every picture.
  replaceShapes(shapes: Shape[]): void {
    this.shapes = shapes;
    this.plot?.redraw(false, false);
  }

  showMarks(marks: Mark[]): void {
    this.marks = marks;
    if (!this.plot) return;
    while (this.dots.length < marks.length) {
      const dot = h("div", { class: "dot", "aria-hidden": "true" });
      this.dots.push(dot);
      this.plot.over.append(dot);
    }
    this.dots.forEach((dot, i) => {
      const mark = marks[i];
      dot.hidden = !mark || !Number.isFinite(mark.x) || !Number.isFinite(mark.y);
      if (dot.hidden || !mark) return;
      const [left, top] = [this.plot!.valToPos(mark.x, "x"), this.plot!.valToPos(mark.y, "y")];
      dot.style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`;
      dot.style.borderColor = mark.color;
      dot.style.background = mark.hollow ? "var(--card)" : mark.color;
    });
  }

  setTheme(): void {
    this.plot?.redraw(false, true);
  }

  // For paper as wide as told; without a width as wide as the screen has it.
  print(width = this.frame.clientWidth): void {
    if (width > 0) this.resize(width);
  }

  private resize(width: number): void {
    if (this.plot) this.plot.setSize({ width, height: this.height });
    else this.make(width);
    this.showMarks(this.marks);
  }

  private make(width: number): void {
    const scale = (name: Axis, range: () => [number, number]): uPlot.Scale => ({
      time: false,
      distr: name.log ? 3 : 1,
      range: (_u, low, high) => (low === null || high === null || low === high ? range() : [low, high]),
    });
    this.plot = new uPlot(
      {
        width,
        height: this.height,
        legend: { show: false },
        cursor: { x: false, y: false, points: { show: false }, drag: { x: true, y: true, uni: 20 } },
        padding: [10, 12, 0, 0],
        scales: { x: scale(this.xName, () => this.full.x), y: scale(this.yName, () => this.full.y) },
        axes: [
          { ...xAxis(axisLabel(this.xName.label, this.xName.unit)) },
          yAxis(axisLabel(this.yName.label, this.yName.unit)),
        ],
        series: [{}, { show: true, stroke: "transparent", points: { show: false } }],
        hooks: {
          draw: [(u) => this.drawShapes(u)],
          setScale: [() => this.showMarks(this.marks)],
        },
      },
      [this.full.x, this.full.y] as uPlot.AlignedData,
      this.frame,
    );
    this.plot.over.addEventListener("dblclick", () => this.setShapes(this.shapes, this.full));
    this.setShapes(this.shapes, this.full);
  }

  private drawShapes(u: uPlot): void {
    const { ctx, bbox } = u;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    for (const shape of this.shapes) drawShape(u, shape);
    ctx.restore();
  }
}

function limits([min, max]: [number, number]): { min: number; max: number } {
  return { min, max };
}

function drawShape(u: uPlot, shape: Shape): void {
  const { ctx } = u;
  const ratio = devicePixelRatio;
  ctx.globalAlpha = shape.opacity ?? 1;
  ctx.strokeStyle = ctx.fillStyle = shape.color();
  ctx.lineWidth = (shape.width ?? 1.5) * ratio;
  ctx.lineJoin = "round";
  ctx.setLineDash(shape.kind === "dashed" ? [5 * ratio, 4 * ratio] : []);
  if (shape.kind === "points") {
    drawPoints(u, shape, (shape.width ?? 2.2) * ratio);
  } else if (shape.kind === "band" && shape.high) {
    const path = tracePath(u, shape.x, shape.y);
    const back = Array.from({ length: shape.x.length }, (_, i) => shape.x.length - 1 - i);
    tracePath(
      u,
      back.map((i) => shape.x[i]!),
      back.map((i) => shape.high![i]!),
      path,
      true,
    );
    path.closePath();
    ctx.globalAlpha = shape.opacity ?? 0.2;
    ctx.fill(path);
  } else if (shape.kind === "area") {
    const path = tracePath(u, shape.x, shape.y);
    path.closePath();
    ctx.stroke(path);
    ctx.globalAlpha = 0.14;
    ctx.fill(path);
  } else {
    ctx.stroke(tracePath(u, shape.x, shape.y));
  }
  ctx.globalAlpha = 1;
  ctx.setLineDash([]);
}

function drawPoints(u: uPlot, shape: Shape, radius: number): void {
  u.ctx.beginPath();
  for (let i = 0; i < shape.x.length; ++i) {
    if (!Number.isFinite(shape.x[i]!) || !Number.isFinite(shape.y[i]!)) continue;
    const [px, py] = [u.valToPos(shape.x[i]!, "x", true), u.valToPos(shape.y[i]!, "y", true)];
    u.ctx.moveTo(px + radius, py);
    u.ctx.arc(px, py, radius, 0, 2 * Math.PI);
  }
  u.ctx.fill();
}

// Points nearer than half a pixel to the one before are left out; gaps (no numbers) stay gaps.
function tracePath(
  u: uPlot,
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  path = new Path2D(),
  joined = false,
): Path2D {
  let [lastX, lastY] = [NaN, NaN];
  let pen = joined;
  for (let i = 0; i < x.length; ++i) {
    if (!Number.isFinite(x[i]!) || !Number.isFinite(y[i]!)) {
      pen = false;
      continue;
    }
    const [px, py] = [u.valToPos(x[i]!, "x", true), u.valToPos(y[i]!, "y", true)];
    if (pen && Math.abs(px - lastX) + Math.abs(py - lastY) < 0.5) continue;
    if (pen) path.lineTo(px, py);
    else path.moveTo(px, py);
    pen = true;
    [lastX, lastY] = [px, py];
  }
  return path;
}

function rangeOf(shapes: Shape[], logX: boolean, logY: boolean): Range {
  const over = (pick: (shape: Shape) => ArrayLike<number>[], log: boolean): [number, number] => {
    let [low, high] = [Infinity, -Infinity];
    for (const shape of shapes) {
      for (const numbers of pick(shape)) {
        for (let i = 0; i < numbers.length; ++i) {
          const v = numbers[i]!;
          if (!Number.isFinite(v) || (log && v <= 0)) continue;
          low = Math.min(low, v);
          high = Math.max(high, v);
        }
      }
    }
    return log && low < high ? [low / 1.15, high * 1.15] : padded(low, high);
  };
  return {
    x: over((shape) => [shape.x], logX),
    y: over((shape) => (shape.high ? [shape.y, shape.high] : [shape.y]), logY),
  };
}
