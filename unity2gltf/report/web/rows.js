// The rows in sight, and the keys that move among them.

const BESIDE = 10; // rows that are drawn above and below the ones in sight

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
