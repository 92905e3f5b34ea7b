// What is shown follows the address: #assets, #asset=<output>, #codes, #inputs, #other.

const narrow = matchMedia("(max-width: 48rem)");
const VIEWS = { assets: null, codes: codesView, inputs: inputsView, other: otherView };
const made = new Set(["assets"]);

function route() {
  const hash = location.hash.slice(1);
  const asset = hash.startsWith("asset=") ? byKey.get(decoded(hash.slice(6))) : undefined;
  const view = hash in VIEWS ? hash : "assets";
  for (const name of Object.keys(VIEWS)) $$(`view-${name}`).hidden = name !== view;
  for (const link of $$("views").children) {
    if (link.hash === `#${view}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (!made.has(view)) $$(`view-${view}`).append(...VIEWS[view]());
  made.add(view);
  if (asset) showPanel(asset);
  else hidePanel();
  $$("view-assets").inert = Boolean(asset) && narrow.matches;
  if (view === "assets") reveal(asset);
}

/** The chosen asset is the active row, too, where the table shows it. */
function reveal(asset) {
  const place = asset ? table.shown.indexOf(asset) : -1;
  if (place >= 0 && place !== table.active) activate(place);
  else draw();
}

function decoded(words) {
  try {
    return decodeURIComponent(words);
  } catch {
    return ""; // someone typed it
  }
}

function onKey(event) {
  const writing = event.target.matches("input, select, textarea");
  if (event.key === "Escape" && chosen) close();
  else if (event.key === "/" && !writing && !event.ctrlKey && !event.metaKey) {
    if ($$("view-assets").hidden) location.hash = "#assets";
    $$("view-assets").hidden = false;
    $$("search").focus();
    event.preventDefault();
  }
}

makeHead();
refresh();
$$("search").addEventListener("input", refresh);
for (const name of ["kind", "status"]) $$(name).addEventListener("change", refresh);
$$("sort").addEventListener("change", () => sortBy($$("sort").value));
$$("clear").addEventListener("click", () => searchFor(""));
document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
$$("search").addEventListener("keydown", (event) => event.key === "ArrowDown" && $$("table").focus());
$$("table").addEventListener("keydown", onTableKey);
$$("table").addEventListener("focus", () => {
  // Not for the mouse, which is about to name a row of its own.
  if (table.active < 0 && table.shown.length && $$("table").matches(":focus-visible")) activate(0);
});
$$("scroller").addEventListener("scroll", drawSoon, { passive: true });
addEventListener("resize", () => {
  table.height = 0;
  drawSoon();
});
addEventListener("keydown", onKey);
addEventListener("hashchange", route);
// The details come after this script in the page.
addEventListener("DOMContentLoaded", () => {
  if (served) $$("views").append(element("a", "Viewer", { href: "/" }));
  route();
  document.body.dataset.state = "ready";
});
