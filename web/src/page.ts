// What a page shows: the contract between the program, which writes it (src/viewer), and the viewer.
//
// A page is the viewer's single HTML file, web/dist/viewer.html, with two placeholders filled in, each of
// which it holds exactly once:
//
//   <!--footfall-page-->    a Page as JSON, every "<" in it written as \u003c
//   <!--footfall-data-->    base64 of the zlib-deflated bytes of all arrays
//
// Served and live pages have no footfall-data (replaced by nothing): their arrays come from `data_url`, plain
// bytes, as far as they are wanted (HTTP ranges). A live page also gets frames from `live_url` as they are made.
// Lengths are metres, times seconds, angles radians, forces newtons; frames as in docs/conventions.md
// (x forward, z up); quaternions are w, x, y, z.

// Numbers in the bytes: value = bias + scale * stored. Little-endian, row by row, aligned to 8 bytes.
export interface ArrayRef {
  offset: number; // [bytes]
  length: number; // [numbers]
  type: "f32" | "i16" | "u16" | "i32" | "u8";
  scale?: number; // 1
  bias?: number; // 0
  delta?: boolean; // stored are differences to the row before (columns of `width`), which wrap around
  width?: number; // numbers in a row, 1
}

export interface Page {
  format: "footfall page";
  version: 1;
  mode: "embedded" | "served" | "live";
  title: string;
  subtitle: string;
  command: string; // that made it
  warnings: string[];
  runs: Run[]; // one; or several to be compared, in one scene; none where there are only figures
  figures?: Figure[]; // of identification and reproduction
  tables: Table[];
  texts: { title: string; text: string }[]; // scenario, soil: as they were read
  data_url?: string;
  live_url?: string;
  capture_url?: string; // where pictures go when the page is opened with ?capture=png or ?capture=video
}

export interface Table {
  title: string;
  header: string[];
  rows: string[][]; // the first column is text, the others numbers with their units
}

export interface Run {
  name: string; // "dry-sand"; of a single run the scenario's
  duration: number; // [s]
  robot: Robot;
  ground: Ground;
  feet: Foot[];
  frames: Frames;
  channels: Channel[]; // plotted over time
  loops: Loop[]; // one channel over another: force over sinkage
  wrench_spaces?: WrenchSpaces; // granular runs
}

export interface Robot {
  bodies: { name: string }[]; // without the world
  geoms: Geom[];
  meshes: { vertices: ArrayRef; triangles: ArrayRef }[];
}

export interface Geom {
  body: number;
  type: "sphere" | "capsule" | "ellipsoid" | "cylinder" | "box" | "mesh";
  size: number[]; // as MuJoCo's: radius; radius, half length; half sizes
  position: number[]; // in the body
  quaternion: number[];
  color: number[]; // r, g, b, a in 0..1
  mesh?: number;
}

export interface Ground {
  kind: "plane" | "heightfield";
  point?: number[]; // of a plane
  normal?: number[];
  origin?: number[]; // of a heightfield: x, y of heights[0]
  spacing?: number[]; // dx, dy
  columns?: number; // in x, fastest
  heights?: ArrayRef;
  soil: string;
  color: string; // "#d8c39a": of its soil
  regions: { name: string; soil: string; color: string; outline: number[][] }[]; // x, y of corners
  dents?: Dents;
}

// Where feet pressed the ground in: cell by cell, in the order of time. A cell's height is that of its last
// event before the time shown, over the ground as it was: negative in a footprint, positive on its rim.
export interface Dents {
  cell: number; // width of a cell [m]
  frame: ArrayRef;
  column: ArrayRef; // x = (column + 1/2) cell
  row: ArrayRef; // y likewise
  height: ArrayRef; // [m]
}

export interface Foot {
  name: string;
  body: number;
  outline: number[][]; // of the sole, in the body: x, y, z of its corners; where patches are drawn
  radius?: number; // of a round sole, whose outline is empty [m]
  color: number; // of the palette
}

export interface Frames {
  count: number;
  time: ArrayRef; // [s]
  position: ArrayRef; // of each body: count × bodies × 3
  quaternion: ArrayRef; // count × bodies × 4
  center_of_mass: ArrayRef; // count × 3
  force: ArrayRef; // of the ground on each foot: count × feet × 3 [N]
  center: ArrayRef; // where it acts: count × feet × 3
  pressure: ArrayRef; // over what touches, a tenth of the sole at least: count × feet [Pa]; 0: not touching
  // of the ground on all other parts of the robot together, where any may touch: count × 3
  body_force?: ArrayRef; // [N]
  body_center?: ArrayRef; // where its line meets the height of the first foot [m]
}

export interface Channel {
  name: string; // its column in the run file: "feet/front_left_foot/sinkage"
  group: string; // plots: "Normal force", "Sinkage", "Solver iterations"
  label: string; // "front_left_foot"
  unit: string; // "N"; of a plain number ""
  scale: number; // of the unit: 1000 where it is mm
  foot?: number;
  time: ArrayRef;
  values: ArrayRef;
}

export interface Loop {
  title: string; // "Force over sinkage"
  x: number; // channels
  y: number;
  foot?: number;
}

// The wrenches a medium can give each foot, at frames: vertices of W about p_r in the surface frame.
export interface WrenchSpaces {
  feet: {
    foot: number;
    vertex_count: number;
    vertices: ArrayRef; // count × vertex_count × 3: force_x [N], force_z [N], torque_y [N m]
    wrench: ArrayRef; // count × 3: the present one
    clamped: ArrayRef; // count: 1 where theta was outside the data
  }[];
}

// A plot that does not move with time: lines and points over common axes; or a matrix; or a drawing.
export interface Figure {
  title: string;
  caption?: string;
  x?: Axis;
  y?: Axis;
  series?: Series[];
  matrix?: { labels: string[]; values: number[][] }; // correlations, -1 .. 1; null where there is none
  svg?: string; // made by the program
}

export interface Axis {
  label: string; // "Sinkage"
  unit: string; // "mm"; of a plain number ""
  log?: boolean;
}

// Values are in the unit of the axis.
export interface Series {
  name: string; // in the legend: "measured"; series of one name share colour and entry
  kind: "line" | "dashed" | "points" | "band"; // band: between y and y_high
  color: number; // of the palette
  x: ArrayRef;
  y: ArrayRef;
  y_high?: ArrayRef;
}

// Pictures without hands: the page opened with ?capture=png&t=1.2 or ?capture=video&fps=30&from=0&to=5, and
// width, height, speed, theme and camera, draws them one after another and POSTs each (PNG, of a video JPEG) to
// `capture_url` + "/frame?index=0&count=150", ..., then an empty body to "/done", or what went wrong to "/error".

// A live run, as server-sent events of `live_url`: "message" is a LiveFrame, "state" a LiveState. POST to
// `live_url` + "/pause", "/resume" or "/step?seconds=0.01" drives it. Channels of the page are empty (length 0).
export interface LiveFrame {
  time: number;
  position: number[];
  quaternion: number[];
  center_of_mass: number[];
  force: number[];
  center: number[];
  pressure: number[];
  rows?: (number | null)[]; // time and each channel's value at every row recorded since the frame before
  dents?: number[]; // since the frame before: column, row, height [m] of each event
}

export interface LiveState {
  state: "running" | "paused" | "finished" | "failed";
  message: string; // why it ended
  report?: LiveReport; // of a run that has ended
}

// The report that the program wrote: what the two placeholders of an embedded page hold.
export interface LiveReport {
  page: Page;
  data: string;
}
