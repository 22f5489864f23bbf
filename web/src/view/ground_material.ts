// The look of the ground: the colours of its soils, a little grain, a grid in metres, darker where pressed in.
import * as THREE from "three";
import type { Theme } from "../colors";
import type { Ground } from "../page";
import type { Bounds } from "./ground_shape";
import { tileCells } from "./dents";

const maskSize = 1024; // tiles; beyond them the mask repeats

export interface GroundMaterials {
  base: THREE.MeshLambertMaterial; // with holes where there are tiles
  tile: THREE.MeshLambertMaterial;
  setTheme(theme: Theme): void;
  setGrid(visible: boolean): void;
  setLane(half: number): void;
  setDeepest(depth: number): void;
  cutTile(column: number, row: number): void;
}

export function makeGroundMaterials(ground: Ground, cell: number, touched: Bounds): GroundMaterials {
  const mask = new Uint8Array(maskSize * maskSize);
  const maskTexture = new THREE.DataTexture(mask, maskSize, maskSize, THREE.RedFormat);
  maskTexture.wrapS = maskTexture.wrapT = THREE.RepeatWrapping;
  maskTexture.needsUpdate = true;
  const box = regionBox(ground, touched);
  const uniforms = {
    grainMap: { value: grainTexture() },
    regionMap: { value: paintRegions(ground, box) },
    regionBox: { value: new THREE.Vector4(box.x0, box.y0, 1 / (box.x1 - box.x0), 1 / (box.y1 - box.y0)) },
    soilColor: { value: new THREE.Color(ground.color) },
    tint: { value: new THREE.Vector4() },
    tintStrength: { value: 0 },
    gridColor: { value: new THREE.Color() },
    gridStrength: { value: 1 },
    lane: { value: 1e9 },
    deepest: { value: 0.01 },
    tileMask: { value: maskTexture },
    tileScale: { value: new THREE.Vector2(1 / cell, tileCells) },
  };
  const make = (isBase: boolean) => {
    const material = new THREE.MeshLambertMaterial();
    material.defines = { ...material.defines, ...(isBase ? { FOOTFALL_BASE: 1 } : {}) };
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, uniforms);
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", "#include <common>\n" + vertexHead)
        .replace("#include <begin_vertex>", "#include <begin_vertex>\n" + vertexBody);
      shader.fragmentShader = shader.fragmentShader
        .replace("#include <common>", "#include <common>\n" + fragmentHead)
        .replace("#include <color_fragment>", "#include <color_fragment>\n" + fragmentBody);
    };
    return material;
  };
  return {
    base: make(true),
    tile: make(false),
    setTheme(theme) {
      const dark = theme === "dark";
      uniforms.tint.value.copy(
        dark ? new THREE.Vector4(0.05, 0.055, 0.065, 0.72) : new THREE.Vector4(1, 0.98, 0.95, 0.12),
      );
      uniforms.gridColor.value.set(dark ? "#c9d4e0" : "#3a3226");
      uniforms.tintStrength.value = dark ? 0.5 : 0.6;
    },
    setGrid: (visible) => void (uniforms.gridStrength.value = visible ? 1 : 0),
    setLane: (half) => void (uniforms.lane.value = half),
    setDeepest: (depth) => void (uniforms.deepest.value = Math.max(depth, 0.002)),
    cutTile(column, row) {
      const wrapped = (k: number) => ((k % maskSize) + maskSize) % maskSize;
      mask[wrapped(row) * maskSize + wrapped(column)] = 255;
      maskTexture.needsUpdate = true;
    },
  };
}

function regionBox(ground: Ground, touched: Bounds): Bounds {
  const margin = 20; // [m]
  const xs = ground.regions.flatMap((region) => region.outline.map((corner) => corner[0]!));
  const ys = ground.regions.flatMap((region) => region.outline.map((corner) => corner[1]!));
  return {
    x0: Math.max(touched.x0 - margin, Math.min(...xs, touched.x0)) - 0.5,
    y0: Math.max(touched.y0 - margin, Math.min(...ys, touched.y0)) - 0.5,
    x1: Math.min(touched.x1 + margin, Math.max(...xs, touched.x1)) + 0.5,
    y1: Math.min(touched.y1 + margin, Math.max(...ys, touched.y1)) + 0.5,
  };
}

// The soils from above, seen through the box.
function paintRegions(ground: Ground, box: Bounds): THREE.Texture {
  const canvas = document.createElement("canvas");
  const size = ground.regions.length ? 2048 : 4;
  canvas.width = canvas.height = size;
  const context = canvas.getContext("2d")!;
  context.fillStyle = ground.color;
  context.fillRect(0, 0, size, size);
  for (const region of ground.regions) {
    context.fillStyle = region.color;
    context.beginPath();
    for (const [x = 0, y = 0] of region.outline) {
      context.lineTo(((x - box.x0) / (box.x1 - box.x0)) * size, size - ((y - box.y0) / (box.y1 - box.y0)) * size);
    }
    context.fill();
  }
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  return texture;
}

