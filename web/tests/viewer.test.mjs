// The viewer in a real browser: every kind of page loads, moves, and says nothing on the console.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
  chromiumPath,
  launch,
  open,
  pictures,
  saved,
  screenshot,
  sendHtml,
  serve,
} from "./browser.mjs";
import { Bytes, fillViewer, makeFigures, makePage } from "./make_page.mjs";
import { makeRun, torsoAt } from "./make_run.mjs";

const short = { duration: 1.5, channelRate: 500 };
const skip = chromiumPath ? false : "there is no Chromium on this machine";
let browser;

before(async () => {
  if (!skip) browser = await launch();
});
after(() => browser?.close());

function embedded(name, runs, extra) {
  const bytes = new Bytes();
  const page = makePage(
    runs.map((options) => makeRun(bytes, { ...short, ...options })),
    extra,
  );
  return saved(name, fillViewer(page, bytes));
}

const state = (page) =>
  page.evaluate(() => {
    const { clock, scene, plots } = window.footfall;
    const torso = scene.runs[0].robot.bodies[0].position;
    return {
      time: clock.time,
      playing: clock.playing,
      torso: [torso.x, torso.y, torso.z],
      dents: scene.runs[0].ground.dents.eventCount,
      lines: plots.timePlots.map((plot) => plot.lineAt).filter((t) => !Number.isNaN(t)),
      points: plots.timePlots[0].drawnPoints,
      dark: getComputedStyle(document.body).backgroundColor,
    };
  });

async function scrub(page, time) {
  await page.locator(".track input").evaluate((input, value) => {
    input.value = value;
    input.dispatchEvent(new Event("input"));
  }, time);
}

test("a run: the scrubber moves the robot, its ruts and the lines in the plots", { skip }, async () => {
  const { page, complaints } = await open(browser, embedded("run", [{}]));
  await page.waitForFunction(() => window.footfall.plots.timePlots[0].drawnPoints > 0);
  await scrub(page, 1.25);
  const late = await state(page);
  torsoAt(1.25).forEach((value, k) => assert.ok(Math.abs(late.torso[k] - value) < 1e-3, `torso ${late.torso}`));
  assert.ok(late.lines.length >= 2 && late.lines.every((t) => Math.abs(t - 1.25) < 0.01), `lines ${late.lines}`);
  await screenshot(page, "run-light");
  await scrub(page, 0.4);
  const early = await state(page);
  assert.ok(late.dents > early.dents && early.dents > 0, "ruts come with time and go when it goes back");
  // An early time looks the same whether it is reached forwards or backwards.
  const heights = () =>
    page.evaluate(() =>
      [...window.footfall.scene.runs[0].ground.dents.tiles.values()].map((t) =>
        t.heights.reduce((a, b) => a + b, 0),
      ),
    );
  const backwards = await heights();
  await scrub(page, 0);
  await scrub(page, 0.4);
  assert.deepEqual(await heights(), backwards);

  const over = await page.locator(".plot .u-over").first().boundingBox();
  await page.mouse.click(over.x + over.width / 2, over.y + over.height / 2);
  assert.ok(Math.abs((await state(page)).time - 0.75) < 0.02, "a click in a plot moves the time");
  assert.deepEqual(complaints, []);
  await page.close();
});

test("keys, theme, zoom and options in the address", { skip }, async () => {
  const { page, complaints } = await open(browser, embedded("run", [{}]) + "#t=0.5&camera=side");
  const frame = 1 / 60;
  const press = async (key) => {
    await page.keyboard.press(key);
    return state(page);
  };
  assert.ok(Math.abs((await state(page)).time - 0.5) < 1e-6);
  assert.ok(Math.abs((await press("ArrowRight")).time - (0.5 + frame)) < 1e-5);
  assert.ok(Math.abs((await press("Shift+ArrowRight")).time - (0.5 + 11 * frame)) < 1e-5);
  assert.ok(Math.abs((await press("ArrowLeft")).time - (0.5 + 10 * frame)) < 1e-5);
  assert.equal((await press("Home")).time, 0);
  assert.equal((await press(" ")).playing, true);
  await page.waitForFunction(() => window.footfall.clock.time > 0.05);
  assert.equal((await press(" ")).playing, false);
  assert.equal((await press("End")).time, 1.5);
  const light = (await state(page)).dark;
  const dark = (await press("t")).dark;
  assert.notEqual(light, dark);
  await press("+");
  assert.ok(await page.evaluate(() => window.footfall.plots.span.to - window.footfall.plots.span.from < 0.8));
  await page.getByRole("button", { name: "show the whole run" }).click();
  await page.keyboard.press("?");
  assert.ok(await page.locator("dialog[open]").isVisible());
  await page.keyboard.press("Escape");
  await screenshot(page, "run-dark");
  assert.deepEqual(complaints, []);
  await page.close();
});

