// The page itself: who one acts as, which channel is open, and what the sandbox says is there.

import { Composer } from "./composer.js";
import { openForm } from "./dialog.js";
import { call, h } from "./dom.js";
import { drawMessage } from "./messages.js";

const NEAR_BOTTOM = 80;
const SELECTS = { 5: "user", 6: "role", 7: "mentionable", 8: "channel" };

const page = {
  status: document.getElementById("status"),
  guild: document.getElementById("guild"),
  viewer: document.getElementById("viewer"),
  roles: document.getElementById("roles"),
  channels: document.getElementById("channels"),
  title: document.getElementById("title"),
  messages: document.getElementById("messages"),
  problem: document.getElementById("problem"),
};

let state = null;
let stream = null;
let sought = null;
let following = true;
const drawn = new Map();
const dismissed = new Set();
const read = new Map();

const context = {
  user: (id) => state.names[id] ?? "unknown-user",
  role: (id) => state.roles.find((role) => role.id === id)?.name ?? "unknown-role",
  channel: (id) => state.channels.find((channel) => channel.id === id)?.name ?? "no-access",
  entries,
  jump,
};
const composer = new Composer(document.getElementById("composer"), send, entries);

/** What a select offers: its own options, or the members, roles or channels that its kind asks for. */
function entries(component) {
  const kind = component.kind ?? SELECTS[component.type];
  const preset = new Set((component.default_values ?? []).map((value) => value.id));
  const people = () => state.members.map(({ id, name, bot }) => ({ id, name: bot ? `${name} (app)` : name }));
  const roles = () => state.roles.map(({ id, name }) => ({ id, name: name.startsWith("@") ? name : `@${name}` }));
  const places = () =>
    state.channels
      .filter(({ direct, type }) => !direct && (!component.channel_types?.length || component.channel_types.includes(type)))
      .map(({ id, name }) => ({ id, name: `#${name}` }));
  const found = { user: people, role: roles, mentionable: () => [...people(), ...roles()], channel: places }[kind];
  if (found) return found().map((entry) => ({ ...entry, chosen: preset.has(entry.id) }));
  return component.options?.map((option) => ({ id: option.value, name: option.label, chosen: option.default }));
}

/** Act as the chosen member in the open channel; a form that the bot opens is shown. */
async function send(act, body) {
  const where = { viewer: state.viewer, channel: state.channel };
  if (act === "slash") following = true;
  const answer = await call(act, { ...where, ...body });
  if (answer.modal) {
    openForm(answer.modal, context, async (fields) => {
      const next = await call("submit", { ...where, form: answer.form, fields });
      if (next.modal) openForm(next.modal, context, (more) => call("submit", { ...where, form: next.form, fields: more }));
    });
  }
  return answer;
}

/** Something done to a message; what is refused is said above the command line. */
async function act(name, body) {
  say("");
  if (name === "dismiss") {
    dismissed.add(body.message);
    showMessages();
    return;
  }
  try {
    await send(name, body);
  } catch (error) {
    say(error.message);
  }
}

function say(sentence) {
  page.problem.textContent = sentence;
  page.problem.hidden = !sentence;
}

// The address names the member and the channel, so that two tabs can be two people.

function place() {
  const [viewer, channel] = location.hash.slice(1).split("/");
  return { viewer: viewer || "", channel: channel || "" };
}

function go(viewer, channel) {
  const address = `#${viewer}/${channel}`;
  if (location.hash === address) return;
  history.replaceState(null, "", address);
  connect();
}

function jump(channel, message) {
  sought = message;
  if (channel === state.channel) seek();
  else if (state.channels.some(({ id }) => id === channel)) go(state.viewer, channel);
  else say("This channel is not shown to the member you act as.");
}

function seek() {
  const found = sought && drawn.get(sought)?.node;
  if (!found) return;
  sought = null;
  following = false;
  found.scrollIntoView({ block: "center" });
  found.focus({ preventScroll: true });
}

function connect() {
  stream?.close();
  say("");
  stream = new EventSource(`/page/events?${new URLSearchParams(place())}`);
  stream.addEventListener("message", (event) => show(JSON.parse(event.data)));
  stream.addEventListener("error", () => {
    const gone = stream.readyState === EventSource.CLOSED;
    if (gone && location.hash && !state) {
      // The address is of an earlier club.
      history.replaceState(null, "", location.pathname);
      connect();
      return;
    }
    status(gone ? "This club is gone. Reload the page to see the new one." : "The sandbox has stopped. Start it again in the terminal.");
  });
}

function status(sentence) {
  page.status.textContent = sentence;
  page.status.hidden = !sentence;
}

