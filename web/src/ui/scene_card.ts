// The frame around the 3D picture: its buttons, its legend, the names of compared runs.
import { paletteColor, pressureGradient } from "../colors";
import { niceBelow, plainNumber } from "../format";
import type { Page } from "../page";
import { presets, type Preset } from "../view/camera";
import type { Layer } from "../view/marks";
import type { SceneView } from "../view/scene";
import { h } from "./dom";

const presetNames: Record<Preset, string> = {
  overview: "Overview",
  side: "Side",
  front: "Front",
  top: "Top",
  feet: "Feet",
};
const layerNames: Record<Layer, string> = {
  forces: "Forces of the ground",
  patches: "Contact pressure",
  mass: "Centre of mass",
  support: "Support polygon",
  grid: "Grid (0.1 m and 1 m)",
};

export class SceneCard {
  readonly element: HTMLElement;
  readonly canvas = h("canvas", { class: "scene", tabindex: 0, role: "img" });
  readonly legend = h("div", { class: "scene-legend" });
  // On paper, where the canvas itself is empty.
  private picture = h("canvas", { class: "print-picture", width: 1408, height: 800 });
  private names = h("div", { class: "run-names" });
  private tools = h("div", { class: "scene-tools" });
  private view: SceneView | null = null;

  constructor(private page: Page) {
    this.canvas.setAttribute(
      "aria-label",
      "3D replay: the robot on its ground. Drag to turn, right drag or two fingers to move, wheel or pinch to zoom.",
    );
    this.element = h("div", { class: "card scene-card" }, this.canvas, this.picture, this.names, this.tools);
    this.element.append(this.legend);
  }

  connect(view: SceneView): void {
    this.view = view;
    this.makeTools(view);
    this.paint();
    new ResizeObserver(() => view.resize(this.canvas.clientWidth, this.canvas.clientHeight)).observe(this.canvas);
    view.resize(this.canvas.clientWidth, this.canvas.clientHeight);
  }

  print(): void {
    this.view?.takePicture(this.picture);
  }

  // Where the browser cannot draw in 3D.
  fail(reason: string): void {
    this.element.classList.add("failed");
    this.element.replaceChildren(
      h("p", {}, h("strong", {}, "The 3D replay needs WebGL, which this browser does not offer."), ` (${reason})`),
      h("p", {}, "Plots, tables and the time line work without it."),
    );
  }

  setTheme(): void {
    this.view?.setTheme();
    this.paint();
  }

  // The legend: what colours and lengths mean, in numbers.
  paint(): void {
    if (!this.view) return;
    const { scale } = this.view;
    const newtons = niceBelow((0.4 * scale.size) / scale.metresPerNewton);
    const length = newtons * scale.metresPerNewton;
    const deepest = Math.max(...this.view.runs.map((run) => run.ground.dents.deepest));
    this.legend.replaceChildren(
      h(
        "div",
        {},
        h("span", { class: "arrow" }),
        `${plainNumber(newtons)} N = ${(100 * length).toFixed(0)} cm`,
      ),
      h(
        "div",
        {},
        h("span", { class: "bar", style: `background:${pressureGradient}` }),
        `0 … ${plainNumber(scale.maximumPressure / 1000)} kPa and more under the sole`,
      ),
      h("div", {}, h("span", { class: "com" }), "centre of mass, and on the ground"),
      h("div", { class: "soils" }, ...this.soils()),
    );
    if (deepest > 0) {
      this.legend.append(
        h(
          "div",
          {},
          h("span", { class: "rut" }),
          `darker: pressed in, at most ${(1000 * deepest).toFixed(deepest < 0.01 ? 1 : 0)} mm`,
        ),
      );
    }
    const several = this.page.runs.length > 1;
    this.names.replaceChildren(
      ...(several ? this.page.runs : []).map((run, i) =>
        h(
          "span",
          { class: "entry", style: `--key:${paletteColor(i)}` },
          h("span", { class: "key block" }),
          run.name,
        ),
      ),
    );
  }

  private soils(): HTMLElement[] {
    const soils = new Map<string, string>();
    for (const { ground } of this.page.runs) {
      soils.set(ground.soil, ground.color);
      for (const region of ground.regions) soils.set(region.soil, region.color);
    }
    return [...soils].map(([name, color]) =>
      h("span", { class: "soil" }, h("i", { style: `background:${color}` }), name),
    );
  }

  private makeTools(view: SceneView): void {
    const places = presets.map((preset) =>
      h(
        "button",
        {
          class: "small",
          type: "button",
          title: `camera: ${presetNames[preset]}`,
          click: () => view.goTo(preset),
        },
        presetNames[preset],
      ),
    );
    const check = (label: string, checked: boolean, change: (on: boolean) => void) => {
      const box = h("input", { type: "checkbox", checked, change: () => change(box.checked) });
      return h("label", {}, box, label);
    };
    const menu = h(
      "details",
      { class: "menu" },
      h("summary", { class: "small" }, "Show"),
      h(
        "div",
        { class: "menu-body" },
        ...[...view.visible.keys()].map((layer) =>
          check(layerNames[layer], true, (on) => view.setLayer(layer, on)),
        ),
        check("Camera follows the robot", view.cameraView.following, (on) => (view.cameraView.following = on)),
        ...(this.page.runs.length > 1 ? [check("Runs over each other", false, (on) => view.setOverlaid(on))] : []),
        check("Legend", true, (on) => this.legend.classList.toggle("hidden", !on)),
      ),
    );
    this.tools.replaceChildren(
      h("div", { class: "segments", role: "group", "aria-label": "camera" }, ...places),
      menu,
    );
  }
}
