// Discord's markdown as DOM nodes: what its clients show of bold, lists, mentions, timestamps and the rest.

import { h, safeUrl } from "./dom.js";

const FENCE = /(^|[^\\])```(?:[\w+-]+\n)?([\s\S]+?)```/;
const WRAPS = [
  ["strong", /\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/y],
  ["u", /__((?:\\[\s\S]|[^\\])+?)__(?!_)/y],
  ["em", /\*(?=\S)((?:\\[\s\S]|\*\*|[^\\*])+?)\*(?!\*)/y],
  ["em", /\b_((?:__|\\[\s\S]|[^\\_])+?)_\b/y],
  ["s", /~~((?:\\[\s\S]|[^\\])+?)~~/y],
];
const SPOILER = /\|\|((?:\\[\s\S]|[^\\])+?)\|\|/y;
const ESCAPE = /\\([^0-9A-Za-z\s])/uy;
const CODE = /(`+)([\s\S]*?[^`])\1(?!`)/y;
const LINK = /\[((?:\\[\s\S]|[^\]\\])+)\]\(\s*<?(https?:\/\/[^\s)>]+)>?\s*\)/y;
const BRACKETED = /<(https?:\/\/[^\s>]+)>/y;
const BARE = /https?:\/\/[^\s<]*[^\s<.,:;"')\]]/y;
const MENTION = /<(@&|@!?|#)(\d+)>/y;
const COMMAND = /<\/([^:>]+):\d+>/y;
const EMOJI = /<a?:(\w+):\d+>/y;
const TIMESTAMP = /<t:(-?\d+)(?::([tTdDfFR]))?>/y;
const JUMP = /^https:\/\/(?:\w+\.)?discord\.com\/channels\/(?:\d+|@me)\/(\d+)(?:\/(\d+))?$/;

/**
 * Render a text with blocks (quotes, lists, code) into a fragment.
 * `names` has user, channel and role, each giving a name for an id; `jump` opens a message of the sandbox.
 */
export function markdown(text, context) {
  const fragment = document.createDocumentFragment();
  let rest = text;
  for (let fence = FENCE.exec(rest); fence; fence = FENCE.exec(rest)) {
    const before = (rest.slice(0, fence.index) + fence[1]).replace(/\n$/, "");
    if (before) fragment.append(...blocks(before, context));
    fragment.append(h("pre", {}, h("code", {}, fence[2])));
    rest = rest.slice(fence.index + fence[0].length).replace(/^\n/, "");
  }
  if (rest) fragment.append(...blocks(rest, context));
  return fragment;
}

/** Render a text of one line: a title, the name of a field. */
export function inlineMarkdown(text, context) {
  const fragment = document.createDocumentFragment();
  fragment.append(...inline(text, context));
  return fragment;
}

function blocks(text, context) {
  const nodes = [];
  const lines = text.split("\n");
  let plain = [];
  const flush = () => {
    const text = plain.join("\n");
    if (plain.length) nodes.push(h("div", { class: "text" }, text ? inline(text, context) : h("br")));
    plain = [];
  };
  while (lines.length) {
    const line = lines.shift();
    const heading = /^(#{1,3}) +(\S.*)$/.exec(line);
    const item = /^( *)[-*] +(\S.*)$/.exec(line);
    if (line.startsWith(">>> ")) {
      flush();
      nodes.push(h("blockquote", {}, blocks([line.slice(4), ...lines.splice(0)].join("\n"), context)));
    } else if (line.startsWith("> ")) {
      flush();
      const quoted = [line.slice(2)];
      while (lines.length && lines[0].startsWith("> ")) quoted.push(lines.shift().slice(2));
      nodes.push(h("blockquote", {}, blocks(quoted.join("\n"), context)));
    } else if (line.startsWith("-# ")) {
      flush();
      nodes.push(h("div", { class: "subtext" }, inline(line.slice(3), context)));
    } else if (heading) {
      flush();
      nodes.push(h("div", { class: `heading heading${heading[1].length}` }, inline(heading[2], context)));
    } else if (item) {
      flush();
      nodes.push(h("div", { class: item[1] ? "item deeper" : "item" }, inline(item[2], context)));
    } else plain.push(line);
  }
  flush();
  return nodes;
}

function inline(text, context) {
  const nodes = [];
  let plain = "";
  let at = 0;
  while (at < text.length) {
    const [node, length] = special(text, at, context);
    if (length && typeof node !== "string") {
      if (plain) nodes.push(plain);
      plain = "";
      nodes.push(node);
    } else plain += length ? node : text[at];
    at += length || 1;
  }
  if (plain) nodes.push(plain);
  return nodes;
}

/** What begins at this place of a text: a node or a plain string, and how many characters it takes. */
function special(text, at, context) {
  const match = (pattern) => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  let found;
  if (!/[\\`<[*_~|h]/.test(text[at])) return [null, 0];
  if ((found = match(ESCAPE))) return [found[1], found[0].length];
  if ((found = match(CODE))) return [h("code", {}, found[2]), found[0].length];
  if (text[at] === "<" && (found = bracketed(match, context))) return found;
  if ((found = match(LINK))) return [link(found[2], inline(found[1], context), context), found[0].length];
  if ((found = match(BARE))) return [link(found[0], [found[0]], context), found[0].length];
  for (const [tag, pattern] of WRAPS) {
    if ((found = match(pattern))) return [h(tag, {}, inline(found[1], context)), found[0].length];
  }
  if ((found = match(SPOILER))) return [spoiler(inline(found[1], context)), found[0].length];
  return [null, 0];
}

