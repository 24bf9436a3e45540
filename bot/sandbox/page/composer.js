// The command line at the bottom: a command, a field for each of its options, suggestions while typing.

import { h } from "./dom.js";

const KINDS = { 6: "user", 7: "channel", 8: "role", 9: "mentionable" };
const SUBCOMMAND = 1;
const GROUP = 2;
const INTEGER = 4;
const BOOLEAN = 5;
const NUMBER = 10;
const FILE = 11;
const TYPING_PAUSE = 150;
const NARROW = "(max-width: 720px)";

/** Every command that can be sent: `{path, description, options}`, subcommands one by one. */
export function leaves(commands) {
  const found = [];
  const walk = (node, path) => {
    const inner = (node.options ?? []).filter((option) => [SUBCOMMAND, GROUP].includes(option.type));
    if (inner.length) inner.forEach((option) => walk(option, `${path} ${option.name}`));
    else found.push({ path, description: node.description, options: node.options ?? [] });
  };
  for (const command of commands) walk(command, command.name);
  return found.sort((one, other) => one.path.localeCompare(other.path));
}

/** The command composer in `form`. `send(act, body)` sends as the member acted as; `entries(component)` as in messages.js. */
export class Composer {
  constructor(form, send, entries) {
    this.send = send;
    this.entries = entries;
    this.select = form.querySelector("select");
    this.fields = form.querySelector(".fields");
    this.about = form.querySelector(".about");
    this.problem = form.querySelector(".problem");
    this.button = form.querySelector("button[type=submit]");
    this.clear = form.querySelector(".clear");
    this.sent = new Map();
    this.offered = "";
    this.commands = [];
    this.inputs = new Map();
    this.select.addEventListener("change", () => this.open(this.sent.get(this.select.value)));
    this.clear.addEventListener("click", () => this.open());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
  }

  /** Offer these commands; what is filled in stays as long as what is offered does. */
  offer(commands, people) {
    const offered = JSON.stringify([commands, people]);
    if (offered === this.offered) return;
    this.offered = offered;
    const kept = this.select.value;
    const values = this.typed();
    this.commands = leaves(commands);
    const empty = this.commands.length ? "Choose a command…" : "No commands are offered here";
    this.select.replaceChildren(
      h("option", { value: "" }, empty),
      ...this.commands.map((command) => h("option", { value: command.path }, `/${command.path}`)),
    );
    this.select.value = this.commands.some((command) => command.path === kept) ? kept : "";
    this.open(values);
  }

  current() {
    return this.commands.find((command) => command.path === this.select.value);
  }

  open(values = new Map()) {
    const command = this.current();
    this.say("");
    this.inputs.clear();
    this.about.textContent = command?.description ?? "";
    this.button.disabled = !command;
    this.clear.hidden = !command?.options.length;
    const required = (command?.options ?? []).filter((option) => option.required);
    const optional = (command?.options ?? []).filter((option) => !option.required);
    const drawn = [h("div", { class: "grid" }, required.map((option) => this.draw(option)))];
    if (optional.length) {
      const summary = h("summary", {}, `${required.length ? "More options" : "Options"} (${optional.length})`);
      const open = !required.length || optional.some((option) => values.get(option.name));
      drawn.push(h("details", { open }, summary, h("div", { class: "grid" }, optional.map((option) => this.draw(option)))));
    }
    this.fields.replaceChildren(...drawn);
    for (const [name, value] of values) this.inputs.get(name)?.restore?.(value);
  }

  draw(option) {
    const id = `option-${option.name}`;
    const input = this.input(option, id);
    this.inputs.set(option.name, input);
    const star = option.required && h("span", { class: "required", title: "required" }, " *");
    const hint = h("span", { class: "hint", id: `${id}-hint` }, option.description);
    return h("div", { class: "option" }, h("label", { for: id }, option.name, star), input.node, hint);
  }

  input(option, id) {
    const shared = { id, name: option.name, "aria-describedby": `${id}-hint`, "aria-required": option.required ? "true" : null };
    if (option.choices) return this.choice(shared, option.choices.map(({ name, value }) => ({ id: String(value), name })), (text) => option.choices.find(({ value }) => String(value) === text).value);
    if (option.type === BOOLEAN) return this.choice(shared, [{ id: "true", name: "yes" }, { id: "false", name: "no" }], (text) => text === "true");
    if (KINDS[option.type]) return this.choice(shared, this.entries({ kind: KINDS[option.type], channel_types: option.channel_types }), (text) => text);
    if (option.type === FILE) {
      const node = h("input", { ...shared, type: "file" });
      return { node, element: node, read: () => (node.files.length ? readFile(node.files[0]) : null) };
    }
    const whole = option.type === INTEGER && option.min_value >= 0;
    const mode = whole ? "numeric" : option.type === NUMBER ? "decimal" : null;
    const element = h("input", { ...shared, type: "text", autocomplete: "off", inputmode: mode, maxlength: option.max_length });
    if (option.autocomplete) return this.suggesting(option, element);
    return { node: element, element, read: () => element.value || null, typed: () => element.value, restore: (value) => (element.value = value) };
  }

