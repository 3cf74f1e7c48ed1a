// One socket brings what happens, another the pictures; the page only draws.
"use strict";

const RETRY_MS = 1500;
const SHOWN = 60;
const DOUBTFUL = 0.8;
const $ = (id) => document.getElementById(id);
const address = (path) =>
  `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;

const known = { happened: [], announced: [], table: null };

// The word is kept on the element, so that it changes with the language.
function setStatus(state, text, wordKey = "") {
  $("status").dataset.state = state;
  $("status").dataset.word = wordKey;
  if (!wordKey) delete $("status").dataset.word;
  $("status").textContent = wordKey ? word(wordKey) : text;
}

function showStatus(status) {
  if (status.problem) setStatus("failed", status.problem);
  else if (status.ended) setStatus("ended", "", "over");
  else setStatus("watching", "", "watching");
}

function showTable(table) {
  known.table = table;
  $("table").replaceChildren(drawTable(table));
}

function drawnPart(part) {
  if (typeof part === "string") return document.createTextNode(part + " ");
  const code = part.tile;
  const use = shape("use", { href: `#tile-${code === "?" ? "unknown" : code}` });
  return shape("svg", { class: "tile", viewBox: "0 0 30 40", role: "img", "aria-label": code }, use);
}

function clock(seconds) {
  if (seconds === null) return "";
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

function showHappened(message) {
  known.happened.push(message);
  const line = document.createElement("li");
  const at = document.createElement("span");
  at.className = "at";
  at.textContent = clock(message.t);
  const parts = document.createElement("span");
  parts.append(...message.parts.map(drawnPart));
  if (message.confidence !== null && message.confidence < DOUBTFUL) parts.className = "doubt";
  line.append(at, parts);
  $("events").prepend(line);
}

// All that the last event made known is large.
function showAnnounced(one) {
  known.announced.push(one);
  const line = document.createElement("li");
  line.className = one.kind;
  line.dataset.of = one.of;
  line.textContent = one.texts[language ?? "en"];
  $("said").prepend(line);
  for (const each of $("said").children) {
    each.classList.toggle("newest", each.dataset.of === String(one.of));
  }
}

function trim() {
  for (const list of [$("events"), $("said")]) {
    while (list.children.length > SHOWN) list.lastChild.remove();
  }
  for (const list of [known.happened, known.announced]) list.splice(0, list.length - SHOWN);
}

function showLately(message) {
  const { happened, announced } = message;
  Object.assign(known, { happened: [], announced: [] });
  $("events").replaceChildren();
  $("said").replaceChildren();
  happened.forEach(showHappened);
  announced.forEach(showAnnounced);
}

function showAgain() {
  showLately({ ...known });
  if (known.table !== null) showTable(known.table);
}

function receive(message) {
  if (message.type === "status") {
    showStatus(message);
    return;
  }
  if (message.type === "snapshot") {
    proposeLanguage(message.lang);
    recallHeard(message.record);
  }
  if (message.type === "happened") {
    showHappened(message);
    message.said.forEach(showAnnounced);
    trim();
  } else {
    showLately(message);
  }
  if (message.type === "snapshot") {
    $("source").textContent = message.source;
    $("rules").textContent = message.rules;
    showStatus(message.status);
    hear(message.announced);
  } else {
    hear(message.said);
  }
  showTable(message.table);
}

function listen() {
  const socket = new WebSocket(address("/ws"));
  socket.onmessage = (event) => receive(JSON.parse(event.data));
  socket.onclose = () => {
    setStatus("connecting", "", "again");
    setTimeout(listen, RETRY_MS);
  };
}

function watch() {
  const socket = new WebSocket(address("/ws/picture"));
  socket.binaryType = "blob";
  socket.onopen = () => socket.send("next");
  socket.onmessage = async (event) => {
    const image = await createImageBitmap(event.data);
    const canvas = $("picture");
    if (canvas.width !== image.width || canvas.height !== image.height) {
      canvas.width = image.width;
      canvas.height = image.height;
    }
    canvas.getContext("2d").drawImage(image, 0, 0);
    image.close();
    $("waiting").hidden = true;
    // A page in the background asks for nothing until it is looked at again.
    requestAnimationFrame(() => socket.readyState === WebSocket.OPEN && socket.send("next"));
  };
  socket.onclose = () => setTimeout(watch, RETRY_MS);
}

async function start() {
  const sprite = await (await fetch("/tiles.svg")).text();
  document.body.insertAdjacentHTML("afterbegin", sprite);
  offerLanguages(showAgain);
  offerSpeech();
  listen();
  watch();
}

start();
