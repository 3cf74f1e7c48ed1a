// One socket brings what happens, another the pictures; the page only draws.
"use strict";

const DOUBTFUL = 0.8;
const known = { happened: [], announced: [], table: null };

function showTable(table) {
  known.table = table;
  $("table").replaceChildren(drawTable(table));
  offerMending();
  nameSeats();
  showResult();
}

function showHappened(message) {
  known.happened.push(message);
  const line = document.createElement("li");
  const at = document.createElement("span");
  at.className = "at";
  at.textContent = clock(message.t);
  const parts = eventButton(message);
  if (message.confidence !== null && message.confidence < DOUBTFUL) parts.classList.add("doubt");
  line.append(at, parts);
  $("events").prepend(line);
}

function addAnnounced(one) {
  known.announced.push(one);
  showAnnounced(one);
}

function trim() {
  while ($("events").children.length > SHOWN) $("events").lastChild.remove();
  for (const list of [known.happened, known.announced]) list.splice(0, list.length - SHOWN);
}

function showLately(message) {
  const { happened, announced } = message;
  Object.assign(known, { happened: [], announced: [] });
  $("events").replaceChildren();
  $("said").replaceChildren();
  happened.forEach(showHappened);
  announced.forEach(addAnnounced);
}

function showAgain() {
  showLately({ ...known });
  resultOfLines = -1;
  showQuestions(asked);
  if (known.table !== null) showTable(known.table);
}

function receive(message) {
  if (message.type === "status") {
    showStatus(message);
    return;
  }
  showQuestions(message.questions);
  if (message.type === "questions") return;
  mending.acts = message.acts;
  if (message.type === "snapshot") {
    proposeLanguage(message.lang);
    recallHeard(message.record);
  }
  if (message.type === "happened") {
    showHappened(message);
    message.said.forEach(addAnnounced);
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

// Whoever started the server has the key of the control page: there the seats find their codes.
async function showSeats() {
  const key = location.hash.slice(1);
  if (!key) return;
  $("to-game").href = `/game#${key}`;
  await enter();
  const answer = await fetch("/api/seats", { headers: { Authorization: `Bearer ${key}` } });
  if (!answer.ok) return;
  for (const { seat, address: target, qr } of await answer.json()) {
    const figure = document.createElement("figure");
    figure.insertAdjacentHTML("afterbegin", qr);
    const caption = document.createElement("figcaption");
    const link = document.createElement("a");
    link.href = target;
    link.target = "_blank";
    link.rel = "noreferrer";
    link.dataset.seat = seat;
    caption.append(link);
    figure.append(caption);
    figure.querySelector("svg").setAttribute("role", "img");
    $("codes").append(figure);
  }
  $("seats").hidden = false;
  await offerStream(key);
  nameSeats();
}

function nameSeats() {
  for (const link of document.querySelectorAll("#codes a")) {
    const seat = link.dataset.seat;
    link.textContent = known.table === null ? seat : known.table.names[seat];
    link.closest("figure").querySelector("svg").setAttribute("aria-label", link.textContent);
  }
}

async function start() {
  await loadTiles();
  offerLanguages(showAgain);
  offerSpeech();
  startMending();
  listen();
  watch();
  await showSeats();
}

start();
