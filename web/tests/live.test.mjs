// footfall run --live in a real browser: the page shows the run that the program makes, drives it, and ends as
// its report.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, screenshot } from "./browser.mjs";
import { assertNoErrors, assertViewer } from "./drawn.mjs";
import { serveFootfall, skip, stopPrograms } from "./program.mjs";

const scenario = "scenarios/quadruped_trot_sand.toml";
const size = { width: 960, height: 560 }; // small, as it is drawn again and again without a graphics card
let browser, folder;

before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), "footfall-live-"));
  browser = await launch();
});
after(async () => {
  stopPrograms();
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true });
});

function live(name, ...options) {
  return serveFootfall("run", scenario, "--live", "-o", join(folder, name), ...options);
}

const state = (page) =>
  page.evaluate(() => {
    const { clock, plots, scene } = window.footfall;
    const [curve] = plots.timePlots[0].curves;
    return {
      time: clock.time,
      readout: document.querySelector(".clock").textContent,
      rows: curve?.time.length ?? 0,
      lastRow: curve?.time.at(-1) ?? 0,
      base: scene.runs[0].robot.bodies[0].position.toArray(),
    };
  });

// A page that runs draws all the time: what is looked at closely is looked at in a pause.
async function pause(page) {
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByText("paused", { exact: true }).waitFor();
  await page.waitForTimeout(500); // what was under way
  return state(page);
}

async function resume(page) {
  await page.getByRole("button", { name: "Resume", exact: true }).click();
  await page.getByText("running", { exact: true }).waitFor();
}

const timeIsAfter = (page, time) => page.waitForFunction((t) => window.footfall.clock.time > t, time);

// Time and values of every curve, under the name of its column. As text, which is handed over far faster.
async function curvesOf(page, source = "window.footfall") {
  const text = await page.evaluate(async (app) => {
    const { channels, page } = app;
    const list = page.runs[0].channels;
    const curves = await Promise.all(list.map((_, i) => channels.curve(0, i)));
    const numbers = (values) => Array.from(values);
    return JSON.stringify(list.map(({ name, label }, i) => [`${name} ${label}`, numbers(curves[i].time), numbers(curves[i].values)]));
  }, await page.evaluateHandle(source));
  return new Map(JSON.parse(text).map(([name, time, values]) => [name, { time, values }]));
}

const rowOf = (time) => Math.round(1e4 * time);

// What was plotted live stands in the report at the same times with the same values, to the 16 bits that a
// report keeps. The base's height has the rows of frames there.
function assertRowsAreThoseOf(report, whileLive) {
  let compared = 0;
  for (const [name, { time, values }] of report) {
    const rows = new Map(time.map((t, i) => [rowOf(t), values[i]]));
    const size = Math.max(...values) - Math.min(...values);
    whileLive.get(name).time.forEach((t, i) => {
      const wanted = rows.get(rowOf(t));
      if (wanted === undefined && name.startsWith("base height")) return;
      assert.ok(wanted !== undefined, `${name} at ${t} s stands in no row of the report`);
      const value = whileLive.get(name).values[i];
      assert.ok(Math.abs(value - wanted) <= 1e-4 * size + 1e-6 * Math.abs(wanted), `${name} at ${t} s: ${value}, ${wanted}`);
      ++compared;
    });
  }
  assert.ok(report.size > 40 && compared > 10000, `${compared} numbers of ${report.size} curves`);
}

