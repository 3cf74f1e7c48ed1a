// A game as one file, without a server: places, questions, and each hand with its result and events.
import { alike, showChart } from "/static/shared/chart.js";
import { $, find, made, ready } from "/static/shared/elements.js";
import { resultOf } from "/static/shared/result.js";
import { drawnPart } from "/static/shared/tiles.js";
import { figure, labelled, listed, signed, titleOf, word } from "/static/shared/words.js";
import { showQuestions } from "./saved_questions.js";
import { showSheet } from "./sheet.js";
import { storyOf } from "./story.js";
/** @import { GameReport, HandReport, HandView, LineView, SavedReport, StoryMoment } from "/static/wire" */

const report = /** @type {SavedReport} */ (JSON.parse(find("#report").textContent ?? ""));
const views = report.games.map(({ view }) => view);
const several = report.games.length > 1;
const isOpen = (/** @type {LineView} */ { doubt, problems }) => doubt !== null || problems.length > 0;

/** @param {number} change */
const changed = (change) => made("span", { class: change > 0 ? "gain" : change < 0 ? "loss" : "soft" }, signed(change));

/** @param {string} from @param {string} to @param {number} points */
const payment = (from, to, points) => made("p", { class: "payment" }, made("span", {}, from), made("b", {}, "→"), made("span", {}, to), made("strong", {}, figure(points)));

/** @param {GameReport} game @param {number} at */
function finalOf({ over, places, settled }, at) {
  const title = word(over ? "report.final" : "report.points");
  const rows = places.map(({ place, seat, name, points, change }) => made("li", {}, made("span", { class: "soft" }, word("place", { place })),
    made("b", { class: `who s${seat}` }, name), made("strong", {}, figure(points)), changed(change)));
  return made("section", {}, made("h2", {}, several ? `${title} · ${word("report.game", { number: at + 1 })}` : title),
    made("ol", { class: "places-of-seats" }, ...rows), ...settled.map((paid) => payment(paid.from, paid.to, paid.points)));
}

/** @param {number} number @param {string} key */
const toEvent = (number, key) => made("a", { href: `#e${number}` }, word(key, { number }));

/** @param {LineView} line */
function eventOf(line) {
  const { number, time, told, doubt, picture, problems, ruled_by, said } = line;
  const what = made("span", { class: doubt === null ? "" : "doubt" }, ...told.map(drawnPart), doubt === null ? "" : word("page.percent", { value: doubt }));
  const summary = made("summary", {}, made("span", { class: "soft" }, time), what);
  if (picture !== null) summary.prepend(made("img", { src: picture, alt: word("report.picture", { number }) }));
  const row = made("details", { class: "event", id: `e${number}` }, summary, ...problems.map((text) => made("p", { class: "problem" }, text)),
    ...ruled_by.map((text) => made("p", { class: "doubt" }, text)), ...said.map((text) => made("p", { class: "soft" }, text)));
  row.open = isOpen(line);
  return row;
}

// What a person should check, with a link to each event.
/** @param {LineView[]} lines */
function checksOf(lines) {
  const problems = lines.flatMap(({ number, problems }) => problems.map((text) => made("p", { class: "problem" }, toEvent(number, "report.event"), `: ${text}`)));
  const doubtful = lines.filter(({ doubt }) => doubt !== null).flatMap(({ number }, at) => [at > 0 ? word("page.between") : " ", toEvent(number, "report.check.event")]);
  return doubtful.length > 0 ? [...problems, made("p", { class: "doubt" }, word("report.check"), ...doubtful)] : problems;
}

/** @param {HandView} hand */
const placeId = (hand) => `h${hand.first}`;

// The moments of all hands; they are unpacked once one is looked at.
/** @returns {Promise<Record<string, StoryMoment[]>>} */
const unpacked = async () => {
  const bytes = Uint8Array.from(atob(report.stories), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
};

// Their pictures stand beside the events already.
/** @param {HandView} hand @param {LineView[]} lines */
async function momentsOf({ first }, lines) {
  const moments = (await unpacked())[first];
  return moments.map((moment) => ({ ...moment, picture: lines.find(({ number }) => `#e${number}` === moment.picture)?.picture ?? null }));
}

/** @param {HandView} hand @param {HandReport} beside */
function handOf(hand, { place, gaps, lines }) {
  const [title, ...card] = resultOf(lines.length > 0 ? { ...hand, problems: [] } : hand, null);
  const events = made("details", { class: "events" }, made("summary", {}, labelled(word("page.events"), lines.length)), ...lines.map(eventOf));
  events.open = lines.some(isOpen);
  events.hidden = lines.length === 0;
  return made("section", { id: placeId(hand) }, title, made("p", { class: "soft" }, `${word("report.chapter", { number: hand.number })} · ${place}`),
    ...gaps.map((text) => made("p", { class: "doubt" }, text)), ...card, ...checksOf(lines), storyOf(() => momentsOf(hand, lines), null), events);
}

// A tap on a hand shows it in pictures.
/** @param {HandView} hand */
function openHand(hand) {
  const place = find(`#${placeId(hand)}`);
  const story = place.querySelector("details.story");
  if (story instanceof HTMLDetailsElement) story.open = true;
  (story ?? place).scrollIntoView();
}

// A chart for each rule set that was played.
function showCharts() {
  const played = views.filter(({ hands }) => hands.length > 0);
  const firsts = played.filter(({ rules }, at) => played.findIndex((view) => view.rules === rules) === at);
  const boxes = firsts.map(() => made("div", { class: "chart" }));
  $("chart").replaceChildren(...boxes);
  firsts.forEach((view, at) => showChart(boxes[at], alike(views, view), openHand));
}

// Whoever follows a link to an event sees it, though it lay in a closed list.
function openLinked() {
  const linked = document.getElementById(location.hash.slice(1));
  if (!(linked instanceof HTMLDetailsElement)) return;
  for (const each of [linked.parentElement?.closest("details"), linked]) if (each) each.open = true;
  linked.scrollIntoView();
}

function start() {
  $("title").textContent = report.title || word("report.sheet");
  $("rules").textContent = views.map(({ rules, hands }) => listed([titleOf(rules), word(hands.length === 1 ? "report.hands.one" : "report.hands", { count: hands.length })])).join(" · ");
  $("chapters").replaceChildren(...views.flatMap(({ hands }) => hands.map((hand) => made("a", { href: `#${placeId(hand)}` }, word("report.chapter", { number: hand.number })))));
  $("until").hidden = report.until === null;
  $("until").textContent = word("report.until", { time: report.until });
  $("rehearsed").hidden = report.rehearsed === null;
  $("rehearsed").textContent = report.rehearsed;
  $("twice").hidden = report.twice === null;
  $("twice").textContent = report.twice;
  $("final").replaceChildren(...report.games.map(finalOf));
  showQuestions(report);
  showSheet(views, null, (hand) => find(`#${placeId(hand)}`).scrollIntoView());
  showCharts();
  $("results").replaceChildren(...report.games.flatMap(({ view, hands }) => view.hands.map((hand, at) => handOf(hand, hands[at]))));
  $("seal").hidden = report.seal === null;
  $("seal").textContent = word("report.seal", { seal: report.seal });
  ready();
  addEventListener("beforeprint", () => { $("sheet").open = true; });
  addEventListener("hashchange", openLinked);
  openLinked();
}

start();
