// Pages around runs that are made by formula.
import { readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { footNames } from "./make_run.mjs";

// All arrays of a page, one after another.
export class Bytes {
  parts = [];
  length = 0;

  add(type, values, { scale = 1, bias = 0, delta = false, width = 1 } = {}) {
    const Type = { f32: Float32Array, i16: Int16Array, u16: Uint16Array, i32: Int32Array, u8: Uint8Array }[type];
    const round = type === "f32" ? (v) => v : Math.round;
    const stored = Type.from(values, (v) => round((v - bias) / scale));
    if (delta) for (let i = stored.length - 1; i >= width; --i) stored[i] -= stored[i - width];
    const offset = this.length;
    const padding = (8 - (stored.byteLength % 8)) % 8;
    this.parts.push(Buffer.from(stored.buffer), Buffer.alloc(padding));
    this.length += stored.byteLength + padding;
    return { offset, length: values.length, type, scale, bias, delta, width };
  }

  all() {
    return Buffer.concat(this.parts);
  }
}

export function makePage(runs, extra = {}) {
  return {
    format: "footfall page",
    version: 1,
    mode: "embedded",
    title: "Quadruped trots off a slab into dry sand",
    subtitle: "12.2 kg · trot at 0.45 m/s · terramechanics, Bekker · step 1 ms",
    command: "footfall run scenarios/quadruped_trot_sand.toml --html run.html",
    warnings: ["front_left_foot slipped for 0.12 s: friction use 1.00 at 1.42 s"],
    runs,
    tables: [
      {
        title: "Summary",
        header: ["", "value"],
        rows: [
          ["duration", "3 s"],
          ["distance", "1.35 m"],
          ["mean speed", "0.45 m/s"],
          ["cost of transport", "0.61"],
        ],
      },
      {
        title: "Feet",
        header: ["foot", "largest force [N]", "deepest sinkage [mm]", "time on the ground"],
        rows: footNames.map((name) => [name, "145.2", "18.0", "62 %"]),
      },
    ],
    texts: [{ title: "Scenario", text: '[robot]\nfile = "quadruped.xml"\n\n[ground]\nsoil = "dry-sand"\n' }],
    ...extra,
  };
}

// An identification: data with a fit and its band, residuals, correlations, and a drawing.
export function makeFigures(bytes) {
  const x = Array.from({ length: 80 }, (_, i) => 0.3 * i);
  const fit = x.map((z) => 3.1 * z ** 1.1);
  const data = fit.map((v, i) => v + 2.2 * Math.sin(7.3 * i));
  const add = (values) => bytes.add("f32", values);
  const sinkage = { label: "Sinkage", unit: "mm" };
  return [
    {
      title: "Pressing a disc of 50 mm: data and fit",
      caption: "Bekker's law fitted to 80 rows; the band holds 95 % of the fits.",
      x: sinkage,
      y: { label: "Pressure", unit: "kPa" },
      series: [
        {
          name: "95 % band",
          kind: "band",
          color: 0,
          x: add(x),
          y: add(fit.map((v) => 0.93 * v - 0.5)),
          y_high: add(fit.map((v) => 1.07 * v + 0.5)),
        },
        { name: "measured", kind: "points", color: 7, x: add(x), y: add(data) },
        { name: "fit", kind: "line", color: 0, x: add(x), y: add(fit) },
      ],
    },
    {
      title: "Residuals",
      x: sinkage,
      y: { label: "Measured minus fit", unit: "kPa" },
      series: [{ name: "residual", kind: "points", color: 1, x: add(x), y: add(data.map((v, i) => v - fit[i])) }],
    },
    {
      title: "Correlation of the parameters",
      matrix: {
        labels: ["k_c", "k_phi", "n"],
        values: [
          [1, -0.82, 0.31],
          [-0.82, 1, -0.64],
          [0.31, -0.64, 1],
        ],
      },
    },
    {
      title: "As drawn by the program",
      svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 60"><rect x="10" y="10" width="180" height="40" fill="#56b4e9"/></svg>',
    },
  ];
}

// Fills the viewer as the program does.
export function fillViewer(page, bytes, viewer = new URL("../dist/viewer.html", import.meta.url)) {
  const html = readFileSync(viewer, "utf8");
  for (const mark of ["<!--footfall-page-->", "<!--footfall-data-->"]) {
    if (html.split(mark).length !== 2) throw new Error(`the viewer must hold ${mark} exactly once`);
  }
  const data = page.mode === "embedded" ? deflateSync(bytes.all()).toString("base64") : "";
  return html
    .replace("<!--footfall-page-->", () => JSON.stringify(page).replaceAll("<", "\\u003c"))
    .replace("<!--footfall-data-->", () => data);
}