  choice(shared, entries, convert) {
    const options = entries.map((entry) => h("option", { value: entry.id }, entry.name));
    const element = h("select", shared, h("option", { value: "" }, ""), options);
    const restore = (value) => {
      if (entries.some((entry) => entry.id === value)) element.value = value;
    };
    return { node: element, element, read: () => (element.value ? convert(element.value) : null), typed: () => element.value, restore };
  }

  /** A text field that asks the bot for suggestions while one types. */
  suggesting(option, element) {
    const list = h("ul", { class: "suggestions", role: "listbox", id: `${element.id}-list`, hidden: true });
    let chosen = null;
    let asked = 0;
    let timer = null;
    const close = () => {
      list.hidden = true;
      element.setAttribute("aria-expanded", "false");
      element.removeAttribute("aria-activedescendant");
    };
    const pick = (choice) => {
      chosen = choice;
      element.value = choice.name;
      close();
    };
    const show = (choices) => {
      const items = choices.map((choice, index) =>
        h("li", { role: "option", id: `${list.id}-${index}`, onmousedown: (event) => (event.preventDefault(), pick(choice)) }, choice.name),
      );
      list.replaceChildren(...(items.length ? items : [h("li", { class: "quiet" }, "The bot suggests nothing for this.")]));
      const { left, top, width } = element.getBoundingClientRect();
      Object.assign(list.style, { left: `${left}px`, bottom: `${innerHeight - top + 4}px`, width: `${width}px` });
      list.hidden = false;
      element.setAttribute("aria-expanded", "true");
    };
    const ask = async () => {
      const number = ++asked;
      try {
        const { [option.name]: _focused, ...options } = await this.read();
        const body = { command: this.select.value, option: option.name, text: element.value, options };
        const { choices } = await this.send("autocomplete", body);
        if (number === asked && document.activeElement === element) show(choices);
      } catch (error) {
        if (number === asked) list.replaceChildren(h("li", { class: "quiet" }, error.message));
      }
    };
    element.addEventListener("input", () => {
      chosen = null;
      clearTimeout(timer);
      timer = setTimeout(ask, TYPING_PAUSE);
    });
    element.addEventListener("focus", ask);
    element.addEventListener("blur", close);
    element.addEventListener("keydown", (event) => steer(event, element, list, close));
    for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": list.id })) {
      element.setAttribute(name, value);
    }
    const node = h("div", { class: "suggesting" }, element, list);
    return { node, element, read: () => (chosen ? chosen.value : element.value || null), typed: () => element.value, restore: (value) => (element.value = value) };
  }

  typed() {
    return new Map([...this.inputs].map(([name, input]) => [name, input.typed?.() ?? ""]));
  }

  async read() {
    const options = {};
    for (const [name, input] of this.inputs) {
      const value = await input.read();
      if (value !== null) options[name] = value;
    }
    return options;
  }

  async submit() {
    if (!this.current() || this.button.disabled) return;
    this.say("");
    this.button.disabled = true;
    try {
      const command = this.select.value;
      await this.send("slash", { command, options: await this.read() });
      this.sent.set(command, this.typed());
      // A small screen has no room for both the command and its answer.
      if (matchMedia(NARROW).matches) this.close();
    } catch (error) {
      this.say(error.message);
    } finally {
      this.button.disabled = !this.current();
    }
  }

  close() {
    this.select.value = "";
    this.open();
  }

  say(sentence) {
    this.problem.textContent = sentence;
    this.problem.hidden = !sentence;
    for (const { element } of this.inputs.values()) element.removeAttribute("aria-invalid");
    if (!sentence) return;
    const words = sentence.split(/[^\p{L}\p{N}_-]+/u);
    const [, about] = [...this.inputs].find(([name]) => words.includes(name)) ?? [];
    about?.element.setAttribute("aria-invalid", "true");
    about?.element.focus();
  }
}

/** Up, Down, Enter and Escape in a list of suggestions. */
function steer(event, element, list, close) {
  const items = [...list.querySelectorAll("[role=option]")];
  if (list.hidden || !items.length) return;
  const at = items.findIndex((item) => item.id === element.getAttribute("aria-activedescendant"));
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    const next = items[(at + step + items.length) % items.length];
    items.forEach((item) => item.setAttribute("aria-selected", String(item === next)));
    element.setAttribute("aria-activedescendant", next.id);
    next.scrollIntoView({ block: "nearest" });
  } else if (event.key === "Enter" && at >= 0) items[at].dispatchEvent(new MouseEvent("mousedown", { bubbles: true }));
  else if (event.key === "Escape") close();
  else return;
  event.preventDefault();
}

/** A chosen file as the server takes it. */
export async function readFile(file) {
  const address = await new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(new Error("The file could not be read; please choose it again."));
    reader.readAsDataURL(file);
  });
  return { name: file.name, data: address.slice(address.indexOf(",") + 1) };
}
