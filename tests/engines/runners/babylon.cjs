// Loads GLB files into Babylon.js' NullEngine, and tells names, tracks and posed vertices.
const fs = require("node:fs");
const path = require("node:path");
const { createRequire } = require("node:module");

// The packages live below .cache, not beside this file.
const need = createRequire(path.join(path.resolve(process.env.ENGINE_MODULES), "runner.js"));
global.XMLHttpRequest ??= class {};
const B = need("babylonjs");
need("babylonjs-loaders");
B.Logger.LogLevels = B.Logger.NoneLogLevel;

function vertices(mesh) {
  const local = mesh.getPositionData(true, true); // with bones and morph targets
  const points = new Float32Array(local.length);
  const world = mesh.getWorldMatrix();
  const point = new B.Vector3();
  for (let i = 0; i < local.length; i += 3) {
    B.Vector3.TransformCoordinatesFromFloatsToRef(local[i], local[i + 1], local[i + 2], world, point);
    points.set([point.x, point.y, point.z], i);
  }
  return Buffer.from(points.buffer);
}

// Each primitive of a mesh with several is a mesh of its own, numbered after the node.
function describe(mesh) {
  const morphs = mesh.morphTargetManager;
  return {
    name: mesh.name.replace(/_primitive\d+$/, ""),
    vertices: mesh.getTotalVertices(),
    influences: mesh.skeleton ? mesh.numBoneInfluencers : 0,
    shapes: morphs ? Array.from({ length: morphs.numTargets }, (_, index) => morphs.getTarget(index).name) : [],
  };
}

function keepRest(scene) {
  const nodes = [...scene.transformNodes, ...scene.meshes].map((node) => [
    node, node.position.clone(), node.rotationQuaternion?.clone(), node.scaling.clone(),
  ]);
  const targets = scene.meshes.flatMap((mesh) => {
    const manager = mesh.morphTargetManager;
    return manager ? Array.from({ length: manager.numTargets }, (_, i) => manager.getTarget(i)) : [];
  }).map((target) => [target, target.influence]);
  return () => {
    for (const [node, position, rotation, scaling] of nodes) {
      node.position.copyFrom(position);
      if (rotation) node.rotationQuaternion.copyFrom(rotation);
      node.scaling.copyFrom(scaling);
    }
    for (const [target, influence] of targets) target.influence = influence;
  };
}

function settle(scene) {
  // parents come first in neither list, and a forced update takes its parents along
  for (const node of [...scene.transformNodes, ...scene.meshes]) node.computeWorldMatrix(true);
  for (const skeleton of scene.skeletons) skeleton.prepare(true);
}

const pointers = (item) => item._internalMetadata?.gltf?.pointers ?? [];

async function run(job) {
  const engine = new B.NullEngine();
  const scene = new B.Scene(engine);
  scene.useRightHandedSystem = true;
  try {
    new B.FreeCamera("camera", B.Vector3.Zero(), scene);
    const data = new Uint8Array(fs.readFileSync(job.file));
    const loaded = await B.SceneLoader.ImportMeshAsync("", "", data, scene, undefined, ".glb");
    loaded.animationGroups.forEach((group) => group.stop());
    const meshes = loaded.meshes.filter((mesh) => mesh.getTotalVertices() > 0);
    const named = [...scene.transformNodes, ...scene.meshes].filter((node) => pointers(node).some((p) => p.startsWith("/nodes/")));
    const rest = keepRest(scene);
    job.poses.forEach((pose, number) => {
      rest();
      if (pose.clip !== null) {
        const group = loaded.animationGroups[pose.clip];
        group.start(false);
        group.goToFrame(Math.min(Math.max(pose.time * group.targetedAnimations[0].animation.framePerSecond, group.from), group.to));
        group.pause();
      }
      settle(scene);
      const out = fs.openSync(path.join(job.out, `${number}.f32`), "w");
      for (const mesh of meshes) fs.writeSync(out, vertices(mesh));
      fs.closeSync(out);
      loaded.animationGroups.forEach((group) => group.stop());
    });
    return {
      nodes: named.map((node) => node.name),
      bones: loaded.skeletons.flatMap((skeleton) => skeleton.bones.map((bone) => bone.name)),
      objects: meshes.map((mesh) => describe(mesh)),
      clips: loaded.animationGroups.map((group) => ({ name: group.name, tracks: group.targetedAnimations.length })),
    };
  } finally {
    scene.dispose();
    engine.dispose();
  }
}

(async () => {
  const jobs = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
  for (const [number, job] of jobs.entries()) {
    console.log(`\n@start ${number}`);
    const result = await run(job).catch((error) => ({ error: String(error.stack ?? error).slice(0, 400) }));
    console.log(`\n@done ${number} ${JSON.stringify(result)}`);
  }
  process.exit(0);
})();
