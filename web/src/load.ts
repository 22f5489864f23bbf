// Reads the page and what must be there before anything can be shown; the rest comes when it is looked at.
import { embeddedArrays, openArrays, type Arrays } from "./data";
import type { ArrayRef, LiveReport, Page } from "./page";
import { Replay } from "./replay";

export interface Loaded {
  page: Page;
  arrays: Arrays;
  replays: Replay[];
}

export async function loadPage(): Promise<Loaded> {
  const page = readPage();
  return loadFirst(page, await openArrays(page));
}

// Of a live run, when it has ended.
export async function loadReport({ page, data }: LiveReport): Promise<Loaded> {
  return loadFirst(page, await embeddedArrays(data));
}

async function loadFirst(page: Page, arrays: Arrays): Promise<Loaded> {
  await arrays.load(firstRefs(page));
  return { page, arrays, replays: page.runs.map((run) => Replay.from(run, arrays)) };
}

function readPage(): Page {
  const text = document.getElementById("footfall-page")?.textContent?.trim() ?? "";
  if (!text || text.startsWith("<!--"))
    throw new Error("this is the viewer without a run: the program fills it in");
  const page = JSON.parse(text) as Page;
  if (page.format !== "footfall page" || page.version !== 1)
    throw new Error("this page is of another version of the viewer");
  return page;
}

function firstRefs(page: Page): ArrayRef[] {
  return page.runs.flatMap((run) => {
    const { dents, heights } = run.ground;
    return [
      ...Replay.refs(run),
      ...run.robot.meshes.flatMap((mesh) => [mesh.vertices, mesh.triangles]),
      ...(heights ? [heights] : []),
      ...(dents ? [dents.frame, dents.column, dents.row, dents.height] : []),
    ];
  });
}
