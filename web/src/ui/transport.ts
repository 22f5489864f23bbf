// Play, pause, step, speed and the scrubber, under which bars show when each foot is on the ground.
import type { Clock } from "../clock";
import { paletteColor } from "../colors";
import { seconds, words } from "../format";
import type { Replay } from "../replay";
import { h, icon } from "./dom";

const speeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 4];
const rowHeight = 9; // [px]

export class Transport {
  readonly element: HTMLElement;
  private play = h("button", { class: "round", type: "button", click: () => this.clock.toggle() });
  private slider: HTMLInputElement;
  private readout = h("output", { class: "time", "aria-label": "time" });
  private total = h("span", { class: "total" });
  private speed: HTMLSelectElement;
  private strip = h("canvas", { "aria-hidden": "true" });
  private names = h("div", { class: "rows", "aria-hidden": "true" });
  private track: HTMLElement;
  private rows: { replay: Replay; run: number; foot: number; name: string; color: number }[] = [];
  private playing: boolean | null = null;

  constructor(
    private clock: Clock,
    private replays: Replay[],
    private stepFrames: (frames: number) => void,
  ) {
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: clock.duration,
      step: "any",
      "aria-label": "time in seconds",
      input: () => this.clock.set(Number(this.slider.value)),
    });
    this.speed = h(
      "select",
      { "aria-label": "speed of the replay", change: () => this.clock.setSpeed(Number(this.speed.value)) },
      ...speeds.map((s) => h("option", { value: s, selected: s === 1 }, `${s}×`)),
    );
    this.track = h("div", { class: "track" }, this.strip, this.slider);
    this.element = h(
      "div",
      { class: "transport" },
      this.makeButtons(),
      h("div", { class: "scrubber" }, this.names, this.track),
    );
    this.setHiddenFeet(new Set());
    new ResizeObserver(() => this.paint()).observe(this.strip);
    this.show();
  }

  show(): void {
    const { clock } = this;
    if (this.playing !== clock.playing) {
      this.playing = clock.playing;
      this.play.replaceChildren(icon(clock.playing ? "pause" : "play"));
      this.play.setAttribute("aria-label", clock.playing ? "pause" : "play");
      this.play.title = `${clock.playing ? "Pause" : "Play"} (space)`;
    }
    if (Number(this.slider.max) !== clock.duration) this.slider.max = String(clock.duration);
    this.slider.value = String(clock.time);
    this.slider.setAttribute("aria-valuetext", seconds(clock.time));
    this.readout.textContent = seconds(clock.time);
    this.total.textContent = `of ${seconds(clock.duration)}`;
    this.speed.value = String(clock.speed);
  }

  // A row of bars for each foot; of compared runs only for feet whose curves are shown.
  setHiddenFeet(hidden: ReadonlySet<number>): void {
    const several = this.replays.length > 1;
    this.rows = this.replays.flatMap((replay, run) =>
      replay.run.feet.flatMap((foot, i) => (several && hidden.has(i) ? [] : [{ replay, run, foot: i, ...foot }])),
    );
    this.names.replaceChildren(
      ...this.rows.map((row) =>
        h(
          "span",
          { title: "bars: the foot is on the ground" },
          several ? `${row.replay.run.name} · ${words(row.name)}` : words(row.name),
        ),
      ),
    );
    this.track.style.height = `${Math.max(2, this.rows.length) * rowHeight}px`;
    this.paint();
  }

  // The bars; again after a change of theme or of a live run.
  paint(): void {
    const ratio = devicePixelRatio;
    const [width, height] = [this.strip.clientWidth, this.strip.clientHeight];
    if (!width) return;
    this.strip.width = Math.round(width * ratio);
    this.strip.height = Math.round(height * ratio);
    const context = this.strip.getContext("2d")!;
    this.rows.forEach((row, i) => {
      context.fillStyle = paletteColor(this.replays.length > 1 ? row.run : row.color);
      const { replay } = row;
      const x = (time: number) => (time / this.clock.duration) * this.strip.width;
      for (let k = 0; k < replay.count; ++k) {
        if (!replay.touches(k, row.foot)) continue;
        const begin = k;
        while (k + 1 < replay.count && replay.touches(k + 1, row.foot)) ++k;
        const end = replay.time[Math.min(k + 1, replay.count - 1)]!;
        const left = x(replay.time[begin]!);
        context.fillRect(left, (i * rowHeight + 1.5) * ratio, Math.max(1, x(end) - left), (rowHeight - 3) * ratio);
      }
    });
  }

  private makeButtons(): HTMLElement {
    const step = (frames: number, name: "back" | "forward", label: string) =>
      h(
        "button",
        {
          class: "round plain",
          type: "button",
          "aria-label": label,
          title: label,
          click: () => this.stepFrames(frames),
        },
        icon(name),
      );
    return h(
      "div",
      { class: "buttons" },
      step(-1, "back", "one frame back (arrow left)"),
      this.play,
      step(1, "forward", "one frame forward (arrow right)"),
      h("span", { class: "clock" }, this.readout, this.total),
      h("label", { class: "speed" }, h("span", {}, "Speed"), this.speed),
    );
  }
}
