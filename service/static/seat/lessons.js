// Lessons: short exercises of one game, answered with a tap. What was solved is kept on this device.
import { toldOf } from "/static/shared/asking.js";
import { $, button, fill, find, made, once, ready } from "/static/shared/elements.js";
import { drawTable, inOrder } from "/static/shared/felt.js";
import { keep, keepSolved, keepWrong, kept, solvedOf, tellTeacher } from "/static/shared/learnt.js";
import { lookShared, showShared } from "/static/shared/sharing.js";
import { loadTiles, tileDrawn } from "/static/shared/tiles.js";
import { nameOf, offerLanguages, sentences, speakAs, word } from "/static/shared/words.js";
import { setsOf, toQuestion } from "./question.js";
import { answerLine } from "./teach.js";
/** @import { ExerciseView, LessonView } from "/static/wire" */

const GIVEN_KEPT = "tilesight-lessons-given";
/** @type {LessonView} */
const NOTHING = { rules: "", games: {}, topics: [], asked: null, set: [], may_set: false };
const MOST_GIVEN = 900; // answers of one lesson that count, those of last
/** @type {{ told: LessonView, given: string[], chosen: string | null, game: string, topic: string, asks: number, waits: boolean }} */
const lesson = { told: NOTHING, given: [], chosen: null, game: new URLSearchParams(location.search).get("rules") ?? "", topic: "", asks: 0, waits: false };
const key = location.hash.slice(1);

// Of each game, the topics that were answered rightly.
const solved = () => solvedOf(lesson.told.rules);
/** @param {string[]} given */
const keepGiven = (given) => keep(GIVEN_KEPT, lesson.told.rules, given);

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
  if (asked === null || lesson.waits) return;
  lesson.chosen = name;
  const { topic, tries } = asked, { rules } = lesson.told;
  if (isRight(asked)) keepSolved(rules, topic);
  else keepWrong({ rules, topic, tries, chosen: name });
  keepGiven(givenWith(asked));
  tellTeacher().then(showShared);
  show();
  $("next").focus({ preventScroll: true });
}

/** @param {{ name: string; tile: string | null; text?: string }} given @param {ExerciseView} given */
function choiceTap({ name, tile, text }, { right }) {
  const tap = button(tile === null ? text ?? "" : "", once(() => choose(name)), "offer");
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
    const tap = button(`${isSet({ topic }) ? "★ " : ""}${word(`page.lessons.topic.${topic}`)}${done}`, () => { $("menu").hidePopover(); goTo(lesson.given, topic); });
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
  const verdict = good ? word("page.lessons.good") : sentences(word("page.lessons.other"), word("page.lessons.later"));
  $("verdict").textContent = answered ? verdict : "";
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

// Null where nobody answers, and where something else was asked meanwhile: that one counts.
/** @param {string[]} given @param {string} topic @param {string} game */
async function ask(given, topic, game = lesson.game) {
  const mine = ++lesson.asks;
  lesson.waits = true;
  const told = await toldOf(`/api/lessons?${new URLSearchParams({ rules: game, given: given.join(","), topic })}`, { key });
  if (mine !== lesson.asks) return null;
  lesson.waits = false;
  if (told === null) $("question").textContent = word("page.offline");
  return told;
}

// What comes after these answers, or a topic that was chosen. Until that has come, all stays as it is.
/** @param {string[]} all @param {string} topic */
async function goTo(all, topic = "") {
  const given = all.slice(-MOST_GIVEN);
  const told = await ask(given, topic);
  if (told === null) return;
  Object.assign(lesson, { told, given, topic, chosen: null });
  keepGiven(told.asked === null ? [] : given);
  show();
  toQuestion();
}

// While the next question is asked for, nothing is passed over.
function goOn() {
  const { asked } = lesson.told;
  if (lesson.waits) return;
  if (asked === null) load();
  else goTo(givenWith(asked));
}

function goBack() {
  if (!lesson.waits) goTo(lesson.given.slice(0, -1));
}

/** @param {string} topic */
async function setTopic(topic) {
  const { set } = lesson.told;
  const topics = set.includes(topic) ? set.filter((each) => each !== topic) : [...set, topic];
  lesson.told.set = await toldOf("/api/lessons", { body: { topics }, key }) ?? set;
  show();
}

// On where the lesson was left; without one, from the first that is not solved yet.
async function load(game = lesson.game) {
  const told = await ask([], "", game);
  if (told === null) { $("game").value = lesson.told.rules; return; }
  Object.assign(lesson, { told, game: told.rules, given: [], topic: "", chosen: null });
  const given = kept(GIVEN_KEPT)[told.rules] ?? [];
  const earlier = solved().filter((topic) => !given.includes(`${topic}:right`) && told.topics.includes(topic));
  const all = earlier.length === told.topics.length;
  const wanted = new URLSearchParams(location.search).get("topic") ?? "";
  await goTo(all ? [] : [...earlier.map((topic) => `${topic}:right`), ...given], told.topics.includes(wanted) ? wanted : "");
}

// The same exercise in another language.
async function tellAgain() {
  lesson.told = await ask(lesson.given, lesson.topic) ?? lesson.told;
  show();
}

async function start() {
  await loadTiles();
  offerLanguages(tellAgain);
  $("to-learn").href = `/learn${location.hash}`;
  $("to-practice").href = `/practice?${new URLSearchParams({ rules: lesson.game })}${location.hash}`;
  $("before").addEventListener("click", once(goBack));
  $("next").addEventListener("click", once(goOn));
  $("game").addEventListener("change", () => load($("game").value));
  lookShared();
  ready();
  await load();
}

start();
