// Elements of a page, made in one go.
"use strict";

const $ = (id) => document.getElementById(id);

function made(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "onclick") element.addEventListener("click", value);
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

function shape(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function button(text, onclick, kind = "") {
  return made("button", { type: "button", class: kind, onclick }, text);
}

// The address of what the server words in the language of the page.
const inWords = (path) => `${path}${path.includes("?") ? "&" : "?"}lang=${language}`;

// What an address answers; nobody answers with status 0. A body is sent as JSON, a key as whoever has it.
async function answerOf(path, { body, method = body === undefined ? "GET" : "POST", key = "" } = {}) {
  const headers = { ...(key && { Authorization: `Bearer ${key}` }), ...(body !== undefined && { "Content-Type": "application/json" }) };
  const answer = await fetch(inWords(path), { method, headers, body: JSON.stringify(body) }).catch(() => null);
  return { ok: answer?.ok ?? false, status: answer?.status ?? 0, told: await answer?.json().catch(() => null) ?? null };
}

// Null for what is refused, and where nobody answers.
async function toldOf(path, asked) {
  const { ok, told } = await answerOf(path, asked);
  return ok ? told : null;
}

// What is tapped before its script is there would be lost: until then a page stands still.
function ready() {
  document.body.inert = false;
}

// One room of a page at a time; the class of a section says where it belongs.
function openRoom(room) {
  document.querySelector("main").dataset.room = room;
  for (const part of document.querySelectorAll("main > section")) part.classList.toggle("away", !part.classList.contains(room));
  for (const tap of $("rooms").children) tap.setAttribute("aria-pressed", String(tap.dataset.room === room));
}

function offerRooms(show = openRoom) {
  for (const tap of $("rooms").children) tap.addEventListener("click", () => show(tap.dataset.room));
  openRoom(document.querySelector("main").dataset.room);
}

// The options of a select: what was chosen stays chosen, else it is the first.
function fill(select, values, texts, value = select.value) {
  select.replaceChildren(...values.map((each, at) => made("option", { value: each }, texts[at])));
  select.value = values.includes(value) ? value : values[0];
}

function choice(values, texts) {
  const select = made("select");
  fill(select, values, texts);
  return select;
}

// What is typed into a form goes to "take"; the page stays.
function onSubmit(form, take) {
  form.addEventListener("submit", (event) => { event.preventDefault(); take(new FormData(form)); });
}

function saveAs(blob, name) {
  const link = made("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// The tiles of a question, turned upright and nothing drawn over them; absent where none is seen.
function upright(src) {
  const image = made("img", { src, alt: word("page.questions.tiles") });
  const shown = made("div", { class: "upright" }, image);
  image.addEventListener("error", () => shown.remove());
  return shown;
}

// A tile with the copies of it that may still come.
function tileCounted({ tile, left }) {
  return made("span", { class: left > 0 ? "counted" : "counted gone" }, tileDrawn(tile), `×${left}`);
}
