// Where the video does not decide: the likely readings beside the picture, one tap each.
"use strict";

const QUESTIONS_SHOWN = 3;
let asked = [];

function readingButton(question, reading, choice) {
  const tap = button("", async () => {
    for (const each of tap.parentElement.children) each.disabled = true;
    showAlso([]);
    if (await ask("/api/answers", { id: question.id, choice }) === null) showQuestions(asked);
  });
  if (reading.nothing) tap.append(word("page.questions.nothing_happened"));
  else tap.append(...inLanguage(reading.told).map(drawnPart));
  tap.append(made("em", {}, `${Math.round(100 * reading.share)} %`));
  return tap;
}

function questionShown(question) {
  const image = made("img", { src: `/api/questions/${encodeURIComponent(question.id)}/picture`, alt: word("page.seen") });
  image.addEventListener("error", () => large.remove());
  const readings = question.choices.map((reading, choice) => readingButton(question, reading, choice));
  const large = made("a", { href: image.src, target: "_blank", "aria-label": word("page.questions.enlarge") }, image);
  const when = made("p", { class: "at" }, word("page.questions.asked_at", { time: clock(question.t) }));
  return made("div", { class: "question" }, large, made("div", {}, when, made("div", { class: "readings" }, ...readings)));
}

// Who only watches is not asked.
function showQuestions(questions = []) {
  asked = mending.allowed ? questions : [];
  $("questions").hidden = asked.length === 0;
  const title = made("h2", {}, word("page.questions.what_was_it", { count: asked.length }));
  $("questions").replaceChildren(title, ...asked.slice(0, QUESTIONS_SHOWN).map(questionShown));
}
