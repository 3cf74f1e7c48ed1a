// Where the video does not decide: the likely readings below the picture, one tap each.
"use strict";

const QUESTIONS_SHOWN = 3;
let asked = [];
// What is on the page, by question: its elements stay while shares change, so that no tap is lost.
let questionCards = new Map();

const percent = (share) => `${Math.round(100 * share)} %`;

function readingButton(question, reading, choice) {
  const tap = button("", async () => {
    const every = [...tap.parentElement.children];
    for (const each of every) each.disabled = true;
    showAlso([]);
    if (await ask("/api/answers", { id: question.id, choice }) === null) {
      for (const each of every) each.disabled = false;
    }
  });
  if (reading.nothing) tap.append(word("page.questions.nothing_happened"));
  else tap.append(...inLanguage(reading.told).map(drawnPart));
  tap.append(made("em", {}, percent(reading.share)));
  return tap;
}

function questionCard(question, says) {
  const image = made("img", { src: `/api/questions/${encodeURIComponent(question.id)}/picture`, alt: word("page.seen") });
  image.addEventListener("error", () => large.remove());
  const readings = question.choices.map((reading, choice) => readingButton(question, reading, choice));
  const large = made("a", { href: image.src, target: "_blank", "aria-label": word("page.questions.enlarge") }, image);
  const tiles = upright(`/api/questions/${encodeURIComponent(question.id)}/tiles`);
  const when = made("p", { class: "at" }, made("strong", {}, inLanguage(question.asks)), ` ${word("page.questions.asked_at", { time: clock(question.t) })}`);
  const shown = made("div", { class: "question" }, when, made("div", { class: "pictures" }, large, tiles), made("div", { class: "readings" }, ...readings));
  return { says, shown, shares: readings.map((each) => each.lastElementChild) };
}

// What a card says apart from its shares; another one takes its place when that changes.
const saidBy = ({ t, asks, choices }) => JSON.stringify([language, t, asks, choices.map(({ told, nothing }) => [told, nothing])]);

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
function showQuestions(questions = []) {
  asked = mending.allowed ? questions : [];
  hearQuestions(asked);
  const first = asked.slice(0, QUESTIONS_SHOWN);
  questionCards = new Map(first.map((question) => [question.id, cardOf(question)]));
  const section = $("questions");
  section.hidden = asked.length === 0;
  const title = word("page.questions.what_was_it", { count: asked.length });
  if ($("questions-title").textContent !== title) $("questions-title").textContent = title;
  const shown = [$("questions-title"), ...[...questionCards.values()].map((card) => card.shown)];
  const same = shown.length === section.children.length && shown.every((each, at) => each === section.children[at]);
  if (!same) section.replaceChildren(...shown);
}

// Keys 1, 2 and 3 answer the first question; what is typed into a field stays there.
addEventListener("keydown", (event) => {
  const typed = event.target.closest("input, select, textarea, dialog") !== null;
  if (typed || event.altKey || event.ctrlKey || event.metaKey || asked.length === 0) return;
  document.querySelector("#questions .question")?.querySelectorAll(".readings button")[Number(event.key) - 1]?.click();
});
