// Loads GLB files into three.js without a picture, and tells names, tracks and posed vertices.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

// The packages live below .cache, not beside this file.
const root = path.resolve(process.env.ENGINE_MODULES);
const require = createRequire(path.join(root, "runner.js"));
const load = (name) => import(pathToFileURL(name).href);
const THREE = await load(path.join(root, "three/build/three.module.js"));
const { GLTFLoader } = await load(path.join(root, "three/examples/jsm/loaders/GLTFLoader.js"));

globalThis.self ??= globalThis;
console.warn = () => {};

// There is nothing to decode pictures with, and poses need none.
const withoutPictures = () => ({ name: "without_pictures", loadTexture: async () => new THREE.Texture() });

async function parse(file) {
  const bytes = fs.readFileSync(file);
  const loader = new GLTFLoader().register(withoutPictures);
  return loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), "");
}

function vertices(mesh) {
  const count = mesh.geometry.attributes.position.count;
  const points = new Float32Array(3 * count);
  const point = new THREE.Vector3();
  for (let i = 0; i < count; i++) mesh.getVertexPosition(i, point).applyMatrix4(mesh.matrixWorld).toArray(points, 3 * i);
  return Buffer.from(points.buffer);
}

function describe(mesh, name) {
  const { attributes } = mesh.geometry;
  return {
    name,
    vertices: attributes.position.count,
    influences: attributes.skinWeight ? 4 : 0,
    shapes: Object.keys(mesh.morphTargetDictionary ?? {}),
  };
}

// A clone of the rest pose: animated values are not put back by stopping an action alone.
function keepRest(scene) {
  const kept = [];
  scene.traverse((item) => {
    kept.push([item, item.position.clone(), item.quaternion.clone(), item.scale.clone(), item.morphTargetInfluences?.slice()]);
  });
  return () => {
    for (const [item, position, quaternion, scale, weights] of kept) {
      item.position.copy(position);
      item.quaternion.copy(quaternion);
      item.scale.copy(scale);
      weights?.forEach((weight, index) => (item.morphTargetInfluences[index] = weight));
    }
  };
}

function play(scene, clip, time) {
  const mixer = new THREE.AnimationMixer(scene);
  const action = mixer.clipAction(clip);
  action.setLoop(THREE.LoopOnce, 1);
  action.clampWhenFinished = true;
  action.play();
  mixer.setTime(time);
}

async function run(job) {
  const { scene, animations, parser } = await parse(job.file);
  const names = [], bones = [], meshes = [];
  scene.traverse((item) => {
    if (item.isBone) bones.push(item.userData.name ?? item.name);
    const place = parser.associations.get(item);
    if (place?.nodes !== undefined) names.push(parser.json.nodes[place.nodes].name === undefined ? "" : item.userData.name ?? item.name);
    if (item.isMesh || item.isLine || item.isPoints) {
      let owner = item;
      while (parser.associations.get(owner)?.nodes === undefined) owner = owner.parent;
      meshes.push([item, owner.userData.name ?? owner.name]);
    }
  });
  const rest = keepRest(scene);
  job.poses.forEach((pose, number) => {
    rest();
    if (pose.clip !== null) play(scene, animations[pose.clip], pose.time);
    scene.updateMatrixWorld(true);
    const out = fs.openSync(path.join(job.out, `${number}.f32`), "w");
    for (const [mesh] of meshes) if (mesh.isMesh) fs.writeSync(out, vertices(mesh));
    fs.closeSync(out);
  });
  return {
    nodes: names,
    bones,
    objects: meshes.filter(([mesh]) => mesh.isMesh).map(([mesh, name]) => describe(mesh, name)),
    clips: animations.map((clip) => ({ name: clip.name, duration: clip.duration, tracks: clip.tracks.length })),
  };
}

const jobs = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
for (const [number, job] of jobs.entries()) {
  console.log(`\n@start ${number}`);
  const result = await run(job).catch((error) => ({ error: String(error.stack ?? error).slice(0, 400) }));
  console.log(`\n@done ${number} ${JSON.stringify(result)}`);
}
