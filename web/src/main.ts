import "uplot/dist/uPlot.min.css";
import "./style.css";
import "./stage.css";
import "./plots.css";
import "./narrow.css";
import "./print.css";
import { startApp, type App } from "./app";
import { capture } from "./capture";
import { loadPage } from "./load";
import { readCapture, readOptions } from "./options";
import { h } from "./ui/dom";

declare global {
  interface Window {
    footfall?: App; // for tests and for the curious
  }
}

async function main(): Promise<void> {
  const root = document.getElementById("app")!;
  const { theme } = readOptions(location);
  if (theme) document.documentElement.dataset.theme = theme;
  const pictures = readCapture(location);
  try {
    if (pictures) return await capture(pictures, root);
    await startApp(await loadPage(), root, (app) => (window.footfall = app));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    root.replaceChildren(
      h(
        "div",
        { class: "failure", role: "alert" },
        h("h1", {}, "Footfall"),
        h("p", {}, `The page cannot be shown: ${reason}.`),
      ),
    );
  }
}

void main();
