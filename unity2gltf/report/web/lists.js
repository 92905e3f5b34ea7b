// Remarks in plain words, and the views beside the table.

/** Remarks by code, errors first: what happened, what the code means, what to do. Those that lose nothing are folded. */
function remarkGroups(remarks, title, nothing = "") {
  if (!remarks.length) return nothing ? [element("h3", title), element("p", nothing)] : [];
  const byCode = new Map(remarks.map(([code]) => [code, []]));
  for (const remark of remarks) byCode.get(remark[0]).push(remark);
  const rank = (code) => SEVERITIES.indexOf(data.codes[code].severity);
  const codes = [...byCode.keys()].sort((a, b) => rank(a) - rank(b) || a - b);
  const made = (wanted) => codes.filter(wanted).map((code) => remarkGroup(data.codes[code], byCode.get(code)));
  const told = made((code) => data.codes[code].told);
  const quiet = made((code) => !data.codes[code].told);
  const parts = told.length ? [element("h3", title), ...told] : [];
  if (quiet.length) parts.push(group("details", [element("summary", `For information: ${counted(quiet.length, "note")} that lose nothing`), ...quiet]));
  return parts;
}

function remarkGroup(code, remarks) {
  const head = [element("span", code.severity, { class: code.severity }), " ", element("code", code.name)];
  if (remarks.length > 1) head.push(` \u00d7 ${numbers.format(remarks.length)}`);
  const line = ([, message, where]) => [foreign(text(message), "span"), " ", group("small", [foreign(text(where))])];
  return group("div", [group("p", head), ...help(code), longList(remarks, line)], { class: `remarks ${code.severity}` });
}

/** What a code means and what to do about it, as far as this version knows it. */
function help({ sentence, advice }) {
  const parts = [element("p", sentence)];
  if (advice) parts.push(group("p", [element("em", "What to do:"), ` ${advice}`]));
  return parts;
}

/** A list that starts with some of its lines, and has a button for more. */
function longList(items, line) {
  const list = element("ul", "", { class: "plain" });
  const add = (from, number) => {
    list.append(...items.slice(from, from + number).map((item) => group("li", line(item))));
    const left = items.length - from - number;
    if (left <= 0) return;
    const button = element("button", `${numbers.format(Math.min(left, 10 * SHOWN))} more of ${numbers.format(left)}`, { type: "button" });
    const last = group("li", [button]);
    button.addEventListener("click", () => {
      last.remove();
      add(from + number, 10 * SHOWN);
      list.children[from + number]?.scrollIntoView({ block: "nearest" });
    });
    list.append(last);
  };
  add(0, SHOWN);
  return list;
}

/** Every code of the run, with a way to its assets. */
function codesView() {
  if (!data.codes.length) return [element("p", "There is no remark at all.")];
  const row = (code) => {
    const cells = [element("td", code.severity, { class: code.severity })];
    const words = group("td", [element("code", code.name), ...help(code)]);
    const button = element("button", counted(code.assets, "asset"), { type: "button" });
    button.addEventListener("click", () => searchFor(code.name));
    cells.push(words, element("td", counted(code.count, "time"), { class: "n" }), group("td", code.assets ? [button] : ["of no asset"]));
    return group("tr", cells);
  };
  const head = ["severity", "code", "given", "to"].map((label) => element("th", label, { scope: "col" }));
  const sorted = [...data.codes].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || b.count - a.count);
  return [group("table", [group("thead", [group("tr", head)]), group("tbody", sorted.map(row))], { class: "sums codes" })];
}

function searchFor(words) {
  $$("search").value = words;
  $$("kind").value = $$("status").value = "";
  refresh();
  location.hash = "#assets";
}

/** Files that could not be read, objects that are in no file, and what became of objects by type. */
function inputsView() {
  const { inputs, lost, contents } = details();
  const line = ([path, reason]) => [foreign(path, "code"), " ", foreign(reason, "span")];
  const parts = [element("h3", `Files that could not be read (${numbers.format(inputs.failed.length)})`)];
  parts.push(inputs.failed.length ? longList(inputs.failed, line) : element("p", "None."));
  if (inputs.skipped.length) parts.push(group("details", [element("summary", `${counted(inputs.skipped.length, "file")} left aside`), longList(inputs.skipped, line)]));
  parts.push(element("h3", `Objects that failed and are in no file (${numbers.format(lost.length)})`));
  parts.push(lost.length ? lostGroups(lost) : element("p", "None."));
  parts.push(element("h3", "Objects by type"), contentsTable(contents));
  return parts;
}

/** Lost objects by the reason and the file, each with its names. */
function lostGroups(lost) {
  const groups = new Map(lost.map(([, , file, reason]) => [`${reason}\n${file}`, { file, reason, items: [] }]));
  for (const [type, name, file, reason] of lost) groups.get(`${reason}\n${file}`).items.push([type, name]);
  const line = ([type, name]) => [foreign(type), " ", foreign(name, "b")];
  const list = longList([...groups.values()], ({ file, reason, items }) => {
    const head = [foreign(reason, "span"), ` (${counted(items.length, "object")}) `, group("small", [foreign(file)])];
    return [group("div", [group("p", head), longList(items, line)], { class: "remarks error" })];
  });
  list.classList.add("groups");
  return list;
}

function contentsTable(contents) {
  const statuses = ["exact", "lossy", "failed", "skipped"];
  const head = ["type", ...statuses].map((label, i) => element("th", label, { scope: "col", class: i ? "n" : "" }));
  const rows = Object.entries(contents).map(([type, found]) =>
    group("tr", [element("th", type, { scope: "row" }), ...statuses.map((s) => element("td", numbers.format(found[s] ?? 0), { class: "n" }))]));
  return group("table", [group("thead", [group("tr", head)]), group("tbody", rows)], { class: "sums" });
}

function otherView() {
  return remarkGroups(details().other, "Not written, and other remarks", "None.");
}
