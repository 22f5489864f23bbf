// The 3D picture: all runs of a page at one time.
import * as THREE from "three";
import { currentTheme, paletteColor } from "../colors";
import type { Arrays } from "../data";
import { niceAbove } from "../format";
import type { Replay } from "../replay";
import { CameraView, type Preset } from "./camera";
import { GroundView } from "./ground";
import type { Bounds } from "./ground_shape";
import { layers, MarksView, type Layer, type MarkScale } from "./marks";
import { RobotView } from "./robot";

const hardPressure = 1e6; // [Pa]: more is under a foot on hard ground, which touches nearly in a point

interface RunView {
  group: THREE.Group;
  ground: GroundView;
  robot: RobotView;
  marks: MarksView;
}

export class SceneView {
  readonly renderer: THREE.WebGLRenderer;
  readonly scale: MarkScale;
  readonly cameraView: CameraView;
  readonly runs: RunView[];
  readonly visible = new Map<Layer, boolean>(layers.map((layer) => [layer, true]));
  overlaid = false;
  private scene = new THREE.Scene();
  private sun = new THREE.DirectionalLight("#fff6e8", 2.6);
  private sky = new THREE.HemisphereLight("#ffffff", "#b7a88f", 1.5);
  private lane: number; // between compared runs [m]
  private stale = true;
  private time = 0;

  // Throws where there is no WebGL.
  constructor(
    canvas: HTMLCanvasElement,
    private replays: Replay[],
    arrays: Arrays,
    maximumPixelRatio = 2,
  ) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, maximumPixelRatio));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    const robots = replays.map((replay) => new RobotView(replay.run, arrays));
    replays.forEach((replay, i) => robots[i]!.show(replay, replay.find(0)));
    const size = Math.max(0.05, ...robots.map((robot) => robot.reach()));
    this.lane = 2.2 * size;
    this.scale = { size, ...scalesOf(replays, size) };
    this.runs = replays.map((replay, i) => this.makeRun(replay, robots[i]!, arrays, i));
    this.cameraView = new CameraView(canvas, this.viewedSize());
    this.cameraView.controls.addEventListener("change", () => (this.stale = true));
    this.addLight();
    this.arrangeRuns();
    this.show(0);
    this.setTheme();
    this.goTo("overview");
  }

  show(time: number): void {
    this.time = time;
    this.runs.forEach((view, i) => {
      const replay = this.replays[i]!;
      const moment = replay.find(time);
      view.ground.show(moment.row);
      view.robot.show(replay, moment);
      view.marks.show(replay, moment);
    });
    this.cameraView.follow(this.target());
    this.stale = true;
  }

  // Draws if anything changed since the last picture.
  render(always = false): boolean {
    if (!this.stale && !always) return false;
    this.stale = false;
    const { target } = this.cameraView.controls;
    this.sun.position.set(
      target.x - 1.6 * this.scale.size,
      target.y - 2.2 * this.scale.size,
      target.z + 4 * this.scale.size,
    );
    this.sun.target.position.copy(target);
    this.renderer.render(this.scene, this.cameraView.camera);
    return true;
  }

  goTo(preset: Preset): void {
    const target = this.target();
    const first = this.runs[0];
    this.cameraView.goTo(preset, target, first ? first.ground.shape.height(target.x, target.y) : 0);
    this.stale = true;
  }

  resize(width: number, height: number): void {
    this.renderer.setSize(width, height, false);
    this.cameraView.resize(width, height);
    this.stale = true;
  }

  // The picture as it is now, at another size. The canvas keeps its own.
  takePicture(picture: HTMLCanvasElement): void {
    const size = this.renderer.getSize(new THREE.Vector2());
    const ratio = this.renderer.getPixelRatio();
    this.renderer.setPixelRatio(1);
    this.resize(picture.width, picture.height);
    this.render(true);
    picture.getContext("2d")!.drawImage(this.renderer.domElement, 0, 0);
    this.renderer.setPixelRatio(ratio);
    this.resize(size.x, size.y);
  }

  dispose(): void {
    this.cameraView.controls.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss(); // browsers allow few of them
  }

  setLayer(layer: Layer, visible: boolean): void {
    this.visible.set(layer, visible);
    for (const run of this.runs) {
      if (layer === "grid") run.ground.materials.setGrid(visible);
      else run.marks.setLayer(layer, visible);
    }
    this.stale = true;
  }

  // Compared runs lie beside each other, or over each other with the first one solid.
  setOverlaid(overlaid: boolean): void {
    this.overlaid = overlaid;
    this.arrangeRuns();
    this.show(this.time);
    this.cameraView.size = this.viewedSize();
    this.goTo("overview");
  }

  setTheme(): void {
    const theme = currentTheme();
    const haze = new THREE.Color(theme === "dark" ? "#12161b" : "#eef1f4");
    this.scene.background = haze;
    this.scene.fog = new THREE.Fog(haze, 9 * this.scale.size, 42 * this.scale.size);
    this.sun.intensity = theme === "dark" ? 2.0 : 2.3;
    this.sky.intensity = theme === "dark" ? 1.1 : 1.35;
    this.sky.groundColor.set(theme === "dark" ? "#4a4a50" : "#b7a88f");
    for (const run of this.runs) {
      run.ground.setTheme(theme);
      run.marks.setTheme(theme);
    }
    this.arrangeRuns();
    this.stale = true;
  }

  // A live run has grown: longer arrows and higher pressures are to fit.
  fitScale(): void {
    Object.assign(this.scale, scalesOf(this.replays, this.scale.size));
    for (const run of this.runs) run.ground.materials.setDeepest(run.ground.dents.deepest);
    this.stale = true;
  }

  private viewedSize(): number {
    const lanes = this.overlaid ? 1 : this.replays.length;
    return this.scale.size * (lanes > 1 ? 0.8 + 0.35 * lanes : 1);
  }

  // The middle between the robots.
  private target(): THREE.Vector3 {
    const middle = new THREE.Vector3();
    this.replays.forEach((replay, i) => {
      const [x, y, z] = replay.basePosition(replay.find(this.time));
      middle.add(new THREE.Vector3(x, y + this.runs[i]!.group.position.y, z));
    });
    return middle.divideScalar(Math.max(1, this.replays.length));
  }

  private makeRun(replay: Replay, robot: RobotView, arrays: Arrays, index: number): RunView {
    const group = new THREE.Group();
    const ground = new GroundView(replay.run, arrays, touchedBounds(replay));
    const runColor = this.replays.length > 1 ? index : null;
    const marks = new MarksView(replay.run, robot, ground.shape, this.scale, runColor);
    group.add(ground.group, robot.group, marks.group);
    this.scene.add(group);
    return { group, ground, robot, marks };
  }

  private addLight(): void {
    const { size } = this.scale;
    const reach = (1.6 + (this.replays.length - 1) * 1.2) * size;
    const { shadow } = this.sun;
    this.sun.castShadow = true;
    shadow.mapSize.set(2048, 2048);
    shadow.camera.left = shadow.camera.bottom = -reach;
    shadow.camera.right = shadow.camera.top = reach;
    shadow.camera.near = 0.1 * size;
    shadow.camera.far = 12 * size;
    shadow.bias = -0.0004;
    shadow.normalBias = 0.004 * size;
    shadow.radius = 3;
    this.sky.position.set(0, 0, 1);
    this.scene.add(this.sun, this.sun.target, this.sky);
  }

  private arrangeRuns(): void {
    const count = this.runs.length;
    this.runs.forEach((run, i) => {
      run.group.position.y = this.overlaid ? 0 : ((count - 1) / 2 - i) * this.lane;
      run.ground.group.visible = !this.overlaid || i === 0;
      run.ground.materials.setLane(count > 1 && !this.overlaid ? 0.497 * this.lane : 1e9);
      run.robot.setGhost(this.overlaid && i > 0 ? paletteColor(i) : null);
    });
    this.stale = true;
  }
}