// Grains and larger patches of shade, repeating every few metres. Mipmaps make the grains vanish where a pixel
// holds many. One lookup: without a graphics card every one counts.
function grainTexture(): THREE.Texture {
  const size = 1024;
  const coarse = 32;
  let state = 1;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const patches = Float32Array.from({ length: coarse * coarse }, random);
  const texels = new Uint8Array(size * size);
  for (let j = 0; j < size; ++j) {
    for (let i = 0; i < size; ++i) {
      texels[j * size + i] =
        255 * (0.6 * random() + 0.4 * smoothly(patches, coarse, (i * coarse) / size, (j * coarse) / size));
    }
  }
  const texture = new THREE.DataTexture(texels, size, size, THREE.RedFormat);
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.magFilter = THREE.LinearFilter;
  texture.minFilter = THREE.LinearMipmapNearestFilter;
  texture.generateMipmaps = true;
  texture.needsUpdate = true;
  return texture;
}

// Between the four values around a place of a grid that repeats.
function smoothly(grid: Float32Array, size: number, x: number, y: number): number {
  const [i, j] = [Math.floor(x), Math.floor(y)];
  const ease = (t: number) => t * t * (3 - 2 * t);
  const [u, v] = [ease(x - i), ease(y - j)];
  const at = (a: number, b: number) => grid[(b % size) * size + (a % size)]!;
  const low = at(i, j) + u * (at(i + 1, j) - at(i, j));
  const high = at(i, j + 1) + u * (at(i + 1, j + 1) - at(i, j + 1));
  return low + v * (high - low);
}

const vertexHead = `
attribute float dent;
varying vec3 vGround;
varying float vDent;
`;
const vertexBody = `
vGround = position;
vDent = dent;
`;
const fragmentHead = `
varying vec3 vGround;
varying float vDent;
uniform sampler2D grainMap;
uniform sampler2D regionMap;
uniform vec4 regionBox;
uniform vec3 soilColor;
uniform vec4 tint;
uniform float tintStrength;
uniform vec3 gridColor;
uniform float gridStrength;
uniform float lane;
uniform float deepest;
uniform sampler2D tileMask;
uniform vec2 tileScale;

bool isCut(vec2 offset) {
  vec2 tileAt = floor((vGround.xy * tileScale.x - 0.5 + offset) / tileScale.y);
  return texture2D(tileMask, (tileAt + 0.5) / ${maskSize.toFixed(1)}).r > 0.5;
}

// Coverage of lines of about \`width\` pixels at whole multiples.
float lines(vec2 p, float width) {
  vec2 w = max(fwidth(p), vec2(1e-6));
  vec2 d = abs(fract(p - 0.5) - 0.5) / w;
  vec2 cover = (1.0 - smoothstep(0.5 * width - 0.5, 0.5 * width + 0.5, d)) * (1.0 - smoothstep(0.05, 0.2, w));
  return max(cover.x, cover.y);
}
`;
const fragmentBody = `
vec2 margin = 0.2 + fwidth(vGround.xy * tileScale.x); // [cells]
vec3 soil = soilColor;
vec2 regionAt = (vGround.xy - regionBox.xy) * regionBox.zw;
if (all(greaterThan(regionAt, vec2(0.0))) && all(lessThan(regionAt, vec2(1.0)))) {
  soil = texture2D(regionMap, regionAt).rgb;
}
soil = mix(soil, tint.rgb, tint.a);
mat2 turned = mat2(0.8, 0.6, -0.6, 0.8); // so that no grain lies along the grid
soil *= 1.0 + 0.3 * (texture2D(grainMap, turned * vGround.xy * 0.33).r - 0.5);
soil *= 1.0 - 0.42 * smoothstep(0.0, 1.0, -vDent / deepest) + 0.10 * smoothstep(0.0, 0.5, vDent / deepest);
float line = max(0.34 * lines(vGround.xy, 1.4), 0.13 * lines(vGround.xy * 10.0, 1.0));
soil = mix(soil, gridColor, line * tintStrength * gridStrength);
diffuseColor.rgb = soil;
// Last, because what is discarded has no derivatives for its neighbours.
if (abs(vGround.y) > lane) discard;
#ifdef FOOTFALL_BASE
// The base reaches a pixel under the tiles, so that no light shines through the joints.
if (isCut(vec2(0.0)) && isCut(margin) && isCut(-margin) && isCut(vec2(margin.x, -margin.y)) && isCut(vec2(-margin.x, margin.y))) discard;
#endif
`;
