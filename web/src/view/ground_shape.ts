// The ground before anyone stepped on it: height over x and y.
import type { Arrays, Numbers } from "../data";
import type { Ground } from "../page";

export interface Bounds {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

export interface GroundShape {
  height(x: number, y: number): number;
  positions: Float32Array; // of its mesh
  index: Uint32Array;
}

// A plane reaches far beyond what the run touches; a heightfield is as large as it is.
export function makeGroundShape(ground: Ground, arrays: Arrays, touched: Bounds): GroundShape {
  if (ground.kind === "heightfield" && ground.heights) return heightfield(ground, arrays.get(ground.heights));
  return plane(ground, touched);
}

function plane(ground: Ground, touched: Bounds): GroundShape {
  const [px = 0, py = 0, pz = 0] = ground.point ?? [];
  const [nx = 0, ny = 0, nz = 1] = ground.normal ?? [];
  const height = (x: number, y: number) => pz - (nx * (x - px) + ny * (y - py)) / nz;
  const reach = 120; // [m], beyond the haze
  const corners: [number, number][] = [
    [touched.x0 - reach, touched.y0 - reach],
    [touched.x1 + reach, touched.y0 - reach],
    [touched.x1 + reach, touched.y1 + reach],
    [touched.x0 - reach, touched.y1 + reach],
  ];
  const positions = new Float32Array(corners.flatMap(([x, y]) => [x, y, height(x, y)]));
  return { height, positions, index: new Uint32Array([0, 1, 2, 0, 2, 3]) };
}

function heightfield(ground: Ground, heights: Numbers): GroundShape {
  const [x0 = 0, y0 = 0] = ground.origin ?? [];
  const [dx = 1, dy = 1] = ground.spacing ?? [];
  const columns = ground.columns ?? 1;
  const rows = Math.floor(heights.length / columns);
  const positions = new Float32Array(3 * columns * rows);
  for (let j = 0, k = 0; j < rows; ++j) {
    for (let i = 0; i < columns; ++i, k += 3) {
      positions[k] = x0 + i * dx;
      positions[k + 1] = y0 + j * dy;
      positions[k + 2] = heights[j * columns + i]!;
    }
  }
  const index = new Uint32Array(6 * (columns - 1) * (rows - 1));
  for (let j = 0, k = 0; j + 1 < rows; ++j) {
    for (let i = 0; i + 1 < columns; ++i, k += 6) {
      const a = j * columns + i;
      index.set([a, a + 1, a + columns + 1, a, a + columns + 1, a + columns], k);
    }
  }
  // As the triangles above: each square is cut from its lower left to its upper right corner.
  const height = (x: number, y: number) => {
    const u = Math.min(Math.max((x - x0) / dx, 0), columns - 1);
    const v = Math.min(Math.max((y - y0) / dy, 0), rows - 1);
    const i = Math.min(Math.floor(u), columns - 2);
    const j = Math.min(Math.floor(v), rows - 2);
    const at = (ci: number, cj: number) => heights[cj * columns + ci] ?? 0;
    const [fu, fv] = [u - i, v - j];
    const [low, high] = [at(i, j), at(i + 1, j + 1)];
    const side = fu >= fv ? at(i + 1, j) : at(i, j + 1);
    const [first, second] = fu >= fv ? [fu, fv] : [fv, fu];
    return low + first * (side - low) + second * (high - side);
  };
  return { height, positions, index };
}
