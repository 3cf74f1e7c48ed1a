// A seat's own page. Its key stands behind "#" in the address and is sent inside the socket.
import { answerOf, toldOf } from "/static/shared/asking.js";
import { device } from "/static/shared/device.js";
import { $, button, made, ready } from "/static/shared/elements.js";
import { redraw } from "/static/shared/felt.js";
import { askFirstHand, firstHandAfter, offerFirstHand } from "/static/shared/first_hand.js";
import { share } from "/static/shared/learnt.js";
import { announcement, listenAgain, listenTo, setStatus, showSaid, showStatus } from "/static/shared/said.js";
import { offerSharing, showShared } from "/static/shared/sharing.js";
import { hear, offerSpeech, recallHeard, unsay } from "/static/shared/speech.js";
import { loadTiles } from "/static/shared/tiles.js";
import { offerTypedCode } from "/static/shared/typed_code.js";
import { TERMS, nameOf, offerLanguages, showRules, translatePage, word } from "/static/shared/words.js";
import { offerHint, showAdvice, showHand, showOwnResult, standsByHand } from "./own_hand.js";
import { answerAgain, forgetAnswer, offerQuestions } from "./teach.js";
/** @import { AgreedChange, AnnouncementView, CodeView, OwnCameraStatus, PublicTable, SeatView, TableMessage, TableView } from "/static/wire" */

// A seat's own camera: a phone behind the tiles, whose pictures go to this seat's reader alone.
/** @param {OwnCameraStatus} camera */
function cameraWords(camera) {
  if (!camera.watching) return "";
  if (camera.problem === "gone") return word("page.seat_camera.camera_gone");
  if (camera.problem === "no_hand") return word("page.seat_camera.camera_no_hand");
  return camera.sees > 0 ? word("page.seat_camera.camera_sees", { count: camera.sees }) : word("page.seat_camera.camera_waits");
}

// What the camera is doing; a link that was given stays until the camera sees tiles.
/** @param {OwnCameraStatus | null | undefined} camera */
function showCamera(camera) {
  $("own-camera").hidden = camera === null || camera === undefined;
  if (camera === null || camera === undefined) return;
  const said = cameraWords(camera);
  if ($("camera-state").textContent !== said) $("camera-state").textContent = said;
  $("camera-on").hidden = camera.watching;
  $("camera-off").hidden = !camera.watching;
  if (!camera.watching || camera.sees > 0) $("camera-link").hidden = true;
}

/** @param {CodeView} told */
function showCameraLink(told) {
  const link = made("a", { href: told.address, target: "_blank", rel: "noopener" }, told.address.split("#")[0]);
  $("camera-link").replaceChildren(made("figcaption", {}, word("page.seat_camera.camera_open"), " ", link));
  $("camera-link").insertAdjacentHTML("beforeend", told.qr);
  $("camera-link").hidden = false;
}

/** @param {(message: object) => void} send */
function offerCamera(send) {
  $("camera-on").addEventListener("click", () => send({ camera: "phone" }));
  $("camera-off").addEventListener("click", () => send({ camera: "stop" }));
}

const ALWAYS_KEPT = "tilesight-always";
const REFUSED_KEPT = "tilesight-not-shared"; // the record of the evening whose teacher was told no
const CARD_KEPT = "tilesight-card"; // the key of the seat, and that of the guest's card which led here
const NOT_YOURS = 1008;
const AGAIN_MS = 5000; // until it is looked again whether the hand is over
const ENDED = 4001; // the key, while the page was open
/** @type {{ announced: AnnouncementView[], table: PublicTable | null, mine: SeatView | null, rules: string, lines: number, state: string, led: boolean, taught: boolean, record: string }} */
const known = { announced: [], table: null, mine: null, rules: "", lines: 0, state: "", led: false, taught: false, record: "" };
/** @type {WebSocket | null} */
let socket = null;

const unsent = new Map(); // the last wish of each kind, of somebody who was faster than the line

