// The names of curves above a plot, there from the start so that nothing moves when the numbers come.
import { shortNumber, words } from "../format";
import { h } from "../ui/dom";
import type { CurveStyle } from "./series";

export class Legend {
  readonly element = h("div", { class: "legend" });
  private entries: HTMLElement[];
  private readouts: HTMLElement[];

  constructor(
    private styles: CurveStyle[],
    withNumbers: boolean,
  ) {
    this.readouts = styles.map(() => h("output", {}));
    this.entries = styles.map((style, i) => {
      const key = h("span", { class: style.dash ? "key dashed" : "key" });
      return h("span", { class: "entry" }, key, words(style.label), ...(withNumbers ? [this.readouts[i]!] : []));
    });
    this.element.append(...this.entries);
    this.paint();
  }

  paint(): void {
    this.styles.forEach((style, i) => this.entries[i]!.style.setProperty("--key", style.color()));
  }

  show(values: number[]): void {
    values.forEach((value, i) => (this.readouts[i]!.textContent = shortNumber(value)));
  }

  hideFeet(hidden: ReadonlySet<number>): void {
    this.styles.forEach(({ foot }, i) =>
      this.entries[i]!.classList.toggle("off", foot !== null && hidden.has(foot)),
    );
  }
}
