// One socket brings what happens, another the pictures; the page only draws.
import { offerTabs, showBar } from "/static/shared/bar.js";
import { $, contextOf, made, ready } from "/static/shared/elements.js";
import { offerSwap, redraw } from "/static/shared/felt.js";
import { askFirstHand, firstHandAfter, offerFirstHand } from "/static/shared/first_hand.js";
import { offerGames } from "/static/shared/games.js";
import { RETRY_MS, address, clock, listenAgain, listenTo, setStatus, showEvents, showSaid, showStatus } from "/static/shared/said.js";
import { hear, offerSpeech, recallHeard, unsay } from "/static/shared/speech.js";
import { loadTiles } from "/static/shared/tiles.js";
import { offerTypedCode } from "/static/shared/typed_code.js";
import { offerLanguages, showRules } from "/static/shared/words.js";
import { ON_SCREEN, renewLateCode, showBestTonight, wake } from "./big_screen.js";
import { nameSeats, showSeats } from "./codes.js";
import { watchFailing } from "./failing.js";
import { showFix } from "./fix_corners.js";
import { isDoubtful, known, mending } from "./known.js";
import { drawResultAnew, forgetDeltas, lastDeltas, showResult } from "./last_result.js";
import { startMending } from "./mend.js";
import { showAlso } from "./mend_dialog.js";
import { eventButton, offerMending, openPosition } from "./mendable.js";
import { offerQuestions, showQuestions } from "./questions.js";
import { askRehearsal, offerRehearsal, rehearsalAfter } from "./rehearsal.js";
/** @import { EventView, PublicTable, TableView } from "/static/wire" */

const BACK_KEPT = "tilesight-back";

/** @param {PublicTable} table */
export function showTable(table) {
  known.table = table;
  redraw($("table"), table);
  if (table.hand === 0) { // the next game has begun: nothing of the last one stands here
    if (lastDeltas !== null) $("saved").hidden = true;
    forgetDeltas();
  }
  showBar(table, lastDeltas);
  offerMending();
  nameSeats();
  $("deal").hidden = document.body.classList.contains("over") || !["before_game", "before_hand"].includes(table.phase) || table.hand > 0;
  showResult();
  showBestTonight(mending.lines);
  renewLateCode(table);
}

/** @param {EventView} event */
function eventLine(event) {
  const parts = eventButton(event);
  if (isDoubtful(event)) parts.classList.add("doubt");
  return made("li", { "data-number": event.number }, made("span", { class: "at" }, clock(event.t)), parts);
}

export function tellAgain() {
  drawResultAnew();
  offerGames();
  showAlso([]); // in the words of the language before
  askFirstHand();
  askRehearsal();
  return listenAgain();
}

let isFirst = true; // whether the next message is the first over this line

// All of the table comes anew with everything that changes there.
/** @param {TableView} message */
function receive(message) {
  const first = isFirst;
  isFirst = false;
  mending.acts = message.acts ?? mending.acts;
  mending.lines = message.lines;
  mending.allowed = message.may_mend && !ON_SCREEN;
  mending.hasNext = message.has_next;
  document.body.classList.toggle("watcher", !mending.allowed);
  if (first) {
    recallHeard(message.record);
    forgetDeltas(); // another game may have begun meanwhile
    document.body.dataset.record = message.record;
    $("source").textContent = message.title;
    showRules(message.rules);
  }
  known.table = message.table;
  showCertificate(message);
  rehearsalAfter(mending.allowed);
  showQuestions(message.questions);
  if (!first) unsay(known.announced, message);
  Object.assign(known, { happened: message.happened, announced: message.announced });
  showEvents(message, eventLine);
  showSaid(message.announced);
  if (message.also.length > 0) showAlso(message.also);
  const state = JSON.stringify([message.status, message.back]);
  if (first || state !== known.state) showState(message);
  known.state = state;
  hear(first ? message.announced : message.said, message.table.names);
  showTable(message.table);
  firstHandAfter(message.led, { mayTap: mending.allowed, mayLead: mending.allowed });
}

// What holds stands behind the menu; what has lapsed is seen before a game.
/** @param {TableView} message */
function showCertificate({ certificate, read_twice }) {
  $("reads-twice").hidden = read_twice === null;
  $("reads-twice").textContent = read_twice;
  for (const [id, wanted] of /** @type {["certified" | "lapsed", boolean][]} */ ([["certified", true], ["lapsed", false]])) {
    const shown = certificate !== null && (certificate.grade !== null) === wanted;
    $(id).hidden = !shown;
    if (shown && $(id).textContent !== certificate.text) $(id).textContent = certificate.text;
  }
}

/** @param {TableView} message */
export function showState(message) {
  clearInterval(catching);
  showBack(message.back && mending.allowed ? `${message.record} ${message.lines}` : null);
  showStatus(message.status);
  showFix(message.status);
  catchUp(message);
}

function watch() {
  const socket = new WebSocket(address("/ws/picture"));
  socket.binaryType = "blob";
  socket.onopen = () => socket.send("next");
  socket.onmessage = async (event) => {
    const image = await createImageBitmap(event.data);
    for (const canvas of [$("picture"), $("glance")]) {
      if (canvas.width !== image.width || canvas.height !== image.height) Object.assign(canvas, { width: image.width, height: image.height });
      contextOf(canvas).drawImage(image, 0, 0);
    }
    image.close();
    $("waiting").hidden = true;
    document.body.classList.add("seen");
    // A page in the background asks for nothing until it is looked at again.
    requestAnimationFrame(() => socket.readyState === WebSocket.OPEN && socket.send("next"));
  };
  socket.onclose = () => setTimeout(watch, RETRY_MS);
}

// After a restart the table may have changed: a person says so, or that it has not. "now" names what is asked of.
/** @param {string | null} now */
export function showBack(now) {
  $("back").hidden = now === null || sessionStorage.getItem(BACK_KEPT) === now;
  $("still").onclick = () => { sessionStorage.setItem(BACK_KEPT, now ?? ""); $("back").hidden = true; };
}

// Until something happens after a restart, the header says for how long the table has been looked at again.
let catching = 0;

/** @param {TableView} given */
export function catchUp({ back, status, watched_s: before }) {
  clearInterval(catching);
  if (!back || status.problem || status.ended) return;
  const began = performance.now() / 1000 - (before ?? 0);
  const tell = () => { $("status").dataset.time = $("trouble").dataset.time = clock(performance.now() / 1000 - began); setStatus("catching", "", "page.catching_up"); };
  catching = setInterval(tell, 1000);
  tell();
}

async function start() {
  wake();
  document.addEventListener("visibilitychange", wake);
  for (const tap of [$("put-right"), $("position")]) tap.addEventListener("click", openPosition);
  await loadTiles();
  offerLanguages(tellAgain);
  offerSpeech();
  startMending();
  offerTabs();
  offerSwap($("view"));
  offerQuestions();
  offerFirstHand();
  offerRehearsal();
  offerTypedCode($("seats")); // for whoever watches, and has a key of a seat to come
  ready();
  offerGames();
  listenTo("/ws", receive, () => { isFirst = true; });
  watch();
  watchFailing();
  await showSeats();
}

start();
