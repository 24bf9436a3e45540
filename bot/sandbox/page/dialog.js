// The forms (modals) that the bot opens, as dialogs.

import { readFile } from "./composer.js";
import { h } from "./dom.js";
import { markdown } from "./markdown.js";
import { drawOptions } from "./messages.js";

const ROW = 1;
const TEXT_INPUT = 4;
const TEXT = 10;
const LABEL = 18;
const UPLOAD = 19;
const RADIO = 21;
const CHECKBOXES = 22;
const CHECKBOX = 23;
const PARAGRAPH = 2;

/** Show a form; `send(fields)` submits it and throws an Error with a sentence when it is refused. */
export function openForm(modal, context, send) {
  const inputs = new Map();
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  const dialog = h("dialog", { "aria-labelledby": "form-title" });
  const submit = async (event) => {
    event.preventDefault();
    problem.hidden = true;
    const fields = {};
    try {
      for (const [name, read] of inputs) fields[name] = await read();
      await send(fields);
      dialog.close();
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
    }
  };
  const cancel = h("button", { type: "button", class: "button secondary", onclick: () => dialog.close() }, "Cancel");
  dialog.append(
    h(
      "form",
      { onsubmit: submit, novalidate: true },
      h("h2", { id: "form-title" }, modal.title),
      modal.components.map((component) => drawRow(component, context, inputs)),
      problem,
      h("div", { class: "row end" }, cancel, h("button", { type: "submit", class: "button primary" }, "Submit")),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector("input, textarea, select")?.focus();
}

function drawRow(component, context, inputs) {
  if (component.type === TEXT) return h("div", { class: "content" }, markdown(component.content, context));
  if (component.type === ROW) return component.components.map((field) => drawField(field, field.label, null, context, inputs));
  if (component.type === LABEL) {
    return drawField(component.component, component.label, component.description, context, inputs);
  }
  return null;
}

function drawField(field, label, description, context, inputs) {
  const id = `field-${field.custom_id}`;
  const control = drawControl(field, label, context, inputs);
  control.id = id;
  if (description) control.setAttribute("aria-describedby", `${id}-hint`);
  const star = field.required !== false && h("span", { class: "required", title: "required" }, " *");
  const grouped = [RADIO, CHECKBOXES].includes(field.type);
  const heading = grouped ? h("span", { class: "label" }, label, star) : h("label", { for: id }, label, star);
  const hint = description && h("span", { class: "hint", id: `${id}-hint` }, description);
  return h("div", { class: "option" }, heading, hint, control);
}

function drawControl(field, label, context, inputs) {
  if (field.type === TEXT_INPUT) return drawText(field, label, inputs);
  if (field.type === UPLOAD) {
    const node = h("input", { type: "file", multiple: (field.max_values ?? 1) > 1 });
    inputs.set(field.custom_id, () => Promise.all([...node.files].map(readFile)));
    return node;
  }
  if (field.type === CHECKBOX) {
    const node = h("input", { type: "checkbox", checked: field.default });
    inputs.set(field.custom_id, () => node.checked);
    return node;
  }
  if (field.type === RADIO || field.type === CHECKBOXES) return drawChoices(field, inputs);
  const node = drawOptions(field, context);
  inputs.set(field.custom_id, () => [...node.selectedOptions].map((option) => option.value).filter(Boolean));
  return node;
}

function drawText(field, label, inputs) {
  const shared = { placeholder: field.placeholder, minlength: field.min_length, maxlength: field.max_length };
  const node = field.style === PARAGRAPH ? h("textarea", { ...shared, rows: 4 }) : h("input", { ...shared, type: "text" });
  node.value = field.value ?? "";
  inputs.set(field.custom_id, () => {
    if (node.value.trim() || field.required === false) return node.value;
    node.focus();
    throw new Error(`“${label}” must be filled in.`);
  });
  return node;
}

function drawChoices(field, inputs) {
  const type = field.type === RADIO ? "radio" : "checkbox";
  const boxes = field.options.map((option) => [option, h("input", { type, name: field.custom_id, checked: option.default })]);
  const chosen = () => boxes.filter(([, box]) => box.checked).map(([option]) => option.value);
  inputs.set(field.custom_id, () => (type === "radio" ? (chosen()[0] ?? null) : chosen()));
  return h("div", { role: "group" }, boxes.map(([option, box]) => h("label", { class: "box" }, box, option.label)));
}
