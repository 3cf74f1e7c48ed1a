// Many recorded films: how far they are read, their hands, and what is doubtful.
import { $, button, fill, find, made, offerRooms, onSubmit, openRoom, ready } from "/static/shared/elements.js";
import { enter, toldBy } from "/static/shared/enter.js";
import { loadTiles } from "/static/shared/tiles.js";
import { figure, nameOf, offerLanguages, sentences, signed, titleOf, word } from "/static/shared/words.js";
import { named, part } from "./line.js";
import { loadPlayers, players, seatsNamed, showPlayers } from "./players.js";
import { filmAsked, filmTime } from "./questions.js";
import { showTabs } from "/static/shared/hall_tabs.js";
/** @import { AskedFilm } from "/static/page" */
/** @import { ArchiveView, HandOfFilm, ReadingRow } from "/static/wire" */

const AGAIN_MS = 10000;
const STATES = ["", "waiting", "running", "done", "quarantined"];
const HOUR_S = 3600;
const MOST_SHOWN = 100;
const DOUBTS = { "": "any", true: "with", false: "without" };
/** @type {ArchiveView | null} */
let progress = null;
/** @type {ReadingRow[]} */
let films = [];
/** @type {HandOfFilm[]} */
let hands = [];
/** @type {AskedFilm[]} */
let questions = [];


/** @param {number | null} left_s */
function timeLeft(left_s) {
  if (left_s === null) return "";
  const hours = left_s / HOUR_S;
  return hours < 2 ? word("page.archive.minutes_left", { minutes: Math.ceil(left_s / 60) })
    : word("page.archive.hours_left", { hours: Math.round(hours) });
}

function showProgress() {
  if (progress === null) return;
  const { films: count, hands: found, hours_read, left_s } = progress;
  const over = count.done + count.quarantined;
  $("bar").max = Math.max(1, over + count.waiting + count.running);
  $("bar").value = over;
  const told = word("page.archive.told", { ...count, hands: found, hours: hours_read.toFixed(1) });
  $("progress").textContent = sentences(told, timeLeft(left_s));
}

/** @type {{ [field: string]: string | undefined }} */
const wanted = {}; // by field: what hands are searched for
const patterns = /** @type {Map<string, string>} */ (new Map()); // by name: what the patterns that were found are called

// A word that narrows the search to itself.
/** @param {string} field @param {string} value @param {string} text */
function narrowing(field, value, text) {
  return button(text, () => { wanted[field] = value; search(); }, "quiet");
}

// What is typed is points, a pattern that is known, or a player.
/** @param {string} said */
function take(said) {
  const pattern = [...patterns].find(([name, title]) => [name, title].some((one) => one.toLowerCase() === said.toLowerCase()));
  if (/^[+-]?\d+$/.test(said)) wanted.points = String(Number(said));
  else if (pattern !== undefined) wanted.pattern = pattern[0];
  else if (said !== "") wanted.player = said;
}

function showWanted() {
  /** @type {{ [field: string]: string | undefined }} */
  const texts = { player: wanted.player, pattern: patterns.get(wanted.pattern ?? "") ?? wanted.pattern,
    points: wanted.points && `${word("page.archive.points")}: ${figure(wanted.points)}` };
  $("wanted").replaceChildren(...Object.entries(texts).filter(([, text]) => text).map(([field, text]) =>
    button(`${text} ✕`, () => { delete wanted[field]; search(); })));
  $("known").replaceChildren(...[...players.map(({ player }) => player), ...patterns.values()].map((value) => made("option", { value })));
}

/** @param {HandOfFilm} hand @param {number} seat */
function seatOf(hand, seat) {
  const name = [hand.player_0, hand.player_1, hand.player_2, hand.player_3][seat];
  const points = [hand.points_0, hand.points_1, hand.points_2, hand.points_3][seat];
  return part("seat", name ? narrowing("player", name, name) : nameOf([], seat), " ", signed(points));
}

/** @param {HandOfFilm} hand */
function handLine(hand) {
  const names = hand.patterns.split(" ").filter(Boolean);
  for (const name of names) patterns.set(name, hand.pattern_titles[name]);
  const at = hand.begun_s === null ? "" : filmTime(hand.begun_s);
  const report = made("a", { href: `/api/v1/archive/readings/${hand.reading}/files/report.html` }, hand.film);
  const doubts = hand.problems + hand.questions;
  const round = hand.has_rounds ? ` · ${word("page.round", { wind: word(`wind.${hand.round}`) })}` : "";
  return made("li", {}, part("title", report, ` ${at}`), part("soft", titleOf(hand.rules), round),
    part("result", word(`page.archive.outcome.${hand.outcome}`), " ", ...names.map((name) => narrowing("pattern", name, hand.pattern_titles[name]))),
    part("four", ...[0, 1, 2, 3].map((seat) => seatOf(hand, seat))),
    ...(hand.gaps ? [part("soft", word("page.archive.gaps"))] : []), ...(doubts ? [named("page.archive.doubts", doubts)] : []));
}