test("a live run is drawn, pauses, steps, goes on, and can be looked back at", { skip }, async () => {
  const server = await live("driven", "--live-speed", "0.5", "--set", "step.duration_s=300");
  const opened = await open(browser, server.url, size);
  const { page } = opened;
  await page.waitForFunction(() => window.footfall.plots.timePlots[0].drawnPoints > 1);
  assert.match(await page.locator("header").innerText(), /300 s in steps of 1 ms/);
  assert.equal(await page.locator(".warnings").count(), 0, "nothing has gone wrong yet");
  assert.equal(await page.getByText("did not converge").count(), 0);
  await timeIsAfter(page, 0.9); // it trots
  const before = await pause(page);
  const scene = await page.locator("canvas.scene").screenshot();
  await resume(page);
  await timeIsAfter(page, before.time + 0.2);
  const paused = await pause(page);
  assert.ok(paused.base[0] > before.base[0], "the robot went on");
  assert.ok(!scene.equals(await page.locator("canvas.scene").screenshot()), "and its picture with it");
  assert.ok(Math.abs(paused.lastRow - paused.time) < 1e-5, `plots end at ${paused.lastRow} s, time ${paused.time} s`);
  assert.ok(Math.abs(paused.rows - 1e3 * paused.time) < 0.5, `${paused.rows} rows after ${paused.time} s`);

  await page.getByRole("button", { name: "Step 10 ms", exact: true }).click();
  await timeIsAfter(page, paused.time + 0.0099);
  await page.waitForTimeout(500);
  const stepped = await state(page);
  assert.ok(Math.abs(stepped.time - paused.time - 0.01) < 1e-5, `a step: ${paused.time} to ${stepped.time}`);
  assert.equal(stepped.rows, paused.rows + 10);
  assert.notEqual(stepped.readout, paused.readout);
  assert.equal(await page.evaluate(() => window.footfall.plots.timePlots[1].lineAt.toFixed(2)), stepped.time.toFixed(2));
  await assertViewer(opened);
  await screenshot(page, "live-paused");
  const curves = await curvesOf(page);

  await resume(page);
  await timeIsAfter(page, stepped.time + 0.1);
  await page.keyboard.press("Home");
  assert.equal((await state(page)).time, 0);
  await page.getByRole("button", { name: "Follow", exact: true }).click();
  await timeIsAfter(page, stepped.time + 0.1);

  server.interrupt();
  await page.getByText(/^finished: interrupted after/).waitFor();
  assert.equal(await server.ended, 130);
  await page.waitForFunction(() => window.footfall.page.mode === "embedded");
  assert.match(await page.locator(".warnings").innerText(), /Interrupted after/);
  assertRowsAreThoseOf(await curvesOf(page), curves);
  await assertViewer(opened);
  await page.close();
});

test("at its end a live page is the report, and plots only what the run file has", { skip }, async () => {
  const server = await live("whole", "--set", "step.duration_s=2.4", "--set", "step.record_every=4");
  const opened = await open(browser, server.url, {
    ...size,
    // The curves as they were live, the moment before the report takes their place.
    before: () => {
      let shown;
      Object.defineProperty(window, "footfall", {
        get: () => shown,
        set: (app) => {
          if (shown) window.whileLive = shown;
          shown = app;
        },
      });
    },
  });
  const { page } = opened;
  await page.getByText(/^finished: at 2.4 s/).waitFor();
  assert.equal(await server.ended, 0);
  await page.waitForFunction(() => window.footfall.page.mode === "embedded");
  const whileLive = await curvesOf(page, "window.whileLive");
  const ended = await curvesOf(page);
  assertRowsAreThoseOf(ended, whileLive);
  const force = "feet/front_left_foot/normal_force front_left_foot";
  assert.deepEqual(whileLive.get(force).time.map(rowOf), ended.get(force).time.map(rowOf), "no row is missing");
  assert.equal(ended.get(force).time.length, 600);
  await assertViewer(opened);
  assert.equal((await state(page)).time.toFixed(3), "2.400");
  await screenshot(page, "live-finished");

  const written = await open(browser, `file://${folder}/whole/report.html`);
  for (const part of ["header", ".documents"]) {
    assert.equal(await page.locator(part).innerText(), await written.page.locator(part).innerText());
  }
  assert.deepEqual(ended, await curvesOf(written.page));
  await assertNoErrors(written);
  await written.page.close();
  await page.close();
});

test("a live run in grains is drawn", { skip }, async () => {
  const server = await serveFootfall(
    "run", "scenarios/quadruped_beads.toml", "--set", "step.duration_s=0.5", "--live", "--live-speed", "0.25",
    "-o", join(folder, "beads"),
  );
  const opened = await open(browser, server.url, size);
  await opened.page.waitForFunction(() => window.footfall.plots.timePlots[0].drawnPoints > 1);
  await opened.page.getByText(/^finished: at 0.5 s/).waitFor();
  assert.equal(await server.ended, 0);
  await assertViewer(opened);
  await opened.page.close();
});