/** @param {object} message */
function send(message) {
  if (socket !== null && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  else unsent.set(Object.keys(message)[0], message);
}

function showTable() {
  if (known.table === null || known.mine === null) return;
  const { seat } = known.mine;
  const table = structuredClone(known.table);
  const unnamed = nameOf(table.names, seat) === nameOf([], seat);
  $("whose").textContent = unnamed ? word("page.seat.you") : table.names[seat];
  table.names[seat] = word("page.seat.you");
  table.indicators = known.mine.indicators;
  redraw($("table"), table, seat);
}

function showMine() {
  const { mine } = known;
  if (mine === null) return;
  showHand(mine, known.table?.players[mine.seat].melds ?? []);
  offerHint(mine);
  showOwnResult(mine.result);
  const news = mine.said.filter((one) => !standsByHand(one));
  $("told").replaceChildren(...news.reverse().map(announcement));
  showCamera(mine.camera);
  showSharing(mine.shares ?? false);
  showAdvice(mine.hint);
  $("why").hidden = mine.why === null;
  $("why").textContent = mine.why;
}

// A teacher's page is open: each player is asked once an evening, and nothing is shared before a yes.
/** @param {boolean} on */
function showSharing(on) {
  showShared(on);
  $("share").checked = on;
  $("share-asked").hidden = on || !known.taught || localStorage.getItem(REFUSED_KEPT) === known.record;
}

/** @param {boolean} on */
async function chooseSharing(on) {
  if (on) localStorage.removeItem(REFUSED_KEPT);
  else localStorage.setItem(REFUSED_KEPT, known.record);
  showSharing(await share(on));
}

function showGlossary() {
  $("glossary").replaceChildren(...(TERMS[known.rules] ?? []).flatMap((term) =>
    [made("dt", {}, word(`glossary.${term}.name`)), made("dd", {}, word(`glossary.${term}.text`), " ", made("a", { href: `/learn?${new URLSearchParams({ page: "words", term })}${location.hash}` }, word("page.learn.picture")))]));
}

// A hint that was given is given once more.
async function tellAgain() {
  if (document.body.classList.contains("guest")) { await chooseSeat(); return; } // who has no seat yet is sent nothing
  if (known.mine?.hint && !$("always").checked) unsent.set("teach", { teach: "now" });
  await listenAgain();
  await answerAgain();
  await askFirstHand();
}

let isFirst = true; // whether the next message is the first over this line

/** @param {TableMessage} message */
function receive(message) {
  const first = isFirst;
  isFirst = false;
  if (first || (known.mine?.result === null && message.mine?.result !== null)) showClips();
  known.mine = message.mine;
  if (message.type === "table") showView(message, first);
  else if (message.camera_at !== undefined) showCameraLink(message.camera_at);
  showMine();
  showTable();
  if (known.mine !== null) firstHandAfter(known.led, { seat: known.mine.seat, mayTap: true });
  if (message.type === "mine" && message.camera_refused !== undefined) {
    const refused = message.camera_refused;
    $("camera-state").textContent = refused === "no_camera" ? word("page.seat_camera.camera_none") : refused;
  }
}

/** @param {TableView} view */
/** @param {TableView} view @param {boolean} first */
function showView(view, first) {
  if (first) {
    recallHeard(view.record);
    known.rules = view.rules;
    showRules(view.rules);
    showGlossary();
  }
  const state = JSON.stringify(view.status);
  if (first || state !== known.state) showStatus(view.status);
  if (!first) unsay(known.announced, view);
  if (!first && view.lines !== known.lines) forgetAnswer();
  Object.assign(known, { announced: view.announced, table: view.table, lines: view.lines, state, led: view.led, taught: view.taught, record: view.record });
  showSaid(view.announced);
  // What is for this seat alone is not spoken: the neighbours have ears.
  hear(first ? view.announced : view.said, view.table.names);
}

// Whoever sits here may say no to clips, for the whole table, and alone may take that back.
/** @param {AgreedChange} [changed] */
async function showClips(changed) {
  const told = await toldOf("/api/agreed", { body: changed, key: location.hash.slice(1) });
  $("clips").hidden = !told?.clips;
  $("clips-again").hidden = !told?.said_no;
}

/** @param {WebSocket} own */
function opened(own) {
  socket = own;
  isFirst = true;
  send({ key: location.hash.slice(1), device: device() });
  if ($("always").checked) send({ teach: "always" });
  for (const message of unsent.values()) send(message);
  unsent.clear();
}

/** @param {CloseEvent} given */
function refused({ code }) {
  const gone = code === NOT_YOURS || code === ENDED;
  if (gone) chooseSeat();
  return gone;
}

let looksAgain = 0;

// The guest's card has one code for everybody: whoever scans it chooses a seat that is free.
/** @param {number | null} seat */
async function chooseSeat(seat = null) {
  const key = location.hash.slice(1);
  const answer = await answerOf("/api/guest", { body: { device: device(), seat }, key });
  if (answer.status === 409) { // another one was faster, or a hand has begun
    chooseSeat();
    return;
  }
  clearTimeout(looksAgain);
  if (answer.status === 0 || answer.status >= 500) { // as while the program starts anew: who waits goes on waiting
    setStatus("connecting", "", "page.offline");
    looksAgain = setTimeout(chooseSeat, AGAIN_MS);
    return;
  }
  const [own, card] = JSON.parse(localStorage.getItem(CARD_KEPT) ?? "[]");
  if (answer.status === 401 && own === key) { // somebody else sits there now: choose anew
    localStorage.removeItem(CARD_KEPT);
    await answerOf("/api/enter", { method: "POST", key: card });
    location.hash = card;
    return;
  }
  if (!answer.ok) {
    setStatus("failed", "", "page.not_yours");
    $("guest-title").dataset.word = "page.not_yours";
    $("guest-seats").replaceChildren(button(word("page.refused.again"), () => location.reload(), "main"));
    $("guest-watch").hidden = true;
    document.getElementById("typed-code")?.remove(); // out of the menu, where nobody looks now
    offerTypedCode($("guest-seats"));
    document.body.classList.add("guest");
    translatePage();
    return;
  }
  const { told } = answer;
  if (seat !== null && told.key !== null) {
    localStorage.setItem(CARD_KEPT, JSON.stringify([told.key, key]));
    await answerOf("/api/enter", { method: "POST", key: told.key });
    location.hash = told.key;
    return;
  }
  const waits = told.playing && told.seat === null && told.back === null;
  const says = waits ? "page.guest.playing" : "page.guest.choose";
  setStatus("live", "", says);
  $("guest-title").dataset.word = waits ? says : "page.guest.where";
  $("guest-title").textContent = word($("guest-title").dataset.word ?? "");
  if (told.playing) looksAgain = setTimeout(chooseSeat, AGAIN_MS);
  document.body.classList.add("guest");
  $("guest-seats").replaceChildren(...told.names.map((_, at) => {
    const taken = told.taken.includes(at) && at !== told.seat;
    const free = !taken && (!told.playing || at === told.seat || at === told.back);
    const tap = button(!taken ? nameOf(told.names, at) : word("page.guest.taken", { name: nameOf(told.names, at) }), () => chooseSeat(at));
    tap.disabled = !free;
    return tap;
  }));
  $("guest-watch").href = `/${location.hash}`;
}

async function start() {
  $("to-game").href = `/game${location.hash}`;
  $("to-drill").href = `/drill${location.hash}`;
  $("to-learn").href = `/learn${location.hash}`;
  $("to-lessons").href = `/lessons${location.hash}`;
  await loadTiles();
  offerLanguages(tellAgain);
  offerSpeech();
  $("always").checked = sessionStorage.getItem(ALWAYS_KEPT) === "yes";
  $("always").addEventListener("change", () => {
    sessionStorage.setItem(ALWAYS_KEPT, $("always").checked ? "yes" : "no");
    send({ teach: $("always").checked ? "always" : "never" });
  });
  $("hint").addEventListener("click", () => send({ teach: "now" }));
  offerCamera(send);
  offerFirstHand();
  $("share").addEventListener("change", () => chooseSharing($("share").checked));
  $("share-yes").addEventListener("click", () => chooseSharing(true));
  $("share-no").addEventListener("click", () => chooseSharing(false));
  offerSharing((on) => { if (!on) localStorage.setItem(REFUSED_KEPT, known.record); showSharing(on); });
  offerTypedCode($("terms"));
  offerQuestions();
  $("no-clips").addEventListener("click", () => showClips({ clips: false }));
  $("yes-clips").addEventListener("click", () => showClips({ clips: true }));
  ready();
  addEventListener("hashchange", () => location.reload());
  listenTo("/ws/seat", receive, opened, refused);
}

start();
