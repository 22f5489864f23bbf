// A run made of nothing: a quadruped that trots over sand by formula. The tests need no simulation.

export const footNames = ["front_left_foot", "front_right_foot", "rear_left_foot", "rear_right_foot"];
const hips = [
  [0.2, 0.13],
  [0.2, -0.13],
  [-0.2, 0.13],
  [-0.2, -0.13],
];
const period = 0.5; // [s]
const duty = 0.62;
const thigh = 0.2;
const weight = 120; // [N]
const footRadius = 0.022;

function footPhase(foot, time) {
  return (time / period + (foot === 0 || foot === 3 ? 0 : 0.5)) % 1;
}

// Position of a foot's sole in the world, how deep it is, and the force on it.
function footAt(foot, time, run) {
  const phase = footPhase(foot, time);
  const stride = run.speed * period;
  const start = run.speed * (time - phase * period) + 0.5 * stride * duty + hips[foot][0];
  if (phase < duty) {
    const s = phase / duty;
    const load = Math.sin(Math.PI * s) ** 0.7;
    const depth = run.depth * Math.min(1, 4 * s);
    const normal = (weight / (2 * duty)) * load * 1.5;
    return { x: start, y: hips[foot][1], z: -depth, depth, normal, shear: 0.25 * normal * Math.cos(Math.PI * s) };
  }
  const s = (phase - duty) / (1 - duty);
  const lift = Math.sin(Math.PI * s);
  return {
    x: start + stride * (s - Math.sin(2 * Math.PI * s) / 9),
    y: hips[foot][1],
    z: 0.06 * lift - run.depth * (1 - s),
    depth: 0,
    normal: 0,
    shear: 0,
  };
}

const about_y = (angle) => [Math.cos(angle / 2), 0, Math.sin(angle / 2), 0];

// Torso, then thigh and shank of each leg.
function poseAt(time, run) {
  const torso = [
    run.speed * time,
    0.004 * Math.sin((4 * Math.PI * time) / period),
    0.32 + 0.006 * Math.sin((4 * Math.PI * time) / period) - run.depth,
  ];
  const position = [torso];
  const quaternion = [[1, 0, 0, 0]];
  for (let foot = 0; foot < 4; ++foot) {
    const sole = footAt(foot, time, run);
    const hip = [torso[0] + hips[foot][0], torso[1] + hips[foot][1], torso[2]];
    const [dx, dz] = [sole.x - hip[0], sole.z + footRadius - hip[2]];
    const reach = Math.min(Math.hypot(dx, dz), 2 * thigh - 1e-3);
    const down = Math.atan2(-dx, -dz); // turns about y
    const bend = Math.acos(reach / (2 * thigh));
    const upper = down + bend;
    const lower = down - bend;
    position.push(hip, [hip[0] - thigh * Math.sin(upper), hip[1], hip[2] - thigh * Math.cos(upper)]);
    quaternion.push(about_y(upper), about_y(lower));
  }
  return { position, quaternion };
}

function robotOf(color) {
  const geoms = [
    { body: 0, type: "box", size: [0.25, 0.09, 0.055], position: [0, 0, 0.01], quaternion: [1, 0, 0, 0], color },
    {
      body: 0,
      type: "box",
      size: [0.05, 0.055, 0.04],
      position: [0.285, 0, 0.03],
      quaternion: [1, 0, 0, 0],
      color: [0.16, 0.18, 0.21, 1],
    },
  ];
  const bodies = [{ name: "torso" }];
  for (let foot = 0; foot < 4; ++foot) {
    bodies.push({ name: `thigh_${foot}` }, { name: `shank_${foot}` });
    const dark = [0.22, 0.24, 0.27, 1];
    geoms.push(
      {
        body: 1 + 2 * foot,
        type: "cylinder",
        size: [0.042, 0.03],
        position: [0, 0, 0],
        quaternion: [0.7071, 0.7071, 0, 0],
        color: dark,
      },
      {
        body: 1 + 2 * foot,
        type: "capsule",
        size: [0.024, thigh / 2 - 0.01],
        position: [0, 0, -thigh / 2],
        quaternion: [1, 0, 0, 0],
        color,
      },
      {
        body: 2 + 2 * foot,
        type: "capsule",
        size: [0.016, thigh / 2 - 0.01],
        position: [0, 0, -thigh / 2],
        quaternion: [1, 0, 0, 0],
        color: dark,
      },
      {
        body: 2 + 2 * foot,
        type: "sphere",
        size: [footRadius],
        position: [0, 0, -thigh],
        quaternion: [1, 0, 0, 0],
        color: [0.1, 0.1, 0.11, 1],
      },
    );
  }
  return { bodies, geoms, meshes: [] };
}

