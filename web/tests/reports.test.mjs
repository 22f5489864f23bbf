// What the program writes and serves, in a real browser: each kind of page draws its run.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, screenshot } from "./browser.mjs";
import {
  assertDrawings,
  assertNoErrors,
  assertPrints,
  assertPrintsDrawings,
  assertViewer,
  pdftoppm,
} from "./drawn.mjs";
import { footfall, serveFootfall, skip, stopPrograms } from "./program.mjs";

const skipPrint = skip || (pdftoppm ? false : "there is no pdftoppm on this machine");
let browser, folder;

before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), "footfall-reports-"));
  browser = await launch();
  footfall("run", "scenarios/quadruped_trot_sand.toml", "--set", "step.duration_s=2.5", "-o", join(folder, "run"));
});
after(async () => {
  stopPrograms();
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true });
});

const report = () => `file://${folder}/run/report.html`;

const runState = (page, time) =>
  page.evaluate((t) => {
    const { clock, scene } = window.footfall;
    clock.set(t);
    return scene.runs.map((run) => ({
      base: run.robot.bodies[0].position.toArray(),
      dents: run.ground.dents?.eventCount ?? 0,
    }));
  }, time);

test("footfall run: a trot over sand leaves ruts in its report", { skip }, async () => {
  const opened = await open(browser, report());
  const { page } = opened;
  await assertViewer(opened);
  const [early] = await runState(page, 0.5);
  const [late] = await runState(page, 2.4);
  assert.ok(late.base[0] > early.base[0] + 0.02, `the robot goes forward: ${early.base} to ${late.base}`);
  assert.ok(late.dents > early.dents, "its feet leave prints");
  for (const text of ["Gait", "Feet", "Solver", "Soil dry-sand"]) {
    assert.ok((await page.getByText(text, { exact: true }).count()) > 0, text);
  }
  await screenshot(page, "report-run");
  await assertNoErrors(opened);
  await page.close();
});

test("a printed report has the scene and every plot, and is light where the page is dark", { skip: skipPrint }, async () => {
  const opened = await open(browser, `${report()}#t=2.4`, { theme: "dark" });
  const colors = () => opened.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await colors();
  await assertPrints(opened.page, "print-run");
  assert.equal(await colors(), dark);
  await assertViewer(opened); // the screen is as it was
  await opened.page.close();
});

test("footfall compare: all runs in one scene", { skip }, async () => {
  footfall(
    "compare", "scenarios/quadruped_drop.toml", "--soil", "sand,concrete,soft-ground", "--set", "step.duration_s=0.6",
    "-o", join(folder, "compared"),
  );
  const opened = await open(browser, `file://${folder}/compared/report.html`);
  const { page } = opened;
  await assertViewer(opened);
  assert.equal((await runState(page, 0.5)).length, 3);
  assert.ok((await page.getByText("concrete").count()) > 0);
  await screenshot(page, "report-compare");
  if (!skipPrint) await assertPrints(page, "print-compare");
  await assertNoErrors(opened);
  await page.close();
});

test("footfall run in grains: the wrench space is drawn", { skip }, async () => {
  footfall("run", "scenarios/foot_drop_beads.toml", "-o", join(folder, "beads"));
  const opened = await open(browser, `file://${folder}/beads/report.html#t=99`); // the end: the foot is in the beads
  await assertViewer(opened);
  assert.ok((await opened.page.getByText("Wrench space").count()) > 0);
  await screenshot(opened.page, "report-beads");
  if (!skipPrint) await assertPrints(opened.page, "print-beads");
  await opened.page.close();
});

test("footfall identify: data, law, residuals, correlations", { skip }, async () => {
  const file = join(folder, "fit.html");
  footfall("rig", "press", "--soil", "dry-sand", "--foot", "disc", "--radius", "0.05", "--sinkage", "0.03", "--csv", join(folder, "press.csv"));
  footfall("identify", join(folder, "press.csv"), "--foot", "disc", "--radius", "0.05", "--report", file);
  const opened = await open(browser, `file://${file}`, { plain: true });
  const drawn = await assertDrawings(opened, 1);
  assert.ok((await opened.page.locator("td.shade").count()) >= 4, "correlations are coloured");
  await screenshot(opened.page, "report-identify");
  if (!skipPrint) await assertPrintsDrawings(opened.page, "print-identify", drawn);
  await opened.page.close();
});

test("footfall reproduce: every figure and the table", { skip }, async () => {
  const file = join(folder, "paper.html");
  footfall("reproduce", "rengifo2009", "-o", join(folder, "figures"), "--report", file);
  const opened = await open(browser, `file://${file}`, { plain: true });
  const drawn = await assertDrawings(opened, 1);
  assert.ok((await opened.page.locator("tbody tr").count()) > 10);
  await screenshot(opened.page, "report-reproduce");
  if (!skipPrint) await assertPrintsDrawings(opened.page, "print-reproduce", drawn);
  await opened.page.close();
});

test("footfall view: a page that fetches what it shows, by ranges", { skip }, async () => {
  const server = await serveFootfall("view", join(folder, "run/run.h5"));
  const ranges = [];
  const listen = (page) =>
    page.on("request", (request) => {
      const found = /^bytes=(\d+)-(\d+)$/.exec(request.headers().range ?? "");
      if (found) ranges.push(found.slice(1).map(Number));
    });
  const opened = await open(browser, server.url, { listen });
  const { page } = opened;
  await page.waitForFunction(() => window.footfall.plots.timePlots[0].drawnPoints > 0);
  const last = await page.evaluate(() => window.footfall.page.runs[0].channels.at(-1).values.offset);
  const fetched = () => ranges.some(([begin, end]) => begin <= last && last <= end);
  assert.ok(ranges.length > 0, "its numbers come by ranges");
  assert.ok(!fetched(), "the last plot is not seen yet");
  await assertViewer(opened);
  assert.ok(fetched(), "the last plot has been seen");
  const [early, late] = [(await runState(page, 0.5))[0], (await runState(page, 2.4))[0]];
  assert.ok(late.base[0] > early.base[0] + 0.02, `the robot goes forward: ${early.base} to ${late.base}`);
  await screenshot(page, "view");
  await page.close();
  server.interrupt();
  await server.ended;
});

test("footfall view: Ctrl P waits for the plots that nobody has seen", { skip: skipPrint }, async () => {
  const server = await serveFootfall("view", join(folder, "run/run.h5"));
  const opened = await open(browser, server.url, {
    before: () => {
      window.print = () => (window.printed = true); // of a browser without a screen it does nothing
    },
  });
  await opened.page.keyboard.press("Control+p");
  await opened.page.waitForFunction(() => window.printed);
  await assertPrints(opened.page, "print-view");
  await assertNoErrors(opened);
  await opened.page.close();
  server.interrupt();
  await server.ended;
});

test("footfall view of a folder: a list that leads to the runs", { skip }, async () => {
  mkdirSync(join(folder, "runs/first"), { recursive: true });
  copyFileSync(join(folder, "run/run.h5"), join(folder, "runs/first/run.h5"));
  const server = await serveFootfall("view", join(folder, "runs"));
  const opened = await open(browser, server.url, { plain: true });
  const { page } = opened;
  await screenshot(page, "view-list");
  await page.getByRole("link", { name: "first/run.h5" }).click();
  await page.waitForFunction(() => window.footfall);
  await assertViewer(opened);
  await page.close();
  server.interrupt();
  await server.ended;
});
