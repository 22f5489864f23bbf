// A run while it runs: frames come as server-sent events; the page follows them until someone scrubs. When the
// run has ended the page becomes that of its report.
import type { App } from "./app";
import { loadReport, type Loaded } from "./load";
import type { LiveFrame, LiveReport, LiveState } from "./page";
import { h } from "./ui/dom";

const redrawEvery = 200; // [ms]

// Waits for the first frame: before it nobody knows where the robot stands.
export function startLive(loaded: Loaded, makeApp: (loaded: Loaded) => App): Promise<void> {
  const url = loaded.page.live_url ?? "";
  const events = new EventSource(url);
  return new Promise((resolve, reject) => {
    let live: Live | null = null;
    let dropped = 0;
    events.addEventListener("message", (event) => {
      const frame = JSON.parse(event.data as string) as LiveFrame;
      if (live) return live.receive(frame);
      loaded.replays[0]!.append(frame);
      live = new Live(makeApp(loaded), url, frame, makeApp);
      resolve();
    });
    events.addEventListener("state", (event) => {
      const state = JSON.parse((event as MessageEvent).data as string) as LiveState;
      live?.setState(state);
      if (state.state === "finished" || state.state === "failed") events.close();
      if (state.report) void live?.showReport(state.report);
    });
    events.addEventListener("error", () => {
      live?.setLost();
      if (!live && ++dropped > 3) reject(new Error(`${url}: no frames come`));
    });
  });
}

class Live {
  private following = true;
  private settingTime = false;
  private lastRedraw = 0;
  private nextRedraw = 0; // a timer; 0: none
  private bar: HTMLElement;
  private state: LiveState["state"] = "running";
  private label = h("span", { class: "live-state", role: "status" }, "running");
  private pause = this.button("Pause", () => this.post(this.state === "paused" ? "resume" : "pause"));
  private step = this.button("Step 10 ms", () => this.post("step", "?seconds=0.01"));
  private follow = this.button("Follow", () => this.setFollowing(true));

  constructor(
    private app: App,
    private url: string,
    first: LiveFrame,
    private makeApp: (loaded: Loaded) => App,
  ) {
    app.channels.append(first);
    this.addDents(first);
    this.bar = h(
      "div",
      { class: "live" },
      h("span", { class: "live-dot" }),
      this.label,
      this.pause,
      this.step,
      this.follow,
    );
    app.transport.element.prepend(this.bar);
    app.clock.listen(() => {
      if (!this.settingTime) this.setFollowing(false);
    });
    this.setFollowing(true);
  }

  receive(frame: LiveFrame): void {
    const replay = this.app.replays[0]!;
    const last = replay.count ? replay.time[replay.count - 1]! : -1;
    this.app.channels.append(frame);
    this.redrawSoon();
    if (Math.fround(frame.time) <= last) return;
    replay.append(frame);
    this.addDents(frame);
    this.app.clock.duration = Math.max(this.app.clock.duration, frame.time);
    if (this.following) this.setTime(frame.time);
  }

  async showReport(report: LiveReport): Promise<void> {
    try {
      const loaded = await loadReport(report);
      const [old, following] = [this.app, this.following];
      this.app = this.makeApp(loaded);
      this.app.takeOver(old, following ? this.app.clock.duration : old.clock.time);
      this.app.transport.element.dataset.live = this.state;
      this.app.transport.element.prepend(this.bar);
      for (const button of [this.pause, this.step, this.follow]) button.remove();
    } catch (error) {
      this.label.textContent = `the report is not shown: ${error instanceof Error ? error.message : error}`;
    }
  }

  setState({ state, message }: LiveState): void {
    this.state = state;
    this.label.textContent = message ? `${state}: ${message}` : state;
    this.pause.textContent = state === "paused" ? "Resume" : "Pause";
    const over = state === "finished" || state === "failed";
    this.pause.disabled = over;
    this.step.disabled = over || state !== "paused";
    this.app.transport.element.dataset.live = state;
    this.redraw();
  }

  // The browser tries again by itself; the next state says how the run is.
  setLost(): void {
    this.label.textContent = "the connection to the program is lost: trying again";
    this.app.transport.element.dataset.live = "failed";
  }

  // Not for every frame, but always after the last one.
  private redrawSoon(): void {
    const wait = this.lastRedraw + redrawEvery - performance.now();
    if (!this.nextRedraw) this.nextRedraw = window.setTimeout(() => this.redraw(), Math.max(0, wait));
  }

  private redraw(): void {
    clearTimeout(this.nextRedraw);
    this.nextRedraw = 0;
    this.lastRedraw = performance.now();
    this.app.plots.span.grow(this.app.clock.duration);
    this.app.scene?.fitScale();
    this.app.sceneCard.paint();
    this.app.plots.redraw();
    this.app.transport.paint();
    if (this.following) this.setTime(this.app.clock.duration);
  }

  private setFollowing(following: boolean): void {
    this.following = following;
    this.follow.disabled = following;
    if (following) this.setTime(this.app.clock.duration);
  }

  private setTime(time: number): void {
    this.settingTime = true;
    this.app.clock.set(time);
    this.settingTime = false;
  }

  private addDents(frame: LiveFrame): void {
    const field = this.app.scene?.runs[0]?.ground.dents;
    const events = frame.dents ?? [];
    const row = this.app.replays[0]!.count - 1;
    for (let i = 0; i + 2 < events.length; i += 3) field?.add(row, events[i]!, events[i + 1]!, events[i + 2]!);
  }

  private button(text: string, click: () => void): HTMLButtonElement {
    return h("button", { class: "small", type: "button", click }, text);
  }

  private async post(what: "pause" | "resume" | "step", query = ""): Promise<void> {
    try {
      const answer = await fetch(`${this.url}/${what}${query}`, { method: "POST" });
      if (!answer.ok) throw new Error(`the program answers ${answer.status}`);
    } catch (error) {
      this.label.textContent = `${what}: ${error instanceof Error ? error.message : error}`;
    }
  }
}
