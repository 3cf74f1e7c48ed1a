// Elements of a page, made in one go.
/** @import { Attributes, Child } from "/static/page" */
/** @import { Elements } from "/static/wire" */

/**
 * @template {keyof Elements} Id
 * @param {Id} id
 */
export const $ = (id) => /** @type {Elements[Id]} */ (/** @type {unknown} */ (document.getElementById(id)));

// What a page always has.
/**
 * @template {string} Selector
 * @param {Selector} selector @param {ParentNode} within
 */
export function find(selector, within = document) {
  const found = within.querySelector(selector);
  if (found === null) throw new Error(`there is no ${selector}`);
  return /** @type {Selector extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Selector] : HTMLElement} */ (found);
}

/** @param {Event} event */
export const targetOf = (event) => /** @type {HTMLElement} */ (event.target);

/** @param {ParentNode} within @param {string} selector */
export const findAll = (within, selector) => [.../** @type {NodeListOf<HTMLElement>} */ (within.querySelectorAll(selector))];

/** @param {HTMLCanvasElement} canvas */
export const contextOf = (canvas) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} name @param {Attributes} attributes @param {...Child} children
 */
export function made(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener("click", /** @type {EventListener} */ (value));
    else element.setAttribute(key, String(value));
  }
  element.append(...children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} name @param {Attributes} attributes @param {...Child} children
 */
export function shape(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

const DOUBLE_MS = 300; // as long as Android waits for the second tap of a double one
let tapped = -Infinity, doubled = false; // when the page was tapped last, and whether that was such a second tap

// Browsers count the clicks of a mouse, and not all of them the taps of a finger.
addEventListener("click", (event) => {
  const touched = event instanceof PointerEvent && event.pointerType === "touch";
  doubled = event.detail > 1 || (touched && event.timeStamp - tapped < DOUBLE_MS);
  tapped = event.timeStamp;
}, true);

// The second tap of a double one was meant for what the first has replaced: it does nothing.
/** @param {() => unknown} act */
export const once = (act) => () => { if (!doubled) act(); };

/** @param {string | Node} text @param {(event: MouseEvent) => unknown} onclick @param {string} kind */
export function button(text, onclick, kind = "") {
  return made("button", { type: "button", class: kind, onclick }, text);
}

// What is tapped before its script is there would be lost: until then a page stands still.
export function ready() {
  document.body.inert = false;
}

// One room of a page at a time; the class of a section says where it belongs.
/** @param {string} room */
export function openRoom(room) {
  find("main").dataset.room = room;
  for (const part of findAll(document, "main > section")) part.classList.toggle("away", !part.classList.contains(room));
  for (const tap of findAll($("rooms"), "button")) tap.setAttribute("aria-pressed", String(tap.dataset.room === room));
}

export function offerRooms(show = openRoom) {
  for (const tap of findAll($("rooms"), "button")) tap.addEventListener("click", () => show(tap.dataset.room ?? ""));
  openRoom(find("main").dataset.room ?? "");
}

// The options of a select: what was chosen stays chosen, else it is the first.
/** @param {HTMLSelectElement} select @param {string[]} values @param {string[]} texts @param {string} value */
export function fill(select, values, texts, value = select.value) {
  select.replaceChildren(...values.map((each, at) => made("option", { value: each }, texts[at])));
  select.value = values.includes(value) ? value : values[0];
}

/** @param {string[]} values @param {string[]} texts */
export function choice(values, texts) {
  const select = made("select");
  fill(select, values, texts);
  return select;
}

// What is typed into a form goes to "take"; the page stays. A double tap sends it once, and so do two while it is taken.
/** @param {HTMLFormElement} form @param {(given: FormData) => unknown} take */
export function onSubmit(form, take) {
  let taking = false;
  form.addEventListener("click", (event) => { if (doubled && targetOf(event).closest("button")?.type === "submit") event.preventDefault(); });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (taking) return;
    taking = true;
    try { await take(new FormData(form)); } finally { taking = false; }
  });
}

/** @param {Blob} blob @param {string} name */
export function saveAs(blob, name) {
  const link = made("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
