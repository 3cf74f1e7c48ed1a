// One socket brings what happens, another the pictures; the page only draws.
"use strict";

const RETRY_MS = 1500;
const SHOWN = 60;
const DOUBTFUL = 0.8;
const $ = (id) => document.getElementById(id);
const address = (path) =>
  `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;

function setStatus(state, text) {
  $("status").dataset.state = state;
  $("status").textContent = text;
}

function showStatus(status) {
  if (status.problem) setStatus("failed", status.problem);
  else if (status.ended) setStatus("ended", "the recording is over");
  else setStatus("watching", "watching");
}

function showTable(table) {
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

function showAnnounced(one) {
  const line = document.createElement("li");
  line.className = one.kind;
  line.textContent = one.text;
  $("said").prepend(line);
}

function trim() {
  for (const list of [$("events"), $("said")]) {
    while (list.children.length > SHOWN) list.lastChild.remove();
  }
}

function showLately(message) {
  $("events").replaceChildren();
  $("said").replaceChildren();
  message.happened.forEach(showHappened);
  message.announced.forEach(showAnnounced);
}

// Browsers let a page speak only after a person has touched it, so speaking is a button.
function speak(message) {
  if ($("speak").getAttribute("aria-pressed") !== "true") return;
  for (const one of message.said) {
    const words = new SpeechSynthesisUtterance(one.text);
    words.lang = "en";
    speechSynthesis.speak(words);
  }
}

function offerSpeech() {
  if (!("speechSynthesis" in window)) return;
  $("speak").hidden = false;
  $("speak").addEventListener("click", () => {
    const on = $("speak").getAttribute("aria-pressed") !== "true";
    $("speak").setAttribute("aria-pressed", String(on));
    if (!on) speechSynthesis.cancel();
  });
}

function receive(message) {
  if (message.type === "status") {
    showStatus(message);
    return;
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
  } else {
    speak(message);
  }
  showTable(message.table);
}

function listen() {
  const socket = new WebSocket(address("/ws"));
  socket.onmessage = (event) => receive(JSON.parse(event.data));
  socket.onclose = () => {
    setStatus("connecting", "not connected, trying again");
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
  offerSpeech();
  listen();
  watch();
}

start();
