// A beginner's four questions: what the rules answer, row by row, with the tiles that are meant.
import { toldOf } from "/static/shared/asking.js";
import { $, made } from "/static/shared/elements.js";
import { tileCounted, tileDrawn } from "/static/shared/tiles.js";
import { word } from "/static/shared/words.js";
/** @import { Child } from "/static/page" */
/** @import { AnswerRow, AnswerView } from "/static/wire" */

// The rule opens in place: the texts of the glossary are in the page.
/** @param {string} term */
function ruleLink(term) {
  const picture = made("a", { href: `/learn?${new URLSearchParams({ page: "words", term })}${location.hash}` }, word("page.learn.picture"));
  return made("details", {}, made("summary", {}, word(`glossary.${term}.name`)), word(`glossary.${term}.text`), " ", picture);
}

/** @param {AnswerRow} given */
export function answerLine({ mark, shown, wanted, text, term }) {
  /** @type {Child[]} */
  const tiles = shown.map(tileDrawn);
  if (shown.length > 0 && wanted.length > 0) tiles.push(made("span", { class: "then" }, "→"));
  const drawn = made("div", { class: "wanted" }, ...tiles, ...wanted.map(tileCounted));
  return made("li", { class: mark }, ...(drawn.childElementCount > 0 ? [drawn] : []), made("span", {}, text),
    ...(term === undefined ? [] : [ruleLink(term)]));
}

// What is told stays until something happens; "query" says of which seat, and at which decision.
/** @type {{ told: AnswerView | null, query: () => string }} */
const teacher = { told: null, query: () => "" };

function showAnswer() {
  $("answer").replaceChildren(...(teacher.told === null ? []
    : [made("h2", {}, word(`page.teach.${teacher.told.question}`)), made("ol", {}, ...teacher.told.rows.map(answerLine))]));
}

export function forgetAnswer() {
  teacher.told = null;
  showAnswer();
}

/** @param {string} question */
async function learn(question) {
  teacher.told = await toldOf(`/api/teach/${question}?${teacher.query()}`, { key: location.hash.slice(1) });
  showAnswer();
}

/** @param {string} question */
async function ask(question) {
  $("questions").hidePopover();
  await learn(question);
  $("answer").scrollIntoView({ block: "nearest" });
}

// In another language.
export async function answerAgain() {
  if (teacher.told !== null) await learn(teacher.told.question);
}

export function offerQuestions(query = () => "") {
  teacher.query = query;
  for (const tap of $("questions").querySelectorAll("button")) tap.addEventListener("click", () => ask(tap.dataset.question ?? ""));
}
