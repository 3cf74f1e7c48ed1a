// One person: what they did over all evenings; whoever runs the hall changes their names here.
import { toldOf } from "/static/shared/asking.js";
import { $, fill, find, made, onSubmit, ready, shape } from "/static/shared/elements.js";
import { enter, toldBy } from "/static/shared/enter.js";
import { language, listed, offerLanguages, signed, titleOf, word } from "/static/shared/words.js";
import { PERSON_FIGURES, figureName } from "./player_figures.js";
import { showTabs } from "/static/shared/hall_tabs.js";
/** @import { PersonGame, PersonPage } from "/static/wire" */

const person = Number(location.pathname.split("/").at(-1));
const FIRST = 4; // figures that are shown at once
const CHART = { width: 600, height: 140, edge: 6 };
/** @type {PersonPage | null} */
let kept = null;

// The rating after each game, from left to right.
/** @param {number[]} ratings */
function ratingLine(ratings) {
  const { width, height, edge } = CHART;
  const [least, most] = [Math.min(...ratings), Math.max(...ratings)];
  /** @param {number} at */
  const x = (at) => edge + (width - 2 * edge) * (ratings.length > 1 ? at / (ratings.length - 1) : 0.5);
  /** @param {number} value */
  const y = (value) => height - edge - (height - 2 * edge) * (most > least ? (value - least) / (most - least) : 0.5);
  const told = word("page.players.rating_from", { first: Math.round(ratings[0]), last: Math.round(ratings[ratings.length - 1]) });
  const chart = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": told });
  chart.append(shape("polyline", { points: ratings.map((one, at) => `${x(at)},${y(one)}`).join(" ") }),
    shape("circle", { cx: x(ratings.length - 1), cy: y(ratings[ratings.length - 1]), r: 5 }));
  return [chart, made("p", { class: "small" }, told)];
}

/** @param {PersonGame} game */
function playedGame(game) {
  const when = new Date(game.ended_s * 1000);
  const time = made("time", { datetime: when.toISOString() }, when.toLocaleDateString(language, { dateStyle: "medium" }));
  const cells = [game.table, titleOf(game.rules)].map((text) => made("td", { class: "text" }, text));
  return made("tr", {}, made("td", { class: "text" }, time), ...cells,
    made("td", {}, word("page.players.nth", { place: game.place })), made("td", {}, signed(game.points)),
    made("td", {}, word("page.players.rated", { rating: Math.round(game.rating) })));
}

function showPerson() {
  if (kept === null) return;
  const { person: one, names, games } = kept;
  document.title = $("title").textContent = one.name;
  const figures = Object.entries(PERSON_FIGURES).map(([name, figureOf]) => made("div", {}, made("dt", {}, figureName(name)), made("dd", {}, figureOf(one))));
  $("figures").replaceChildren(...figures.slice(0, FIRST));
  $("all-figures").replaceChildren(...figures.slice(FIRST));
  $("rating").replaceChildren(...(games.length > 1 ? ratingLine(games.map((game) => game.rating).reverse()) : []));
  $("names").textContent = names.length > 1 ? word("page.players.names", { names: listed(names) }) : "";
  $("file").href = `/api/v1/players/${person}`;
  $("file").download = `${one.name}.json`;
  $("games").replaceChildren(...games.map(playedGame));
  /** @type {HTMLInputElement} */ (find("#rename input")).value = one.name;
  $("part").hidden = names.length < 2;
  fill(/** @type {HTMLSelectElement} */ (find("#part select")), names, names);
}

/** @param {string} method @param {"" | "/join" | "/part"} path @param {object} body */
async function change(method, path, body) {
  const done = await toldBy(`players/${person}${path}`, { method, body }) !== null;
  if (!done) $("wrong").scrollIntoView();
  return done;
}

async function load() {
  kept = await toldBy(`players/${person}`) ?? kept;
  showPerson();
}

// Keys are listed for whoever runs the hall alone.
async function showChanges() {
  $("manage").hidden = await toldOf("/api/v1/keys") === null || kept === null;
  if ($("manage").hidden) return;
  const people = (await toldBy("players"))?.people ?? [];
  const others = people.filter((one) => one.id !== person);
  fill(/** @type {HTMLSelectElement} */ (find("#join select")), others.map((one) => String(one.id)), others.map((one) => one.name));
  $("join").hidden = others.length === 0;
}

/** @param {"rename" | "join" | "part"} id @param {(given: FormData) => Promise<boolean>} act */
function offerChange(id, act) {
  onSubmit($(id), async (given) => { if (await act(given)) { await load(); await showChanges(); } });
}

async function forget() {
  if (!confirm(word("page.players.forget_sure", { name: kept?.person.name }))) return;
  if (await change("DELETE", "", {})) location.assign("/players");
}

async function start() {
  await enter();
  offerLanguages(showPerson);
  offerChange("rename", (given) => change("PUT", "", { name: given.get("name") }));
  offerChange("join", (given) => change("POST", "/join", { other: Number(given.get("other")) }));
  offerChange("part", (given) => change("POST", "/part", { name: given.get("name") }));
  $("forget").addEventListener("click", forget);
  ready();
  showTabs();
  await load();
  await showChanges();
}

start();
