// The wrenches a granular medium can give a foot, seen along two directions, with the present one inside.
import type { Clock } from "../clock";
import { paletteColor } from "../colors";
import type { Arrays, Numbers } from "../data";
import { words } from "../format";
import { convexHull, type Point } from "../hull";
import type { WrenchSpaces } from "../page";
import type { Replay } from "../replay";
import { h } from "../ui/dom";
import { padded } from "./style";
import { trackVisible, whenVisible } from "./visible";
import { XYPlot } from "./xy_plot";

const forceX = { label: "Force along x", unit: "N" };
const views = [
  { x: 0, y: 1, xAxis: forceX, yAxis: { label: "Force along z", unit: "N" } },
  { x: 0, y: 2, xAxis: forceX, yAxis: { label: "Torque about y", unit: "N m" } },
];

interface FootSpace {
  foot: number;
  vertexCount: number;
  vertices: Numbers;
  wrench: Numbers;
  clamped: Numbers;
}

export class WrenchPlots {
  readonly element: HTMLElement;
  private plots = views.map((view) => new XYPlot(view.xAxis, view.yAxis, 240, "Wrench space:"));
  private spaces: FootSpace[] = [];
  private chosen = 0;
  private note = h("p", { class: "note" });
  private isVisible: () => boolean;
  private loading: Promise<void> | null = null;

  constructor(
    private replay: Replay,
    private wrenches: WrenchSpaces,
    private arrays: Arrays,
    private clock: Clock,
    title: string,
  ) {
    const choose = h(
      "select",
      { "aria-label": "foot of the wrench space", change: () => this.choose(choose.selectedIndex) },
      ...wrenches.feet.map((space) =>
        h("option", {}, words(replay.run.feet[space.foot]?.name ?? String(space.foot))),
      ),
    );
    const frames = h("div", { class: "pair" }, ...this.plots.map((plot) => plot.frame));
    this.element = h(
      "section",
      { class: "card plot wide" },
      h("div", { class: "row" }, h("h3", {}, title), choose),
      this.note,
      frames,
    );
    this.isVisible = trackVisible(this.element, () => this.showTime());
    whenVisible(this.element, () => void this.load());
  }

  load(): Promise<void> {
    return (this.loading ??= this.fetchSpaces());
  }

  async print(width?: number): Promise<void> {
    if (width) await this.load();
    for (const plot of this.plots) plot.print(width);
    this.drawTime();
  }

  showTime(): void {
    if (this.isVisible()) this.drawTime();
  }

  private drawTime(): void {
    const space = this.spaces[this.chosen];
    if (!space) return;
    const { row } = this.replay.find(this.clock.time);
    const clamped = space.clamped[row] === 1;
    this.note.textContent = clamped
      ? "Shaded: wrenches the medium can give now. Hollow dot: the pose is outside the data, and wrenches go on with depth from the nearest one inside."
      : "Shaded: wrenches the medium can give now. Dot: the wrench it gives.";
    views.forEach((view, i) => {
      const hull = convexHull(verticesAt(space, row, view.x, view.y));
      const color = () => paletteColor(space.foot);
      const shape = { kind: "area" as const, color, x: hull.map((p) => p[0]), y: hull.map((p) => p[1]) };
      this.plots[i]!.replaceShapes(hull.length > 2 ? [shape] : []);
      const [x, y] = [space.wrench[3 * row + view.x]!, space.wrench[3 * row + view.y]!];
      this.plots[i]!.showMarks([{ x, y, color: paletteColor(space.foot), hollow: clamped }]);
    });
  }

  setTheme(): void {
    for (const plot of this.plots) plot.setTheme();
    this.showTime();
  }

  private async fetchSpaces(): Promise<void> {
    const { wrenches, arrays } = this;
    await arrays.load(wrenches.feet.flatMap((foot) => [foot.vertices, foot.wrench, foot.clamped]));
    this.spaces = wrenches.feet.map((foot) => ({
      foot: foot.foot,
      vertexCount: foot.vertex_count,
      vertices: arrays.get(foot.vertices),
      wrench: arrays.get(foot.wrench),
      clamped: arrays.get(foot.clamped),
    }));
    this.choose(0);
  }

  // The axes hold every wrench of the run, so that only the space moves.
  private choose(index: number): void {
    this.chosen = index;
    const space = this.spaces[index];
    if (!space) return;
    const range = (column: number): [number, number] => {
      let [low, high] = [0, 0];
      for (const numbers of [space.vertices, space.wrench]) {
        for (let i = column; i < numbers.length; i += 3) {
          low = Math.min(low, numbers[i]!);
          high = Math.max(high, numbers[i]!);
        }
      }
      return padded(low, high);
    };
    views.forEach((view, i) => this.plots[i]!.setShapes([], { x: range(view.x), y: range(view.y) }));
    this.showTime();
  }
}

function verticesAt(space: FootSpace, row: number, x: number, y: number): Point[] {
  const points: Point[] = [];
  const begin = row * space.vertexCount * 3;
  for (let i = begin; i < begin + 3 * space.vertexCount; i += 3)
    points.push([space.vertices[i + x]!, space.vertices[i + y]!]);
  return points;
}
