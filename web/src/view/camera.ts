// Where the picture is taken from. The camera can be turned, moved and drawn near by hand, follows the robot,
// and knows a few good places.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

export const presets = ["overview", "side", "front", "top", "feet"] as const;
export type Preset = (typeof presets)[number];

const directions: Record<Preset, [number, number, number]> = {
  overview: [0.72, -1, 0.42],
  side: [0, -1, 0.1],
  front: [1, 0, 0.12],
  top: [0, -0.0005, 1],
  feet: [0.5, -1, 0.3],
};

export class CameraView {
  readonly camera = new THREE.PerspectiveCamera(32, 1, 0.01, 400);
  readonly controls: OrbitControls;
  following = true;
  private target = new THREE.Vector3();

  constructor(
    canvas: HTMLElement,
    public size: number, // of what is looked at [m]
  ) {
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.minDistance = 0.1 * size;
    this.controls.maxDistance = 40 * size;
    this.controls.maxPolarAngle = 0.497 * Math.PI;
    this.controls.zoomToCursor = true;
  }

  // Goes to a place around the target; its height is the middle of the robot, or of its feet.
  goTo(preset: Preset, target: THREE.Vector3, groundHeight: number): void {
    this.target.copy(target);
    const near = preset === "feet";
    const height = near ? groundHeight + 0.1 * this.size : 0.55 * target.z + 0.45 * groundHeight;
    this.controls.target.set(target.x, target.y, height);
    const portrait = Math.max(1, 1.15 / this.camera.aspect);
    const distance = (near ? 2.2 : preset === "top" ? 4.2 : 4.0) * this.size * portrait;
    const direction = new THREE.Vector3(...directions[preset]).normalize();
    this.camera.position.copy(this.controls.target).addScaledVector(direction, distance);
    this.controls.update();
  }

  // Moves along with the target, over the ground and not up and down with every step.
  follow(target: THREE.Vector3): void {
    if (this.following) {
      const moved = new THREE.Vector3().subVectors(target, this.target);
      moved.z = 0;
      this.camera.position.add(moved);
      this.controls.target.add(moved);
      this.controls.update();
    }
    this.target.copy(target);
  }

  copy(other: CameraView): void {
    this.following = other.following;
    this.camera.position.copy(other.camera.position);
    this.controls.target.copy(other.controls.target);
    this.controls.update();
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / Math.max(1, height);
    this.camera.updateProjectionMatrix();
  }
}
