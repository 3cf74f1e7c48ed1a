// One decision of the drill: its question, hand and offers, and once it is taken its ranking beside what was played.
import { answerOf } from "/static/shared/asking.js";
import { $, button, made, once } from "/static/shared/elements.js";
import { drawTable, inOrder } from "/static/shared/felt.js";
import { tileCounted, tileDrawn } from "/static/shared/tiles.js";
import { nameOf, sentences, speakAs, word } from "/static/shared/words.js";
import { setsOf, toQuestion } from "./question.js";
import { forgetAnswer } from "./teach.js";
/** @import { AnswerAt } from "/static/routes" */
/** @import { Child, Hint } from "/static/page" */
/** @import { ChoiceCompared, DecisionAsked, DecisionJudged, DecisionPlace, MistakeView } from "/static/wire" */

const key = location.hash.slice(1);
/**
 * What is drilled; "asked" is the decision that is shown, "judged" what was answered.
 * @type {{
 *   seat: number | null, any: boolean, names: string[], decisions: DecisionPlace[], at: number, asked: DecisionAsked | null, choice: string,
 *   judged: DecisionJudged | null, made: Map<number, DecisionJudged>, mistakes: MistakeView[] | null, refused: boolean,
 * }}
 */
export const drill = { seat: null, any: false, names: [], decisions: [], at: 0, asked: null, choice: "", judged: null, made: new Map(), mistakes: null, refused: false };

/**
 * @template {string} Path
 * @param {Path} path
 * @returns {Promise<AnswerAt<Path, { key: string }> | null>}
 */
export async function get(path) {
  const answer = await answerOf(path, { key });
  if (answer.ok) return answer.told;
  if (answer.status === 0) return null;
  drill.refused = answer.status === 403;
  if (drill.refused) showQuestion();
  else $("question").textContent = answer.told?.detail ?? "";
  return null;
}

export const ofSeat = () => (drill.seat === null ? "" : `seat=${drill.seat}`);

function showTally() {
  const made = [...drill.made.values()];
  const good = made.filter((each) => each.good).length;
  const same = made.filter((each) => each.like_played).length;
  $("tally").textContent = made.length ? word("page.drill.tallied", { good, same, count: made.length }) : "";
}

function showHand() {
  if (drill.asked === null) return;
  const { hand, drawn, own_turn } = drill.asked;
  const { tiles, standing } = inOrder(hand, drawn);
  $("hand").replaceChildren(...tiles.map((code, place) => {
    const tap = button("", once(() => decide("tile", code)));
    tap.setAttribute("aria-label", code);
    tap.append(tileDrawn(code));
    tap.disabled = drill.judged !== null || !own_turn;
    tap.classList.toggle("apart", place >= standing);
    mark(tap, code);
    return tap;
  }));
  $("sets").replaceChildren(...setsOf(drill.asked));
}

/** @param {HTMLElement} tap @param {string} name */
function mark(tap, name) {
  tap.classList.toggle("chosen", drill.judged?.chosen === name);
  tap.classList.toggle("best", drill.judged?.best.includes(name) ?? false);
}

/** @param {string} name @returns {Child[]} */
function choiceDrawn(name) {
  const offer = drill.asked?.offers.find((each) => each.name === name);
  if (name === "pass") return [word("page.drill.offer.pass")];
  if (offer === undefined) return [tileDrawn(name)];
  const claim = word(`page.drill.offer.${offer.kind}`) + (offer.ready ? word("page.drill.offer.ready") : "");
  return [claim, ...offer.tiles.map(tileDrawn)];
}

// What may be done beside a discard, or instead of letting one pass.
function showOffers() {
  if (drill.asked === null) return;
  const { offers, own_turn } = drill.asked;
  const names = [...(own_turn ? [] : ["pass"]), ...offers.map((each) => each.name)];
  $("offers").replaceChildren(...names.map((name) => {
    const tap = button("", once(() => decide("offer", name)), "offer");
    tap.append(...choiceDrawn(name));
    tap.disabled = drill.judged !== null;
    mark(tap, name);
    return tap;
  }));
}

// Your choice, the best and what was done at the table.
/** @param {ChoiceCompared} given @param {number} most */
function comparedRow({ name, role, wins, distance, left, tiles, text }, most) {
  const bar = made("i", { style: `width:${Math.round((80 * left) / most)}px` });
  const far = distance === null ? word("page.drill.never") : distance > 0 ? word("page.drill.away", { distance }) : word("page.drill.now_ready");
  const row = made("summary", {}, word(`page.drill.role.${role}`), made("span", {}, ...choiceDrawn(name)), made("span", { class: "bar" }, bar, String(left), made("span", {}, far)));
  const lead = tiles.length === 0 ? [] : [word(wins ? "page.drill.wins_with" : "page.drill.improves_by", { count: left }), " ", ...tiles.map(tileCounted)];
  return made("li", { class: role }, made("details", {}, row, made("p", {}, text), made("p", { class: "wanted" }, ...lead)));
}

