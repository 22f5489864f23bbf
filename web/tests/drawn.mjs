// What a page draws, by its pixels: curves have a colour, empty plots and axes have none.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pictures } from "./browser.mjs";

const fewestColors = 200; // of a 3D scene; an empty one has a handful
const leastInk = 40; // coloured pixels of a plot with a curve in it

// Runs in the browser. Coloured: channels that lie far apart, as in no axis, grid or text of a page.
function countPixels(data) {
  const colors = new Set();
  let ink = 0;
  let light = 0;
  for (let i = 0; i < data.length; i += 4) {
    const [r, g, b, a] = [data[i], data[i + 1], data[i + 2], data[i + 3]];
    colors.add((r << 16) | (g << 8) | b);
    if (a > 127 && Math.max(r, g, b) - Math.min(r, g, b) > 40) ++ink;
    if (Math.min(r, g, b) > 200) ++light;
  }
  return { colors: colors.size, ink, light: light / (data.length / 4) };
}

// Of a canvas in the browser. It reads a copy: reading a canvas again and again makes the browser complain.
function countCanvas(canvas) {
  const { width, height } = canvas;
  const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  return window.countPixels(copy.getImageData(0, 0, width, height).data);
}

// So that functions in the page can call them.
function teachCounting(page) {
  return page.evaluate(`window.countPixels = ${countPixels}; window.countCanvas = ${countCanvas}; 0`);
}

const decoders = new WeakMap(); // browser → a page that decodes, so that the tested one is left alone

// Colours and coloured pixels of a PNG.
export async function pixelsOf(browser, png) {
  if (!decoders.has(browser)) {
    const page = await browser.newPage();
    await teachCounting(page);
    decoders.set(browser, page);
  }
  return decoders.get(browser).evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    return window.countCanvas(await createImageBitmap(new Blob([bytes], { type: "image/png" })));
  }, png.toString("base64"));
}

const textsThatAreErrors = /The page cannot be shown|not loaded|is not shown|needs WebGL|\bundefined\b|\bNaN\b/;

// Of every page: no error in its text, none on the console.
export async function assertNoErrors({ page, complaints }) {
  assert.deepEqual(complaints, []);
  assert.equal(await page.locator(".failure").count(), 0);
  assert.doesNotMatch(await page.locator("body").innerText(), textsThatAreErrors);
}

export async function assertScene(page) {
  await page.evaluate(() => scrollTo(0, 0));
  await page.waitForFunction(() => window.footfall.pictures > 0);
  const { colors } = await pixelsOf(page.context().browser(), await page.locator("canvas.scene").screenshot());
  assert.ok(colors > fewestColors, `the scene has ${colors} colours`);
}

// Every plot, one after another: its curves have points and its canvas has ink. How many there are.
export async function assertPlots(page) {
  await teachCounting(page);
  const plots = page.locator(".plot-frame");
  const count = await plots.count();
  for (let i = 0; i < count; ++i) {
    const plot = plots.nth(i);
    await plot.scrollIntoViewIfNeeded();
    const canvas = await plot.locator("canvas").elementHandle();
    const isInked = ([shown, least]) => window.countCanvas(shown).ink >= least;
    const name = await plot.getAttribute("aria-label");
    await page.waitForFunction(isInked, [canvas, leastInk]).catch((error) => {
      throw new Error(`the plot "${name}" has no curve: ${error.message}`);
    });
  }
  const points = await page.evaluate(() =>
    window.footfall.plots.timePlots.map((plot) => Math.min(...plot.curves.map((curve) => curve.values.length))),
  );
  assert.ok(
    points.every((n) => n > 1),
    `points of the curves: ${points}`,
  );
  return count;
}

// A page of the viewer: scene, plots, no errors.
export async function assertViewer(opened, { scene = true } = {}) {
  if (scene) await assertScene(opened.page);
  const plots = await assertPlots(opened.page);
  assert.ok(plots >= 1, "there are plots");
  await opened.page.evaluate(() => scrollTo(0, 0));
  await assertNoErrors(opened);
  return plots;
}

// A plain page: each of its drawings has ink. How much there is.
export async function assertDrawings(opened, atLeast) {
  const { page } = opened;
  const drawings = page.locator("svg");
  const count = await drawings.count();
  assert.ok(count >= atLeast, `${count} drawings, at least ${atLeast} are expected`);
  let total = 0;
  for (let i = 0; i < count; ++i) {
    const { ink } = await pixelsOf(page.context().browser(), await drawings.nth(i).screenshot());
    assert.ok(ink >= leastInk, `drawing ${i + 1} has ${ink} coloured pixels`);
    total += ink;
  }
  await assertNoErrors(opened);
  return total;
}

export const pdftoppm = (process.env.PATH ?? "")
  .split(":")
  .map((folder) => join(folder, "pdftoppm"))
  .find((path) => existsSync(path));

// Pixels of the printed page's sheets, at the size that plots have in print.css before they are made smaller.
async function printSheets(page, name) {
  const file = join(pictures, `${name}.pdf`);
  const sheetFiles = () => readdirSync(pictures).filter((sheet) => sheet.startsWith(`${name}-sheet`));
  for (const old of sheetFiles()) rmSync(join(pictures, old));
  await page.pdf({ path: file, format: "A4", printBackground: true });
  execFileSync(pdftoppm, ["-r", String(96 / 0.72), "-png", file, join(pictures, `${name}-sheet`)]);
  const counted = [];
  for (const sheet of sheetFiles().sort())
    counted.push(await pixelsOf(page.context().browser(), readFileSync(join(pictures, sheet))));
  counted.forEach(({ light }, i) => assert.ok(light > 0.4, `sheet ${i + 1} is light on ${light} of it`));
  return counted;
}

function assertInk(sheets, wanted) {
  const ink = sheets.reduce((sum, sheet) => sum + sheet.ink, 0);
  assert.ok(ink > 0.7 * wanted, `${ink} coloured pixels on paper, ${wanted} in the page`);
}

// Coloured pixels of the plots as they are laid out for paper.
async function plotInkForPaper(page) {
  await teachCounting(page);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  const plots = await page.evaluate(() =>
    [...document.querySelectorAll(".plot-frame canvas")].map((canvas) => window.countCanvas(canvas).ink),
  );
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.equal(plots.length, await page.locator(".plot-frame").count());
  plots.forEach((ink, i) => assert.ok(ink >= leastInk, `plot ${i + 1} has ${ink} coloured pixels`));
  return plots.reduce((sum, ink) => sum + ink, 0);
}

// Paper is light and has the scene and every plot. Printed again with nothing but one of them, as each has
// more ink than what else is on a sheet.
export async function assertPrints(page, name) {
  const alone = async (what) => {
    const content = `main * { visibility: hidden } ${what}, ${what} * { visibility: visible !important }`;
    const style = await page.addStyleTag({ content });
    const sheets = await printSheets(page, `${name}-part`);
    await style.evaluate((element) => element.remove());
    return sheets;
  };
  await printSheets(page, name); // to be looked at
  const [{ colors }] = await alone(".print-picture");
  assert.ok(colors > fewestColors, `the scene has ${colors} colours on paper`);
  assertInk(await alone(".plot-frame"), await plotInkForPaper(page));
}

// Of a plain page, whose drawings have `drawn` coloured pixels.
export async function assertPrintsDrawings(page, name, drawn) {
  assertInk(await printSheets(page, name), drawn);
}
