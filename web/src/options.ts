// What the address says: #t=1.2&play=1&speed=0.5&theme=dark&camera=side, and ?capture=... for pictures.
import { presets, type Preset } from "./view/camera";

export interface Options {
  time: number | null;
  play: boolean;
  speed: number | null;
  theme: "light" | "dark" | null;
  camera: Preset | null;
}

export interface CaptureOptions {
  kind: "png" | "video";
  width: number;
  height: number;
  fps: number;
  speed: number;
  from: number;
  to: number | null; // the end
}

export function readOptions(location: Location): Options {
  const values = new URLSearchParams(location.search);
  for (const [key, value] of new URLSearchParams(location.hash.slice(1))) values.set(key, value);
  const theme = values.get("theme");
  const camera = values.get("camera");
  return {
    time: number(values, "t"),
    play: values.get("play") === "1",
    speed: number(values, "speed"),
    theme: theme === "light" || theme === "dark" ? theme : null,
    camera: presets.find((preset) => preset === camera) ?? null,
  };
}

export function readCapture(location: Location): CaptureOptions | null {
  const values = new URLSearchParams(location.search);
  const kind = values.get("capture");
  if (kind !== "png" && kind !== "video") return null;
  const time = number(values, "t") ?? 0;
  return {
    kind,
    width: number(values, "width") ?? 1280,
    height: number(values, "height") ?? 720,
    fps: number(values, "fps") ?? 30,
    speed: number(values, "speed") ?? 1,
    from: kind === "png" ? time : (number(values, "from") ?? 0),
    to: kind === "png" ? time : number(values, "to"),
  };
}

function number(values: URLSearchParams, key: string): number | null {
  const text = values.get(key);
  const value = text === null || text === "" ? NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}
