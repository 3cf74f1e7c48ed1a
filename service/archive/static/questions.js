// The open questions of an archive: one card a film, whose answers are sent together.
import { button, made } from "/static/shared/elements.js";
import { toldBy } from "/static/shared/enter.js";
import { drawnPart, upright } from "/static/shared/tiles.js";
import { percent, word } from "/static/shared/words.js";
/** @import { AskedFilm, Child, FilmQuestion } from "/static/page" */

// Of films that last for hours.
/** @param {number} seconds */
export function filmTime(seconds) {
  /** @param {number} number */
  const two = (number) => String(Math.floor(number) % 60).padStart(2, "0");
  return `${Math.floor(seconds / 3600)}:${two(seconds / 60)}:${two(seconds)}`;
}

/** @param {FilmQuestion} question @param {string} group */
function choicesOf(question, group) {
  return question.choices.map((choice, at) => {
    const mark = made("input", { type: "radio", name: group, value: String(at + 1) });
    /** @type {Child[]} */
    const told = choice.told.map(drawnPart);
    if (told.length === 0) told.push(word("page.questions.nothing_happened"));
    return made("label", { class: "reading" }, mark, " ", ...told, made("em", {}, percent(choice.share)));
  });
}

/** @param {number} reading @param {FilmQuestion} question @param {number} number */
function askedOf(reading, question, number) {
  const group = `question-${reading}-${number}`;
  /** @param {string} name */
  const file = (name) => `/api/v1/archive/readings/${reading}/files/${name}`;
  // Where a hand was cleared away unseen, there is nothing to show.
  /** @param {string} href */
  const pictured = (href) => made("a", { href, target: "_blank", "aria-label": word("page.questions.enlarge") },
    made("img", { loading: "lazy", alt: word("page.seen"), src: href }));
  return made("fieldset", {}, made("legend", {}, word("page.questions.asked_at", { time: filmTime(question.t) })),
    ...(question.picture ? [pictured(file(question.picture))] : []),
    ...(question.tiles ? [upright(file(question.tiles))] : []), ...choicesOf(question, group));
}

/** @param {AskedFilm} given @param {(reading: number) => void} answered */
export function filmAsked({ reading, film, questions }, answered) {
  const sets = questions.map((question, number) => askedOf(reading, question, number));
  const save = button(word("page.archive.answer"), async () => {
    const answers = sets.flatMap((set, at) => {
      const chosen = /** @type {HTMLInputElement | null} */ (set.querySelector("input:checked"));
      return chosen ? [{ id: questions[at].id, answer: Number(chosen.value) }] : [];
    });
    if (answers.length === 0) return;
    save.disabled = true;
    if (await toldBy(`archive/readings/${reading}/answers`, { body: { answers } }) === null) save.disabled = false;
    else answered(reading);
  });
  return made("article", { class: "card" }, made("h3", {}, film), ...sets, save);
}
