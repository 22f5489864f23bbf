// What is drawn over the robot: forces, contact patches, centre of mass, support polygon.
import * as THREE from "three";
import { paletteColor, pressureColor, type Theme } from "../colors";
import { convexHull, type Point } from "../hull";
import type { Foot, Run } from "../page";
import { mix, type Moment, type Replay } from "../replay";
import type { GroundShape } from "./ground_shape";
import type { RobotView } from "./robot";

export const layers = ["forces", "patches", "mass", "support", "grid"] as const;
export type Layer = (typeof layers)[number];

export interface MarkScale {
  metresPerNewton: number;
  maximumPressure: number; // [Pa], top of the colour bar
  size: number; // of the robot [m]
}

const overEverything = { depthTest: false, depthWrite: false, transparent: true, fog: false };

export class MarksView {
  readonly group = new THREE.Group();
  private arrows: Arrow[]; // of the feet, and last that of all other parts together
  private patches: Patch[];
  private mass: MassMark;
  private support: SupportMark;

  constructor(
    private run: Run,
    private robot: RobotView,
    shape: GroundShape,
    private scale: MarkScale,
    runColor: number | null, // of a compared run: forces in the colour of the run
  ) {
    this.arrows = [...run.feet.map((foot) => foot.color), run.feet.length].map(
      (color) => new Arrow(runColor ?? color, scale.size),
    );
    this.patches = run.feet.map((foot) => new Patch(foot, scale.size));
    this.mass = new MassMark(scale.size, shape);
    this.support = new SupportMark(shape, scale.size);
    for (const mark of [...this.arrows, ...this.patches, this.mass, this.support]) this.group.add(mark.group);
  }

  show(replay: Replay, moment: Moment): void {
    if (replay.count === 0) return;
    const feet = this.run.feet.length;
    const corners: Point[] = [];
    for (let i = 0; i < feet; ++i) {
      const vector = (values: Replay["force"]) =>
        new THREE.Vector3(...[0, 1, 2].map((k) => mix(values, 3 * feet, moment, 3 * i + k)));
      const pressure = mix(replay.pressure, feet, moment, i);
      const touching = replay.touches(moment.row, i);
      const force = vector(replay.force).multiplyScalar(this.scale.metresPerNewton);
      const body = this.robot.bodies[this.run.feet[i]!.body]!;
      const center = vector(replay.center);
      this.arrows[i]!.show(center, force);
      this.patches[i]!.show(body, center, touching ? pressure / this.scale.maximumPressure : null);
      if (touching) corners.push(...this.cornersOf(i, body, center));
    }
    const bodyVector = (values: Replay["force"]) =>
      new THREE.Vector3(...[0, 1, 2].map((k) => (values.length ? mix(values, 3, moment, k) : 0)));
    const bodyForce = bodyVector(replay.bodyForce).multiplyScalar(this.scale.metresPerNewton);
    this.arrows[feet]!.show(bodyVector(replay.bodyCenter), bodyForce);
    const com = [0, 1, 2].map((k) => mix(replay.centerOfMass, 3, moment, k));
    this.mass.show(new THREE.Vector3(com[0], com[1], com[2]));
    this.support.show(convexHull(corners));
  }

  setLayer(layer: Layer, visible: boolean): void {
    if (layer === "forces") for (const arrow of this.arrows) arrow.group.visible = visible;
    if (layer === "patches") for (const patch of this.patches) patch.group.visible = visible;
    if (layer === "mass") this.mass.group.visible = visible;
    if (layer === "support") this.support.group.visible = visible;
  }

  setTheme(theme: Theme): void {
    for (const arrow of this.arrows) arrow.setTheme(theme);
    for (const mark of [this.mass, this.support]) mark.setTheme(theme);
  }

  // A round sole has no corners: it supports where its force acts.
  private cornersOf(foot: number, body: THREE.Group, center: THREE.Vector3): Point[] {
    const { outline } = this.run.feet[foot]!;
    if (!outline.length) return [[center.x, center.y]];
    return outline.map(([x = 0, y = 0, z = 0]) => {
      const p = new THREE.Vector3(x, y, z).applyQuaternion(body.quaternion).add(body.position);
      return [p.x, p.y];
    });
  }
}

// A force: starts where it acts and points where it pushes the foot.
class Arrow {
  readonly group = new THREE.Group();
  private arrow = new THREE.Group();
  private shaft: THREE.Mesh;
  private tip: THREE.Mesh;
  private material = new THREE.MeshBasicMaterial({ ...overEverything, opacity: 0.95 });
  private tipLength: number;

