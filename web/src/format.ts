// Numbers as people read them.

// 1, 2 or 5 times a power of ten, not above `value`.
export function niceBelow(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const mantissa = value / power;
  return (mantissa >= 5 ? 5 : mantissa >= 2 ? 2 : 1) * power;
}

export function niceAbove(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const mantissa = value / power;
  return (mantissa <= 1 ? 1 : mantissa <= 2 ? 2 : mantissa <= 5 ? 5 : 10) * power;
}

// About four digits, never more than eight characters, so that columns keep their width.
export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 1e5 || size < 1e-3) return withMinus(value.toExponential(1));
  const digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
  return withMinus(value.toFixed(digits));
}

export function plainNumber(value: number): string {
  return withMinus(String(Number(value.toPrecision(6))));
}

export function seconds(value: number): string {
  return `${value.toFixed(3)} s`;
}

function withMinus(text: string): string {
  return text.replace("-", "−");
}

// front_left_foot → front left
export function words(name: string): string {
  return name.replaceAll("_", " ").replace(/(.) foot$/, "$1");
}
