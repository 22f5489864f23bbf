// One quantity over another: force over sinkage, shear force over shear displacement. A plot for each kind.
import type { Clock } from "../clock";
import type { Page } from "../page";
import { h } from "../ui/dom";
import type { Channels } from "./channels";
import { Legend } from "./legend";
import { valueAt, type Curve } from "./series";
import { trackVisible, whenVisible } from "./visible";
import { XYPlot, type Shape } from "./xy_plot";

export class LoopPlot {
  readonly element: HTMLElement;
  private plot: XYPlot;
  private pairs: { x: Curve; y: Curve; shape: Shape }[] = [];
  private legend: Legend;
  private hiddenFeet: ReadonlySet<number> = new Set();
  private isVisible: () => boolean;
  private loading: Promise<void> | null = null;

  constructor(
    readonly title: string,
    private page: Page,
    private channels: Channels,
    private clock: Clock,
  ) {
    const { run, loop } = this.members()[0]!;
    const axis = (index: number) => {
      const { group, unit } = page.runs[run]!.channels[index]!;
      return { label: group, unit };
    };
    this.plot = new XYPlot(axis(loop.x), axis(loop.y), 240, title);
    this.legend = new Legend(
      this.members().map(({ run, loop: { y } }) => channels.style(run, y)),
      false,
    );
    this.element = h("section", { class: "card plot" }, h("h3", {}, title), this.legend.element, this.plot.frame);
    this.isVisible = trackVisible(this.element, () => this.showTime());
    whenVisible(this.element, () => void this.load());
  }

  load(): Promise<void> {
    return (this.loading ??= this.fetchPairs());
  }

  async print(width?: number): Promise<void> {
    if (width) await this.load();
    this.plot.print(width);
    this.drawTime();
  }

  showTime(): void {
    if (this.isVisible()) this.drawTime();
  }

  private drawTime(): void {
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
    this.legend.hideFeet(hidden);
    if (!this.pairs.length) return;
    this.plot.setShapes(this.shown().map((pair) => pair.shape));
    this.showTime();
  }

  setTheme(): void {
    this.plot.setTheme();
    this.legend.paint();
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

  private members() {
    return this.page.runs.flatMap((run, r) =>
      run.loops.filter((loop) => loop.title === this.title).map((loop) => ({ run: r, loop })),
    );
  }

  private async fetchPairs(): Promise<void> {
    for (const { run, loop } of this.members()) {
      const [x, y] = await Promise.all([this.channels.curve(run, loop.x), this.channels.curve(run, loop.y)]);
      this.pairs.push({ x, y, shape: shapeOf(x, y) });
    }
    this.setHiddenFeet(this.hiddenFeet);
  }
}

function shapeOf(x: Curve, y: Curve): Shape {
  const scaled = (curve: Curve) => (curve.scale === 1 ? curve.values : curve.values.map((v) => v * curve.scale));
  return {
    kind: y.dash ? "dashed" : "line",
    color: y.color,
    x: scaled(x),
    y: scaled(y),
    width: 1.2,
    opacity: 0.75,
  };
}
