// What a film does not decide: a person chooses, and saves the file of answers.
import { $, made, onSubmit, saveAs } from "/static/shared/elements.js";
import { drawnPart, tileDrawn, upright } from "/static/shared/tiles.js";
import { word } from "/static/shared/words.js";
/** @import { Child } from "/static/page" */
/** @import { SavedQuestion, SavedReport } from "/static/wire" */

const ANSWERS = "answers.json";

/** @param {SavedQuestion} question @param {number} at */
function questionOf({ number, time, picture, upright: tilesShown, why, choices, tiles }, at) {
  /** @param {string | number} value @param {...Child} children */
  const radio = (value, ...children) => made("label", {}, made("input", { type: "radio", name: `q${at}`, value }), ...children);
  const readings = made("div", { class: "readings" }, ...choices.map(({ told, percent }, place) =>
    radio(place + 1, made("span", {}, ...told.map(drawnPart)), made("span", { class: "soft" }, word("page.percent", { value: percent })))));
  if (tiles.length > 0) {
    const all = made("div", { class: "tiles" }, ...tiles.map((tile) => radio(tile, tileDrawn(tile))));
    readings.append(made("details", {}, made("summary", {}, word("report.questions.tile")), all));
  }
  const event = made("a", { class: "soft", href: `#e${number}` }, word("report.event", { number }));
  const shown = made("fieldset", { class: "asked" }, made("legend", {}, `${time} `, event));
  if (why !== null) shown.append(made("p", {}, why));
  if (tilesShown !== null) shown.append(upright(tilesShown));
  else if (picture !== null) shown.append(made("img", { class: "around", src: picture, alt: word("report.picture", { number }) }));
  shown.append(readings);
  return shown;
}

// The number of a choice, or a tile.
/** @param {FormDataEntryValue | null} answer */
const answerOf = (answer) => (typeof answer === "string" && /^\d+$/.test(answer) ? Number(answer) : answer);

/** @param {SavedReport} report */
export function showQuestions({ questions, asked, again }) {
  $("answers").hidden = questions.length === 0;
  $("questions").replaceChildren(...questions.map(questionOf));
  $("how").hidden = again === null;
  $("again").textContent = word("report.questions.again", { file: ANSWERS });
  $("command").textContent = again;
  onSubmit($("answers"), (given) => {
    const rows = /** @type {object[]} */ (asked.questions).map((row, at) => ({ ...row, answer: answerOf(given.get(`q${at}`)) }));
    saveAs(new Blob([JSON.stringify({ ...asked, questions: rows }, null, 1)]), ANSWERS);
    $("how").open = true;
  });
}