// Forces: large ones are nearly as long as the robot is high; pressures: the colour bar ends at a round number.
// A single hard impact does not make all others small.
function scalesOf(replays: Replay[], size: number): { metresPerNewton: number; maximumPressure: number } {
  const forces: number[] = [];
  const pressures: number[] = [];
  for (const { force, bodyForce, pressure } of replays) {
    for (const f of [force, bodyForce]) {
      for (let i = 0; i + 2 < f.length; i += 3) forces.push(Math.hypot(f[i]!, f[i + 1]!, f[i + 2]!));
    }
    for (const p of pressure) pressures.push(p);
  }
  const large = mostly(forces) || 100;
  const soft = pressures.filter((pressure) => pressure < hardPressure);
  return {
    metresPerNewton: (0.75 * size) / large,
    maximumPressure: niceAbove(mostly(soft) || mostly(pressures) || 1e5),
  };
}

function mostly(values: number[]): number {
  const positive = values.filter((value) => value > 0).sort((a, b) => a - b);
  return positive.length ? positive[Math.floor(0.985 * (positive.length - 1))]! : 0;
}

function touchedBounds(replay: Replay): Bounds {
  const bounds = { x0: -1, y0: -1, x1: 1, y1: 1 };
  const width = 3 * replay.run.robot.bodies.length;
  for (let i = 0; i < replay.position.length; i += width) {
    bounds.x0 = Math.min(bounds.x0, replay.position[i]! - 1);
    bounds.x1 = Math.max(bounds.x1, replay.position[i]! + 1);
    bounds.y0 = Math.min(bounds.y0, replay.position[i + 1]! - 1);
    bounds.y1 = Math.max(bounds.y1, replay.position[i + 1]! + 1);
  }
  return bounds;
}
