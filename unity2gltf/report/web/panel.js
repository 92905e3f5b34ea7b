// The panel of one asset: what became of it, in plain words, and where it comes from.

const MEANINGS = {
  exact: "Everything is as in the game, up to the rounding of numbers.",
  lossy: "It was converted, but not all of it is as in the game: see below.",
  failed: "It could not be converted, or what was written is not right.",
};
const NUMBERS = { morph_targets: "shapes" };
let focusPanel = false;
let chosen = null;

const hashOf = (asset) => `#asset=${encoded(asset.key)}`;

/** Show one asset. `quietly`: without an entry in the browser's history, while arrow keys run down the table. */
function open(asset, quietly = false) {
  if (quietly) location.replace(hashOf(asset));
  else location.hash = hashOf(asset);
}

function close() {
  location.hash = "#assets";
}

function showPanel(asset) {
  chosen = asset;
  $$("panel").hidden = false;
  $$("panel").scrollTop = 0;
  const name = element("h2", "", { id: "panel-name", tabindex: -1 });
  name.append(foreign(asset.name || "(no name)"));
  const button = element("button", "Close", { type: "button" });
  button.addEventListener("click", close);
  const parts = [group("header", [name, button]), ...picture(asset), links(asset), state(asset)];
  parts.push(...remarkGroups(details().remarks[asset.index], "What happened"), ...proof(asset), ...counts(asset), ...clips(asset), ...source(asset));
  $$("panel").replaceChildren(...parts);
  if (focusPanel || narrow.matches) name.focus();
  focusPanel = false;
}

function hidePanel() {
  const inside = $$("panel").contains(document.activeElement);
  $$("panel").hidden = true;
  chosen = null;
  if (inside) $$("table").focus();
}

function picture(asset) {
  if (!asset.still) return [];
  const image = element("img", "", { src: address(asset.still), alt: `Picture of ${visible(asset.name)}` });
  return [group("a", [image], { class: "still", href: address(asset.turntable ?? asset.still) })];
}

function links(asset) {
  const made = group("p", [], { class: "links" });
  if (asset.output) made.append(group("a", [foreign(asset.output)], { href: address(asset.output), download: "" }));
  if (asset.turntable) made.append(element("a", "turntable", { href: address(asset.turntable) }));
  const key = asset.output ?? `?${asset.kind}/${asset.name}`;
  if (served) made.append(element("a", "show in the viewer", { href: `/#${encoded(key)}` }));
  return made;
}

function state(asset) {
  const made = group("p", [element("span", asset.status, { class: asset.status }), ` ${asset.kind}. ${MEANINGS[asset.status] ?? ""} `]);
  if (asset.reason) made.append(foreign(asset.reason, "span"));
  return made;
}

function proof(asset) {
  const found = details().proofs[asset.index];
  if (!found) return [element("h3", "Read back and compared"), element("p", "The round trip was not run.")];
  const rows = [
    ["result", found.passed ? "as the game poses it" : "differs from the game"],
    ["worst error", metres(found.max_error_m)],
    ["typical error (RMS)", metres(found.rms_error_m)],
    ["allowed", metres(found.tolerance_m)],
    ["compared", `${counted(found.vertices, "vertex").replace("vertexs", "vertices")} in ${counted(found.poses, "pose")} (${found.level})`],
  ];
  if (found.cut) rows.push(["influence cuts", `move ${numbers.format(found.cut.vertices)} vertices by up to ${metres(found.cut.max_m)}`]);
  const moved = found.clips;
  if (moved) {
    const rough = moved.approximate;
    rows.push(["clips", `${counted(moved.count, "clip")} of ${counted(moved.channels, "channel")}`]);
    rows.push(["clips: rotations", `within ${degrees(Math.max(moved.max_rotation_deg, rough.max_rotation_deg))}`]);
    rows.push(["clips: vertices", `within ${metres(Math.max(moved.max_vertex_m, rough.max_vertex_m))}`]);
  }
  const problems = found.problems.map((words) => group("li", [foreign(words, "span")]));
  return [element("h3", "Read back and compared"), pairs(rows), ...(problems.length ? [group("ul", problems, { class: "plain" })] : [])];
}

function counts(asset) {
  const stats = Object.entries(details().stats[asset.index]);
  if (!stats.length) return [];
  const rows = stats.map(([name, number]) => [NUMBERS[name] ?? name.replaceAll("_", " "), name === "bytes" ? `${bytes(number)} (${numbers.format(number)})` : numbers.format(number)]);
  return [element("h3", "Numbers"), pairs(rows)];
}

function clips(asset) {
  const names = details().clips[asset.index];
  return names.length ? [element("h3", `Clips (${numbers.format(names.length)})`), longList(names, (name) => [foreign(name || "(no name)")])] : [];
}

function source(asset) {
  const rows = [["input", asset.input], ["file", asset.file], ["object", `${asset.type} ${asset.path_id}`]];
  return [element("h3", "Source in the game"), pairs(rows)];
}

function pairs(rows) {
  return group("dl", rows.flatMap(([name, value]) => [element("dt", name), group("dd", [foreign(value)])]));
}
