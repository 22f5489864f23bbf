import { h } from "./dom";

const keys: [string, string][] = [
  ["Space", "play or pause"],
  ["← →", "one frame back, forward"],
  ["Shift ← →", "ten frames"],
  ["Home, End", "start, end"],
  ["+ −", "zoom the time axis of the plots"],
  ["1 … 5", "camera: overview, side, front, top, feet"],
  ["T", "light or dark"],
  ["Ctrl P", "print, with every plot"],
  ["?", "this page"],
];
const hands: [string, string][] = [
  ["Drag in the picture", "turn; right drag or two fingers move; wheel or pinch zooms"],
  ["Drag in a plot over time", "moves the time"],
  ["Shift and drag, or pinch", "zooms a plot over time; double click shows all"],
  ["Drag in another plot", "zooms; double click shows all"],
  ["Feet above the plots", "show or hide a foot's curves"],
];

export function makeHelp(): HTMLDialogElement {
  const table = (rows: [string, string][]) =>
    h(
      "table",
      {},
      ...rows.map(([key, meaning]) => h("tr", {}, h("th", { scope: "row" }, key), h("td", {}, meaning))),
    );
  const dialog = h(
    "dialog",
    {
      class: "help",
      "aria-label": "help",
      click: (event: MouseEvent) => event.target === dialog && dialog.close(),
    },
    h(
      "div",
      {},
      h("h2", {}, "Keys"),
      table(keys),
      h("h2", {}, "Mouse and fingers"),
      table(hands),
      h("button", { type: "button", click: () => dialog.close() }, "Close"),
    ),
  );
  return dialog;
}
