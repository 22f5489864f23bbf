// Colours that most colour-blind people can tell apart: Okabe and Ito (2008), made lighter for dark pages.
const palettes = {
  light: ["#0072b2", "#d55e00", "#009e73", "#b5588c", "#d18f00", "#3a9bdc", "#8a8100", "#3b3b3b"],
  dark: ["#4ea8e6", "#f0803c", "#2fc79a", "#e39ac6", "#f0b429", "#8fd0ff", "#f0e442", "#e8e8e8"],
};

export const paletteSize = palettes.light.length;
export type Theme = keyof typeof palettes;

export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === "dark" || chosen === "light") return chosen;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

export function paletteColor(index: number, theme: Theme = currentTheme()): string {
  const palette = palettes[theme];
  return palette[((index % palette.length) + palette.length) % palette.length]!;
}

export function cssColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// From low to high pressure: the colour map "plasma" of matplotlib at nine points, without its dark end.
const pressureStops = ["#5c01a6", "#8606a6", "#ab2494", "#cb4679", "#e56b5d", "#f79143", "#fdb92f", "#f5e726"];

export function pressureColor(part: number): [number, number, number] {
  const x = Math.min(Math.max(part, 0), 1) * (pressureStops.length - 1);
  const i = Math.min(Math.floor(x), pressureStops.length - 2);
  const a = rgb(pressureStops[i]!);
  const b = rgb(pressureStops[i + 1]!);
  const mixed = (k: 0 | 1 | 2) => (a[k] + (x - i) * (b[k] - a[k])) / 255;
  return [mixed(0), mixed(1), mixed(2)];
}

export const pressureGradient = `linear-gradient(to right, ${pressureStops.join(", ")})`;
export const pressureColors: readonly string[] = pressureStops;

function rgb(hex: string): [number, number, number] {
  const n = parseInt(hex.slice(1), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}
