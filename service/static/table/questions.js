// Where the video does not decide: one question at a time, its likely readings beside the picture, one tap each.
import { $, button, find, findAll, made, once, targetOf } from "/static/shared/elements.js";
import { clock } from "/static/shared/said.js";
import { hearQuestions } from "/static/shared/speech.js";
import { drawnPart, upright } from "/static/shared/tiles.js";
import { figure, language, listed, namesOf, percent, word } from "/static/shared/words.js";
import { mending, tableNow } from "./known.js";
import { openEvent } from "./mend.js";
import { ask, showAlso, showSaved } from "./mend_dialog.js";
/** @import { ChoiceView, QuestionView } from "/static/wire" */

/** @type {QuestionView[]} */
export let asked = [];
const later = /** @type {Set<string>} */ (new Set()); // ids of those that somebody has put off: they wait in the header
const called = /** @type {Set<string>} */ (new Set()); // ids of those that waited there, and that somebody asked for
/** @type {Map<string, { says: string, shown: HTMLElement, shares: Element[] }>} */
let questionCards = new Map(); // by question: a card stays while shares change, so that no tap is lost

// Who pays, if it was so: that is what hangs on the answer.
/** @param {number[]} deltas */
function payersOf(deltas) {
  const paid = namesOf(tableNow().names).flatMap((name, seat) => (deltas[seat] < 0 ? [word("page.questions.pays", { name, points: figure(-deltas[seat]) })] : []));
  return paid.length > 0 ? listed(paid) : word("page.questions.pays_nothing");
}

/** @param {QuestionView} question @param {ChoiceView} reading @param {number} choice */
function readingButton(question, reading, choice) {
  const tap = button("", once(async () => {
    const every = /** @type {HTMLButtonElement[]} */ ([...tap.parentElement?.children ?? []]);
    for (const each of every) each.disabled = true;
    showAlso([]);
    if (await ask("/api/answers", { id: question.id, choice }) === null) {
      for (const each of every) each.disabled = false;
    } else showSaved();
  }));
  if (reading.nothing) tap.append(word("page.questions.nothing_happened"));
  else tap.append(made("span", {}, ...reading.told.map(drawnPart)));
  if (reading.deltas) tap.append(made("strong", { class: "pays" }, payersOf(reading.deltas)));
  tap.append(made("em", {}, percent(reading.share)));
  return tap;
}

/** @param {QuestionView} question @param {string} says */
function questionCard(question, says) {
  const at = `/api/questions/${encodeURIComponent(question.id)}`;
  const whole = made("img", { src: `${at}/picture`, alt: word("page.seen"), loading: "lazy" });
  whole.addEventListener("error", () => {
    picture.removeAttribute("href");
    whole.replaceWith(made("span", {}, word("page.questions.no_picture")));
  });
  const readings = question.choices.map((reading, choice) => readingButton(question, reading, choice));
  const picture = made("a", { href: whole.src, target: "_blank", "aria-label": word("page.questions.enlarge") }, upright(`${at}/tiles`), whole);
  const put_off = button(word("page.questions.later"), once(() => { later.add(question.id); called.delete(question.id); showQuestions(asked); }));
  const when = made("p", { class: "at" }, made("strong", {}, question.asks), made("span", {}, word("page.questions.asked_at", { time: clock(question.t) })), put_off);
  const why = question.why === null ? [] : [made("p", { class: "why" }, question.why)];
  const shown = made("div", { class: "question" }, when, ...why, picture, made("div", { class: "readings" }, ...readings), ...otherwise(question));
  return { says, shown, shares: readings.map((each) => find("em", each)) };
}

// What no choice says is entered where the event stands: another tile, another seat, the end of the hand.
/** @param {QuestionView} given */
function otherwise({ of, asks }) {
  return of === null ? [] : [button(word("page.questions.something_else"), () => openEvent(...of, [asks]), "other")];
}

// What a card says apart from its shares; another one takes its place when that changes.
/** @param {QuestionView} given */
const saidBy = ({ t, of, asks, why, choices }) => JSON.stringify([language, t, of, asks, why, choices.map(({ told, nothing, deltas }) => [told, nothing, deltas])]);

/** @param {QuestionView} question */
function cardOf(question) {
  const says = saidBy(question);
  const before = questionCards.get(question.id);
  const card = before?.says === says ? before : questionCard(question, says);
  question.choices.forEach(({ share }, at) => {
    if (card.shares[at].textContent !== percent(share)) card.shares[at].textContent = percent(share);
  });
  return card;
}

// Who only watches is not asked.
/** @param {QuestionView[]} questions */
export function showQuestions(questions = []) {
  asked = mending.allowed ? questions : [];
  const open = asked.filter(({ id, opens }) => called.has(id) || (opens && !later.has(id)));
  hearQuestions(open);
  // What was saved can be taken back for a moment while the next one is asked.
  const saved = $("saved");
  if (open.length === 0) $("result").before(saved);
  questionCards = new Map(open.map((question) => [question.id, cardOf(question)]));
  const section = $("questions");
  section.hidden = open.length === 0;
  $("asked").hidden = asked.length === open.length;
  $("asked").textContent = word("page.questions.put_off", { count: asked.length - open.length });
  $("questions-title").textContent = word("page.questions.what_was_it", { count: open.length });
  const shown = [$("questions-title"), ...[...questionCards.values()].map((card) => card.shown)];
  const same = shown.length === section.children.length && shown.every((each, at) => each === section.children[at]);
  if (!same) section.replaceChildren(...shown);
  if (open.length > 0) find(".question .at", section).append(saved);
}

export function offerQuestions() {
  $("asked").addEventListener("click", () => {
    later.clear();
    for (const { id } of asked) called.add(id);
    showQuestions(asked);
  });
}

// Nobody answers by a key what is not to be seen.
/** @param {Element | undefined} tap */
function isInSight(tap) {
  if (tap === undefined) return false;
  const { left, top, width, height } = tap.getBoundingClientRect();
  return tap.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}

// Keys 1, 2 and 3 answer the first question; what is typed into a field stays there.
addEventListener("keydown", (event) => {
  const typed = targetOf(event).closest("input, select, textarea, dialog") !== null;
  if (typed || event.altKey || event.ctrlKey || event.metaKey ) return;
  const tap = findAll(document, "#questions .question:first-of-type .readings button")[Number(event.key) - 1];
  if (isInSight(tap)) tap.click();
});
