// The ground of one run: its undisturbed shape with holes, and tiles in the holes that feet have bent.
import * as THREE from "three";
import type { Theme } from "../colors";
import type { Arrays } from "../data";
import type { Run } from "../page";
import { DentField, tileCells, type Tile } from "./dents";
import { makeGroundMaterials, type GroundMaterials } from "./ground_material";
import { makeGroundShape, type Bounds, type GroundShape } from "./ground_shape";

const side = tileCells + 1; // vertices along a tile

export class GroundView {
  readonly group = new THREE.Group();
  readonly shape: GroundShape;
  readonly dents: DentField;
  readonly materials: GroundMaterials;
  private meshes = new Map<Tile, THREE.Mesh>();
  private tileIndex = new THREE.BufferAttribute(makeTileIndex(), 1);

  constructor(run: Run, arrays: Arrays, touched: Bounds) {
    this.shape = makeGroundShape(run.ground, arrays, touched);
    this.dents = new DentField(run.ground.dents, arrays);
    this.materials = makeGroundMaterials(run.ground, this.dents.cell, touched);
    this.materials.setDeepest(this.dents.deepest);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(this.shape.positions, 3));
    geometry.setAttribute("dent", new THREE.BufferAttribute(new Float32Array(this.shape.positions.length / 3), 1));
    geometry.setIndex(new THREE.BufferAttribute(this.shape.index, 1));
    geometry.computeVertexNormals();
    const base = new THREE.Mesh(geometry, this.materials.base);
    base.receiveShadow = true;
    this.group.add(base);
    this.update();
  }

  show(row: number): void {
    this.dents.show(row);
    this.update();
  }

  setTheme(theme: Theme): void {
    this.materials.setTheme(theme);
  }

  // Meshes of the tiles that changed.
  update(): void {
    for (const tile of this.dents.tiles.values()) {
      if (!tile.changed) continue;
      tile.changed = false;
      let mesh = this.meshes.get(tile);
      if (!mesh) {
        mesh = this.makeTileMesh(tile);
        this.meshes.set(tile, mesh);
        this.group.add(mesh);
        this.materials.cutTile(tile.column, tile.row);
      }
      this.bend(tile, mesh.geometry);
    }
  }

  private makeTileMesh(tile: Tile): THREE.Mesh {
    const geometry = new THREE.BufferGeometry();
    for (const [name, width] of [
      ["position", 3],
      ["normal", 3],
      ["dent", 1],
    ] as const) {
      geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(side * side * width), width));
    }
    geometry.setIndex(this.tileIndex);
    const span = tileCells * this.dents.cell;
    const [x, y] = [(tile.column + 0.5) * span, (tile.row + 0.5) * span];
    geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(x, y, this.shape.height(x, y)), 1.5 * span + 0.3);
    const mesh = new THREE.Mesh(geometry, this.materials.tile);
    mesh.receiveShadow = true;
    return mesh;
  }

  private bend(tile: Tile, geometry: THREE.BufferGeometry): void {
    const { cell } = this.dents;
    const reach = side + 2; // one vertex around, for the slopes
    const height = new Float32Array(reach * reach);
    const [c0, r0] = [tile.column * tileCells - 1, tile.row * tileCells - 1];
    const position = geometry.getAttribute("position") as THREE.BufferAttribute;
    const normal = geometry.getAttribute("normal") as THREE.BufferAttribute;
    const dent = geometry.getAttribute("dent") as THREE.BufferAttribute;
    for (let j = 0; j < reach; ++j) {
      for (let i = 0; i < reach; ++i) {
        const depth = this.dents.heightAt(c0 + i, r0 + j);
        const [x, y] = [(c0 + i + 0.5) * cell, (r0 + j + 0.5) * cell];
        const z = this.shape.height(x, y) + depth;
        height[j * reach + i] = z;
        if (i === 0 || j === 0 || i > side || j > side) continue;
        const vertex = (j - 1) * side + (i - 1);
        position.setXYZ(vertex, x, y, z);
        dent.setX(vertex, depth);
      }
    }
    for (let j = 1; j <= side; ++j) {
      for (let i = 1; i <= side; ++i) {
        const at = j * reach + i;
        const slopeX = (height[at + 1]! - height[at - 1]!) / (2 * cell);
        const slopeY = (height[at + reach]! - height[at - reach]!) / (2 * cell);
        const size = Math.hypot(slopeX, slopeY, 1);
        normal.setXYZ((j - 1) * side + (i - 1), -slopeX / size, -slopeY / size, 1 / size);
      }
    }
    position.needsUpdate = normal.needsUpdate = dent.needsUpdate = true;
  }
}

function makeTileIndex(): Uint16Array {
  const index = new Uint16Array(6 * tileCells * tileCells);
  for (let j = 0, k = 0; j < tileCells; ++j) {
    for (let i = 0; i < tileCells; ++i, k += 6) {
      const a = j * side + i;
      index.set([a, a + 1, a + side + 1, a, a + side + 1, a + side], k);
    }
  }
  return index;
}
