// The first pages about a game. Which of them were read is kept on this device, as is what lessons were solved.
import { answerOf, toldOf } from "/static/shared/asking.js";
import { $, button, find, made, ready } from "/static/shared/elements.js";
import { loadTiles, tileDrawn } from "/static/shared/tiles.js";
import { language, offerLanguages, word } from "/static/shared/words.js";
/** @import { LearnRow, LearnView, NamedTile } from "/static/wire" */

const READ_KEPT = "tilesight-learn";
const SOLVED_KEPT = "tilesight-lessons";
const key = location.hash.slice(1);
/** @type {LearnView | undefined} */
let learnt;
const lesson = () => learnt ?? { rules: "", games: {}, pages: [], table: false }; // nothing is there until it was asked for
let asks = 0; // the answer to the last one that was asked is shown

/** @param {string} name @returns {Record<string, string[]>} */
const kept = (name) => JSON.parse(localStorage.getItem(name) ?? "{}");
/** @param {string} rules */
const readOf = (rules) => kept(READ_KEPT)[rules] ?? [];
/** @param {string} rules */
const solvedOf = (rules) => kept(SOLVED_KEPT)[rules] ?? [];

/** @param {string} name */
function keepRead(name) {
  localStorage.setItem(READ_KEPT, JSON.stringify({ ...kept(READ_KEPT), [lesson().rules]: [...new Set([...readOf(lesson().rules), name])] }));
}

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
function learnRow({ mark, head, groups, text }) {
  const tiles = groups.map((group) => made("span", { class: "laid" }, ...group.map(tileNamed)));
  return made("li", { class: mark }, ...(head ? [made("b", {}, head)] : []),
    made("span", {}, text), ...(tiles.length > 0 ? [made("p", { class: "hand-laid" }, ...tiles)] : []));
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
  keepRead(name);
  showSteps(at);
  $("title").textContent = `${games[rules]}: ${title}`;
  $("rows").replaceChildren(...rows.map(learnRow));
  $("to-drill").hidden = !last;
  $("next").hidden = last;
  $("to-lessons").hidden = !last;
}

function show() {
  const chosen = asked().rules !== undefined;
  for (const part of /** @type {const} */ (["steps", "rows", "moves", "to-drill", "to-games"])) $(part).hidden = !chosen;
  for (const part of /** @type {const} */ (["games", "leave"])) $(part).hidden = chosen;
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
  $("back").addEventListener("click", () => move(-1));
  $("next").addEventListener("click", () => move(1));
  $("to-lessons").addEventListener("click", () => { location.href = `/lessons?${new URLSearchParams({ rules: lesson().rules })}${location.hash}`; });
  $("to-drill").addEventListener("click", drill);
  $("to-games").addEventListener("click", () => goTo(""));
  addEventListener("popstate", load);
  ready();
  await load();
}

start();
