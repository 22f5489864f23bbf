// What the program writes, in a real browser: a report of each kind loads and shows its run.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromiumPath, launch, open, screenshot } from "./browser.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const program = process.env.FOOTFALL_PROGRAM ?? join(root, "build/release/footfall");
const skip = !chromiumPath ? "there is no Chromium on this machine" : !existsSync(program) ? `there is no ${program}` : false;
let browser, folder;

before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), "footfall-reports-"));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true });
});

function footfall(...options) {
  execFileSync(program, options, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
}

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
  footfall("run", "scenarios/quadruped_trot_sand.toml", "--set", "step.duration_s=2.5", "-o", folder);
  const { page, complaints } = await open(browser, `file://${folder}/report.html`);
  await page.waitForFunction(() => window.footfall.plots.timePlots[0].drawnPoints > 0);
  const [early] = await runState(page, 0.5);
  const [late] = await runState(page, 2.4);
  assert.ok(late.base[0] > early.base[0] + 0.02, `the robot goes forward: ${early.base} to ${late.base}`);
  assert.ok(late.dents > early.dents, "its feet leave prints");
  for (const text of ["Gait", "Feet", "Solver", "Soil dry-sand"]) {
    assert.ok((await page.getByText(text, { exact: true }).count()) > 0, text);
  }
  await screenshot(page, "report-run");
  assert.deepEqual(complaints, []);
  await page.close();
});

test("footfall compare: all runs in one scene", { skip }, async () => {
  footfall(
    "compare", "scenarios/quadruped_drop.toml", "--soil", "sand,concrete,soft-ground", "--set", "step.duration_s=0.6",
    "-o", join(folder, "compared"),
  );
  const { page, complaints } = await open(browser, `file://${folder}/compared/report.html`);
  assert.equal((await runState(page, 0.5)).length, 3);
  assert.ok((await page.getByText("concrete").count()) > 0);
  await screenshot(page, "report-compare");
  assert.deepEqual(complaints, []);
  await page.close();
});

// Pages without the viewer: plots as drawings, nothing to be run.
async function openPlain(file) {
  const page = await browser.newPage({ viewport: { width: 1100, height: 900 } });
  const complaints = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(`file://${file}`);
  assert.deepEqual(complaints, []);
  return page;
}

test("footfall identify: data, law, residuals, correlations", { skip }, async () => {
  const report = join(folder, "fit.html");
  footfall("rig", "press", "--soil", "dry-sand", "--foot", "disc", "--radius", "0.05", "--sinkage", "0.03", "--csv", join(folder, "press.csv"));
  footfall("identify", join(folder, "press.csv"), "--foot", "disc", "--radius", "0.05", "--report", report);
  const page = await openPlain(report);
  assert.ok((await page.locator("svg").count()) >= 1);
  assert.ok((await page.locator("td.shade").count()) >= 4, "correlations are coloured");
  await screenshot(page, "report-identify");
  await page.close();
});

test("footfall reproduce: every figure and the table", { skip }, async () => {
  const report = join(folder, "paper.html");
  footfall("reproduce", "rengifo2009", "-o", join(folder, "figures"), "--report", report);
  const page = await openPlain(report);
  assert.ok((await page.locator("svg").count()) >= 1);
  assert.ok((await page.locator("tbody tr").count()) > 10);
  await screenshot(page, "report-reproduce");
  await page.close();
});
