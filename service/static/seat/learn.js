// The first pages about a game. Which of them were read is kept on this device, as is what lessons were solved.
import { answerOf, toldOf } from "/static/shared/asking.js";
import { $, button, made, ready } from "/static/shared/elements.js";
import { loadTiles, tileDrawn } from "/static/shared/tiles.js";
import { language, offerLanguages, word } from "/static/shared/words.js";

const READ_KEPT = "tilesight-learn";
const SOLVED_KEPT = "tilesight-lessons";
const key = location.hash.slice(1);
let learnt = null;
let asks = 0; // the answer to the last one that was asked is shown

const kept = (name) => JSON.parse(localStorage.getItem(name) ?? "{}");
const readOf = (rules) => kept(READ_KEPT)[rules] ?? [];
const solvedOf = (rules) => kept(SOLVED_KEPT)[rules] ?? [];

function keepRead(name) {
  localStorage.setItem(READ_KEPT, JSON.stringify({ ...kept(READ_KEPT), [learnt.rules]: [...new Set([...readOf(learnt.rules), name])] }));
}

// Which page of which game is shown stands in the address; without a game, all games are offered.
const asked = () => Object.fromEntries(new URLSearchParams(location.search));
const pageAt = () => Math.max(0, learnt.pages.findIndex(({ name }) => name === asked().page));

async function goTo(query) {
  history.pushState(null, "", `/learn${query}${location.hash}`);
  await load();
  $("title").focus({ preventScroll: true });
  scrollTo({ top: 0 });
}

const queryOf = (rules, page) => `?${new URLSearchParams({ rules, page })}`;

// A game goes on at the first page that was not read.
function goToGame(rules) {
  const read = readOf(rules);
  const { name } = learnt.pages.find((page) => !read.includes(page.name)) ?? learnt.pages[0];
  return goTo(queryOf(rules, name));
}

function tileNamed({ tile, name }) {
  const drawn = tileDrawn(tile);
  drawn.setAttribute("aria-label", name);
  return drawn;
}

function learnRow({ mark, head, groups, text }) {
  const tiles = groups.map((group) => made("span", { class: "laid" }, ...group.map(tileNamed)));
  return made("li", { class: mark }, ...(head ? [made("b", {}, head)] : []),
    made("span", {}, text), ...(tiles.length > 0 ? [made("p", { class: "hand-laid" }, ...tiles)] : []));
}

function gameCard([rules, title]) {
  const pages = learnt.pages.map(({ name }) => name);
  const read = readOf(rules).filter((name) => pages.includes(name)).length;
  const told = word("page.learn.progress", { read, pages: pages.length, solved: solvedOf(rules).length });
  const card = button(title, () => goToGame(rules));
  card.append(" ", made("span", {}, told));
  return card;
}

function showSteps(at) {
  const read = readOf(learnt.rules);
  $("steps").firstElementChild.replaceChildren(...learnt.pages.map(({ name, title }, place) => {
    const tap = made("button", { type: "button", class: read.includes(name) ? "done" : "", "aria-label": `${place + 1} ${title}`, onclick: () => goTo(queryOf(learnt.rules, name)) },
      made("b", {}, `${place + 1}`), " ", made("span", {}, title));
    if (place === at) tap.setAttribute("aria-current", "step");
    return made("li", {}, tap);
  }));
}

function showPage() {
  const at = pageAt(), { name, title, rows } = learnt.pages[at], last = at === learnt.pages.length - 1;
  keepRead(name);
  showSteps(at);
  $("title").textContent = `${learnt.games[learnt.rules]}: ${title}`;
  $("rows").replaceChildren(...rows.map(learnRow));
  $("to-drill").hidden = !last;
  $("next").hidden = last;
  $("to-lessons").hidden = !last;
}

function show() {
  const chosen = asked().rules !== undefined;
  for (const part of ["steps", "rows", "moves", "to-drill", "to-games"]) $(part).hidden = !chosen;
  for (const part of ["games", "leave"]) $(part).hidden = chosen;
  $("problem").textContent = "";
  if (chosen) showPage();
  else {
    $("title").textContent = word("page.learn.which");
    $("games").replaceChildren(...Object.entries(learnt.games).map(gameCard));
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

function move(by) {
  const to = learnt.pages[pageAt() + by];
  goTo(to === undefined ? "" : queryOf(learnt.rules, to.name));
}

// At a table the drill goes through its game; without one, through the game of which the lessons are made.
async function drill() {
  if (learnt.table) {
    location.href = `/drill${location.hash}`;
    return;
  }
  const { ok, told } = await answerOf("/api/setup/start", { body: { lessons: learnt.rules, lang: language } });
  if (ok) location.href = `/drill${new URL(told.page, location.href).hash}`;
  else $("problem").textContent = told?.detail ?? word("page.offline");
}

async function start() {
  await loadTiles();
  offerLanguages(load);
  $("leave").href = `/${location.hash}`;
  $("back").addEventListener("click", () => move(-1));
  $("next").addEventListener("click", () => move(1));
  $("to-lessons").addEventListener("click", () => { location.href = `/lessons?${new URLSearchParams({ rules: learnt.rules })}${location.hash}`; });
  $("to-drill").addEventListener("click", drill);
  $("to-games").addEventListener("click", () => goTo(""));
  addEventListener("popstate", load);
  ready();
  await load();
}

start();
