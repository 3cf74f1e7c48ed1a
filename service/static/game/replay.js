// The game once more, step by step: the drawn table and the picture of the moment.
import { toldOf } from "/static/shared/asking.js";
import { $, made } from "/static/shared/elements.js";
import { offerSwap, redraw } from "/static/shared/felt.js";
import { announcement, clock } from "/static/shared/said.js";
import { drawnPart } from "/static/shared/tiles.js";
import { language, word } from "/static/shared/words.js";
/** @import { HandView, ReplayStep, TableView } from "/static/wire" */

/** @type {{ steps: ReplayStep[], language: string, at: number, asked: number, wanted: HandView | null, changed: () => void }} */
export const replayed = { steps: [], language: "", at: 0, asked: 0, wanted: null, changed: () => {} };

export function labelStep() {
  const { steps, at } = replayed;
  $("slider").max = String(Math.max(steps.length - 1, 0));
  $("slider").value = String(at);
  $("slider").disabled = steps.length === 0;
  $("step").textContent = steps.length === 0 ? "" : word("page.game.step", { at: at + 1, count: steps.length });
  $("told").replaceChildren(...(steps[at] ? steps[at].told.map(drawnPart) : []));
  $("step-back").disabled = at <= 0;
  $("step-on").disabled = at >= steps.length - 1;
  replayed.changed();
}

/** @param {TableView} message */
function showMoment({ happened, picture }) {
  if (picture === null) {
    $("moment-picture").removeAttribute("src");
    $("replay").classList.remove("swapped");
    $("moment-time").textContent = word("page.game.no_picture");
  } else {
    $("moment-picture").src = `/api/pictures/${picture}`;
    $("moment-time").textContent = clock(happened.at(-1)?.t ?? null);
  }
}

// While the slider moves, only the last answer that was asked for is shown.
/** @param {number} at */
export async function goTo(at) {
  if (replayed.steps.length === 0) return;
  replayed.at = Math.min(Math.max(at, 0), replayed.steps.length - 1);
  labelStep();
  const asked = (replayed.asked += 1);
  const shown = await toldOf(`/api/replay/${replayed.at}`);
  if (shown === null || asked !== replayed.asked) return;
  redraw($("table"), shown.table, 0, $("claimed").checked);
  $("step-said").replaceChildren(...shown.said.map(announcement));
  showMoment(shown);
}

// The step at which a hand begins; hands of the same number belong to different games.
/** @param {HandView} hand */
export function goToHand(hand) {
  const at = replayed.steps.findIndex((step) => step.number === hand.first);
  if (at >= 0) goTo(at);
  else replayed.wanted = hand; // the steps are still on their way
}

// "begin" goes where the page begins, the first time.
/** @param {() => boolean} begin */
export async function loadSteps(begin) {
  const spoken = language;
  const told = await toldOf("/api/replay");
  if (told === null) return;
  const atEnd = replayed.at >= replayed.steps.length - 1;
  Object.assign(replayed, { steps: told.steps, language: spoken });
  showTicks();
  const { wanted } = replayed;
  replayed.wanted = null;
  if (begin()) return;
  if (wanted !== null) goToHand(wanted);
  else goTo(atEnd ? replayed.steps.length - 1 : replayed.at);
}

// A tick where each hand begins.
function showTicks() {
  const begins = replayed.steps.flatMap(({ event }, at) => (event === "HandStart" ? [at] : []));
  $("ticks").replaceChildren(...begins.map((value) => made("option", { value })));
}

// "changed" is told of each step that is shown.
/** @param {() => void} changed */
export function startReplay(changed) {
  replayed.changed = changed;
  offerSwap($("moment"), () => $("moment-picture").hasAttribute("src"));
  $("slider").addEventListener("input", () => goTo(Number($("slider").value)));
  $("claimed").addEventListener("change", () => goTo(replayed.at));
  $("step-back").addEventListener("click", () => goTo(replayed.at - 1));
  $("step-on").addEventListener("click", () => goTo(replayed.at + 1));
}
