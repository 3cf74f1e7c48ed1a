// The stream page: what it is told to show stands behind "#" in its address.
"use strict";

const wish = new URLSearchParams(location.hash.slice(1));
const LINE_MS = 6000;
const RESULT_MS = 10000;
const PATTERNS = 5;

if (wish.get("lang") in WORDS) language = wish.get("lang");

// Shown for a moment, from when it comes.
function showFor(element, ms) {
  element.hidden = false;
  clearTimeout(element.going);
  element.going = setTimeout(() => { element.hidden = true; }, ms);
}

// A hand stands over its player's cell where it is not in the felt; waits above it.
function handOf({ shown, hand, melds }, { hand: own = [], waits = [] } = {}) {
  const sets = melds.map((meld) => tileRow(meld.tiles, "meld"));
  const wide = own.length > 0 || $("table").hidden;
  return made("div", {},
    made("p", { class: "waits" }, ...(waits.length > 0 ? [word("page.stream.waits_for"), ...waits.map(tileCounted)] : [])),
    made("p", { class: "hand-laid" }, ...(wide ? [tileRow(shown ? hand : own, "own"), ...sets] : [])));
}

// The hand that is just over: who won with what, and the first of what it is made of.
function showResult(hand) {
  const { wins, payouts } = hand;
  const value = valueOf(hand);
  const won = payouts.filter(({ seat }) => seat !== null);
  const patterns = wins.length === 1 && won.length > 0 ? inLanguage(won[0].ledger).rows.slice(0, PATTERNS) : [];
  $("result").replaceChildren(made("p", { class: "outcome" }, made("span", {}, outcome(hand)), made("strong", {}, value > 0 ? figure(value) : "")),
    ...wins.map((win) => laidOut(win)[0]), ledgerOf(patterns));
}

let told = false; // whether the result of this hand has been shown

/** @param {import("./wire").StreamView} view */
function show({ table, seats, said, result }) {
  $("table").hidden = wish.get("table") !== "1";
  showBar(table, result?.deltas);
  $("hands").replaceChildren(...table.players.map((player, seat) => handOf(player, seats?.[seat])));
  if (!$("table").hidden) redraw($("table"), table);
  if (said.length > 0) {
    $("line").textContent = said.map((one) => inLanguage(one.texts)).join(" · ");
    showFor($("line"), LINE_MS);
  }
  if (result !== undefined) showResult(result); // it may have been put right
  if (result === undefined) $("result").hidden = true;
  else if (!told) showFor($("result"), RESULT_MS);
  told = result !== undefined;
}

const opened = (socket) => socket.send(JSON.stringify({ key: wish.get("key"), delay_s: Number(wish.get("delay") ?? 0), waits: wish.get("waits") === "1" }));

function refused({ code, reason }) {
  $("status").textContent = reason;
  $("status").hidden = code !== 1008;
  return code === 1008;
}

loadTiles().then(() => listenTo("/ws/stream", show, opened, refused));
