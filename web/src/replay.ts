// The frames of a run, and where between two of them a time lies.
import { Growing, type Arrays, type Numbers } from "./data";
import type { ArrayRef, LiveFrame, Run } from "./page";

export interface Moment {
  row: number; // frame before
  next: number; // frame after; the same at the ends
  part: number; // 0 at row, 1 at next
}

export class Replay {
  time: Numbers = new Float32Array(0);
  position: Numbers = new Float32Array(0);
  quaternion: Numbers = new Float32Array(0);
  centerOfMass: Numbers = new Float32Array(0);
  force: Numbers = new Float32Array(0);
  center: Numbers = new Float32Array(0);
  pressure: Numbers = new Float32Array(0);
  bodyForce: Numbers = new Float32Array(0); // empty in live runs
  bodyCenter: Numbers = new Float32Array(0);
  private growing = new Map<string, Growing>();

  constructor(readonly run: Run) {}

  static refs(run: Run): ArrayRef[] {
    const f = run.frames;
    const always = [f.time, f.position, f.quaternion, f.center_of_mass, f.force, f.center, f.pressure];
    return f.body_force && f.body_center ? [...always, f.body_force, f.body_center] : always;
  }

  static from(run: Run, arrays: Arrays): Replay {
    const replay = new Replay(run);
    const f = run.frames;
    replay.time = arrays.get(f.time);
    replay.position = arrays.get(f.position);
    replay.quaternion = arrays.get(f.quaternion);
    replay.centerOfMass = arrays.get(f.center_of_mass);
    replay.force = arrays.get(f.force);
    replay.center = arrays.get(f.center);
    replay.pressure = arrays.get(f.pressure);
    if (f.body_force) replay.bodyForce = arrays.get(f.body_force);
    if (f.body_center) replay.bodyCenter = arrays.get(f.body_center);
    return replay;
  }

  get count(): number {
    return this.time.length;
  }

  append(frame: LiveFrame): void {
    this.time = this.grow("time", [frame.time]);
    this.position = this.grow("position", frame.position);
    this.quaternion = this.grow("quaternion", frame.quaternion);
    this.centerOfMass = this.grow("center_of_mass", frame.center_of_mass);
    this.force = this.grow("force", frame.force);
    this.center = this.grow("center", frame.center);
    this.pressure = this.grow("pressure", frame.pressure);
  }

  find(time: number): Moment {
    const last = this.count - 1;
    const row = Math.max(0, lastAtOrBefore(this.time, time));
    if (row >= last) return { row: Math.max(0, last), next: Math.max(0, last), part: 0 };
    const span = this.time[row + 1]! - this.time[row]!;
    const part = span > 0 ? Math.min(1, Math.max(0, (time - this.time[row]!) / span)) : 0;
    return { row, next: row + 1, part };
  }

  touches(row: number, foot: number): boolean {
    const feet = this.run.feet.length;
    const i = 3 * (row * feet + foot);
    return (
      this.pressure[row * feet + foot]! > 0 ||
      this.force[i] !== 0 ||
      this.force[i + 1] !== 0 ||
      this.force[i + 2] !== 0
    );
  }

  // The robot's first body: what cameras follow.
  basePosition(moment: Moment): [number, number, number] {
    const width = 3 * this.run.robot.bodies.length;
    const at = (axis: number) => mix(this.position, width, moment, axis);
    return this.count ? [at(0), at(1), at(2)] : [0, 0, 0];
  }

  private grow(name: string, numbers: number[]): Float32Array {
    let column = this.growing.get(name);
    if (!column) this.growing.set(name, (column = new Growing()));
    column.push(numbers);
    return column.view();
  }
}

// Between the two frames of a moment: column `column` of rows that are `width` wide.
export function mix(values: Numbers, width: number, moment: Moment, column: number): number {
  const a = values[moment.row * width + column]!;
  return a + moment.part * (values[moment.next * width + column]! - a);
}

// Index of the last entry that is not after `time`; -1 before the first.
export function lastAtOrBefore(times: Numbers, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
