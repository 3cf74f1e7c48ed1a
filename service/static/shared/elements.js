// Elements of a page, made in one go.

export const $ = (id) => document.getElementById(id);

export function made(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "onclick") element.addEventListener("click", value);
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

export function shape(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export function button(text, onclick, kind = "") {
  return made("button", { type: "button", class: kind, onclick }, text);
}

// What is tapped before its script is there would be lost: until then a page stands still.
export function ready() {
  document.body.inert = false;
}

// One room of a page at a time; the class of a section says where it belongs.
export function openRoom(room) {
  document.querySelector("main").dataset.room = room;
  for (const part of document.querySelectorAll("main > section")) part.classList.toggle("away", !part.classList.contains(room));
  for (const tap of $("rooms").children) tap.setAttribute("aria-pressed", String(tap.dataset.room === room));
}

export function offerRooms(show = openRoom) {
  for (const tap of $("rooms").children) tap.addEventListener("click", () => show(tap.dataset.room));
  openRoom(document.querySelector("main").dataset.room);
}

// The options of a select: what was chosen stays chosen, else it is the first.
export function fill(select, values, texts, value = select.value) {
  select.replaceChildren(...values.map((each, at) => made("option", { value: each }, texts[at])));
  select.value = values.includes(value) ? value : values[0];
}

export function choice(values, texts) {
  const select = made("select");
  fill(select, values, texts);
  return select;
}

// What is typed into a form goes to "take"; the page stays.
export function onSubmit(form, take) {
  form.addEventListener("submit", (event) => { event.preventDefault(); take(new FormData(form)); });
}

export function saveAs(blob, name) {
  const link = made("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
