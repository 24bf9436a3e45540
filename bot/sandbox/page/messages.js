// Messages as Discord shows them: content, embeds, attachments, components, reactions.

import { h, initial, moment, safeUrl } from "./dom.js";
import { inlineMarkdown, markdown } from "./markdown.js";

const EMOJI = ["✅", "❌", "👍", "🎉", "❤️", "😂", "🀄"];
const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "secondary", 6: "primary" };
const ROW = 1;
const BUTTON = 2;
const TEXT = 10;
const CONTAINER = 17;
const HUES = 12;

/**
 * Draw one message. `context` resolves names (see markdown) and has `entries(kind)`, what a select menu offers;
 * `act(name, body)` does something with the message.
 */
export function drawMessage(message, context, act) {
  const classes = ["message", message.ephemeral && "ephemeral"].filter(Boolean).join(" ");
  const author = h("span", { class: "author" }, message.author.name);
  const badge = message.author.bot && h("span", { class: "badge" }, "APP");
  return h(
    "article",
    { class: classes, "data-id": message.id, tabindex: "-1", "aria-label": `Message from ${message.author.name}` },
    h("div", { class: `avatar hue${hue(message.author.id)}`, "aria-hidden": "true" }, initial(message.author.name)),
    h(
      "div",
      { class: "body" },
      message.used && drawUse(message.used, context),
      h("header", {}, author, badge, moment(message.timestamp)),
      message.thinking && h("p", { class: "quiet" }, `${message.author.name} is thinking…`),
      message.content && h("div", { class: "content" }, markdown(message.content, context), edited(message)),
      message.embeds.map((embed) => drawEmbed(embed, context)),
      drawAttachments(message),
      drawComponents(message.components, message, context, act),
      drawReactions(message, act),
      message.ephemeral && drawPrivateNote(message, act),
    ),
    h("div", { class: "tools" }, drawTools(message, act)),
  );
}

function hue(id) {
  return Number(BigInt(id) % BigInt(HUES));
}

function drawUse(used, context) {
  return h("p", { class: "used" }, `${context.user(used.by)} used `, h("b", {}, `/${used.command}`));
}

function edited(message) {
  return message.edited && h("span", { class: "quiet", title: new Date(message.edited).toLocaleString() }, " (edited)");
}

function drawPrivateNote(message, act) {
  const dismiss = () => act("dismiss", { message: message.id });
  return h(
    "p",
    { class: "subtext" },
    "👁 Only you can see this · ",
    h("button", { type: "button", class: "link", onclick: dismiss }, "Dismiss message"),
  );
}

function drawTools(message, act) {
  if (message.ephemeral) return [];
  const add = h(
    "details",
    { class: "menu" },
    h("summary", { "aria-label": "Add a reaction", title: "Add a reaction", "data-key": "add" }, "☺+"),
    h(
      "div",
      { class: "choices" },
      EMOJI.map((emoji) => {
        const react = () => {
          add.open = false;
          act("react", { message: message.id, emoji });
        };
        return h("button", { type: "button", "aria-label": `React with ${emoji}`, onclick: react }, emoji);
      }),
    ),
  );
  const remove = () => act("delete", { message: message.id });
  const bin = h("button", { type: "button", "aria-label": "Delete this message", title: "Delete", onclick: remove }, "🗑");
  return [add, message.deletable && bin];
}

function drawReactions(message, act) {
  if (!message.reactions.length) return null;
  return h(
    "div",
    { class: "reactions" },
    message.reactions.map(({ emoji, count, mine }) => {
      const shown = emoji.replace(/^(\w+):\d+$/, ":$1:");
      const toggle = () => act(mine ? "unreact" : "react", { message: message.id, emoji });
      return h(
        "button",
        {
          type: "button",
          class: mine ? "reaction mine" : "reaction",
          "aria-pressed": mine ? "true" : "false",
          "aria-label": `${shown}, ${count}`,
          "data-key": `reaction ${emoji}`,
          onclick: toggle,
        },
        h("span", { class: "emoji" }, shown),
        h("span", {}, String(count)),
      );
    }),
  );
}

