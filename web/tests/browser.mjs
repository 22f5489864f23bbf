// A browser for the tests, and small servers that play the program's part.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const candidates = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];
export const chromiumPath = candidates.find((path) => path && existsSync(path));
export const pictures =
  process.env.FOOTFALL_WEB_RESULTS ?? fileURLToPath(new URL("../../build/test-results/web", import.meta.url));
mkdirSync(pictures, { recursive: true });

export function launch() {
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      "--no-sandbox",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

// Opens a page and keeps what it says on the console. `before` runs in the page before anything else, `listen`
// gets the page before it is opened; `plain`: a page without the viewer.
export async function open(
  browser,
  url,
  { width = 1100, height = 700, theme = "light", before, listen, plain = false } = {},
) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: theme });
  page.setDefaultTimeout(60000); // software rendering on a busy machine
  const complaints = [];
  page.on(
    "console",
    (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()),
  );
  page.on("pageerror", (error) => complaints.push(error.message));
  if (before) await page.addInitScript(before);
  listen?.(page);
  await page.goto(url);
  if (!plain) await page.waitForFunction(() => window.footfall || document.querySelector(".failure"));
  return { page, complaints };
}

export function saved(name, html) {
  const path = join(pictures, `${name}.html`);
  writeFileSync(path, html);
  return `file://${path}`;
}

export function screenshot(page, name) {
  return page.screenshot({ path: join(pictures, `${name}.png`), timeout: 60000 });
}

// Serves `routes` ("GET /page": (request, response, body) => ...) on a free port of this machine.
export async function serve(routes) {
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const route = routes[`${request.method} ${request.url.split("?")[0]}`];
    if (route) route(request, response, Buffer.concat(chunks));
    else response.writeHead(404).end();
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, close };
}

export function sendHtml(html) {
  return (_request, response) => response.writeHead(200, { "Content-Type": "text/html" }).end(html);
}
