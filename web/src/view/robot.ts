// The robot of one run: bodies that move, with the shapes fixed in them.
import * as THREE from "three";
import { RoundedBoxGeometry } from "three/addons/geometries/RoundedBoxGeometry.js";
import type { Arrays } from "../data";
import type { Geom, Run } from "../page";
import { mix, type Moment, type Replay } from "../replay";

export class RobotView {
  readonly group = new THREE.Group();
  readonly bodies: THREE.Group[];
  private materials = new Map<string, THREE.MeshStandardMaterial>();

  constructor(run: Run, arrays: Arrays) {
    this.bodies = run.robot.bodies.map(() => new THREE.Group());
    this.group.add(...this.bodies);
    const meshes = run.robot.meshes.map((mesh) => {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute(
        "position",
        new THREE.BufferAttribute(Float32Array.from(arrays.get(mesh.vertices)), 3),
      );
      geometry.setIndex(Array.from(arrays.get(mesh.triangles)));
      // Flat faces keep edges sharp whatever vertices share.
      const flat = geometry.toNonIndexed();
      flat.computeVertexNormals();
      return flat;
    });
    for (const geom of run.robot.geoms) {
      const geometry = geom.type === "mesh" ? meshes[geom.mesh ?? 0] : primitive(geom);
      const body = this.bodies[geom.body];
      if (!geometry || !body) continue;
      const mesh = new THREE.Mesh(geometry, this.material(geom.color));
      const [x = 0, y = 0, z = 0] = geom.position;
      const [qw = 1, qx = 0, qy = 0, qz = 0] = geom.quaternion;
      mesh.position.set(x, y, z);
      mesh.quaternion.set(qx, qy, qz, qw);
      mesh.castShadow = mesh.receiveShadow = true;
      body.add(mesh);
    }
  }

  show(replay: Replay, moment: Moment): void {
    const count = this.bodies.length;
    for (let i = 0; i < count && replay.count > 0; ++i) {
      const p = (k: number) => mix(replay.position, 3 * count, moment, 3 * i + k);
      this.bodies[i]!.position.set(p(0), p(1), p(2));
      mixQuaternion(replay, moment, 4 * i, 4 * count, this.bodies[i]!.quaternion);
    }
  }

  // Of the compared runs that lie over the first one: see-through, in the colour of the run.
  setGhost(color: string | null): void {
    for (const [key, material] of this.materials) {
      const [r = 0, g = 0, b = 0, a = 1] = key.split(",").map(Number);
      if (color) material.color.set(color);
      else material.color.setRGB(r, g, b, THREE.SRGBColorSpace);
      material.opacity = color ? 0.4 : a;
      material.transparent = material.opacity < 1;
      material.needsUpdate = true;
    }
  }

  // Distance from the first body to the farthest shape as the robot stands there now.
  reach(): number {
    this.group.updateMatrixWorld(true);
    const box = new THREE.Box3();
    for (const body of this.bodies) box.expandByObject(body);
    return box.isEmpty() ? 0.5 : box.getSize(new THREE.Vector3()).length() / 2;
  }

  private material(color: number[]): THREE.MeshStandardMaterial {
    const key = color.join(",");
    let material = this.materials.get(key);
    if (!material) {
      const [r = 0.6, g = 0.6, b = 0.6, a = 1] = color;
      material = new THREE.MeshStandardMaterial({ roughness: 0.55, metalness: 0.08 });
      material.color.setRGB(r, g, b, THREE.SRGBColorSpace);
      material.opacity = a;
      material.transparent = a < 1;
      this.materials.set(key, material);
    }
    return material;
  }
}

const scratch = new THREE.Quaternion();

function mixQuaternion(
  replay: Replay,
  moment: Moment,
  column: number,
  width: number,
  out: THREE.Quaternion,
): void {
  const q = replay.quaternion;
  const a = moment.row * width + column;
  const b = moment.next * width + column;
  out.set(q[a + 1]!, q[a + 2]!, q[a + 3]!, q[a]!).normalize();
  if (moment.part > 0) {
    scratch.set(q[b + 1]!, q[b + 2]!, q[b + 3]!, q[b]!).normalize();
    out.slerp(scratch, moment.part);
  }
}

function primitive(geom: Geom): THREE.BufferGeometry {
  const [a = 0.05, b = a, c = a] = geom.size;
  switch (geom.type) {
    case "sphere":
      return new THREE.SphereGeometry(a, 28, 16);
    case "ellipsoid":
      return new THREE.SphereGeometry(1, 28, 16).scale(a, b, c);
    case "capsule":
      return new THREE.CapsuleGeometry(a, 2 * b, 6, 20).rotateX(Math.PI / 2);
    case "cylinder":
      return new THREE.CylinderGeometry(a, a, 2 * b, 36).rotateX(Math.PI / 2);
    default:
      return new RoundedBoxGeometry(2 * a, 2 * b, 2 * c, 2, 0.12 * Math.min(a, b, c));
  }
}
