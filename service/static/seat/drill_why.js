// Your choice, the best and what was done at the table, and the dearest mistakes.
import { $, button, made } from "/static/shared/elements.js";
import { tileCounted, tileDrawn } from "/static/shared/tiles.js";
import { word } from "/static/shared/words.js";
import { choiceDrawn, drill, get, goTo, ofSeat } from "./drill.js";
/** @import { ChoiceCompared, MistakeView } from "/static/wire" */

const DEAREST = 5; // mistakes that are shown at once

/** @param {ChoiceCompared} given @param {number} most */
function comparedRow({ name, role, wins, distance, left, tiles, text }, most) {
  const bar = made("i", { style: `width:${Math.round((80 * left) / most)}px` });
  const far = distance === null ? word("page.drill.never") : distance > 0 ? word("page.drill.away", { distance }) : word("page.drill.now_ready");
  const row = made("summary", {}, word(`page.drill.role.${role}`), made("span", {}, ...choiceDrawn(name)), made("span", { class: "bar" }, bar, String(left), made("span", {}, far)));
  const lead = tiles.length === 0 ? [] : [word(wins ? "page.drill.wins_with" : "page.drill.improves_by", { count: left }), " ", ...tiles.map(tileCounted)];
  return made("li", { class: role }, made("details", {}, row, made("p", {}, text), made("p", { class: "wanted" }, ...lead)));
}

export function showCompared() {
  const rows = drill.judged?.compared ?? [];
  const most = Math.max(1, ...rows.map(({ left }) => left));
  $("compared").replaceChildren(...rows.map((row) => comparedRow(row, most)));
}

// The decision of that step, as the drill asks it.
/** @param {number} step */
export function goToStep(step) {
  $("review").hidePopover();
  const at = drill.decisions.findIndex((one) => one.step === step);
  if (at >= 0) goTo(at);
}

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

export function showMistakes(all = false) {
  const { mistakes } = drill;
  const key = mistakes?.length === 0 ? "page.drill.no_mistakes" : "page.drill.by_cost";
  $("mistakes-said").textContent = mistakes === null ? "" : word(key, { count: mistakes.length });
  $("mistakes").replaceChildren(...(mistakes ?? []).slice(0, all ? undefined : DEAREST).map(mistakeLine));
  $("all-mistakes").hidden = all || (mistakes ?? []).length <= DEAREST;
  $("all-mistakes").textContent = word("page.drill.all_mistakes", { count: mistakes?.length ?? 0 });
}

export async function rankMistakes() {
  $("rank").disabled = true;
  $("mistakes-said").textContent = word("page.drill.ranking");
  const told = await get(`/api/drill/mistakes?${ofSeat()}`);
  $("rank").disabled = false;
  drill.mistakes = told;
  showMistakes();
}
