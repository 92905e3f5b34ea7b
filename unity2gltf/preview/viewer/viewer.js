// The page of `unity2gltf view`: a list of assets, the chosen one in model-viewer, and what is known of it.
// Texts of the game only ever become text nodes.

const $ = (id) => document.getElementById(id);
const state = { assets: [], missing: null, chosen: null, viewer: null, component: null, loads: 0 };
const ORBIT = "30deg 70deg auto";

// model-viewer asks other hosts for its decoders unless told otherwise. The server has those that npm installs with it.
const DECODERS = {
  dracoDecoderLocation: "/decoders/draco/gltf/",
  ktx2TranscoderLocation: "/decoders/basis/",
  lottieLoaderLocation: "/decoders/none.js",
};

async function loadComponent() {
  await import("/model-viewer.js");
  // Every new component reads this object, which some of its bundles set to their own exports while they load.
  self.ModelViewerElement = Object.assign(self.ModelViewerElement ?? {}, DECODERS);
}

function element(tag, text = "", attributes = {}) {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

const path = (output) => output.split("/").map(encodeURIComponent).join("/");
const key = (asset) => asset.output ?? `?${asset.kind}/${asset.name}`;

function enter(name) {
  document.body.dataset.state = name;
}

async function start() {
  const answer = await (await fetch("assets.json")).json();
  if (answer.error) throw new Error(answer.error);
  Object.assign(state, answer);
  document.title = `${answer.title} - unity2gltf`;
  $("note").textContent = [answer.note, answer.missing && `Pictures only: ${answer.missing}.`].filter(Boolean).join(" ");
  $("report").hidden = !answer.page;
  if (!state.missing) await loadComponent();
  $("assets").replaceChildren(...state.assets.map(row));
  $("filter").addEventListener("input", filter);
  addEventListener("hashchange", choose);
  enter("ready");
  choose();
}

function row(asset) {
  const link = element("a", "", { href: `#${encodeURIComponent(key(asset))}` });
  const picture = asset.still
    ? element("img", "", { src: `files/${path(asset.still)}`, alt: "", loading: "lazy" })
    : element("i");
  const words = element("span");
  words.append(element("b", asset.name), element("small", asset.output ?? "not written"));
  words.append(element("small", asset.status || "not in the report", { class: asset.status }));
  link.append(picture, words);
  const item = element("li");
  item.append(link);
  asset.row = item;
  return item;
}

function filter() {
  const wanted = $("filter").value.toLowerCase();
  for (const asset of state.assets) {
    const text = `${asset.name} ${asset.output ?? ""} ${asset.status} ${asset.kind}`.toLowerCase();
    asset.row.hidden = !text.includes(wanted);
  }
}

function choose() {
  const wanted = decodeURIComponent(location.hash.slice(1));
  const asset = state.assets.find((one) => key(one) === wanted);
  if (asset && asset !== state.chosen) show(asset);
}

function show(asset) {
  state.chosen?.row.firstChild.removeAttribute("aria-current");
  state.chosen = asset;
  asset.row.firstChild.setAttribute("aria-current", "true");
  asset.row.scrollIntoView({ block: "nearest" });
  $("name").textContent = asset.name;
  $("status").textContent = asset.status;
  $("status").className = asset.status;
  $("numbers").textContent = Object.entries(asset.stats)
    .map(([name, number]) => `${name.replaceAll("_", " ")} ${number.toLocaleString("en")}`)
    .join(", ");
  $("trouble").textContent = "";
  $("player").hidden = true;
  $("words").replaceChildren(...list("From the report", asset.remarks));
  $("file").hidden = !asset.output;
  state.viewer = null;
  if (!asset.output) {
    $("stage").replaceChildren(element("p", "It was not written."));
    enter("failed");
    return;
  }
  $("file").href = `files/${path(asset.output)}`;
  $("file").download = asset.output.split("/").at(-1);
  check(asset);
  if (state.missing) showPicture(asset);
  else showModel(asset);
}

function showPicture(asset) {
  const picture = asset.turntable ?? asset.still;
  const shown = picture
    ? element("img", "", { src: `files/${path(picture)}`, alt: asset.name })
    : element("p", `There is no picture yet (unity2gltf preview), and ${state.missing}.`);
  $("stage").replaceChildren(shown);
  enter("picture");
}

// One component, and so one WebGL context, for all models. Each load gets an address of its own, which tells events of
// an earlier model from those of the current one, and loads a model anew to put it at rest.
function showModel(asset) {
  enter("loading");
  $("trouble").textContent = "";
  const viewer = state.component ?? makeComponent();
  state.loads += 1;
  state.viewer = viewer;
  viewer.removeAttribute("animation-name");
  viewer.alt = asset.name;
  viewer.resetTurntableRotation(0);
  viewer.cameraOrbit = ORBIT;
  viewer.cameraTarget = viewer.fieldOfView = "auto";
  viewer.src = `/models/${path(asset.output)}?${state.loads}`;
  if (viewer.parentNode !== $("stage")) $("stage").replaceChildren(viewer);
}

function makeComponent() {
  const viewer = element("model-viewer", "", {
    "camera-controls": "",
    "interaction-prompt": "none",
    "shadow-intensity": "0.6",
    "tone-mapping": "neutral",
    exposure: "0.8",
    "animation-crossfade-duration": "0",
    "min-camera-orbit": "auto auto 0%",
    loading: "eager",
  });
  viewer.addEventListener("load", (event) => current(event.detail.url) && loaded(viewer));
  viewer.addEventListener("error", (event) => {
    if (state.viewer !== viewer || document.body.dataset.state !== "loading") return;
    const cause = event.detail?.sourceError;
    $("trouble").textContent = `model-viewer cannot show it: ${cause?.message ?? cause ?? event.detail?.type}`;
    enter("failed");
  });
  state.component = viewer;
  return viewer;
}

const current = (url) => state.viewer && url.endsWith(`?${state.loads}`);

function loaded(viewer) {
  const names = viewer.availableAnimations;
  $("animation").replaceChildren(element("option", "at rest", { value: "" }), ...names.map((n) => element("option", n)));
  $("player").hidden = !names.length;
  $("play").textContent = "Play";
  $("time").value = 0;
  $("clock").textContent = "";
  movable(false);
  enter("loaded");
}

function movable(is) {
  $("play").disabled = $("time").disabled = !is;
}

$("animation").addEventListener("change", async () => {
  const { viewer } = state;
  const name = $("animation").value;
  if (!name) return showModel(state.chosen);
  viewer.animationName = name;
  await viewer.updateComplete;
  viewer.currentTime = 0;
  viewer.play();
  movable(true);
  $("play").textContent = "Pause";
});

$("play").addEventListener("click", () => {
  const { viewer } = state;
  if (viewer.paused) viewer.play();
  else viewer.pause();
  $("play").textContent = viewer.paused ? "Play" : "Pause";
});

$("time").addEventListener("input", () => {
  const { viewer } = state;
  viewer.pause();
  $("play").textContent = "Play";
  viewer.currentTime = $("time").value * viewer.duration;
});

function tick() {
  const { viewer } = state;
  if (viewer?.loaded && viewer.animationName && viewer.duration > 0) {
    if (!viewer.paused) $("time").value = (viewer.currentTime % viewer.duration) / viewer.duration;
    $("clock").textContent = `${viewer.currentTime.toFixed(2)} of ${viewer.duration.toFixed(2)} s`;
  }
  requestAnimationFrame(tick);
}

async function check(asset) {
  let issues;
  try {
    const answer = await (await fetch(`check/${path(asset.output)}`)).json();
    issues = answer.issues ?? [{ severity: "error", code: "", message: answer.error, where: "" }];
  } catch (error) {
    issues = [{ severity: "error", code: "", message: `it could not be checked (${error.message})`, where: "" }];
  }
  if (state.chosen !== asset) return;
  $("words").prepend(...list("The validator", issues, "no issue"));
  document.body.dataset.checked = asset.output;
}

function list(title, items, otherwise = null) {
  if (!items.length && otherwise === null) return [];
  const all = element("ul");
  for (const item of items) {
    const line = element("li");
    line.append(element("span", item.severity, { class: item.severity }), " ", element("code", item.code), " ");
    line.append(item.message, " ", element("small", item.where));
    all.append(line);
  }
  return [element("h2", title), items.length ? all : element("p", otherwise)];
}

start().catch((error) => {
  $("trouble").textContent = error.message;
  enter("failed");
});
requestAnimationFrame(tick);
