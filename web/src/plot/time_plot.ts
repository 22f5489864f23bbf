// One plot over time. The present time is a line that can be dragged; all plots show the same span.
import uPlot from "uplot";
import type { Clock } from "../clock";
import { h } from "../ui/dom";
import { Legend } from "./legend";
import { thin, valueAt, type Curve, type CurveStyle } from "./series";
import { axisLabel, onResize, padded, xAxis, yAxis } from "./style";
import type { Span } from "./span";

const height = 178; // [px]

export class TimePlot {
  readonly element: HTMLElement;
  readonly curves: Curve[] = [];
  private plot: uPlot | null = null;
  private frame: HTMLElement;
  private legend: Legend;
  private now = h("div", { class: "now", "aria-hidden": "true" });
  private hiddenFeet: ReadonlySet<number> = new Set();
  private visible = false;
  private loading: Promise<void> | null = null;

  constructor(
    readonly title: string,
    private unit: string,
    private clock: Clock,
    private span: Span,
    styles: CurveStyle[],
    private fetchCurves: () => Promise<Curve[]>,
  ) {
    this.frame = h("div", { class: "plot-frame", style: `height:${height}px`, role: "img" });
    this.frame.setAttribute("aria-label", `${axisLabel(title, unit)} over time in seconds`);
    this.legend = new Legend(styles, true);
    this.element = h("section", { class: "card plot" }, h("h3", {}, title), this.legend.element, this.frame);
    new IntersectionObserver(
      (entries) => {
        this.visible = entries[entries.length - 1]!.isIntersecting;
        if (this.visible) void this.appear();
      },
      { rootMargin: "200px" },
    ).observe(this.element);
    onResize(this.frame, (width) => this.resize(width));
    span.listen(() => this.redraw());
  }

  // The line at the present time; the numbers beside the names.
  showTime(withNumbers: boolean): void {
    if (this.visible) this.drawTime(withNumbers);
  }

  private drawTime(withNumbers: boolean): void {
    if (!this.plot) return;
    const x = this.plot.valToPos(this.clock.time, "x");
    this.now.style.transform = `translateX(${x.toFixed(1)}px)`;
    this.now.hidden = x < -1 || x > this.plot.over.clientWidth + 1;
    if (withNumbers) this.legend.show(this.curves.map((curve) => valueAt(curve, this.clock.time)));
  }

  setHiddenFeet(hidden: ReadonlySet<number>): void {
    this.hiddenFeet = hidden;
    this.legend.hideFeet(hidden);
    this.curves.forEach((curve, i) => {
      const shown = curve.foot === null || !hidden.has(curve.foot);
      if (this.plot && this.plot.series[i + 1]!.show !== shown) this.plot.setSeries(i + 1, { show: shown });
    });
  }

  // New data (a live run) or a new span.
  redraw(): void {
    if (this.visible) this.draw();
  }

  // The numbers, once.
  load(): Promise<void> {
    return (this.loading ??= this.fetchCurves().then(
      (curves) => void this.curves.push(...curves),
      (error) => {
        this.frame.textContent = `not loaded: ${error instanceof Error ? error.message : error}`;
      },
    ));
  }

  // Seen or not, as wide as the paper wants it. Without a width: as wide as the screen has it.
  async print(width?: number): Promise<void> {
    if (width) await this.load();
    this.resize(width ?? this.frame.clientWidth);
  }

  private draw(): void {
    if (!this.plot) return;
    this.plot.batch(() => {
      this.plot!.setData(this.data(this.plot!.width) as uPlot.AlignedData, false);
      this.plot!.setScale("x", { min: this.span.from, max: this.span.to });
    });
    this.drawTime(true);
  }

  setTheme(): void {
    this.plot?.redraw(false, true);
    this.legend.paint();
  }

  get drawnPoints(): number {
    return this.plot?.data[0]?.length ?? 0;
  }

  get lineAt(): number {
    return this.plot ? this.plot.posToVal(new DOMMatrix(getComputedStyle(this.now).transform).m41, "x") : NaN;
  }

  private data(width: number) {
    return thin(this.curves, this.span.from, this.span.to, Math.max(50, width - 70));
  }

  private async appear(): Promise<void> {
    await this.load();
    if (this.plot) this.redraw();
    else this.resize(this.frame.clientWidth);
  }

  private resize(width: number): void {
    if (!this.curves.length || !(width > 0)) return;
    if (!this.plot) return this.make(width);
    this.plot.setSize({ width, height });
    this.draw();
  }

  private make(width: number): void {
    const options: uPlot.Options = {
      width,
      height,
      legend: { show: false },
      cursor: { show: false },
      padding: [8, 10, 0, 0],
      scales: {
        x: { time: false, range: () => [this.span.from, this.span.to] },
        y: { range: (_u, low, high) => padded(low, high) },
      },
      axes: [xAxis("Time (s)"), yAxis(axisLabel(this.title, this.unit))],
      series: [
        {},
        ...this.curves.map((curve) => ({
          label: curve.label,
          stroke: () => curve.color(),
          width: 1.4,
          dash: curve.dash,
          points: { show: false },
          spanGaps: true,
        })),
      ],
    };
    this.plot = new uPlot(options, this.data(width) as uPlot.AlignedData, this.frame);
    this.plot.over.append(this.now);
    this.span.attach(this.plot, this.clock);
    this.setHiddenFeet(this.hiddenFeet);
    queueMicrotask(() => this.drawTime(true)); // uPlot has no size before
  }
}
