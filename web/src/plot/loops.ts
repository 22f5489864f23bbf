// One quantity over another: force over sinkage, shear force over shear displacement. A plot for each kind.
import type { Clock } from "../clock";
import type { Page } from "../page";
import { words } from "../format";
import { h } from "../ui/dom";
import type { Channels } from "./channels";
import { valueAt, type Curve } from "./series";
import { trackVisible, whenVisible } from "./visible";
import { XYPlot, type Shape } from "./xy_plot";

export class LoopPlot {
  readonly element: HTMLElement;
  private plot: XYPlot;
  private pairs: { x: Curve; y: Curve; shape: Shape }[] = [];
  private legend = h("div", { class: "legend" });
  private hiddenFeet: ReadonlySet<number> = new Set();
  private isVisible: () => boolean;

  constructor(
    readonly title: string,
    private page: Page,
    private channels: Channels,
    private clock: Clock,
  ) {
    const run = page.runs.find((r) => r.loops.some((loop) => loop.title === title))!;
    const loop = run.loops.find((l) => l.title === title)!;
    const axis = (index: number) => ({ label: run.channels[index]!.group, unit: run.channels[index]!.unit });
    this.plot = new XYPlot(axis(loop.x), axis(loop.y), 240, title);
    this.element = h("section", { class: "card plot" }, h("h3", {}, title), this.legend, this.plot.frame);
    this.isVisible = trackVisible(this.element, () => this.showTime());
    whenVisible(this.element, () => void this.load());
  }

  showTime(): void {
    if (!this.isVisible()) return;
    this.plot.showMarks(
      this.shown().map(({ x, y }) => ({
        x: valueAt(x, this.clock.time),
        y: valueAt(y, this.clock.time),
        color: y.color(),
      })),
    );
  }

  setHiddenFeet(hidden: ReadonlySet<number>): void {
    this.hiddenFeet = hidden;
    if (!this.pairs.length) return;
    this.pairs.forEach(({ y }, i) => {
      this.legend.children[i]?.classList.toggle("off", y.foot !== null && hidden.has(y.foot));
    });
    this.plot.setShapes(this.shown().map((pair) => pair.shape));
    this.showTime();
  }

  setTheme(): void {
    this.plot.setTheme();
    this.pairs.forEach(({ y }, i) => this.legend.children[i]?.setAttribute("style", `--key:${y.color()}`));
    this.showTime();
  }

  // A live run has grown.
  redraw(): void {
    if (!this.isVisible()) return;
    for (const pair of this.pairs) pair.shape = shapeOf(pair.x, pair.y);
    this.plot.setShapes(this.shown().map((pair) => pair.shape));
  }

  private shown() {
    return this.pairs.filter(({ y }) => y.foot === null || !this.hiddenFeet.has(y.foot));
  }

  private async load(): Promise<void> {
    for (const [r, run] of this.page.runs.entries()) {
      for (const loop of run.loops.filter((l) => l.title === this.title)) {
        const [x, y] = await Promise.all([this.channels.curve(r, loop.x), this.channels.curve(r, loop.y)]);
        this.pairs.push({ x, y, shape: shapeOf(x, y) });
        const key = h("span", { class: y.dash ? "key dashed" : "key" });
        this.legend.append(h("span", { class: "entry", style: `--key:${y.color()}` }, key, words(y.label)));
      }
    }
    this.setHiddenFeet(this.hiddenFeet);
  }
}

function shapeOf(x: Curve, y: Curve): Shape {
  const scaled = (curve: Curve) => (curve.scale === 1 ? curve.values : curve.values.map((v) => v * curve.scale));
  return { kind: y.dash ? "dashed" : "line", color: y.color, x: scaled(x), y: scaled(y), width: 1.2, opacity: 0.75 };
}
