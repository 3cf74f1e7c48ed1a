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
/** @type {LessonView} */
const NOTHING = { rules: "", games: {}, exercises: [], set: [], may_set: false };
/** @type {{ told: LessonView, at: number, chosen: string | null, game: string }} */
const lesson = { told: NOTHING, at: 0, chosen: null, game: new URLSearchParams(location.search).get("rules") ?? "" };
const key = location.hash.slice(1);

// Of each game, the topics that were answered rightly at the first try.
const solved = () => JSON.parse(localStorage.getItem(SOLVED_KEPT) ?? "{}")[lesson.told.rules] ?? [];

/** @param {string} topic */
function solve(topic) {
  const all = JSON.parse(localStorage.getItem(SOLVED_KEPT) ?? "{}");
  all[lesson.told.rules] = [...new Set([...solved(), topic])];
  localStorage.setItem(SOLVED_KEPT, JSON.stringify(all));
}

// What the host set for the evening comes first.
const ordered = () => lesson.told.exercises.toSorted((one, other) => Number(isSet(other)) - Number(isSet(one)));
/** @param {{ topic: string }} given */
const isSet = ({ topic }) => lesson.told.set.includes(topic);

/** @param {string} name */
function choose(name) {
  const exercise = ordered()[lesson.at];
  lesson.chosen = name;
  if (exercise.right.includes(name)) solve(exercise.topic);
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
  const { topic, hand, drawn, choices, asks_hand: asks } = exercise;
  const inHand = topic === "discard";
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
  $("topics").replaceChildren(...ordered().map((exercise, at) => {
    const { topic } = exercise;
    const done = solved().includes(topic) ? " ✓" : "";
    const tap = button(`${isSet(exercise) ? "★ " : ""}${word(`page.lessons.topic.${topic}`)}${done}`, () => { $("menu").hidePopover(); goTo(at); });
    const set = button("★", () => setTopic(topic));
    set.setAttribute("aria-pressed", String(isSet(exercise)));
    set.setAttribute("aria-label", word("page.lessons.set"));
    return made("li", {}, tap, ...(lesson.told.may_set ? [set] : []));
  }));
  $("to-set").hidden = !lesson.told.may_set;
}

function show() {
  if (lesson.told === NOTHING) return;
  const exercises = ordered(), exercise = exercises[lesson.at];
  speakAs(exercise.table.shows);
  fill($("game"), Object.keys(lesson.told.games), Object.values(lesson.told.games), lesson.told.rules);
  $("count").textContent = word("page.lessons.count", { at: lesson.at + 1, count: exercises.length, solved: solved().length });
  $("question").textContent = word(`page.lessons.ask.${exercise.topic}`, { name: nameOf(exercise.table.names, exercise.seat) });
  $("meant").replaceChildren(...exercise.shown.map(tileDrawn));
  showChoices(exercise);
  showTopics();
  $("before").disabled = lesson.at === 0;
  $("next").disabled = lesson.at === exercises.length - 1;
  const answered = lesson.chosen !== null, good = exercise.right.includes(lesson.chosen ?? "");
  $("verdict").textContent = answered ? word(good ? "page.lessons.good" : "page.lessons.other") : "";
  $("verdict").dataset.good = String(good);
  $("answer").replaceChildren(...(answered ? [made("ol", {}, ...exercise.why.map(answerLine))] : []));
  find(".decision").dataset.asks = exercise.asks_table ? "table" : "hand";
  $("table").replaceChildren(drawTable(exercise.table, exercise.seat));
}

/** @param {number} at */
function goTo(at) {
  Object.assign(lesson, { at, chosen: null });
  show();
  toQuestion();
}

/** @param {string} topic */
async function setTopic(topic) {
  const { set } = lesson.told;
  const topics = set.includes(topic) ? set.filter((each) => each !== topic) : [...set, topic];
  lesson.told.set = await toldOf("/api/lessons", { body: { topics }, key }) ?? set;
  show();
}

async function load() {
  const told = await toldOf(`/api/lessons?rules=${lesson.game}`, { key });
  if (told === null) { $("question").textContent = word("page.offline"); return; }
  lesson.told = told;
  // On from the first that is not solved yet.
  goTo(Math.max(0, ordered().findIndex(({ topic }) => !solved().includes(topic))));
}

// The same exercise in another language.
async function tellAgain() {
  lesson.told = await toldOf(`/api/lessons?rules=${lesson.told.rules}`, { key }) ?? lesson.told;
  show();
}

async function start() {
  await loadTiles();
  offerLanguages(tellAgain);
  $("to-learn").href = `/learn${location.hash}`;
  $("before").addEventListener("click", () => goTo(lesson.at - 1));
  $("next").addEventListener("click", () => goTo(lesson.at + 1));
  $("game").addEventListener("change", () => { lesson.game = $("game").value; load(); });
  ready();
  await load();
}

start();
