// The program that users get, run by the tests.
import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromiumPath } from "./browser.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const program = process.env.FOOTFALL_PROGRAM ?? join(root, "build/release/footfall");
export const skip = !chromiumPath
  ? "there is no Chromium on this machine"
  : !existsSync(program)
    ? `there is no ${program}`
    : false;

export function footfall(...options) {
  execFileSync(program, options, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
}

const running = new Set();

// Programs that a failed test has left behind.
export function stopPrograms() {
  for (const child of running) child.kill("SIGKILL");
}

// Starts the program and waits for the address of its page. `ended`: its exit status.
export async function serveFootfall(...options) {
  const child = spawn(program, options, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  running.add(child);
  const ended = new Promise((resolve) => child.on("close", resolve));
  void ended.then(() => running.delete(child));
  let text = "";
  const url = await new Promise((resolve, reject) => {
    child.stdout.on("data", (data) => {
      text += data;
      const found = /http:\/\/\S+/.exec(text);
      if (found) resolve(found[0]);
    });
    child.on("error", reject);
    child.on("close", (status) => reject(new Error(`footfall ended with ${status} before it served: ${text}`)));
  });
  return { url, ended, interrupt: () => child.kill("SIGINT") };
}
