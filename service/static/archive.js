// Many recorded films: how far they are read, their hands, and what is doubtful.
"use strict";

const AGAIN_MS = 10000;
const STATES = ["", "waiting", "running", "done", "quarantined"];
const HOUR_S = 3600;
const MOST_SHOWN = 100;
const DOUBTS = [["", "any"], ["true", "with"], ["false", "without"]];
let progress = null;
let films = [];
let hands = [];
let questions = [];

const cell = (...shown) => made("td", { class: "text" }, ...shown);
const amount = (shown) => made("td", {}, String(shown));
const heading = (key, kind = "text") => made("th", { scope: "col", class: kind }, word(key));

function timeLeft(left_s) {
  if (left_s === null) return "";
  const hours = left_s / HOUR_S;
  return hours < 2 ? word("page.archive.minutes_left", { minutes: Math.ceil(left_s / 60) })
    : word("page.archive.hours_left", { hours: Math.round(hours) });
}

function showProgress() {
  const { films: count, hands: found, hours_read, left_s } = progress;
  const over = count.done + count.quarantined;
  $("bar").max = Math.max(1, over + count.waiting + count.running);
  $("bar").value = over;
  const told = word("page.archive.told", { ...count, hands: found, hours: hours_read.toFixed(1) });
  $("progress").textContent = [told, timeLeft(left_s)].join(" ");
}

// A word that narrows the search to itself.
function narrowing(field, value, text) {
  return button(text, () => {
    $("search").elements[field].value = value;
    search();
  }, "quiet");
}

function seatOf(hand, seat) {
  const name = hand[`player_${seat}`];
  const who = name ? narrowing("player", name, name) : word("seat.title", { seat });
  return cell(who, made("br"), signed(hand[`points_${seat}`]));
}

function handLine(hand) {
  const patterns = hand.patterns.split(" ").filter(Boolean)
    .map((name) => narrowing("pattern", name, inLanguage(hand.pattern_titles[name])));
  const at = hand.begun_s === null ? "" : filmTime(hand.begun_s);
  const report = made("a", { href: `/api/v1/archive/readings/${hand.reading}/files/report.html` }, hand.film);
  const doubts = hand.problems + hand.questions;
  return made("tr", {}, cell(report, made("br"), at), cell(inLanguage(hand.rules_titles), ...(hand.has_rounds ? [made("br"), word("page.round", { wind: word(`wind.${hand.round}`) })] : [])),
    made("td", { class: "text result" }, word(`page.archive.outcome.${hand.outcome}`), " ", ...patterns, hand.gaps ? made("p", { class: "soft" }, word("page.archive.gaps")) : ""),
    ...[0, 1, 2, 3].map((seat) => seatOf(hand, seat)), amount(doubts || ""));
}

function showHands() {
  $("no-hands").hidden = hands.length > 0;
  $("hands").replaceChildren(...(hands.length === 0 ? [] : [made("tr", {}, heading("page.archive.film"), heading("page.archive.round"),
    heading("page.archive.result"), ...[0, 1, 2, 3].map((seat) => made("th", { scope: "col", class: "text" }, word("seat.title", { seat }))), heading("page.archive.doubts", ""))]),
    ...hands.map(handLine));
}

function filmLine(film) {
  const state = word(`page.archive.state.${film.state}`);
  return made("tr", {}, cell(made("span", { title: film.address }, film.film)), cell(seatsNamed(film)), cell(state), amount(filmTime(film.read_s)),
    amount(film.hands), amount(film.questions || ""), made("td", { class: "text reason" }, film.error ?? ""));
}

function showFilms() {
  $("films").replaceChildren(made("tr", {}, ...["film", "who", "state"].map((name) => heading(`page.archive.${name}`)),
    ...["read", "hands", "questions"].map((name) => heading(`page.archive.${name}`, "")), heading("page.archive.reason")), ...films.map(filmLine));
}

function showQuestions() {
  const count = questions.reduce((sum, one) => sum + one.questions.length, 0);
  $("asked").hidden = count === 0;
  $("asked-title").textContent = word("page.questions.what_was_it", { count });
  $("open-questions").replaceChildren(...questions.map((one) => filmAsked(one, answered)));
}

function answered(reading) {
  questions = questions.filter((one) => one.reading !== reading);
  showQuestions();
  load();
}

function asking() {
  const given = [...new FormData($("search"))].filter(([, value]) => value !== "");
  return new URLSearchParams(given);
}

async function search(from = 0) {
  const asked = asking();
  $("csv").href = `/api/v1/archive/hands/csv?${asked}`;
  asked.set("from", from);
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

function offer(select, options) {
  const chosen = select.value;
  select.replaceChildren(...options.map(([value, text]) => made("option", { value }, text)));
  select.value = chosen;
}

function choose() {
  const { rules, doubtful } = $("search").elements;
  offer(rules, [["", word("page.players.all_rules")], ...progress.rules.map((one) => [one.rules, inLanguage(one.rules_titles)])]);
  offer(doubtful, DOUBTS.map(([value, name]) => [value, word(`page.archive.doubts.${name}`)]));
  offer($("state"), STATES.map((state) => [state, word(`page.archive.state.${state || "any"}`)]));
}

function showAll() {
  document.title = word("page.archive");
  choose();
  showProgress();
  showFilms();
  showHands();
  showPlayers();
  showQuestions();
}

async function start() {
  await enter();
  await loadTiles();
  await listFilms();
  if (progress !== null) {
    questions = (await toldBy("archive/questions"))?.films ?? [];
    offerLanguages(showAll);
    showAll();
    await loadPlayers();
    await search();
    $("search").addEventListener("submit", (event) => { event.preventDefault(); search(); });
    $("more-hands").addEventListener("click", () => search(hands.length));
    $("more-films").addEventListener("click", () => listFilms(films.length));
    $("state").addEventListener("change", () => listFilms());
    setInterval(load, AGAIN_MS);
  }
  ready();
}

start();