  constructor(
    private color: number,
    size: number,
  ) {
    const radius = 0.0085 * size;
    this.tipLength = 6.5 * radius;
    this.shaft = new THREE.Mesh(
      new THREE.CylinderGeometry(radius, radius, 1, 12).translate(0, 0.5, 0),
      this.material,
    );
    this.tip = new THREE.Mesh(
      new THREE.ConeGeometry(2.6 * radius, this.tipLength, 18).translate(0, 0.5 * this.tipLength, 0),
      this.material,
    );
    this.shaft.renderOrder = this.tip.renderOrder = 12;
    this.arrow.add(this.shaft, this.tip);
    this.group.add(this.arrow);
  }

  show(from: THREE.Vector3, vector: THREE.Vector3): void {
    const length = vector.length();
    this.arrow.visible = length > 1e-4;
    if (!this.arrow.visible) return;
    const tip = Math.min(this.tipLength, 0.6 * length);
    this.tip.scale.setScalar(tip / this.tipLength);
    this.tip.position.y = length - tip;
    this.shaft.scale.y = length - 0.9 * tip;
    this.arrow.position.copy(from);
    this.arrow.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), vector.clone().divideScalar(length));
  }

  setTheme(theme: Theme): void {
    this.material.color.set(paletteColor(this.color, theme));
  }
}

// The sole of a touching foot, in the colour of the mean pressure under it; of a round one a disc.
class Patch {
  readonly group = new THREE.Group();
  private isRound: boolean;
  private fill: THREE.Mesh;
  private edge: THREE.LineLoop;
  private material = new THREE.MeshBasicMaterial({ ...overEverything, opacity: 0.82, side: THREE.DoubleSide });

  constructor(foot: Foot, size: number) {
    this.isRound = foot.outline.length < 3;
    const points = (this.isRound ? circle(0.85 * (foot.radius || 0.035 * size)) : foot.outline).map(
      ([x = 0, y = 0, z = 0]) => new THREE.Vector3(x, y, z),
    );
    const middle = points
      .reduce((sum, p) => sum.add(p), new THREE.Vector3())
      .divideScalar(Math.max(1, points.length));
    // A sole smaller than this could not be seen: its patch is drawn larger, about the same centre.
    const radius = Math.max(...points.map((p) => p.distanceTo(middle)), 1e-6);
    const larger = Math.max(1, (0.02 * size) / radius);
    const corners = points.map((p) => p.clone().sub(middle).multiplyScalar(larger).add(middle));
    const geometry = new THREE.BufferGeometry().setFromPoints([middle, ...corners]);
    geometry.setIndex(corners.flatMap((_, i) => [0, 1 + i, 1 + ((i + 1) % corners.length)]));
    this.fill = new THREE.Mesh(geometry, this.material);
    const ring = new THREE.BufferGeometry().setFromPoints(corners);
    this.edge = new THREE.LineLoop(ring, new THREE.LineBasicMaterial({ ...overEverything, color: "#ffffff" }));
    this.fill.renderOrder = 10;
    this.edge.renderOrder = 11;
    this.group.add(this.fill, this.edge);
  }

  show(body: THREE.Group, center: THREE.Vector3, part: number | null): void {
    this.fill.visible = this.edge.visible = part !== null;
    if (part === null) return;
    this.material.color.setRGB(...pressureColor(part), THREE.SRGBColorSpace);
    for (const object of [this.fill, this.edge]) {
      object.position.copy(this.isRound ? center : body.position);
      if (!this.isRound) object.quaternion.copy(body.quaternion);
    }
  }
}

function circle(radius: number): number[][] {
  return Array.from({ length: 28 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 28;
    return [radius * Math.cos(angle), radius * Math.sin(angle), 0];
  });
}

// The centre of mass, a line down from it, and a ring where the line meets the ground.
class MassMark {
  readonly group = new THREE.Group();
  private ball: THREE.Mesh;
  private halo: THREE.Mesh;
  private ring: THREE.Mesh;
  private line: THREE.Line;
  private materials = [0.95, 1, 0.9].map((opacity) => new THREE.MeshBasicMaterial({ ...overEverything, opacity }));
  private lineMaterial = new THREE.LineDashedMaterial({ ...overEverything });