function show(next) {
  const moved = !state || state.channel !== next.channel || state.viewer !== next.viewer;
  state = next;
  if (location.hash.slice(1) !== `${state.viewer}/${state.channel}`) {
    history.replaceState(null, "", `#${state.viewer}/${state.channel}`);
  }
  status(state.connected ? "" : "The bot is not connected just now; it will not answer until it is back.");
  showPeople();
  showChannels();
  showMessages(moved);
  composer.offer(state.commands, [state.members, state.roles, state.channels.map(({ id, name }) => [id, name])]);
  seek();
}

function showPeople() {
  page.guild.textContent = state.guild.name;
  document.title = `${state.guild.name} · Tenbou sandbox`;
  const people = state.members.filter((member) => !member.bot);
  const options = people.map(({ id, name, roles }) => {
    const held = roles.length ? ` · ${roles.join(", ")}` : "";
    return h("option", { value: id, selected: id === state.viewer }, name + held);
  });
  const described = JSON.stringify([people, state.viewer]);
  if (page.viewer.dataset.described === described) return;
  page.viewer.dataset.described = described;
  page.viewer.replaceChildren(...options);
  page.viewer.value = state.viewer;
  const me = people.find(({ id }) => id === state.viewer);
  page.roles.textContent = me.roles.length ? `@${me.username} · ${me.roles.join(", ")}` : `@${me.username} · member`;
}

function showChannels() {
  const open = state.channels.find(({ id }) => id === state.channel);
  page.title.textContent = open.direct ? `Direct messages with ${open.name}` : `# ${open.name}`;
  for (const { id, newest } of state.channels) {
    const key = `${state.viewer}/${id}`;
    if (id === state.channel || !read.has(key)) read.set(key, newest);
  }
  const focused = page.channels.contains(document.activeElement) && document.activeElement.dataset.id;
  page.channels.replaceChildren(
    ...state.channels.map(({ id, name, direct, newest }) => {
      const fresh = BigInt(newest) > BigInt(read.get(`${state.viewer}/${id}`));
      const shown = direct ? `✉ ${name}` : `# ${name}`;
      const button = h(
        "button",
        {
          type: "button",
          class: fresh ? "fresh" : null,
          "data-id": id,
          "aria-current": id === state.channel ? "page" : null,
          onclick: () => go(state.viewer, id),
        },
        shown,
        fresh && h("span", { class: "dot", title: "new messages" }, " ●"),
      );
      return h("li", {}, button);
    }),
  );
  if (focused) page.channels.querySelector(`[data-id="${focused}"]`)?.focus();
}

function showMessages(moved = false) {
  const box = page.messages;
  following ||= moved;
  const shown = state.messages.filter(({ id }) => !dismissed.has(id));
  const names = JSON.stringify([state.names, state.roles, state.viewer, state.channels.map(({ name }) => name)]);
  const wanted = new Set(shown.map(({ id }) => id));
  for (const [id, { node }] of drawn) {
    if (!wanted.has(id)) {
      node.remove();
      drawn.delete(id);
    }
  }
  let previous = null;
  for (const message of shown) {
    const text = names + JSON.stringify(message);
    const known = drawn.get(message.id);
    const node = known?.text === text ? known.node : replace(known?.node, drawMessage(message, context, act));
    drawn.set(message.id, { text, node });
    const after = previous ? previous.nextSibling : box.firstChild;
    if (after !== node) box.insertBefore(node, after);
    previous = node;
  }
  box.classList.toggle("empty", !shown.length);
  follow();
}

/** Keep the newest message in sight, unless the reader has scrolled up. */
function follow() {
  if (following) page.messages.scrollTop = page.messages.scrollHeight;
}

/** Put a message drawn anew in the place of its old drawing; the keyboard stays where it was. */
function replace(old, node) {
  if (!old) return node;
  const key = old.contains(document.activeElement) && document.activeElement.dataset.key;
  old.replaceWith(node);
  if (key) [...node.querySelectorAll("[data-key]")].find(({ dataset }) => dataset.key === key)?.focus();
  return node;
}

page.viewer.addEventListener("change", () => go(page.viewer.value, place().channel));
page.messages.addEventListener("scroll", () => {
  const { scrollHeight, scrollTop, clientHeight } = page.messages;
  following = scrollHeight - scrollTop - clientHeight < NEAR_BOTTOM;
});
// Pictures that arrive later and a growing command line must not push the newest message out of sight.
page.messages.addEventListener("load", follow, true);
new ResizeObserver(follow).observe(page.messages);
window.addEventListener("hashchange", connect);
document.querySelector(".help").open = matchMedia("(min-width: 721px)").matches;
connect();
