// Lessons: short exercises of one game, answered with a tap. What was solved is kept on this device.
import { toldOf } from "/static/shared/asking.js";
import { $, button, fill, find, made, ready } from "/static/shared/elements.js";
import { drawTable, inOrder } from "/static/shared/felt.js";
import { loadTiles, tileDrawn } from "/static/shared/tiles.js";
import { nameOf, offerLanguages, speakAs, word } from "/static/shared/words.js";
import { setsOf, toQuestion } from "./question.js";
import { answerLine } from "./teach.js";
/** @import { ExerciseView, LessonView } from "/static/wire" */

const SOLVED_KEPT = "tilesight-lessons";
const GIVEN_KEPT = "tilesight-lessons-given";
/** @type {LessonView} */
const NOTHING = { rules: "", games: {}, topics: [], asked: null, set: [], may_set: false };
/** @type {{ told: LessonView, given: string[], chosen: string | null, game: string, topic: string }} */
const lesson = { told: NOTHING, given: [], chosen: null, game: new URLSearchParams(location.search).get("rules") ?? "", topic: "" };
const key = location.hash.slice(1);

/** @param {string} name @returns {Record<string, string[]>} */
const kept = (name) => JSON.parse(localStorage.getItem(name) ?? "{}");
/** @param {string} name @param {string[]} of */
const keep = (name, of) => localStorage.setItem(name, JSON.stringify({ ...kept(name), [lesson.told.rules]: of }));

// Of each game, the topics that were answered rightly.
const solved = () => kept(SOLVED_KEPT)[lesson.told.rules] ?? [];

// What became of each question of this lesson, in order: by this the server says which comes next.
/** @param {ExerciseView} exercise */
function givenWith(exercise) {
  const result = lesson.chosen === null ? "passed" : isRight(exercise) ? "right" : "wrong";
  return [...lesson.given, `${exercise.topic}:${result}`];
}

/** @param {{ topic: string }} given */
const isSet = ({ topic }) => lesson.told.set.includes(topic);

/** @param {ExerciseView} exercise */
const isRight = ({ right }) => right.includes(lesson.chosen ?? "");

/** @param {string} name */
function choose(name) {
  const { asked } = lesson.told;
  if (asked === null) return;
  lesson.chosen = name;
  if (isRight(asked)) keep(SOLVED_KEPT, [...new Set([...solved(), asked.topic])]);
  keep(GIVEN_KEPT, givenWith(asked));
  show();
  $("next").focus({ preventScroll: true });
}

/** @param {{ name: string; tile: string | null; text?: string }} given @param {ExerciseView} given */
function choiceTap({ name, tile, text }, { right }) {
  const tap = button(tile === null ? text ?? "" : "", () => choose(name), "offer");
  if (tile !== null) tap.append(tileDrawn(tile));
  tap.disabled = lesson.chosen !== null;
  tap.classList.toggle("chosen", lesson.chosen === name);
  tap.classList.toggle("best", lesson.chosen !== null && right.includes(name));
  return tap;
}

// A discard is answered by a tap on the hand itself.
/** @param {ExerciseView} exercise */
function showChoices(exercise) {
  const { topic, said, hand, drawn, choices, asks_hand: asks } = exercise;
  const inHand = topic === "discard" && said === null;
  $("hand").replaceChildren(...(asks ? inOrder(hand, drawn).tiles : []).map((tile) => {
    const tap = choiceTap({ name: tile, tile }, exercise);
    tap.disabled ||= !inHand;
    if (!inHand) tap.classList.remove("best", "chosen");
    return tap;
  }));
  $("sets").replaceChildren(...(asks ? setsOf(exercise) : []));
  $("offers").replaceChildren(...(inHand ? [] : choices.map((each) => choiceTap(each, exercise))));
}

function showTopics() {
  $("topics").replaceChildren(...lesson.told.topics.map((topic) => {
    const done = solved().includes(topic) ? " ✓" : "";
    const tap = button(`${isSet({ topic }) ? "★ " : ""}${word(`page.lessons.topic.${topic}`)}${done}`, () => { $("menu").hidePopover(); goTo(topic); });
    tap.setAttribute("aria-current", String(topic === lesson.told.asked?.topic));
    const set = button("★", () => setTopic(topic));
    set.setAttribute("aria-pressed", String(isSet({ topic })));
    set.setAttribute("aria-label", word("page.lessons.set"));
    return made("li", {}, tap, ...(lesson.told.may_set ? [set] : []));
  }));
  $("to-set").hidden = !lesson.told.may_set;
}

