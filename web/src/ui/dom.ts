type Attributes = Record<string, string | number | boolean | ((event: never) => void) | undefined>;

// An element with attributes; functions become listeners, `true` an attribute without value.
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children);
  return element;
}

// Icons are drawn on a 24 × 24 grid with the colour of the text.
const icons = {
  play: "M7 4.5v15l13-7.5z",
  pause: "M6 4.5h4.2v15H6zM13.8 4.5H18v15h-4.2z",
  back: "M18 5v14l-9.5-7zM5.5 5H8v14H5.5z",
  forward: "M6 5v14l9.5-7zM16 5h2.5v14H16z",
  print: "M7 3h10v4H7zM4 8h16a1.5 1.5 0 0 1 1.5 1.5V16H18v5H6v-5H2.5V9.5A1.5 1.5 0 0 1 4 8zM8 14v5h8v-5z",
  theme: "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zm0 2v14a7 7 0 0 1 0-14z",
};

export function icon(name: keyof typeof icons): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", icons[name]);
  path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
}