function feetOf() {
  return footNames.map((name, i) => ({
    name,
    body: 2 + 2 * i,
    color: i,
    outline: Array.from({ length: 16 }, (_, k) => [
      footRadius * Math.cos((2 * Math.PI * k) / 16),
      footRadius * Math.sin((2 * Math.PI * k) / 16),
      -thigh - 0.8 * footRadius,
    ]),
  }));
}

// A print under each foot of each step: deeper while the foot sinks, with a rim of heaved soil.
function dentsOf(bytes, run, times) {
  const cell = 0.005;
  const events = { frame: [], column: [], row: [], height: [] };
  const heights = new Map();
  times.forEach((time, frame) => {
    for (let foot = 0; foot < 4; ++foot) {
      const sole = footAt(foot, time, run);
      if (sole.depth <= 0) continue;
      const reach = 2.2 * footRadius;
      for (let c = Math.floor((sole.x - reach) / cell); c <= (sole.x + reach) / cell; ++c) {
        for (let r = Math.floor((sole.y - reach) / cell); r <= (sole.y + reach) / cell; ++r) {
          const d = Math.hypot((c + 0.5) * cell - sole.x, (r + 0.5) * cell - sole.y) / footRadius;
          const target =
            d < 1
              ? -sole.depth * (1 - 0.35 * d ** 4)
              : d < 2.2
                ? 0.3 * sole.depth * Math.exp(-(((d - 1.35) / 0.3) ** 2)) -
                  0.65 * sole.depth * Math.max(0, 1.15 - d)
                : 0;
          const key = `${c}/${r}`;
          const before = heights.get(key) ?? 0;
          if (Math.abs(target - before) < 2e-4 || (target > before && before < 0)) continue;
          heights.set(key, target);
          events.frame.push(frame);
          events.column.push(c);
          events.row.push(r);
          events.height.push(target);
        }
      }
    }
  });
  return {
    cell,
    frame: bytes.add("i32", events.frame, { delta: true }),
    column: bytes.add("i16", events.column, { delta: true }),
    row: bytes.add("i16", events.row, { delta: true }),
    height: bytes.add("i16", events.height, { scale: 1e-5 }),
  };
}

function framesOf(bytes, run, times) {
  const poses = times.map((time) => poseAt(time, run));
  const feet = times.map((time) => footNames.map((_, i) => footAt(i, time, run)));
  const area = Math.PI * footRadius ** 2;
  return {
    count: times.length,
    time: bytes.add("f32", times),
    position: bytes.add(
      "i32",
      poses.flatMap((pose) => pose.position.flat()),
      { scale: 1e-5, delta: true, width: 27 },
    ),
    quaternion: bytes.add(
      "i16",
      poses.flatMap((pose) => pose.quaternion.flat()),
      { scale: 1 / 32767, delta: true, width: 36 },
    ),
    center_of_mass: bytes.add(
      "f32",
      poses.flatMap((pose) => [pose.position[0][0] + 0.005, pose.position[0][1], pose.position[0][2] - 0.04]),
    ),
    force: bytes.add(
      "f32",
      feet.flatMap((row) => row.flatMap((foot) => [foot.shear, 0, foot.normal])),
    ),
    center: bytes.add(
      "f32",
      feet.flatMap((row) => row.flatMap((foot) => [foot.x, foot.y, foot.z])),
    ),
    pressure: bytes.add(
      "f32",
      feet.flatMap((row) => row.map((foot) => foot.normal / area)),
    ),
  };
}

