// Figures that do not move with time: fits with their bands, residuals, correlations, drawings of the program.
import { paletteColor } from "../colors";
import type { Arrays } from "../data";
import type { Figure, Series } from "../page";
import { h } from "../ui/dom";
import { whenVisible } from "./visible";
import { XYPlot, type Shape } from "./xy_plot";

export class FigureCard {
  readonly element: HTMLElement;
  private plot: XYPlot | null = null;
  private loading: Promise<void> | null = null;
  private keys: { entry: HTMLElement; color: number }[] = [];

  constructor(
    private figure: Figure,
    private arrays: Arrays,
  ) {
    const parts: Node[] = [h("h3", {}, figure.title)];
    if (figure.svg) parts.push(drawing(figure));
    if (figure.matrix) parts.push(matrixTable(figure.matrix));
    if (figure.series && figure.x && figure.y) {
      this.plot = new XYPlot(figure.x, figure.y, 280, figure.title);
      parts.push(this.makeLegend(figure.series), this.plot.frame);
    }
    if (figure.caption) parts.push(h("p", { class: "note" }, figure.caption));
    this.element = h("figure", { class: figure.svg ? "card plot wide" : "card plot" }, ...parts);
    whenVisible(this.element, () => void this.load());
  }

  load(): Promise<void> {
    return (this.loading ??= this.fetchShapes());
  }

  async print(width?: number): Promise<void> {
    if (width) await this.load();
    this.plot?.print(width);
  }

  setTheme(): void {
    this.plot?.setTheme();
    for (const { entry, color } of this.keys) entry.style.setProperty("--key", paletteColor(color));
  }

  private async fetchShapes(): Promise<void> {
    const series = this.figure.series ?? [];
    await this.arrays.load(series.flatMap((s) => [s.x, s.y, ...(s.y_high ? [s.y_high] : [])]));
    this.plot?.setShapes(series.map((s) => shapeOf(s, this.arrays)));
  }

  private makeLegend(series: Series[]): HTMLElement {
    const legend = h("div", { class: "legend" });
    for (const s of new Map(series.map((entry) => [entry.name, entry])).values()) {
      const entry = h("span", { class: "entry" }, h("span", { class: `key ${s.kind}` }), s.name);
      entry.style.setProperty("--key", paletteColor(s.color));
      this.keys.push({ entry, color: s.color });
      legend.append(entry);
    }
    return legend;
  }
}

function shapeOf(series: Series, arrays: Arrays): Shape {
  return {
    kind: series.kind,
    color: () => paletteColor(series.color),
    x: arrays.get(series.x),
    y: arrays.get(series.y),
    high: series.y_high ? arrays.get(series.y_high) : undefined,
    opacity: series.kind === "band" ? 0.22 : series.kind === "points" ? 0.7 : 1,
  };
}

// As a picture, in which nothing can run.
function drawing(figure: Figure): HTMLElement {
  const source = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(figure.svg!)}`;
  return h("img", { class: "drawing", src: source, alt: figure.title, loading: "lazy" });
}

function matrixTable(matrix: NonNullable<Figure["matrix"]>): HTMLElement {
  const head = h("tr", {}, h("td", {}), ...matrix.labels.map((label) => h("th", { scope: "col" }, label)));
  const rows = matrix.values.map((row, i) => {
    const cells = row.map((value: number | null) => {
      if (value === null) return h("td", {}, "–");
      const color = value < 0 ? "var(--negative)" : "var(--positive)";
      const share = Math.round(100 * Math.min(1, Math.abs(value)) * 0.75);
      return h(
        "td",
        { style: `background:color-mix(in srgb, ${color} ${share}%, transparent)` },
        value.toFixed(2).replace("-", "−"),
      );
    });
    return h("tr", {}, h("th", { scope: "row" }, matrix.labels[i] ?? ""), ...cells);
  });
  return h("div", { class: "scroll" }, h("table", { class: "matrix" }, head, ...rows));
}
