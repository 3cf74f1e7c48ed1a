// One socket brings what happens, another the pictures; the page only draws.
import { answerOf, toldOf } from "/static/shared/asking.js";
import { offerTabs, showBar } from "/static/shared/bar.js";
import { $, button, contextOf, find, findAll, made, ready } from "/static/shared/elements.js";
import { enter } from "/static/shared/enter.js";
import { offerSwap, redraw } from "/static/shared/felt.js";
import { offerGames } from "/static/shared/games.js";
import { showNetwork } from "/static/shared/network.js";
import { RETRY_MS, address, clock, listenAgain, listenTo, setStatus, showEvents, showSaid, showStatus } from "/static/shared/said.js";
import { agreed } from "/static/shared/share.js";
import { hear, offerSpeech, recallHeard, unsay } from "/static/shared/speech.js";
import { loadTiles } from "/static/shared/tiles.js";
import { nameOf, offerLanguages, showRules, word } from "/static/shared/words.js";
import { CODES_MS, ON_SCREEN, offerLateCode, renewLateCode, showBestTonight, wake } from "./big_screen.js";
import { showFix } from "./fix_corners.js";
import { isDoubtful, known, mending } from "./known.js";
import { drawResultAnew, forgetDeltas, lastDeltas, showResult } from "./last_result.js";
import { startMending } from "./mend.js";
import { showAlso } from "./mend_dialog.js";
import { eventButton, offerMending, openPosition } from "./mendable.js";
import { offerQuestions, showQuestions } from "./questions.js";
/** @import { CodeView, EventView, PublicTable, SeatAddress, TableView } from "/static/wire" */

// On the admin page: the address of the stream page, as the streamer wants it. It opens with the key for watching, where one is needed.
/** @param {Record<string, CodeView>} links */
function offerStream(links) {
  const [base, key] = links.viewer === undefined ? [`${location.origin}/`] : links.viewer.address.split("#");
  const show = () => {
    const wish = new URLSearchParams({ lang: $("language").value, ...($("stream-table").checked && { table: "1" }), ...(key && { key }) });
    $("stream-link").href = `${base}stream#${wish}`;
  };
  $("stream-table").addEventListener("input", show);
  $("language").addEventListener("change", show);
  show();
}

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

// A code to scan, and the same as a link.
/** @param {string} target @param {string} qr @param {string} text */
function codeOf(target, qr, text) {
  const figure = made("figure");
  figure.insertAdjacentHTML("afterbegin", qr);
  const link = made("a", { href: target, target: "_blank", rel: "noreferrer" }, text);
  figure.append(made("figcaption", {}, link));
  const code = find("svg", figure);
  code.setAttribute("viewBox", `0 0 ${code.getAttribute("width")} ${code.getAttribute("height")}`);
  code.setAttribute("role", "img");
  code.setAttribute("aria-label", text);
  return figure;
}

// Whoever started the server has the key of the admin page: there the seats find their codes.
async function showSeats() {
  const key = location.hash.slice(1);
  if (!key) return;
  for (const link of [$("to-game"), $("see-game"), $("to-screen")]) link.hash = key;
  if ((await enter())?.role !== "admin") return;
  const askSeats = () => toldOf("/api/seats", { key });
  const seats = await askSeats();
  if (seats === null) return;
  $("all-codes").hidden = seats.some(({ qr }) => qr === null);
  offerLateCode(key);
  if ($("all-codes").hidden) {
    offerNetwork();
    // Nobody touches a big screen: it looks by itself whether phones can open the codes now.
    if (ON_SCREEN) setInterval(async () => { if ((await askSeats())?.every(({ qr }) => qr !== null)) location.reload(); }, CODES_MS);
  } else {
    /** @param {SeatAddress[]} own */
    const draw = (own) => own.map(({ seat, address: target, qr }) => {
      const figure = codeOf(target, qr ?? "", String(seat));
      find("a", figure).dataset.seat = String(seat);
      return figure;
    });
    // A code ends when somebody else sits there. Before the deal, those not scanned yet stand in the slot.
    let shown = "";
    /** @param {SeatAddress[] | null} own */
    const show = (own) => {
      if (own === null || JSON.stringify(own) === shown) return;
      shown = JSON.stringify(own);
      $("codes").replaceChildren(...draw(own).map((figure, seat) => {
        const renew = button(word("page.renew_seat"), async () => {
          if (confirm(word("page.renew_seat_sure"))) await toldOf("/api/keys", { body: { renew: true, seat }, key });
          show(await askSeats());
        });
        renew.dataset.word = "page.renew_seat";
        figure.append(renew);
        return figure;
      }));
      $("deal-codes").replaceChildren(...draw(own.filter(({ taken }) => !taken)));
      nameSeats();
    };
    show(seats);
    $("all-codes").addEventListener("toggle", async () => show(await askSeats()));
    setInterval(async () => { if (!$("deal").hidden || $("all-codes").open) show(await askSeats()); }, CODES_MS);
  }
  offerStream(await showLinks(key));
  nameSeats();
  $("renew").onclick = renewKeys;
  $("seats").hidden = false;
}

// A code that no phone can open is not shown: first the pages are served to the network.
function offerNetwork() {
  showNetwork($("network"), { address: null, name: null, trusted: false }, async () => {
    const answer = await answerOf("/api/network", { body: { serve: true }, key: location.hash.slice(1) });
    if (!answer.ok) return answer.told?.detail ?? word("page.setup.unreachable");
    location.reload();
    return null;
  });
}

// The links that were shown; none where nobody needs a key.
/** @param {string} key */
async function showLinks(key) {
  const links = await toldOf("/api/links", { key }) ?? {};
  const given = Object.entries(links);
  $("shared").hidden = given.length === 0;
  if (given.length > 0) $("spectators").checked = (await agreed())?.spectators ?? false;
  $("spectators").onchange = async () => { $("spectators").checked = (await agreed({ spectators: $("spectators").checked }))?.spectators ?? false; };
  for (const [role, { address: target, qr }] of given) {
    if (role === "guest") {
      offerCard(qr, target);
      continue;
    }
    const figure = codeOf(target, qr, word(`page.for.${role}`));
    find("a", figure).dataset.word = `page.for.${role}`;
    find("svg", figure).dataset.label = `page.for.${role}`;
    $("links").append(figure);
  }
  return links;
}

// One page to print or to show: scan, choose a seat, and what may be tapped then.
/** @param {string} qr @param {string} target */
function offerCard(qr, target) {
  const code = codeOf(target, qr, target.split("#")[0]);
  $("card-code").replaceChildren(...code.childNodes);
  $("show-card").hidden = false;
  $("show-card").onclick = () => $("card").showModal();
  $("card-print").onclick = () => print();
  $("card-close").onclick = () => $("card").close();
}

// What was scanned before opens nothing any more; this page itself goes on with the new key.
async function renewKeys() {
  if (!confirm(word("page.renew_sure"))) return;
  const told = /** @type {{ key: string } | null} */ (await toldOf("/api/keys", { body: { renew: true }, key: location.hash.slice(1) }));
  if (told === null) return;
  location.hash = told.key;
  location.reload();
}

function nameSeats() {
  for (const link of findAll(document, ":is(#codes, #deal-codes) a")) {
    const seat = link.dataset.seat ?? "";
    const name = known.table === null ? seat : nameOf(known.table.names, Number(seat));
    link.textContent = name;
    link.closest("figure")?.querySelector("svg")?.setAttribute("aria-label", name);
  }
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
  ready();
  offerGames();
  listenTo("/ws", receive, () => { isFirst = true; });
  watch();
  await showSeats();
}

start();