// A question that comes again says so, and one with an answer to judge says that answer.
/** @param {ExerciseView} exercise */
function questionOf({ topic, said, seat, table, tries }) {
  const plain = word(`page.lessons.ask.${topic}`, { name: nameOf(table.names, seat) });
  const question = said === null ? plain : word("page.lessons.said", { question: plain, answer: said.text });
  return tries === 0 ? question : word("page.lessons.again", { question });
}

/** @param {ExerciseView} exercise */
function showAsked(exercise) {
  const { topic, shown, table, seat, why } = exercise;
  speakAs(table.shows);
  $("count").textContent = word("page.lessons.count", { at: lesson.told.topics.indexOf(topic) + 1, count: lesson.told.topics.length, solved: solved().length });
  $("question").textContent = questionOf(exercise);
  $("meant").replaceChildren(...shown.map(tileDrawn));
  showChoices(exercise);
  const answered = lesson.chosen !== null, good = isRight(exercise);
  const verdict = good ? [word("page.lessons.good")] : [word("page.lessons.other"), " ", word("page.lessons.later")];
  $("verdict").replaceChildren(...(answered ? verdict : []));
  $("verdict").dataset.good = String(good);
  $("answer").replaceChildren(...(answered ? [made("ol", {}, ...why.map(answerLine))] : []));
  find(".decision").dataset.asks = exercise.asks_table ? "table" : "hand";
  $("table").replaceChildren(drawTable(table, seat));
}

function showEnd() {
  $("count").textContent = "";
  $("question").textContent = word("page.lessons.end", { solved: solved().length, count: lesson.told.topics.length });
  for (const part of /** @type {const} */ (["meant", "offers", "hand", "verdict", "answer", "table"])) $(part).replaceChildren();
}

function show() {
  const { told } = lesson;
  if (told === NOTHING) return;
  fill($("game"), Object.keys(told.games), Object.values(told.games), told.rules);
  showTopics();
  $("before").disabled = lesson.given.length === 0;
  if (told.asked === null) showEnd();
  else showAsked(told.asked);
}

const ask = () => toldOf(`/api/lessons?${new URLSearchParams({ rules: lesson.game, given: lesson.given.join(","), topic: lesson.topic })}`, { key });

// What comes after what was answered so far, or a topic that was chosen.
async function goTo(topic = "") {
  Object.assign(lesson, { topic, chosen: null });
  const told = await ask();
  if (told === null) { $("question").textContent = word("page.offline"); return; }
  lesson.told = told;
  keep(GIVEN_KEPT, told.asked === null ? [] : lesson.given);
  show();
  toQuestion();
}

function goOn() {
  const { asked } = lesson.told;
  if (asked === null) { load(); return; }
  lesson.given = givenWith(asked);
  goTo();
}

function goBack() {
  lesson.given = lesson.given.slice(0, -1);
  goTo();
}

/** @param {string} topic */
async function setTopic(topic) {
  const { set } = lesson.told;
  const topics = set.includes(topic) ? set.filter((each) => each !== topic) : [...set, topic];
  lesson.told.set = await toldOf("/api/lessons", { body: { topics }, key }) ?? set;
  show();
}

// On where the lesson was left; without one, from the first that is not solved yet.
async function load() {
  Object.assign(lesson, { given: [], chosen: null, topic: "" });
  const told = await ask();
  if (told === null) { $("question").textContent = word("page.offline"); return; }
  Object.assign(lesson, { told, game: told.rules });
  const given = kept(GIVEN_KEPT)[told.rules] ?? [];
  const earlier = solved().filter((topic) => !given.includes(`${topic}:right`) && told.topics.includes(topic));
  const all = earlier.length === told.topics.length;
  lesson.given = all ? [] : [...earlier.map((topic) => `${topic}:right`), ...given];
  await goTo();
}

// The same exercise in another language.
async function tellAgain() {
  lesson.told = await ask() ?? lesson.told;
  show();
}

async function start() {
  await loadTiles();
  offerLanguages(tellAgain);
  $("to-learn").href = `/learn${location.hash}`;
  $("before").addEventListener("click", goBack);
  $("next").addEventListener("click", goOn);
  $("game").addEventListener("change", () => { lesson.game = $("game").value; load(); });
  ready();
  await load();
}

start();
