// The table of assets. Only the rows in sight are in the document: a report may have many thousands.

const COLUMNS = [
  { key: "name", label: "asset", kind: "asset" },
  { key: "kind", label: "kind", kind: "kind" },
  { key: "status", label: "status", kind: "status" },
  { key: "triangles", label: "triangles" },
  { key: "joints", label: "joints", kind: "wide" },
  { key: "morph_targets", label: "shapes", kind: "wide" },
  { key: "clips", label: "clips", kind: "wide" },
  { key: "textures", label: "textures", kind: "wide" },
  { key: "bytes", label: "size", show: bytes },
  { key: "told", label: "remarks", kind: "wide" },
  { key: "error", label: "worst error", show: metres },
];
const WORDS = ["name", "kind", "status"];
const STATUSES = ["failed", "lossy", "exact"]; // as they are sorted: worst first
const BESIDE = 10; // rows that are drawn above and below the ones in sight

const table = { shown: assets, key: "status", falling: false, active: -1, height: 0, drawn: new Map(), waiting: false };

for (const asset of assets) {
  const codes = asset.codes.map((code) => data.codes[code].name).join(" ");
  asset.words = [asset.name, asset.output ?? "", asset.input, asset.file, codes].join("\n").toLowerCase();
  asset.key = wellFormed(asset.output ?? `?${asset.index}`);
}
const byKey = new Map(assets.map((asset) => [asset.key, asset]));

function makeHead() {
  const row = element("tr", "", { "aria-rowindex": 1 });
  if (data.pictured) row.append(element("th", "picture", { class: "picture", scope: "col" }));
  for (const column of COLUMNS) {
    const button = element("button", column.label, { type: "button" });
    button.addEventListener("click", () => sortBy(column.key));
    column.head = group("th", [button], { class: classOf(column), scope: "col" });
    row.append(column.head);
  }
  $$("head").append(row);
  document.body.classList.toggle("pictured", data.pictured);
  $$("sort").append(...COLUMNS.map(({ key, label }) => element("option", label, { value: key })));
  fill($$("kind"), "all kinds", [...new Set(assets.map((asset) => asset.kind))], "kind");
  fill($$("status"), "any status", STATUSES, "status");
}

const classOf = ({ key, kind = "" }) => (WORDS.includes(key) ? kind : `n ${kind}`);

function fill(select, all, values, key) {
  const option = (value) => {
    const number = assets.filter((asset) => asset[key] === value).length;
    return element("option", `${value} (${numbers.format(number)})`, { value });
  };
  select.append(element("option", all, { value: "" }), ...values.map(option));
}

function sortBy(key, falling = key === table.key ? !table.falling : !WORDS.includes(key)) {
  Object.assign(table, { key, falling });
  refresh();
}

/** Assets without a value come last either way; equals stay in the report's order. */
function comparison() {
  const { key, falling } = table;
  const sign = falling ? -1 : 1;
  if (key === "status") return (a, b) => sign * (STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status)) || a.index - b.index;
  if (key === "name") rank();
  const by = key === "name" ? "rank" : key;
  return (a, b) => {
    const [one, other] = [a[by], b[by]];
    if (one === other) return a.index - b.index;
    if (one === null || other === null) return one === null ? 1 : -1;
    return one < other ? -sign : sign;
  };
}

/** Names in the order of people (2 before 10), found out once. */
function rank() {
  if (!assets.length || assets[0].rank !== undefined) return;
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  const sorted = [...assets].sort((a, b) => collator.compare(a.name, b.name) || a.index - b.index);
  sorted.forEach((asset, place) => (asset.rank = place));
}

