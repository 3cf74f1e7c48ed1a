// The first pages about a game. Which of them were read is kept on this device, as is what lessons were solved.
import { answerOf, toldOf } from "/static/shared/asking.js";
import { $, button, find, findAll, made, ready } from "/static/shared/elements.js";
import { keepRead, readOf, solvedOf, tellTeacher } from "/static/shared/learnt.js";
import { lookShared, showShared } from "/static/shared/sharing.js";
import { loadTiles, tileDrawn } from "/static/shared/tiles.js";
import { labelled, language, offerLanguages, word } from "/static/shared/words.js";
import { answerLine } from "./teach.js";
/** @import { LearnRow, LearnView, NamedTile } from "/static/wire" */

const key = location.hash.slice(1);
/** @type {LearnView | undefined} */
let learnt;
const lesson = () => learnt ?? { rules: "", games: {}, pages: [], set: [], table: false }; // nothing is there until it was asked for
let asks = 0; // the answer to the last one that was asked is shown

// Which page of which game is shown stands in the address; without a game, all games are offered.
const asked = () => Object.fromEntries(new URLSearchParams(location.search));
const pageAt = () => Math.max(0, lesson().pages.findIndex(({ name }) => name === asked().page));

/** @param {string} query */
async function goTo(query) {
  history.pushState(null, "", `/learn${query}${location.hash}`);
  await load();
  $("title").focus({ preventScroll: true });
  scrollTo({ top: 0 });
}

/** @param {string} rules @param {string} page */
const queryOf = (rules, page) => `?${new URLSearchParams({ rules, page })}`;

// A game goes on at the first page that was not read.
/** @param {string} rules */
function goToGame(rules) {
  const read = readOf(rules);
  const { pages } = lesson();
  const { name } = pages.find((page) => !read.includes(page.name)) ?? pages[0];
  return goTo(queryOf(rules, name));
}

/** @param {NamedTile} given */
function tileNamed({ tile, name }) {
  const drawn = tileDrawn(tile);
  drawn.setAttribute("aria-label", name);
  return drawn;
}

/** @param {LearnRow} given */
function learnRow({ mark, head, groups, text, term }) {
  const tiles = groups.map((group) => made("span", { class: "laid" }, ...group.map(tileNamed)));
  return made("li", { class: mark, "data-term": term }, ...(head ? [made("b", {}, head)] : []),
    made("span", {}, text), ...(tiles.length > 0 ? [made("p", { class: "hand-laid" }, ...tiles)] : []));
}

// Of the words of a game, those are shown that hold what was typed; a word that another page asks for stands in sight.
function searchWords() {
  const typed = $("search").value.normalize("NFKC").trim().toLowerCase();
  const lines = findAll($("rows"), "li");
  for (const line of lines) line.hidden = !(line.textContent ?? "").normalize("NFKC").toLowerCase().includes(typed);
  $("no-word").textContent = lines.every((line) => line.hidden) ? word("page.learn.no_word") : "";
}

function showWord() {
  const { term } = asked();
  const line = term === undefined ? null : $("rows").querySelector(`li[data-term="${CSS.escape(term)}"]`);
  line?.classList.add("asked");
  line?.scrollIntoView({ block: "center" });
}

// At a table, with the key of a seat: what the own hand has of each pattern, and what it lacks.
async function showOwnHand() {
  if (key === "" || !lesson().table) return;
  const shown = learnt;
  const told = await toldOf("/api/teach/cards", { key });
  if (told === null || learnt !== shown || asked().page !== "patterns") return; // another page, or another language
  for (const row of told.rows) {
    for (const name of row.patterns ?? []) {
      const line = $("rows").querySelector(`li[data-term="${CSS.escape(name)}"]`);
      line?.append(made("div", { class: "own" }, made("b", {}, word("page.learn.own_hand")), made("ul", {}, answerLine(row))));
    }
  }
  const met = told.rows.filter(({ mark, patterns }) => mark !== "note" && patterns === undefined);
  if (met.length > 0) $("rows").prepend(made("li", { class: "note" }, made("b", {}, word("page.learn.own_hand")), made("ul", {}, ...met.map(answerLine))));
}

/** @param {[string, string]} given */
function gameCard([rules, title]) {
  const pages = lesson().pages.map(({ name }) => name);
  const read = readOf(rules).filter((name) => pages.includes(name)).length;
  const told = word("page.learn.progress", { read, pages: pages.length, solved: solvedOf(rules).length });
  const card = button(title, () => goToGame(rules));
  card.append(" ", made("span", {}, told));
  return card;
}