  constructor(
    size: number,
    private shape: GroundShape,
  ) {
    const radius = 0.03 * size;
    this.halo = new THREE.Mesh(new THREE.SphereGeometry(1.35 * radius, 24, 16), this.materials[1]);
    this.ball = new THREE.Mesh(new THREE.SphereGeometry(radius, 24, 16), this.materials[0]);
    this.ring = new THREE.Mesh(new THREE.RingGeometry(1.1 * radius, 1.7 * radius, 32), this.materials[2]);
    this.lineMaterial.dashSize = 0.6 * radius;
    this.lineMaterial.gapSize = 0.45 * radius;
    this.line = new THREE.Line(
      new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(new Float32Array(6), 3)),
      this.lineMaterial,
    );
    this.line.frustumCulled = false;
    [this.line, this.ring, this.halo, this.ball].forEach((object, i) => (object.renderOrder = 6 + i));
    this.group.add(this.halo, this.ball, this.ring, this.line);
  }

  show(center: THREE.Vector3): void {
    const ground = this.shape.height(center.x, center.y) + 0.002;
    this.ball.position.copy(center);
    this.halo.position.copy(center);
    this.ring.position.set(center.x, center.y, ground);
    const position = this.line.geometry.getAttribute("position") as THREE.BufferAttribute;
    position.setXYZ(0, center.x, center.y, center.z);
    position.setXYZ(1, center.x, center.y, ground);
    position.needsUpdate = true;
    this.line.computeLineDistances();
  }

  setTheme(theme: Theme): void {
    const [ink, paper] = theme === "dark" ? ["#ffffff", "#10151b"] : ["#1d2733", "#ffffff"];
    this.materials[0]!.color.set(ink);
    this.materials[1]!.color.set(paper);
    this.materials[2]!.color.set(ink);
    this.lineMaterial.color.set(ink);
  }
}

// The hull of the soles that touch, flat on the ground.
class SupportMark {
  readonly group = new THREE.Group();
  private capacity = 256;
  private fillMaterial = new THREE.MeshBasicMaterial({
    transparent: true,
    opacity: 0.2,
    depthWrite: false,
    side: THREE.DoubleSide,
    polygonOffset: true,
    polygonOffsetFactor: -4,
    polygonOffsetUnits: -4,
  });
  private edgeMaterial = new THREE.MeshBasicMaterial({ ...overEverything, opacity: 0.85, side: THREE.DoubleSide });
  private fill: THREE.Mesh;
  private edge: THREE.Mesh;

  constructor(
    private shape: GroundShape,
    private size: number,
  ) {
    const geometry = (vertices: number) =>
      new THREE.BufferGeometry().setAttribute(
        "position",
        new THREE.BufferAttribute(new Float32Array(3 * vertices), 3),
      );
    this.fill = new THREE.Mesh(geometry(3 * this.capacity), this.fillMaterial);
    this.edge = new THREE.Mesh(geometry(6 * this.capacity), this.edgeMaterial);
    this.fill.frustumCulled = this.edge.frustumCulled = false;
    this.fill.renderOrder = 1;
    this.edge.renderOrder = 2;
    this.group.add(this.fill, this.edge);
  }

  show(hull: Point[]): void {
    const corners = hull.slice(0, this.capacity);
    const lifted = ([x, y]: Point) => [x, y, this.shape.height(x, y) + 0.003] as const;
    const fill = this.fill.geometry.getAttribute("position") as THREE.BufferAttribute;
    const edge = this.edge.geometry.getAttribute("position") as THREE.BufferAttribute;
    let triangles = 0;
    for (let i = 1; i + 1 < corners.length; ++i, ++triangles) {
      [corners[0]!, corners[i]!, corners[i + 1]!].forEach((p, k) => fill.setXYZ(3 * triangles + k, ...lifted(p)));
    }
    const width = 0.006 * this.size;
    let strips = 0;
    for (let i = 0; i < corners.length && corners.length > 2; ++i, ++strips) {
      const [a, b] = [corners[i]!, corners[(i + 1) % corners.length]!];
      const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
      const [ox, oy] = [(-(b[1] - a[1]) / length) * width, ((b[0] - a[0]) / length) * width];
      const out = (p: Point): Point => [p[0] - ox, p[1] - oy];
      [a, b, out(b), a, out(b), out(a)].forEach((p, k) => edge.setXYZ(6 * strips + k, ...lifted(p)));
    }
    fill.needsUpdate = edge.needsUpdate = true;
    this.fill.geometry.setDrawRange(0, 3 * triangles);
    this.edge.geometry.setDrawRange(0, 6 * strips);
  }

  setTheme(theme: Theme): void {
    const color = paletteColor(0, theme);
    this.fillMaterial.color.set(color);
    this.edgeMaterial.color.set(color);
  }
}
