// Paper: every plot is drawn, seen or not, the picture is copied out of WebGL, whose canvas prints empty, and
// colours are those of a light page.
import type { App } from "./app";

const plotWidth = 454; // [px], between the borders of a card; two cards make a page of print.css

export function listenToPrinting(app: App, signal: AbortSignal): void {
  const root = document.documentElement;
  let chosen: string | undefined;
  const start = () => {
    chosen = root.dataset.theme;
    app.setTheme("light");
    app.sceneCard.print();
    app.plots.print(plotWidth);
  };
  const end = () => {
    if (chosen) root.dataset.theme = chosen;
    else delete root.dataset.theme;
    app.setTheme(null);
    app.plots.print();
  };
  addEventListener("beforeprint", start, { signal });
  addEventListener("afterprint", end, { signal });
}
