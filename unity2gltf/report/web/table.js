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