function bracketed(match, context) {
  let found;
  if ((found = match(MENTION))) return [mention(found[1], found[2], context), found[0].length];
  if ((found = match(TIMESTAMP))) return [timestamp(Number(found[1]), found[2]), found[0].length];
  if ((found = match(COMMAND))) return [h("span", { class: "mention" }, `/${found[1]}`), found[0].length];
  if ((found = match(EMOJI))) return [`:${found[1]}:`, found[0].length];
  if ((found = match(BRACKETED))) return [link(found[1], [found[1]], context), found[0].length];
  return null;
}

function mention(kind, id, context) {
  if (kind === "#") {
    const open = () => context.jump(id, null);
    return h("button", { type: "button", class: "mention", onclick: open }, `#${context.channel(id)}`);
  }
  return h("span", { class: "mention" }, `@${kind === "@&" ? context.role(id) : context.user(id)}`);
}

function link(address, children, context) {
  const place = JUMP.exec(address);
  if (place) {
    return h("button", { type: "button", class: "link", onclick: () => context.jump(place[1], place[2]) }, children);
  }
  return h("a", { href: safeUrl(address), target: "_blank", rel: "noopener noreferrer" }, children);
}

function spoiler(children) {
  const node = h("span", { class: "spoiler", role: "button", tabindex: "0", "aria-label": "Spoiler, press to read" });
  const reveal = () => {
    node.classList.add("open");
    for (const name of ["role", "tabindex", "aria-label"]) node.removeAttribute(name);
  };
  node.addEventListener("click", reveal);
  node.addEventListener("keydown", (event) => event.key === "Enter" && reveal());
  node.append(h("span", {}, children));
  return node;
}

const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};
const UNITS = [
  ["year", 31536000],
  ["month", 2592000],
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

function timestamp(seconds, style = "f") {
  const when = new Date(seconds * 1000);
  if (Number.isNaN(when.getTime())) return String(seconds);
  const shown = style === "R" ? relative(seconds) : new Intl.DateTimeFormat(undefined, STYLES[style]).format(when);
  return h("time", { class: "stamp", datetime: when.toISOString(), title: when.toLocaleString() }, shown);
}

function relative(seconds) {
  const away = seconds - Date.now() / 1000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(away) >= length) ?? UNITS.at(-1);
  return new Intl.RelativeTimeFormat(undefined, { numeric: "auto" }).format(Math.round(away / size), unit);
}