function channelsOf(bytes, run, rate) {
  const count = Math.round(run.duration * rate) + 1;
  const times = Array.from({ length: count }, (_, i) => i / rate);
  const shared = bytes.add("f32", times);
  const noise = (i) => Math.sin(12.9898 * i) * 0.5 + Math.sin(78.233 * i) * 0.5;
  const perFoot = [
    ["Normal force", "normal_force", "N", 1, (f, i) => Math.max(0, f.normal * (1 + 0.03 * noise(i)))],
    ["Tangential force", "tangential_force", "N", 1, (f) => Math.abs(f.shear)],
    ["Sinkage", "sinkage", "mm", 1000, (f) => (f.depth > 0 ? f.depth : Math.min(0, -f.z))],
    [
      "Shear displacement",
      "shear_displacement",
      "mm",
      1000,
      (f) => 0.004 * (f.shear / 40) * (1 + Math.abs(f.shear) / 40),
    ],
    ["Friction use", "friction_use", "", 1, (f) => (f.normal ? Math.abs(f.shear) / (0.6 * f.normal) : 0)],
  ];
  const channels = perFoot.flatMap(([group, name, unit, scale, of]) =>
    footNames.map((foot, k) => {
      const values = times.map((t, i) => of(footAt(k, t, run), i + 1000 * k));
      const step = values.reduce((most, v) => Math.max(most, Math.abs(v)), 1e-9) / 32000;
      return {
        name: `feet/${foot}/${name}`,
        group,
        label: foot,
        unit,
        scale,
        foot: k,
        time: shared,
        values: bytes.add("i16", values, { scale: step, delta: true }),
      };
    }),
  );
  const single = (name, group, label, unit, scale, of) =>
    channels.push({ name, group, label, unit, scale, time: shared, values: bytes.add("f32", times.map(of)) });
  single("solver/iterations", "Solver iterations", "iterations", "", 1, (t, i) =>
    Math.round(3 + 2 * Math.abs(noise(i))),
  );
  for (const [k, stage] of ["kinematics", "contact", "solver"].entries()) {
    single(
      `stages/${stage}`,
      "Stage times",
      stage,
      "µs",
      1e6,
      (t, i) => 1e-6 * (0.4 + k) * (1 + 0.2 * noise(i + k)),
    );
  }
  return channels;
}

function loopsOf(channels) {
  const at = (name) => channels.findIndex((channel) => channel.name === name);
  return footNames.flatMap((foot, i) => [
    { title: "Force over sinkage", x: at(`feet/${foot}/sinkage`), y: at(`feet/${foot}/normal_force`), foot: i },
    {
      title: "Shear force over shear displacement",
      x: at(`feet/${foot}/shear_displacement`),
      y: at(`feet/${foot}/tangential_force`),
      foot: i,
    },
  ]);
}

function wrenchSpacesOf(bytes, run, times) {
  const vertexCount = 24;
  return {
    feet: footNames.map((_, foot) => {
      const [vertices, wrench, clamped] = [[], [], []];
      for (const time of times) {
        const f = footAt(foot, time, run);
        const size = 40 + 3000 * f.depth;
        for (let i = 0; i < vertexCount; ++i) {
          const a = (2 * Math.PI * i) / vertexCount;
          const fz = size * (1 + Math.cos(a));
          vertices.push(
            0.5 * size * Math.sin(a) * (1 + 0.3 * Math.cos(2 * a)),
            fz,
            0.012 * size * Math.sin(2 * a + 0.4),
          );
        }
        wrench.push(f.shear, f.normal, 0.01 * f.shear);
        clamped.push(f.depth > 0.8 * run.depth && foot === 1 ? 1 : 0);
      }
      return {
        foot,
        vertex_count: vertexCount,
        vertices: bytes.add("f32", vertices),
        wrench: bytes.add("f32", wrench),
        clamped: bytes.add("u8", clamped),
      };
    }),
  };
}

const usual = {
  name: "trot on sand",
  duration: 3,
  speed: 0.45,
  depth: 0.018,
  color: "#d8c39a",
  soil: "dry sand",
  torso: [0.93, 0.6, 0.2, 1],
  frameRate: 60,
  channelRate: 1000,
};

export function torsoAt(time) {
  return poseAt(time, usual).position[0];
}

export function makeRun(bytes, options = {}) {
  const run = { ...usual, ...options };
  const count = Math.round(run.duration * run.frameRate) + 1;
  const times = Array.from({ length: count }, (_, i) => i / run.frameRate);
  const channels = channelsOf(bytes, run, run.channelRate);
  return {
    name: run.name,
    duration: run.duration,
    robot: robotOf(run.torso),
    ground: {
      kind: "plane",
      point: [0, 0, 0],
      normal: [0, 0, 1],
      soil: run.soil,
      color: run.color,
      regions: run.regions ?? [
        {
          name: "slab",
          soil: "concrete",
          color: "#b9bcc0",
          outline: [
            [-6, -3],
            [-0.35, -3],
            [-0.35, 3],
            [-6, 3],
          ],
        },
      ],
      dents: dentsOf(bytes, run, times),
    },
    feet: feetOf(),
    frames: framesOf(bytes, run, times),
    channels,
    loops: loopsOf(channels),
    ...(run.granular ? { wrench_spaces: wrenchSpacesOf(bytes, run, times) } : {}),
  };
}
