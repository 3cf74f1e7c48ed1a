// A hand against three simple players: a tap discards, the server plays the others, the coach says one sentence.
import { answerOf } from "/static/shared/asking.js";
import { $, button, fill, made, once, ready } from "/static/shared/elements.js";
import { drawTable, inOrder } from "/static/shared/felt.js";
import { announcement } from "/static/shared/said.js";
import { drawnPart, loadTiles, tileDrawn } from "/static/shared/tiles.js";
import { offerLanguages, signed, speakAs, word } from "/static/shared/words.js";
import { setsOf, toQuestion } from "./question.js";
/** @import { Child, Hint } from "/static/page" */
/** @import { ChoiceOffered, PracticeView } from "/static/wire" */

const key = location.hash.slice(1);
/** @type {{ told: PracticeView | null, game: string, asks: boolean }} */
const hand = { told: null, game: new URLSearchParams(location.search).get("rules") ?? "", asks: false };

/** @param {ChoiceOffered} given @returns {Child[]} */
function offerDrawn({ kind, tiles, ready: calls }) {
  const said = kind === "discard" ? word("page.practice.ready") : `${word(`page.drill.offer.${kind}`)}${calls ? word("page.drill.offer.ready") : ""}`;
  return [said, ...tiles.map(tileDrawn)];
}

/** @param {PracticeView} told */
function showHand({ tiles: held, drawn, discards, table, seat }) {
  const { tiles, standing } = inOrder(held, drawn);
  $("hand").replaceChildren(...tiles.map((code, place) => {
    const tap = button("", once(() => play(code)));
    tap.setAttribute("aria-label", code);
    tap.append(tileDrawn(code));
    tap.disabled = hand.asks || !discards.includes(code);
    tap.classList.toggle("apart", place >= standing);
    return tap;
  }));
  $("sets").replaceChildren(...setsOf({ table, seat }));
}

/** @param {PracticeView} told */
function showOffers({ offers }) {
  $("offers").replaceChildren(...offers.map((offer) => {
    const tap = button("", once(() => play(offer.name)), "offer");
    tap.append(...offerDrawn(offer));
    tap.disabled = hand.asks;
    return tap;
  }));
}

/** @param {PracticeView} told */
function questionOf({ over, deltas, seat, discards }) {
  if (over) return word("page.practice.over", { points: signed(deltas[seat]) });
  return word(discards.length > 0 ? "page.practice.discard" : "page.practice.claim");
}

function show() {
  const { told } = hand;
  if (told === null) return;
  speakAs(told.table.shows);
  fill($("game"), Object.keys(told.games), Object.values(told.games), told.rules);
  const table = structuredClone(told.table);
  table.names[told.seat] = word("page.seat.you");
  $("count").textContent = told.games[told.rules];
  $("question").textContent = questionOf(told);
  $("verdict").textContent = told.why ?? "";
  showHand(told);
  showOffers(told);
  $("said").replaceChildren(...told.said.map(announcement));
  $("happened").replaceChildren(...told.happened.map((parts) => made("li", {}, ...parts.map(drawnPart))));
  const hint = /** @type {Hint | null} */ (told.hint);
  $("every").hidden = hint === null;
  $("ranking").replaceChildren(...(hint?.rows ?? []).map((row) => made("li", {}, row)));
  $("next").classList.toggle("main", told.over);
  $("table").replaceChildren(drawTable(table, told.seat));
}

/** @param {object} wish */
async function ask(wish) {
  hand.asks = true;
  show();
  const answer = await answerOf("/api/practice", { body: { rules: hand.game, ...wish }, key });
  hand.asks = false;
  if (answer.ok) hand.told = answer.told;
  show();
  if (answer.ok) return;
  if (answer.status === 404 || hand.told === null) hand.told = null;
  $("question").textContent = answer.told?.detail ?? word("page.offline");
}

/** @param {string} name */
async function play(name) {
  if (hand.told === null || hand.asks) return;
  $("every").open = false;
  await ask({ hand: hand.told.hand, do: name });
  toQuestion();
}

const begin = () => ask({});

async function start() {
  for (const link of [$("to-learn"), $("to-lessons")]) link.hash = key;
  await loadTiles();
  offerLanguages(() => (hand.told === null ? null : ask({ hand: hand.told.hand })));
  $("next").addEventListener("click", once(begin));
  $("game").addEventListener("change", () => { hand.game = $("game").value; begin(); });
  ready();
  await begin();
}

start();