function refresh() {
  const words = $$("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const [kind, status] = [$$("kind").value, $$("status").value];
  const active = table.shown[table.active];
  table.shown = assets
    .filter((a) => (!kind || a.kind === kind) && (!status || a.status === status) && words.every((w) => a.words.includes(w)))
    .sort(comparison());
  table.active = active ? table.shown.indexOf(active) : -1;
  for (const { key, head } of COLUMNS) {
    if (key === table.key) head.setAttribute("aria-sort", table.falling ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  }
  $$("sort").value = table.key;
  $$("found").value = table.shown.length === assets.length ? counted(assets.length, "asset")
    : `${numbers.format(table.shown.length)} of ${counted(assets.length, "asset")}`;
  $$("table").setAttribute("aria-rowcount", table.shown.length + 1);
  $$("nothing").hidden = table.shown.length > 0;
  $$("scroller").scrollTop = 0;
  draw();
}

function draw() {
  table.waiting = false;
  if ($$("view-assets").hidden) return;
  const height = (table.height ||= measure());
  const first = Math.max(Math.floor($$("scroller").scrollTop / height) - BESIDE, 0);
  const last = Math.min(first + Math.ceil($$("scroller").clientHeight / height) + 2 * BESIDE, table.shown.length);
  const rows = new Map();
  for (let place = first; place < last; place += 1) {
    const asset = table.shown[place];
    const row = table.drawn.get(asset) ?? makeRow(asset);
    row.id = `row-${place}`;
    row.setAttribute("aria-rowindex", place + 2);
    row.setAttribute("aria-selected", place === table.active);
    rows.set(asset, row);
  }
  $$("rows").replaceChildren(...rows.values());
  table.drawn = rows;
  space($$("above"), first * height);
  space($$("below"), (table.shown.length - last) * height);
  if (table.active >= first && table.active < last) $$("table").setAttribute("aria-activedescendant", `row-${table.active}`);
  else $$("table").removeAttribute("aria-activedescendant");
}

function drawSoon() {
  if (!table.waiting) requestAnimationFrame(draw);
  table.waiting = true;
}

function measure() {
  if (!assets.length) return 1;
  $$("rows").replaceChildren(makeRow(assets[0]));
  return $$("rows").firstChild.getBoundingClientRect().height || 1;
}

function space(body, height) {
  const cell = element("td");
  cell.style.height = `${height}px`;
  body.replaceChildren(...(height ? [group("tr", [cell])] : []));
}

function makeRow(asset) {
  const row = element("tr");
  if (data.pictured) row.append(group("td", [thumbnail(asset)], { class: "picture" }));
  const link = group("a", [foreign(asset.name || "(no name)")], { href: hashOf(asset), tabindex: -1, title: visible(asset.name) });
  row.append(group("td", [link, group("small", [foreign(asset.output ?? "not written")], { title: visible(asset.output ?? "") })], { class: "asset" }));
  for (const column of COLUMNS.slice(1)) {
    const value = asset[column.key];
    const words = value === null ? "" : column.show ? column.show(value) : typeof value === "number" ? numbers.format(value) : value;
    row.append(element("td", words, { class: column.key === "status" ? `status ${value}` : classOf(column) }));
  }
  row.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    activate(table.shown.indexOf(asset));
    open(asset);
  });
  return row;
}

function thumbnail(asset) {
  return asset.still ? element("img", "", { src: address(asset.still), alt: "", loading: "lazy", width: 56, height: 56 }) : element("i");
}

/** Make one row the active one, and bring it into sight below the head of the table. */
function activate(place) {
  draw(); // so that there is as much to scroll as there are rows
  table.active = Math.max(0, Math.min(place, table.shown.length - 1));
  const [scroller, head] = [$$("scroller"), $$("head").getBoundingClientRect().height];
  const top = table.active * table.height;
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  const low = top + table.height + head - scroller.clientHeight;
  if (low > scroller.scrollTop) scroller.scrollTop = low;
  draw();
}

const STEPS = { ArrowDown: () => 1, ArrowUp: () => -1, PageDown: page, PageUp: () => -page(), Home: () => -Infinity, End: () => Infinity };

function page() {
  return Math.max(Math.floor($$("scroller").clientHeight / table.height) - 2, 1);
}

function onTableKey(event) {
  if (event.target !== $$("table") || event.ctrlKey || event.metaKey || event.altKey || !table.shown.length) return;
  if (STEPS[event.key]) {
    activate(table.active < 0 && !event.key.startsWith("E") ? 0 : table.active + STEPS[event.key]());
    if (!$$("panel").hidden) open(table.shown[table.active], true);
  } else if ((event.key === "Enter" || event.key === " ") && table.active >= 0) {
    open(table.shown[table.active]);
    focusPanel = true;
  } else return;
  event.preventDefault();
}