function showCompared() {
  const rows = drill.judged?.compared ?? [];
  const most = Math.max(1, ...rows.map(({ left }) => left));
  $("compared").replaceChildren(...rows.map((row) => comparedRow(row, most)));
}

/** @param {string} row @param {{ tile: string } | undefined} discard */
function rankingLine(row, discard) {
  const line = made("li", {}, ...(discard ? [tileDrawn(discard.tile)] : []), row);
  const { chosen, played } = drill.judged ?? {};
  if (discard !== undefined && discard.tile === chosen) line.append(made("em", {}, word("page.drill.your_choice")));
  if (discard !== undefined && discard.tile === played) line.append(made("em", {}, word("page.drill.played_that")));
  return line;
}

function showJudged() {
  const { judged } = drill;
  $("ranking").replaceChildren();
  $("every").hidden = judged === null;
  $("verdict").textContent = "";
  showCompared();
  if (judged === null) return;
  $("verdict").dataset.good = String(judged.good);
  const verdict = judged.best.length === 0 || judged.why !== null ? "" : word(judged.good ? "page.drill.good_choice" : "page.drill.other_choice");
  const why = judged.why ?? (judged.behind === null ? "" : word(`page.drill.behind.${judged.behind.in}`, judged.behind));
  const gone = judged.gone ? word("page.drill.went_elsewhere") : "";
  $("verdict").textContent = sentences(verdict, why, gone);
  const hint = /** @type {Hint} */ (judged.hint);
  const rows = hint.rows ?? [];
  const first = hint.win === undefined ? 0 : 1; // a win is told before all else
  $("ranking").replaceChildren(...rows.map((row, place) => rankingLine(row, hint.discards[place - first])));
}

function showQuestion() {
  const { asked, refused, decisions } = drill;
  if (refused) $("question").textContent = word("page.drill.not_yours");
  else if (decisions.length === 0) $("question").textContent = word("page.drill.no_decisions");
  else if (asked === null) $("question").textContent = "";
  else if (asked.own_turn) $("question").textContent = word("page.drill.what_discard");
  else {
    const { seat, tile } = asked.table.last_discard ?? { seat: 0, tile: "?" };
    $("question").replaceChildren(word("page.drill.what_claim", { name: nameOf(asked.table.names, seat) }), " ", tileDrawn(tile));
  }
}

export function showDecision() {
  const { asked, decisions, at } = drill;
  const none = decisions.length === 0;
  if (asked !== null) speakAs(asked.table.shows);
  showQuestion();
  $("before").disabled = at <= 0;
  $("next").disabled = none || at >= decisions.length - 1;
  $("count").textContent = none ? "" : word("page.drill.decision_count", { hand: decisions[at].hand, at: at + 1, count: decisions.length });
  showTally();
  if (none || asked === null) {
    $("hand").replaceChildren();
    $("sets").replaceChildren();
    $("offers").replaceChildren();
    $("table").replaceChildren();
    return;
  }
  showHand();
  showOffers();
  showJudged();
  $("table").replaceChildren(drawTable(asked.table, asked.seat));
}

// What was decided last, in the words of another language.
export async function judgeAgain() {
  if (drill.judged === null) return;
  const { at } = drill, told = await judged(drill.choice);
  if (told !== null && at === drill.at) drill.judged = told;
}

/** @param {number} at */
export async function goTo(at) {
  drill.at = at;
  drill.judged = null;
  forgetAnswer();
  const { step } = drill.decisions[at];
  drill.asked = /** @type {DecisionAsked | null} */ (await get(`/api/drill/${step}?${ofSeat()}`));
  if (drill.asked !== null) showDecision();
  toQuestion();
}

// The decision of that step, as the drill asks it.
/** @param {number} step */
export function goToStep(step) {
  $("review").hidePopover();
  const at = drill.decisions.findIndex((one) => one.step === step);
  if (at >= 0) goTo(at);
}

/** @param {string} choice @returns {Promise<DecisionJudged | null>} */
const judged = async (choice) => /** @type {DecisionJudged | null} */ (await get(`/api/drill/${drill.decisions[drill.at].step}?${choice}&${ofSeat()}`));

/** @param {string} kind @param {string} name */
async function decide(kind, name) {
  const { step } = drill.decisions[drill.at];
  const choice = `${kind}=${name}`;
  const told = await judged(choice);
  if (told === null) return;
  Object.assign(drill, { choice, judged: told });
  // Only the first decision counts: after it, the answer is known.
  if (!drill.made.has(step)) drill.made.set(step, told);
  showDecision();
  $("next").focus({ preventScroll: true });
}