function showHands() {
  $("no-hands").hidden = hands.length > 0;
  $("hands").replaceChildren(...hands.map(handLine));
  showWanted();
}

/** @param {ReadingRow} film */
function filmLine(film) {
  return made("li", {}, made("span", { class: "title", title: film.address }, film.film), part("soft", word(`page.archive.state.${film.state}`)),
    named("page.archive.read", filmTime(film.read_s)), named("page.archive.hands", film.hands),
    ...(film.questions ? [named("page.archive.questions", film.questions)] : []), seatsNamed(film, seated), part("reason", film.error ?? ""));
}

// Who sat in a film is told in its hands and in the list of players, too.
async function seated() {
  await loadPlayers();
  showPlayers(narrowing);
  showFilms();
  search();
}

function showFilms() {
  $("films").replaceChildren(...films.map(filmLine));
}

function showQuestions() {
  const count = questions.reduce((sum, one) => sum + one.questions.length, 0);
  $("asked-title").hidden = count === 0;
  if (count === 0 && find("main").dataset.room === "asked") openRoom("hands");
  $("asked-title").textContent = `${word("page.archive.questions")} ${count}`;
  $("open-questions").replaceChildren(...questions.map((one) => filmAsked(one, answered)));
}

/** @param {number} reading */
function answered(reading) {
  questions = questions.filter((one) => one.reading !== reading);
  showQuestions();
  load();
}

async function loadQuestions() {
  questions = /** @type {AskedFilm[] | null} */ (await toldBy("archive/questions")) ?? [];
}

/** @typedef {{ rules: HTMLSelectElement, doubtful: HTMLSelectElement, said: HTMLInputElement }} Fields */
const fields = () => /** @type {Fields} */ (/** @type {unknown} */ ($("search").elements));

function asking() {
  const { rules, doubtful } = fields();
  const asked = { ...wanted, rules: rules.value, doubtful: doubtful.value };
  return new URLSearchParams(Object.entries(asked).flatMap(([field, value]) => (value ? [[field, value]] : [])));
}

async function search(from = 0) {
  const asked = asking();
  $("csv").href = `/api/v1/archive/hands/csv?${asked}`;
  asked.set("from", String(from));
  const told = await toldBy(`archive/hands?${asked}`);
  if (told === null) return;
  hands = from === 0 ? told.hands : [...hands, ...told.hands];
  $("more-hands").hidden = !told.more;
  showHands();
}

async function listFilms(from = 0) {
  const state = $("state").value;
  const told = await toldBy(`archive?from=${from}${state ? `&state=${state}` : ""}`);
  if (told === null) return;
  progress = told;
  films = from === 0 ? told.readings : [...films, ...told.readings];
  $("more-films").hidden = !told.more;
  showProgress();
  showFilms();
}

async function load() {
  // Names that are being typed stay.
  if (films.length <= MOST_SHOWN && document.querySelector(".names[open]") === null) await listFilms();
}

function choose() {
  if (progress === null) return;
  const { rules, doubtful } = fields();
  fill(rules, ["", ...progress.rules], [word("page.players.all_rules"), ...progress.rules.map(titleOf)]);
  fill(doubtful, Object.keys(DOUBTS), Object.values(DOUBTS).map((name) => word(`page.archive.doubts.${name}`)));
  fill($("state"), STATES, STATES.map((state) => word(`page.archive.state.${state || "any"}`)));
}

function showAll() {
  document.title = word("page.archive");
  fields().said.placeholder = word("page.archive.search_for");
  choose();
  showProgress();
  showFilms();
  showHands();
  showPlayers(narrowing);
  showQuestions();
}

async function start() {
  await enter();
  showTabs();
  await loadTiles();
  await listFilms();
  if (progress !== null) {
    await loadQuestions();
    offerLanguages(async () => { await loadQuestions(); await search(); showAll(); });
    showAll();
    await loadPlayers();
    showPlayers(narrowing);
    await search();
    offerRooms();
    const { said, rules, doubtful } = fields();
    for (const select of [rules, doubtful]) select.addEventListener("change", () => search());
    onSubmit($("search"), () => { take(said.value.trim()); said.value = ""; search(); });
    $("more-hands").addEventListener("click", () => search(hands.length));
    $("more-films").addEventListener("click", () => listFilms(films.length));
    $("state").addEventListener("change", () => listFilms());
    setInterval(load, AGAIN_MS);
  }
  ready();
}

start();