test("a phone: one column, nothing wider than the screen", { skip }, async () => {
  const { page, complaints } = await open(browser, embedded("run", [{}]) + "#t=1.0", {
    width: 390,
    height: 780,
    theme: "dark",
  });
  await page.waitForFunction(() => window.footfall.plots.timePlots[0].drawnPoints > 0);
  assert.ok(
    await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
    "no sideways scrolling",
  );
  await screenshot(page, "phone");
  assert.deepEqual(complaints, []);
  await page.close();
});

test("compared runs: side by side, or over each other", { skip }, async () => {
  const runs = [{ name: "dry-sand" }, { name: "clay", soil: "clay", color: "#b08d6e", depth: 0.006, speed: 0.5 }];
  const { page, complaints } = await open(browser, embedded("compare", runs) + "#t=1.1");
  const lanes = () => page.evaluate(() => window.footfall.scene.runs.map((run) => run.group.position.y));
  assert.notEqual((await lanes())[0], (await lanes())[1]);
  await screenshot(page, "compare");
  await page.getByText("Show", { exact: true }).click();
  await page.getByLabel("Runs over each other").check();
  assert.deepEqual(await lanes(), [0, 0]);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("a granular run: the wrench space moves with time", { skip }, async () => {
  const { page, complaints } = await open(browser, embedded("granular", [{ granular: true }]) + "#t=0.7");
  const space = page.locator("section", { hasText: "Wrench space" });
  await space.scrollIntoViewIfNeeded();
  await space.locator(".dot").first().waitFor();
  const at = () =>
    space
      .locator(".dot")
      .first()
      .evaluate((dot) => dot.style.transform);
  const before = await at();
  await page.keyboard.press("Shift+ArrowRight");
  assert.notEqual(await at(), before);
  await screenshot(page, "granular");
  assert.deepEqual(complaints, []);
  await page.close();
});

test("figures: fit with band, residuals, correlation, drawings; without a replay", { skip }, async () => {
  const bytes = new Bytes();
  const html = fillViewer(makePage([], { figures: makeFigures(bytes), warnings: [] }), bytes);
  const { page, complaints } = await open(browser, saved("figures", html));
  await page.locator("figure canvas").first().waitFor();
  assert.equal(await page.locator("figure").count(), 4);
  await page.waitForTimeout(300);
  await screenshot(page, "figures");
  assert.deepEqual(complaints, []);
  await page.close();
});

test("pictures without hands: a PNG and the frames of a video", { skip }, async () => {
  const received = [];
  const bytes = new Bytes();
  const html = fillViewer(makePage([makeRun(bytes, short)], { capture_url: "/capture" }), bytes);
  let done;
  const take = (name) => (request, response, body) => {
    received.push({ name, url: request.url, body });
    response.writeHead(204).end();
    if (name !== "frame") done();
  };
  const server = await serve({
    "GET /": sendHtml(html),
    "POST /capture/frame": take("frame"),
    "POST /capture/done": take("done"),
    "POST /capture/error": take("error"),
  });
  const page = await browser.newPage({ viewport: { width: 640, height: 400 } });
  for (const query of [
    "capture=png&width=960&height=540&t=0.8",
    "capture=video&fps=10&from=0.2&to=0.5&width=320&height=180",
  ]) {
    const finished = new Promise((resolve) => (done = resolve));
    await page.goto(`${server.url}/?${query}`);
    await finished;
  }
  assert.deepEqual(
    received.map((r) => r.name),
    ["frame", "done", "frame", "frame", "frame", "frame", "done"],
  );
  writeFileSync(join(pictures, "capture.png"), received[0].body);
  assert.equal(received[0].body.subarray(1, 4).toString(), "PNG");
  assert.equal(received[0].body.readUInt32BE(16), 960);
  assert.deepEqual([...received[2].body.subarray(0, 2)], [0xff, 0xd8], "a JPEG");
  assert.match(received[5].url, /index=3&count=4$/);
  await page.close();
  server.close();
});

test("without WebGL the page says so and the plots work; without a run it says that", { skip }, async () => {
  const noWebGL = () => {
    const original = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return kind.startsWith("webgl") ? null : original.call(this, kind, ...rest);
    };
  };
  const first = await open(browser, embedded("run", [{}]), { before: noWebGL });
  assert.match(await first.page.locator(".scene-card").textContent(), /needs WebGL/);
  await first.page.waitForFunction(() => window.footfall.plots.timePlots[0].drawnPoints > 0);
  await first.page.close();
  const second = await open(browser, new URL("../dist/viewer.html", import.meta.url).href);
  assert.match(await second.page.locator(".failure").textContent(), /without a run/);
  assert.deepEqual(second.complaints, []);
  await second.page.close();
});
