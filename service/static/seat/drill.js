// The game once more from one seat: the player decides, then sees the ranking and what was played.
import { $, button, fill, made, ready } from "/static/shared/elements.js";
import { offerGames } from "/static/shared/games.js";
import { loadTiles, tileDrawn } from "/static/shared/tiles.js";
import { namesOf, offerLanguages, word } from "/static/shared/words.js";
import { drill, get, goTo, goToStep, judgeAgain, ofSeat, showDecision } from "./drill_decision.js";
import { makeReview, review, showReview } from "./drill_review.js";
import { answerAgain, offerQuestions } from "./teach.js";
/** @import { MistakeView } from "/static/wire" */

const DEAREST = 5; // mistakes that are shown at once

// The link opens the moment before the mistake.
/** @param {MistakeView} given */
function mistakeLine({ step, hand_number: hand, played, behind }) {
  const cost = word(`page.drill.behind.${behind.in}`, behind);
  const shown = played === null ? [] : played === "pass" ? [word("page.drill.offer.pass")] : /^[0-9][mpszf]$/.test(played) ? [tileDrawn(played)] : [];
  const tap = button(word("page.hand", { count: hand }), () => goToStep(step));
  tap.append(" ", ...shown);
  const link = made("a", { href: `/game?at=${Math.max(step - 1, 0)}${location.hash}` }, word("page.drill.in_replay"));
  return made("li", {}, tap, ` ${cost} `, link);
}

function showMistakes(all = false) {
  const { mistakes } = drill;
  const key = mistakes?.length === 0 ? "page.drill.no_mistakes" : "page.drill.by_cost";
  $("mistakes-said").textContent = mistakes === null ? "" : word(key, { count: mistakes.length });
  $("mistakes").replaceChildren(...(mistakes ?? []).slice(0, all ? undefined : DEAREST).map(mistakeLine));
  $("all-mistakes").hidden = all || (mistakes ?? []).length <= DEAREST;
  $("all-mistakes").textContent = word("page.drill.all_mistakes", { count: mistakes?.length ?? 0 });
}

async function rankMistakes() {
  $("rank").disabled = true;
  $("mistakes-said").textContent = word("page.drill.ranking");
  const told = await get(`/api/drill/mistakes?${ofSeat()}`);
  $("rank").disabled = false;
  drill.mistakes = told;
  showMistakes();
}

// The names of the seats, the count and the list of mistakes are in the page's language, too.
async function tellAgain() {
  showSeats();
  showMistakes();
  showReview();
  offerGames();
  await judgeAgain();
  showDecision();
  await answerAgain();
}

function showSeats() {
  $("seat").hidden = !drill.any;
  fill($("seat"), Object.keys(drill.names), namesOf(drill.names), String(drill.seat));
}

async function load() {
  const told = await get(`/api/drill?${ofSeat()}`);
  if (told === null) return;
  Object.assign(drill, told, { at: 0, asked: null, choice: "", judged: null, made: new Map(), mistakes: null });
  review.told = null;
  showMistakes();
  showReview();
  showSeats();
  if (drill.decisions.length > 0) await goTo(0);
  else showDecision();
}

async function start() {
  $("to-lessons").href = `/lessons${location.hash}`;
  await loadTiles();
  offerLanguages(tellAgain);
  $("before").addEventListener("click", () => goTo(drill.at - 1));
  $("next").addEventListener("click", () => goTo(drill.at + 1));
  $("rank").addEventListener("click", rankMistakes);
  $("all-mistakes").addEventListener("click", () => showMistakes(true));
  $("asks").hidden = false;
  offerQuestions(() => `step=${drill.decisions[drill.at]?.step ?? ""}&${ofSeat()}`);
  $("make-review").addEventListener("click", makeReview);
  $("seat").addEventListener("change", () => { drill.seat = Number($("seat").value); load(); });
  addEventListener("hashchange", () => location.reload());
  ready();
  offerGames();
  await load();
}

start();
