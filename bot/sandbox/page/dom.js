// Building the page from data. Text only ever becomes text nodes and attributes, so no name can become markup.

/** Make an element: `on…` properties are listeners, true is an empty attribute, null and false are left out. */
export function h(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** An address that may be put behind a link or an image: http and https only, else null. */
export function safeUrl(text) {
  try {
    const url = new URL(text, location.href);
    return ["http:", "https:"].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

/** Do something as a member. Throws an Error whose message is a sentence when it was refused. */
export async function call(act, body) {
  let answer;
  try {
    const response = await fetch(`/page/act/${act}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    answer = await response.json();
  } catch {
    throw new Error("The sandbox does not answer. Is it still running in the terminal?");
  }
  if (answer.error) throw new Error(answer.error);
  return answer;
}

/** The first thing a reader sees of a name, for the round picture. */
export function initial(name) {
  const segments = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(name);
  for (const { segment } of segments) if (/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(segment)) return segment;
  return "?";
}

const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });

/** A moment in the reader's own time zone; the date is left out today. */
export function moment(iso) {
  const when = new Date(iso);
  const today = when.toDateString() === new Date().toDateString();
  const shown = today ? clock.format(when) : `${day.format(when)}, ${clock.format(when)}`;
  return h("time", { datetime: iso, title: when.toLocaleString() }, shown);
}
