// Pictures without hands: draws given times one after another and sends each to the program that asked.
import { Clock } from "./clock";
import { loadPage, type Loaded } from "./load";
import { readOptions, type CaptureOptions } from "./options";
import { drawOverlay, plotHeight, type OverlayData } from "./capture_overlay";
import { Channels } from "./plot/channels";
import { h } from "./ui/dom";
import { SceneView } from "./view/scene";

export async function capture(options: CaptureOptions, root: HTMLElement): Promise<void> {
  let url = "capture"; // beside the page
  try {
    const loaded = await loadPage();
    url = loaded.page.capture_url ?? url;
    if (!loaded.replays.length) throw new Error("this page has no replay to take pictures of");
    await new Camera(loaded, options, root).send(url);
    await post(`${url}/done`, "");
  } catch (error) {
    await post(`${url}/error`, error instanceof Error ? error.message : String(error));
    throw error;
  }
}

class Camera {
  private canvas = h("canvas", {});
  private picture: HTMLCanvasElement;
  private scene: SceneView;
  private clock: Clock;

  constructor(
    private loaded: Loaded,
    private options: CaptureOptions,
    root: HTMLElement,
  ) {
    const { width, height } = options;
    this.picture = h("canvas", { width, height, class: "capture" });
    root.replaceChildren(this.picture);
    const ends = loaded.replays.map((replay) => replay.time[replay.count - 1] ?? 0);
    this.clock = new Clock(Math.max(...ends, ...loaded.page.runs.map((run) => run.duration)));
    this.scene = new SceneView(this.canvas, loaded.replays, loaded.arrays, 1);
    this.scene.resize(width, height);
    const { camera } = readOptions(location);
    this.scene.goTo(camera ?? "overview");
    // The robot stands in the middle of what the plot leaves free.
    if (loaded.page.runs.some((run) => run.channels.length)) {
      this.scene.cameraView.camera.setViewOffset(width, height, 0, 0.45 * plotHeight(height), width, height);
    }
  }

  async send(url: string): Promise<void> {
    const { from, fps, speed, kind } = this.options;
    const to = Math.min(this.options.to ?? this.clock.duration, this.clock.duration);
    const count = kind === "png" ? 1 : Math.max(1, Math.floor(((to - from) / speed) * fps + 1e-6) + 1);
    const overlay = await this.overlayData();
    for (let i = 0; i < count; ++i) {
      const time = Math.min(from + (i * speed) / fps, to);
      this.draw(time, overlay);
      await post(`${url}/frame?index=${i}&count=${count}`, await this.encode());
    }
  }

  private draw(time: number, overlay: OverlayData): void {
    this.clock.set(time);
    this.scene.show(this.clock.time);
    this.scene.render(true);
    const context = this.picture.getContext("2d")!;
    context.drawImage(this.canvas, 0, 0);
    drawOverlay(context, overlay, this.clock.time, this.scene.scale);
  }

  // Under the picture: the normal forces; without them the first plot.
  private async overlayData(): Promise<OverlayData> {
    const { page, arrays } = this.loaded;
    const channels = new Channels(page, arrays);
    const group = channels.groups().find((name) => name === "Normal force") ?? channels.groups()[0];
    const members = group === undefined ? [] : await channels.curvesOf(group);
    const curves = page.runs.length > 1 ? members.filter((curve) => !curve.foot) : members;
    const unit = group === undefined ? "" : channels.inGroup(group)[0]!.channel.unit;
    return { page, group: group ?? "", unit, curves, duration: this.clock.duration };
  }

  private encode(): Promise<Blob> {
    return new Promise((resolve, reject) => {
      const type = this.options.kind === "png" ? "image/png" : "image/jpeg";
      this.picture.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error("the picture could not be encoded"))),
        type,
        0.93,
      );
    });
  }
}

async function post(url: string, body: BodyInit): Promise<void> {
  const answer = await fetch(url, { method: "POST", body });
  if (!answer.ok) throw new Error(`${url}: the program answers ${answer.status}`);
}
