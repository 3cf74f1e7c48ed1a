// The result of the hand that has just ended, on the page of the table.
import { toldOf } from "/static/shared/asking.js";
import { showBar } from "/static/shared/bar.js";
import { alike, showChart } from "/static/shared/chart.js";
import { $, button, find, made } from "/static/shared/elements.js";
import { OVER, fetchHands, outcome, paidOf, resultOf } from "/static/shared/result.js";
import { openShare } from "/static/shared/share.js";
import { labelled, nameOf, worded } from "/static/shared/words.js";
import { known, mending, tableNow } from "./known.js";
import { openMoment } from "./mend.js";
import { change } from "./mend_dialog.js";
/** @import { Attributes } from "/static/page" */
/** @import { GameView } from "/static/wire" */

let drawn = ""; // of which lines the result is shown, and what of it is asked
/** @type {number[] | null} */
export let lastDeltas = null; // what the last hand changed, while the next one is played

// The next game of the evening, by the same rules: phones keep their seats.
function nextGame() {
  const { names } = tableNow();
  const inputs = names.map((name, seat) => {
    const unnamed = nameOf(names, seat) === nameOf([], seat);
    /** @type {Attributes} */
    const called = unnamed ? { placeholder: nameOf([], seat), "data-label": `seat.colour.${seat}` } : { value: name };
    return made("input", { ...called, maxlength: 40, "aria-label": nameOf(names, seat), autocomplete: "off", list: "people" });
  });
  const people = made("datalist", { id: "people" });
  const offerPeople = async () => {
    const told = (await toldOf("/api/standings"))?.by_rules ?? [];
    const known = new Set([...inputs.map(({ defaultValue }) => defaultValue).filter(Boolean), ...told.flatMap((one) => one.people.map(({ name }) => name))]);
    people.replaceChildren(...[...known].map((value) => made("option", { value })));
  };
  const begin = () => {
    const said = inputs.map(({ value }) => value.trim());
    const same = inputs.every(({ value, defaultValue }) => value === defaultValue);
    change("/api/next", { lines: mending.lines, ...(same ? {} : { names: said }) });
  };
  return made("div", { class: "next-game" }, button(worded("page.game.next_game"), begin),
    made("details", {}, made("summary", { onclick: offerPeople }, worded("page.game.other_players")), ...inputs, people));
}

// Once a game is over: how the evening went so far, until the next one begins.
/** @param {GameView[]} games @param {HTMLElement} foot */
function showEvening(games, foot) {
  const box = made("div", { class: "chart" });
  foot.before(box);
  showChart(box, alike(games));
}

// The result that is shown is drawn anew with the next message.
export function drawResultAnew() {
  drawn = "";
}

// Nothing of the hand before counts any more.
export function forgetDeltas() {
  lastDeltas = null;
}

export async function showResult() {
  const { table } = known;
  const over = table !== null && table.hand > 0 && OVER.includes(table.phase);
  $("result").hidden = !over;
  if (!over) {
    $("result").replaceChildren();
    drawResultAnew();
  }
  const now = JSON.stringify([mending.lines, known.announced.filter(({ unsure }) => unsure).map(({ of }) => of)]);
  if (!over || now === drawn) return;
  drawn = now;
  const told = await fetchHands();
  const hand = told?.games.at(-1)?.hands.at(-1);
  if (hand === undefined || now !== drawn) return; // something else has begun meanwhile
  lastDeltas = hand.deltas;
  showBar(tableNow(), lastDeltas);
  const shown = resultOf(hand, openShare, (number) => openMoment(number, 0, [labelled(outcome(hand), paidOf(hand))]));
  // Its buttons stand at the foot of the screen, whatever the result is long.
  const taps = shown.splice(shown.findIndex((each) => each.matches(".taps")) >>> 0);
  const offered = mending.allowed && mending.hasNext;
  // What is typed into stays where it is, so that no letter is lost.
  const typedInto = offered ? $("result").querySelector(".next-game:has(details[open])")?.parentElement ?? null : null;
  const foot = typedInto ?? made("div", { class: "foot" }, ...(offered ? [nextGame()] : []));
  foot.querySelector(".taps")?.remove();
  for (const each of foot.querySelectorAll("input[data-label]")) each.setAttribute("placeholder", each.getAttribute("aria-label") ?? "");
  // It is the thing to do once the game is over. Before that it ends a running game, and stands last.
  const ended = tableNow().phase === "after_game";
  if (ended) foot.append(...taps);
  else foot.prepend(...taps);
  if (offered) find(".next-game > button", foot).classList.toggle("main", ended);
  for (const each of [...$("result").children]) if (each !== foot) each.remove();
  if (typedInto === null) $("result").append(foot);
  foot.before(...shown);
  if (ended) showEvening(told?.games ?? [], foot);
}
