// The part of the run that all time plots show, and the hands on a plot: drag moves the time, shift and drag
// or two fingers zoom, a double click shows everything.
import type uPlot from "uplot";
import type { Clock } from "../clock";

export class Span {
  from = 0;
  to: number;
  private listeners: (() => void)[] = [];

  constructor(private duration: number) {
    this.to = duration;
  }

  listen(listener: () => void): void {
    this.listeners.push(listener);
  }

  get whole(): boolean {
    return this.from <= 0 && this.to >= this.duration;
  }

  set(from: number, to: number): void {
    const length = Math.min(Math.max(to - from, 1e-3), this.duration);
    this.from = Math.min(Math.max(from, 0), this.duration - length);
    this.to = this.from + length;
    for (const listener of this.listeners) listener();
  }

  showAll(): void {
    this.set(0, this.duration);
  }

  zoom(factor: number, about: number): void {
    const at = Math.min(Math.max(about, this.from), this.to);
    this.set(at - (at - this.from) * factor, at + (this.to - at) * factor);
  }

  // Keeps a playing time in sight.
  keepInSight(time: number): void {
    if (this.whole || (time >= this.from && time <= this.to)) return;
    const length = this.to - this.from;
    this.set(time - 0.1 * length, time + 0.9 * length);
  }

  // A live run grows.
  grow(duration: number): void {
    const whole = this.whole;
    this.duration = duration;
    if (whole) this.set(0, duration);
  }

  attach(plot: uPlot, clock: Clock): void {
    const { over } = plot;
    over.style.touchAction = "pan-y";
    over.style.cursor = "col-resize";
    const timeAt = (event: { clientX: number }) =>
      plot.posToVal(event.clientX - over.getBoundingClientRect().left, "x");
    const fingers = new Map<number, number>(); // pointer → time under it
    let zoomFrom: number | null = null;

    over.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      over.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, timeAt(event));
      if (event.shiftKey) zoomFrom = timeAt(event);
      else if (fingers.size === 1) clock.set(timeAt(event));
    });
    over.addEventListener("pointermove", (event) => {
      if (!fingers.has(event.pointerId)) return;
      if (fingers.size === 2) this.pinch(fingers, event, timeAt(event));
      else if (zoomFrom === null) clock.set(timeAt(event));
      else select(plot, zoomFrom, timeAt(event));
    });
    const up = (event: PointerEvent) => {
      if (zoomFrom !== null && event.type === "pointerup") {
        const to = timeAt(event);
        if (Math.abs(to - zoomFrom) > 1e-3) this.set(Math.min(zoomFrom, to), Math.max(zoomFrom, to));
        plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
      }
      zoomFrom = null;
      fingers.delete(event.pointerId);
    };
    over.addEventListener("pointerup", up);
    over.addEventListener("pointercancel", up);
    over.addEventListener("dblclick", () => this.showAll());
    over.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        this.zoom(Math.exp(0.004 * event.deltaY), timeAt(event));
      },
      { passive: false },
    );
  }

  // The times under both fingers stay under them.
  private pinch(fingers: Map<number, number>, event: PointerEvent, time: number): void {
    const other = [...fingers.entries()].find(([id]) => id !== event.pointerId)![1];
    const before = fingers.get(event.pointerId)!;
    const factor = Math.abs(before - other) / Math.max(1e-6, Math.abs(time - other));
    if (factor > 0.2 && factor < 5) this.zoom(factor, other);
  }
}

function select(plot: uPlot, from: number, to: number): void {
  const [a, b] = [plot.valToPos(Math.min(from, to), "x"), plot.valToPos(Math.max(from, to), "x")];
  plot.setSelect({ left: a, width: b - a, top: 0, height: plot.over.clientHeight }, false);
}
