// Where the video does not decide: the likely readings beside the picture, one tap each.
"use strict";

const QUESTIONS_SHOWN = 3;
let asked = [];

addWords({
  en: {
    questions: "Questions", whatWasIt: "What was it? ({count} to answer)", nothingHappened: "Nothing happened",
    askedAt: "at {time}", enlarge: "Enlarge the picture",
  },
  zh: { questions: "疑问", whatWasIt: "实际是哪一个？（还有 {count} 个）", nothingHappened: "什么也没有发生", askedAt: "时间 {time}", enlarge: "放大图片" },
  ja: { questions: "質問", whatWasIt: "どれが正しいですか（残り {count} 件）", nothingHappened: "何もなかった", askedAt: "{time} の場面", enlarge: "画像を拡大" },
});

function readingButton(question, reading, choice) {
  const tap = button("", async () => {
    for (const each of tap.parentElement.children) each.disabled = true;
    if (await ask("/api/answers", { id: question.id, choice }) === null) showQuestions(asked);
  });
  if (reading.nothing) tap.append(word("nothingHappened"));
  else tap.append(...inLanguage(reading.told).map(drawnPart));
  tap.append(made("em", {}, `${Math.round(100 * reading.share)} %`));
  return tap;
}

function questionShown(question) {
  const image = made("img", { src: `/api/questions/${encodeURIComponent(question.id)}/picture`, alt: word("seen") });
  image.addEventListener("error", () => large.remove());
  const readings = question.choices.map((reading, choice) => readingButton(question, reading, choice));
  const large = made("a", { href: image.src, target: "_blank", "aria-label": word("enlarge") }, image);
  const when = made("p", { class: "at" }, word("askedAt", { time: clock(question.t) }));
  return made("div", { class: "question" }, large, made("div", {}, when, made("div", { class: "readings" }, ...readings)));
}

// Who only watches is not asked.
function showQuestions(questions = []) {
  asked = mending.allowed ? questions : [];
  $("questions").hidden = asked.length === 0;
  const title = made("h2", {}, word("whatWasIt", { count: asked.length }));
  $("questions").replaceChildren(title, ...asked.slice(0, QUESTIONS_SHOWN).map(questionShown));
}
