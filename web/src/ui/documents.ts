// What is read rather than looked at: warnings, tables, scenario and soil, the command.
import type { Page, Table } from "../page";
import { h } from "./dom";

export function makeWarnings(page: Page): HTMLElement | null {
  if (!page.warnings.length) return null;
  if (page.warnings.length === 1)
    return h("p", { class: "warnings" }, h("strong", {}, "Warning: "), page.warnings[0]!);
  const count = `${page.warnings.length} warnings`;
  const list = h("ul", {}, ...page.warnings.map((warning) => h("li", {}, warning)));
  return h("details", { class: "warnings", open: page.warnings.length < 3 }, h("summary", {}, count), list);
}

export function makeDocuments(page: Page): HTMLElement {
  const texts = page.texts.map(({ title, text }) =>
    h("details", { class: "card text" }, h("summary", {}, title), h("pre", { tabindex: 0 }, text)),
  );
  const command = page.command
    ? [h("div", { class: "card text command" }, h("h3", {}, "Made by"), h("pre", { tabindex: 0 }, page.command))]
    : [];
  return h("div", { class: "documents" }, ...page.tables.map(makeTable), ...texts, ...command);
}

function makeTable(table: Table): HTMLElement {
  const head = h("thead", {}, h("tr", {}, ...table.header.map((cell) => h("th", { scope: "col" }, cell))));
  const rows = table.rows.map((row) =>
    h("tr", {}, ...row.map((cell, i) => (i === 0 ? h("th", { scope: "row" }, cell) : h("td", {}, cell)))),
  );
  const body = h("table", {}, ...(table.header.some(Boolean) ? [head] : []), h("tbody", {}, ...rows));
  return h("section", { class: "card" }, h("h3", {}, table.title), h("div", { class: "scroll" }, body));
}
