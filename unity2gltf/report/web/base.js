"use strict";
// The report's page. Texts of the game only ever become text nodes and addresses below this folder.

const $$ = (id) => document.getElementById(id);
const numbers = new Intl.NumberFormat("en");
const SEVERITIES = ["error", "warning", "info"];
const SHOWN = 20; // lines of a long list, before it is asked for more

/** What Python wrote into the page: see `pagedata`. The details are parsed when they are first asked for. */
const data = JSON.parse($$("data-assets").textContent);
const assets = data.assets.map((row, index) => ({ index, ...Object.fromEntries(data.fields.map((f, i) => [f, row[i]])) }));
let parsed = null;
const details = () => (parsed ??= JSON.parse($$("data-details").textContent));
const text = (number) => details().texts[number];

/** Names may hold what moves or hides the text around them: such characters are shown by their number. */
function visible(words) {
  return wellFormed(String(words))
    .replace(/[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu, (c) => `\u27e8${c.codePointAt(0).toString(16)}\u27e9`);
}

function element(tag, words = "", attributes = {}) {
  const made = document.createElement(tag);
  made.textContent = words;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** An element that holds others, or text of our own. */
function group(tag, children, attributes = {}) {
  const made = element(tag, "", attributes);
  made.append(...children);
  return made;
}

/** Text of the game: it reads in its own direction, and leaves that of ours alone. */
const foreign = (words, tag = "bdi") => element(tag, visible(words), tag === "bdi" ? {} : { dir: "auto" });

/** The address of a file below this folder, whatever its name is. */
const address = (path) => `./${path.split("/").map(encoded).join("/")}`;
const encoded = (words) => encodeURIComponent(wellFormed(words));

/** Halves of characters, which no address takes, as U+FFFD. */
const wellFormed = (words) => words.replace(/\p{Cs}/gu, "\ufffd");

const counted = (number, one) => `${numbers.format(number)} ${one}${number === 1 ? "" : "s"}`;

function bytes(number) {
  if (number < 1000) return `${number} B`;
  const power = Math.min(Math.floor(Math.log10(number) / 3), 4);
  return `${(number / 1000 ** power).toPrecision(3)} ${" kMGT"[power]}B`;
}

function metres(length) {
  if (length === 0) return "0";
  const [scale, unit] = length >= 1 ? [1, "m"] : length >= 1e-3 ? [1e3, "mm"] : length >= 1e-6 ? [1e6, "\u00b5m"] : [1e9, "nm"];
  const scaled = length * scale;
  return `${scaled >= 100 ? numbers.format(Math.round(scaled)) : scaled < 0.01 ? "<0.01" : Number(scaled.toPrecision(2))} ${unit}`;
}

const degrees = (angle) => `${Number(angle.toPrecision(2))}\u00b0`;

/** Whether `unity2gltf view` serves this page, which then has a viewer beside it. */
const served = location.protocol !== "file:" && location.pathname.startsWith("/files/");
