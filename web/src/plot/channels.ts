// The channels of all runs, as curves; loaded when a plot wants them, and growing while a run is live.
import { paletteColor, paletteSize } from "../colors";
import { Growing, type Arrays } from "../data";
import type { Channel, LiveFrame, Page } from "../page";
import type { Curve, CurveStyle } from "./series";

const dashes = [undefined, [7, 4], [2, 3], [9, 3, 2, 3]];

export class Channels {
  private curves = new Map<string, Promise<Curve>>();
  private live: { time: Growing; values: Growing[]; curves: { curve: Curve; index: number }[] } | null = null;

  constructor(
    private page: Page,
    private arrays: Arrays,
  ) {
    if (page.mode !== "live") return;
    const values = page.runs[0]!.channels.map(() => new Growing());
    this.live = { time: new Growing(), values, curves: [] };
  }

  // Names of plots, in the order in which the runs list them.
  groups(): string[] {
    return [...new Set(this.page.runs.flatMap((run) => run.channels.map((channel) => channel.group)))];
  }

  inGroup(group: string): { run: number; index: number; channel: Channel }[] {
    return this.page.runs.flatMap((run, r) =>
      run.channels.flatMap((channel, index) => (channel.group === group ? [{ run: r, index, channel }] : [])),
    );
  }

  stylesOf(group: string): CurveStyle[] {
    return this.inGroup(group).map(({ run, index }) => this.style(run, index));
  }

  async curvesOf(group: string): Promise<Curve[]> {
    const members = this.inGroup(group);
    await this.arrays.load(members.flatMap(({ channel }) => [channel.time, channel.values]));
    return Promise.all(members.map(({ run, index }) => this.curve(run, index)));
  }

  curve(run: number, index: number): Promise<Curve> {
    const key = `${run}/${index}`;
    let curve = this.curves.get(key);
    if (!curve) this.curves.set(key, (curve = this.load(run, index)));
    return curve;
  }

  // The rows that came with a frame. Those before the last one are known: a lost connection sends them again.
  append(frame: LiveFrame): void {
    if (!this.live) return;
    const { rows = [] } = frame;
    const width = 1 + this.live.values.length;
    const known = this.live.time.view().at(-1) ?? -Infinity;
    let from = 0;
    while (from < rows.length && Math.fround(rows[from]!) <= known) from += width;
    const column = (k: number) => {
      const numbers: number[] = [];
      for (let i = from + k; i < rows.length; i += width) numbers.push(rows[i] ?? NaN);
      return numbers;
    };
    this.live.time.push(column(0));
    this.live.values.forEach((values, i) => values.push(column(i + 1)));
    const time = this.live.time.view();
    for (const { curve, index } of this.live.curves) {
      curve.time = time;
      curve.values = this.live.values[index]!.view();
    }
  }

  private async load(run: number, index: number): Promise<Curve> {
    const channel = this.page.runs[run]!.channels[index]!;
    await this.arrays.load([channel.time, channel.values]);
    const curve: Curve = {
      ...this.style(run, index),
      time: this.arrays.get(channel.time),
      values: this.arrays.get(channel.values),
    };
    if (this.live) {
      this.live.curves.push({ curve, index });
      curve.time = this.live.time.view();
      curve.values = this.live.values[index]!.view();
    }
    return curve;
  }

  // How a curve looks is known before its numbers are.
  style(run: number, index: number): CurveStyle {
    const channel = this.page.runs[run]!.channels[index]!;
    return {
      label: this.label(run, channel),
      color: this.color(run, index),
      dash: this.dash(run, index),
      foot: channel.foot ?? null,
      scale: channel.scale,
    };
  }

  private label(run: number, channel: Channel): string {
    if (this.page.runs.length === 1) return channel.label;
    const { name } = this.page.runs[run]!;
    return channel.label && channel.label !== channel.group ? `${name} · ${channel.label}` : name;
  }

  // Of a foot its own; of compared runs the run's; else the next of the palette within the plot.
  private color(run: number, index: number): () => string {
    const { channels, feet } = this.page.runs[run]!;
    const channel = channels[index]!;
    if (this.page.runs.length > 1) return () => paletteColor(run);
    if (channel.foot !== undefined) {
      const color = feet[channel.foot]?.color ?? channel.foot;
      return () => paletteColor(color);
    }
    const place = this.place(run, index);
    return () => paletteColor(place);
  }

  // Of compared runs one pattern per foot; else where the palette begins again.
  private dash(run: number, index: number): number[] | undefined {
    const { foot } = this.page.runs[run]!.channels[index]!;
    if (foot === undefined) return dashes[Math.floor(this.place(run, index) / paletteSize) % dashes.length];
    return this.page.runs.length > 1 ? dashes[foot % dashes.length] : undefined;
  }

  // Of a curve among those of its plot.
  private place(run: number, index: number): number {
    const { channels } = this.page.runs[run]!;
    return channels.filter((other, i) => i < index && other.group === channels[index]!.group).length;
  }
}
