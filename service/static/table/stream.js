// The stream page: what it is told to show stands behind "#" in its address.
import { showBar } from "/static/shared/bar.js";
import { $, made } from "/static/shared/elements.js";
import { redraw } from "/static/shared/felt.js";
import { OVER, fetchHands, headline, laidOut, ledgerOf, valueOf } from "/static/shared/result.js";
import { listenTo } from "/static/shared/said.js";
import { loadTiles, tileRow } from "/static/shared/tiles.js";
import { LANGUAGES, figure, loadWords, word } from "/static/shared/words.js";
/** @import { HandView, PlayerView, TableView } from "/static/wire" */

const wish = new URLSearchParams(location.hash.slice(1));
const LINE_MS = 6000;
const RESULT_MS = 10000;
const PATTERNS = 5;

/** @type {Map<HTMLElement, number>} */
const going = new Map(); // what hides an element again

// Shown for a moment, from when it comes.
/** @param {HTMLElement} element @param {number} ms */
function showFor(element, ms) {
  element.hidden = false;
  clearTimeout(going.get(element));
  going.set(element, setTimeout(() => { element.hidden = true; }, ms));
}

// What lies open stands over its player's cell where it is not in the felt.
/** @param {PlayerView} given */
function handOf({ shown, hand, melds }) {
  const sets = melds.map((meld) => tileRow(meld.tiles, "meld"));
  return made("div", {}, made("p", { class: "hand-laid" }, ...($("table").hidden ? [tileRow(shown ? hand : [], "own"), ...sets] : [])));
}

// The hand that is just over: who won with what, and the first of what it is made of.
/** @param {HandView} hand */
function showResult(hand) {
  const { wins, payouts } = hand;
  const value = valueOf(hand);
  const won = payouts.filter(({ seat }) => seat !== null);
  const patterns = wins.length === 1 && won.length > 0 ? (won[0].ledger?.rows ?? []).slice(0, PATTERNS) : [];
  $("result").replaceChildren(made("p", { class: "outcome" }, made("span", {}, headline(hand)), made("strong", {}, value > 0 ? figure(value) : "")),
    ...(hand.look === null ? [] : [made("p", { class: "look" }, hand.look)]), ...wins.map((win) => laidOut(win)[0]), ledgerOf(patterns));
}

let told = false; // whether the result of this hand has been shown

/** @param {TableView} message */
async function show({ table, said }) {
  $("table").hidden = wish.get("table") !== "1";
  const over = table.hand > 0 && OVER.includes(table.phase);
  const result = over ? (await fetchHands())?.games.at(-1)?.hands.at(-1) : undefined;
  showBar(table, result?.deltas);
  $("hands").replaceChildren(...table.players.map(handOf));
  if (!$("table").hidden) redraw($("table"), table);
  if (said.length > 0) {
    $("line").textContent = said.map((one) => one.text).join(" · ");
    showFor($("line"), LINE_MS);
  }
  if (result !== undefined) showResult(result); // it may have been put right
  if (result === undefined) $("result").hidden = true;
  else if (!told) showFor($("result"), RESULT_MS);
  told = result !== undefined;
}

// One after the other: what came first is shown first, also where a result is asked for meanwhile.
let showing = loadTiles();
const lang = wish.get("lang") ?? "";
const worded = lang in LANGUAGES ? loadWords(lang).catch(() => {}) : Promise.resolve();
/** @param {TableView} message */
const showNext = (message) => { showing = showing.then(() => show(message)); };

// An address of an earlier version counts on a delay, or on hands: without them it shows nothing.
worded.then(() => {
  if (Number(wish.get("delay") ?? 0) > 0 || wish.get("waits") === "1") {
    $("status").textContent = word("page.stream.old_address");
    $("status").hidden = false;
  } else listenTo("/ws?last=1", showNext, () => {});
});
