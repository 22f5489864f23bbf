// The page that people use: picture, plots and texts around one clock.
import { Clock } from "./clock";
import { currentTheme } from "./colors";
import { listenToKeys } from "./keyboard";
import { startLive } from "./live";
import type { Loaded } from "./load";
import { readOptions } from "./options";
import type { Page } from "./page";
import { Channels } from "./plot/channels";
import { PlotsPanel } from "./plot/panel";
import type { Replay } from "./replay";
import { makeDocuments, makeWarnings } from "./ui/documents";
import { h, icon } from "./ui/dom";
import { makeHelp } from "./ui/help";
import { SceneCard } from "./ui/scene_card";
import { Transport } from "./ui/transport";
import { SceneView } from "./view/scene";

export class App {
  readonly clock: Clock;
  readonly channels: Channels;
  readonly plots: PlotsPanel;
  readonly transport: Transport;
  readonly sceneCard: SceneCard;
  scene: SceneView | null = null;
  pictures = 0;
  private help = makeHelp();

  constructor(
    readonly page: Page,
    readonly replays: Replay[],
    private loaded: Loaded,
    root: HTMLElement,
  ) {
    this.clock = new Clock(durationOf(page, replays));
    this.channels = new Channels(page, loaded.arrays);
    this.sceneCard = new SceneCard(page);
    this.transport = new Transport(this.clock, replays, (frames) => this.step(frames));
    this.plots = new PlotsPanel(page, replays, loaded.arrays, this.channels, this.clock, (hidden) =>
      this.transport.setHiddenFeet(hidden),
    );
    this.layOut(root);
    if (replays.length) this.startScene();
    if (!this.scene) this.sceneCard.legend.remove();
    this.clock.listen(() => this.show());
    this.listen();
    this.applyOptions();
    requestAnimationFrame((now) => this.tick(now));
  }

  step(frames: number): void {
    const replay = this.replays[0];
    if (!replay?.count) return;
    const { row, part } = replay.find(this.clock.time);
    const from = part > 0 && frames < 0 ? row + 1 : row;
    this.clock.pause();
    this.clock.set(replay.time[Math.min(Math.max(from + frames, 0), replay.count - 1)]!);
  }

  toggleTheme(): void {
    this.setTheme(currentTheme() === "dark" ? "light" : "dark");
  }

  setTheme(theme: "light" | "dark" | null): void {
    if (theme) document.documentElement.dataset.theme = theme;
    this.sceneCard.setTheme();
    this.plots.setTheme();
    this.transport.paint();
  }

  private show(): void {
    this.scene?.show(this.clock.time);
    this.transport.show();
    this.plots.showTime();
  }

  private tick(now: number): void {
    this.clock.tick(now);
    if (this.scene?.render()) ++this.pictures;
    requestAnimationFrame((next) => this.tick(next));
  }

  private startScene(): void {
    try {
      this.scene = new SceneView(this.sceneCard.canvas, this.replays, this.loaded.arrays);
    } catch (error) {
      this.sceneCard.fail(error instanceof Error ? error.message : String(error));
      return;
    }
    this.sceneCard.connect(this.scene);
  }

  private layOut(root: HTMLElement): void {
    const { page } = this;
    document.title = page.title ? `${page.title} · Footfall` : "Footfall";
    const button = (label: string, content: Node | string, click: () => void) =>
      h("button", { class: "round plain", type: "button", "aria-label": label, title: label, click }, content);
    const header = h(
      "header",
      {},
      h("div", {}, h("h1", {}, page.title), h("p", {}, page.subtitle)),
      h(
        "div",
        { class: "row" },
        button("light or dark (T)", icon("theme"), () => this.toggleTheme()),
        button("help (?)", "?", () => this.help.showModal()),
      ),
    );
    const warnings = makeWarnings(page);
    const replay = this.replays.length
      ? [
          h(
            "div",
            { class: "stage" },
            this.sceneCard.element,
            h("div", { class: "card controls" }, this.transport.element),
          ),
        ]
      : [];
    const body = h(
      "div",
      { class: replay.length ? "columns" : "columns single" },
      ...replay,
      h("div", { class: "side" }, this.plots.element),
    );
    root.replaceChildren(header, ...(warnings ? [warnings] : []), body, makeDocuments(page), this.help);
    this.placeLegend();
  }

  // On a phone it would hide the robot: there it stands under the picture.
  private placeLegend(): void {
    const narrow = matchMedia("(max-width: 900px)");
    const place = () =>
      (narrow.matches ? this.plots.element : this.sceneCard.element).prepend(this.sceneCard.legend);
    if (!this.replays.length) return;
    place();
    narrow.addEventListener("change", place);
  }

  private listen(): void {
    listenToKeys({
      clock: this.clock,
      step: (frames) => this.step(frames),
      goTo: (preset) => this.scene?.goTo(preset),
      zoom: (factor) => this.plots.span.zoom(factor, this.clock.time),
      toggleTheme: () => this.toggleTheme(),
      help: () => this.help.showModal(),
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.setTheme(null));
    addEventListener("hashchange", () => this.applyOptions());
  }

  private applyOptions(): void {
    const options = readOptions(location);
    if (options.theme) this.setTheme(options.theme);
    if (options.speed) this.clock.setSpeed(options.speed);
    this.clock.set(options.time ?? this.clock.time);
    if (options.camera) this.scene?.goTo(options.camera);
    if (options.play) this.clock.play();
  }
}

export async function startApp(loaded: Loaded, root: HTMLElement): Promise<App> {
  const { page, replays } = loaded;
  if (page.mode === "live") return startLive(loaded, (live) => new App(live.page, live.replays, live, root));
  return new App(page, replays, loaded, root);
}

function durationOf(page: Page, replays: Replay[]): number {
  const ends = replays.map((replay) => (replay.count ? replay.time[replay.count - 1]! : 0));
  return Math.max(1e-3, ...ends, ...(page.mode === "live" ? [] : page.runs.map((run) => run.duration)));
}