function drawEmbed(embed, context) {
  const box = h("div", { class: "embed" });
  if (Number.isInteger(embed.color)) box.style.borderColor = `#${embed.color.toString(16).padStart(6, "0")}`;
  const title = embed.title && inlineMarkdown(embed.title, context);
  const address = embed.url && safeUrl(embed.url);
  const inner = h(
    "div",
    { class: "inner" },
    embed.author && h("div", { class: "embed-author" }, embed.author.name),
    title && h("div", { class: "embed-title" }, address ? h("a", { href: address, rel: "noreferrer" }, title) : title),
    embed.description && h("div", { class: "content" }, markdown(embed.description, context)),
    embed.fields && h("div", { class: "fields" }, embed.fields.map((field) => drawField(field, context))),
    embed.image && picture(embed.image.url, "Picture in the post"),
    drawFooter(embed),
  );
  box.append(inner);
  if (embed.thumbnail) box.append(h("div", { class: "thumbnail" }, picture(embed.thumbnail.url, "")));
  return box;
}

function drawField(field, context) {
  return h(
    "div",
    { class: field.inline ? "field inline" : "field" },
    h("div", { class: "field-name" }, inlineMarkdown(field.name, context)),
    h("div", { class: "content" }, markdown(field.value, context)),
  );
}

function drawFooter(embed) {
  const parts = [embed.footer?.text, embed.timestamp && moment(embed.timestamp)].filter(Boolean);
  if (!parts.length) return null;
  return h("div", { class: "footer" }, parts.length > 1 ? [parts[0], " · ", parts[1]] : parts);
}

function picture(address, description) {
  const url = address && safeUrl(address);
  return url && h("img", { src: url, alt: description, loading: "lazy" });
}

function drawAttachments(message) {
  const shownInside = new Set(message.embeds.flatMap((embed) => [embed.image?.url, embed.thumbnail?.url]));
  return message.attachments
    .filter((file) => !shownInside.has(file.url))
    .map((file) => {
      const url = safeUrl(file.url);
      if (/^image\//.test(file.content_type ?? "")) return h("div", { class: "attachment" }, picture(url, file.description ?? file.filename));
      const size = `${Math.max(1, Math.round(file.size / 1024))} KB`;
      const open = h("a", { href: url, download: file.filename, rel: "noreferrer" }, file.filename);
      return h("div", { class: "attachment file" }, "📄 ", open, h("span", { class: "quiet" }, ` ${size}`));
    });
}

function drawComponents(components, message, context, act) {
  return components.map((component) => {
    if (component.type === ROW) return h("div", { class: "row" }, drawComponents(component.components, message, context, act));
    if (component.type === BUTTON) return drawButton(component, message, act);
    if (component.type === TEXT) return h("div", { class: "content" }, markdown(component.content, context));
    if (component.type === CONTAINER) {
      const inner = drawComponents(component.components, message, context, act);
      return h("div", { class: "embed" }, h("div", { class: "inner" }, inner));
    }
    return context.entries(component) ? drawSelect(component, message, context, act) : null;
  });
}

function drawButton(button, message, act) {
  const label = [button.emoji?.name, button.label].filter(Boolean).join(" ");
  const address = button.url && safeUrl(button.url);
  if (address) return h("a", { class: "button secondary", href: address, target: "_blank", rel: "noreferrer" }, label);
  const style = STYLES[button.style] ?? "secondary";
  const key = `button ${button.custom_id}`;
  const node = h("button", { type: "button", class: `button ${style}`, disabled: button.disabled, "data-key": key }, label);
  node.addEventListener("click", async () => {
    node.classList.add("busy");
    await act("click", { message: message.id, custom_id: button.custom_id });
    node.classList.remove("busy");
  });
  return node;
}

function drawSelect(component, message, context, act) {
  const many = (component.max_values ?? 1) > 1;
  const select = drawOptions(component, context);
  select.dataset.key = `select ${component.custom_id}`;
  const choose = () => {
    const values = [...select.selectedOptions].map((option) => option.value).filter(Boolean);
    if (values.length || component.min_values === 0) act("choose", { message: message.id, custom_id: component.custom_id, values });
  };
  if (!many) {
    select.addEventListener("change", choose);
    return select;
  }
  return [select, h("button", { type: "button", class: "button secondary", disabled: component.disabled, onclick: choose }, "Choose")];
}

/** A select menu of a message or a form as an HTML select: its own options, or members, roles and channels. */
export function drawOptions(component, context) {
  const many = (component.max_values ?? 1) > 1;
  const entries = context.entries(component);
  const chosen = entries.some((entry) => entry.chosen);
  const properties = { disabled: component.disabled, multiple: many, size: many && Math.min(6, entries.length) };
  const label = component.placeholder ?? "Choose…";
  return h(
    "select",
    { ...properties, "aria-label": label },
    !many && h("option", { value: "", selected: !chosen }, label),
    entries.map((entry) => h("option", { value: entry.id, selected: entry.chosen }, entry.name)),
  );
}
