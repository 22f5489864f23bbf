// The page that people use: picture, plots and texts around one clock.
import { Clock } from "./clock";
import { currentTheme } from "./colors";
import { listenToKeys } from "./keyboard";
import { startLive } from "./live";
import type { Loaded } from "./load";
import { readOptions } from "./options";
import { listenToPrinting } from "./print";
import type { Page } from "./page";
import { Channels } from "./plot/channels";
import { PlotsPanel } from "./plot/panel";
import type { Replay } from "./replay";
import { makeDocuments, makeWarnings } from "./ui/documents";
import { h, icon } from "./ui/dom";
import { makeHelp } from "./ui/help";
import { SceneCard } from "./ui/scene_card";
import { Transport } from "./ui/transport";
import type { Preset } from "./view/camera";
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
  private ended = new AbortController();

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

  // Looks as the other one did, which ends.
  takeOver(other: App, time: number): void {
    const scroll = scrollY;
    other.ended.abort();
    other.help.close();
    this.clock.setSpeed(other.clock.speed);
    this.clock.set(time);
    if (other.scene) this.scene?.cameraView.copy(other.scene.cameraView);
    other.scene?.dispose();
    scrollTo({ top: scroll, behavior: "instant" });
  }

  async print(): Promise<void> {
    await this.plots.load();
    print();
  }

  private show(): void {
    this.scene?.show(this.clock.time);
    this.transport.show();
    this.plots.showTime();
  }

  private tick(now: number): void {
    if (this.ended.signal.aborted) return;
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
        button("print (Ctrl P)", icon("print"), () => void this.print()),
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
    narrow.addEventListener("change", place, { signal: this.ended.signal });
  }

  private listen(): void {
    const { signal } = this.ended;
    const actions = {
      clock: this.clock,
      step: (frames: number) => this.step(frames),
      goTo: (preset: Preset) => this.scene?.goTo(preset),
      zoom: (factor: number) => this.plots.span.zoom(factor, this.clock.time),
      toggleTheme: () => this.toggleTheme(),
      print: () => void this.print(),
      help: () => this.help.showModal(),
    };
    listenToKeys(actions, signal);
    listenToPrinting(this, signal);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", () => this.setTheme(null), { signal });
    addEventListener("hashchange", () => this.applyOptions(), { signal });
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

// `shown` gets what stands on the page: of a live run first its own page, in the end that of its report.
export async function startApp(loaded: Loaded, root: HTMLElement, shown: (app: App) => void): Promise<void> {
  const show = (what: Loaded) => {
    const app = new App(what.page, what.replays, what, root);
    shown(app);
    return app;
  };
  if (loaded.page.mode === "live") await startLive(loaded, show);
  else show(loaded);
}

function durationOf(page: Page, replays: Replay[]): number {
  const ends = replays.map((replay) => (replay.count ? replay.time[replay.count - 1]! : 0));
  return Math.max(1e-3, ...ends, ...(page.mode === "live" ? [] : page.runs.map((run) => run.duration)));
}