// What is set for the evening stands first.
function showSet() {
  const { set, rules } = lesson();
  $("set-lessons").hidden = set.length === 0;
  $("set-lessons").replaceChildren(word("page.learn.set"), ...set.map((topic) =>
    made("a", { href: `/lessons?${new URLSearchParams({ rules: asked().rules ?? rules, topic })}${location.hash}` }, `★ ${word(`page.lessons.topic.${topic}`)}`)));
}

/** @param {number} at */
function showSteps(at) {
  const { rules, pages } = lesson();
  const read = readOf(rules);
  find("#steps > ol").replaceChildren(...pages.map(({ name, title }, place) => {
    const tap = made("button", { type: "button", class: read.includes(name) ? "done" : "", "aria-label": `${place + 1} ${title}`, onclick: () => goTo(queryOf(rules, name)) },
      made("b", {}, `${place + 1}`), " ", made("span", {}, title));
    if (place === at) tap.setAttribute("aria-current", "step");
    return made("li", {}, tap);
  }));
}

function showPage() {
  const { rules, games, pages } = lesson(), at = pageAt(), { name, title, rows } = pages[at], last = at === pages.length - 1;
  keepRead(rules, name);
  tellTeacher().then(showShared);
  showSteps(at);
  $("title").textContent = labelled(games[rules], title);
  $("rows").replaceChildren(...rows.map(learnRow));
  $("search-word").hidden = name !== "words";
  $("search").value = "";
  $("no-word").textContent = "";
  if (name === "patterns") showOwnHand();
  showWord();
  $("to-drill").hidden = !last;
  $("to-practice").hidden = !last;
  $("to-practice").href = `/practice?${new URLSearchParams({ rules })}${location.hash}`;
  $("next").hidden = last;
  $("to-lessons").hidden = !last;
}

function show() {
  const chosen = asked().rules !== undefined || asked().page !== undefined;
  $("search-word").hidden = true;
  for (const part of /** @type {const} */ (["steps", "rows", "moves", "to-drill", "to-practice", "to-games"])) $(part).hidden = !chosen;
  for (const part of /** @type {const} */ (["games", "leave"])) $(part).hidden = chosen;
  $("to-teacher").hidden = chosen || lesson().table; // at a table the teacher has a key, and a code that leads there
  showSet();
  $("problem").textContent = "";
  if (chosen) showPage();
  else {
    $("title").textContent = word("page.learn.which");
    $("games").replaceChildren(...Object.entries(lesson().games).map(gameCard));
  }
}

async function load() {
  const mine = ++asks;
  const told = await toldOf(`/api/learn?${new URLSearchParams({ rules: asked().rules ?? "" })}`, { key });
  if (mine !== asks) return;
  if (told === null) {
    $("problem").textContent = word("page.offline");
    return;
  }
  learnt = told;
  show();
}

/** @param {number} by */
function move(by) {
  const { rules, pages } = lesson();
  const to = pages[pageAt() + by];
  goTo(to === undefined ? "" : queryOf(rules, to.name));
}

// At a table the drill goes through its game; without one, through the game of which the lessons are made.
async function drill() {
  if (lesson().table) {
    location.href = `/drill${location.hash}`;
    return;
  }
  const answer = await answerOf("/api/setup/start", { body: { lessons: lesson().rules, lang: language } });
  if (answer.ok) location.href = `/drill${new URL(answer.told.page, location.href).hash}`;
  else $("problem").textContent = answer.told?.detail ?? word("page.offline");
}

async function start() {
  await loadTiles();
  offerLanguages(load);
  $("leave").href = `/${location.hash}`;
  $("to-teacher").href = `/teacher${location.hash}`;
  lookShared();
  $("back").addEventListener("click", () => move(-1));
  $("next").addEventListener("click", () => move(1));
  $("to-lessons").addEventListener("click", () => { location.href = `/lessons?${new URLSearchParams({ rules: lesson().rules })}${location.hash}`; });
  $("to-drill").addEventListener("click", drill);
  $("to-games").addEventListener("click", () => goTo(""));
  $("search").addEventListener("input", searchWords);
  addEventListener("popstate", load);
  ready();
  await load();
}

start();
