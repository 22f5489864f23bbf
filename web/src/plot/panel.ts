// All plots of a page: over time, over each other, wrench spaces, figures; and what they share.
import type { Clock } from "../clock";
import { paletteColor } from "../colors";
import type { Arrays } from "../data";
import { words } from "../format";
import type { Page } from "../page";
import type { Replay } from "../replay";
import { h } from "../ui/dom";
import type { Channels } from "./channels";
import { FigureCard } from "./figures";
import { LoopPlot } from "./loops";
import { Span } from "./span";
import { TimePlot } from "./time_plot";
import { WrenchPlots } from "./wrench";

const numbersEvery = 90; // [ms]

export class PlotsPanel {
  readonly element = h("div", { class: "plots" });
  readonly span: Span;
  readonly timePlots: TimePlot[];
  readonly loops: LoopPlot[];
  readonly wrenches: WrenchPlots[];
  readonly figures: FigureCard[];
  readonly hiddenFeet = new Set<number>();
  private chips: HTMLElement[] = [];
  private lastNumbers = 0;

  constructor(
    private page: Page,
    replays: Replay[],
    arrays: Arrays,
    private channels: Channels,
    private clock: Clock,
    private feetChanged: (hidden: ReadonlySet<number>) => void,
  ) {
    this.span = new Span(clock.duration);
    this.timePlots = channels.groups().map((group) => {
      const { channel } = channels.inGroup(group)[0]!;
      const load = () => channels.curvesOf(group);
      return new TimePlot(group, channel.unit, clock, this.span, channels.stylesOf(group), load);
    });
    const titles = [...new Set(page.runs.flatMap((run) => run.loops.map((loop) => loop.title)))];
    this.loops = titles.map((title) => new LoopPlot(title, page, this.channels, clock));
    this.wrenches = replays.flatMap((replay) => {
      const spaces = replay.run.wrench_spaces;
      if (!spaces?.feet.length) return [];
      const title = replays.length > 1 ? `Wrench space: ${replay.run.name}` : "Wrench space";
      return [new WrenchPlots(replay, spaces, arrays, clock, title)];
    });
    this.figures = (page.figures ?? []).map((figure) => new FigureCard(figure, arrays));
    if (this.timePlots.length) this.element.append(this.makeToolbar());
    this.element.append(...this.all().map((plot) => plot.element));
    if (page.runs.length > 1) this.showOnlyFoot(0);
  }

  showTime(): void {
    const now = performance.now();
    const withNumbers = !this.clock.playing || now - this.lastNumbers > numbersEvery;
    if (withNumbers) this.lastNumbers = now;
    if (this.clock.playing) this.span.keepInSight(this.clock.time);
    for (const plot of this.timePlots) plot.showTime(withNumbers);
    for (const plot of this.loops) plot.showTime();
    for (const plot of this.wrenches) plot.showTime();
  }

  // A live run has grown.
  redraw(): void {
    for (const plot of this.timePlots) plot.redraw();
    for (const plot of this.loops) plot.redraw();
  }

  // Every plot's numbers, whether it was seen or not.
  async load(): Promise<void> {
    await Promise.all(this.all().map((plot) => plot.load()));
  }

  // Draws every plot for paper; without a width for the screen again. Where the numbers are there, done as
  // soon as the caller has returned.
  print(width?: number): void {
    for (const plot of this.all()) void plot.print(width);
  }

  setTheme(): void {
    for (const plot of this.all()) plot.setTheme();
    this.paintChips();
  }

  private all() {
    return [...this.figures, ...this.timePlots, ...this.loops, ...this.wrenches];
  }

  private makeToolbar(): HTMLElement {
    const feet = this.page.runs[0]?.feet ?? [];
    const usesFeet = this.page.runs.some((run) => run.channels.some((channel) => channel.foot !== undefined));
    this.chips = (usesFeet && feet.length > 1 ? feet : []).map((foot, i) =>
      h(
        "button",
        { class: "chip", type: "button", "aria-pressed": "true", click: () => this.toggleFoot(i) },
        words(foot.name),
      ),
    );
    const zoom = (factor: number) => () => this.span.zoom(factor, this.clock.time);
    const button = (text: string, label: string, click: () => void) =>
      h("button", { class: "small", type: "button", "aria-label": label, title: label, click }, text);
    const all = button("All", "show the whole run (double click)", () => this.span.showAll());
    this.paintChips();
    return h(
      "div",
      { class: "toolbar" },
      h("div", { class: "chips", role: "group", "aria-label": "feet shown in the plots" }, ...this.chips),
      h(
        "div",
        { class: "zoom", role: "group", "aria-label": "zoom of the time axis" },
        button("−", "zoom out in time", zoom(2)),
        button("+", "zoom in at the present time (or shift and drag)", zoom(0.5)),
        all,
      ),
    );
  }

  private paintChips(): void {
    this.chips.forEach((chip, i) => {
      const shown = !this.hiddenFeet.has(i);
      chip.setAttribute("aria-pressed", String(shown));
      const foot = this.page.runs[0]!.feet[i]!;
      chip.style.setProperty("--key", this.page.runs.length > 1 ? "var(--ink-soft)" : paletteColor(foot.color));
    });
  }

  private toggleFoot(foot: number): void {
    if (!this.hiddenFeet.delete(foot)) this.hiddenFeet.add(foot);
    this.applyFeet();
  }

  private showOnlyFoot(foot: number): void {
    this.page.runs[0]!.feet.forEach((_, i) => i !== foot && this.hiddenFeet.add(i));
    this.applyFeet();
  }

  private applyFeet(): void {
    this.paintChips();
    for (const plot of [...this.timePlots, ...this.loops]) plot.setHiddenFeet(this.hiddenFeet);
    this.feetChanged(this.hiddenFeet);
  }
}
