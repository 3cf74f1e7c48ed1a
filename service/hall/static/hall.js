// All tables, each on a card; the cards of those where somebody is needed come first.
import { $, findAll, made, ready } from "/static/shared/elements.js";
import { enter } from "/static/shared/enter.js";
import { listenAgain, listenTo } from "/static/shared/said.js";
import { WORDS, figure, labelled, language, listed, nameOf, namesOf, offerLanguages, titleOf, word } from "/static/shared/words.js";
import { offerManaging, showManaging } from "./manage.js";
import { showTabs } from "/static/shared/hall_tabs.js";
/** @import { ShownRow } from "/static/page" */
/** @import { HallTableView, Need, RowsMessage } from "/static/wire" */

const TICK_MS = 5000;
const shown = /** @type {Map<string, ShownRow>} */ (new Map()); // by name: what was told last, and when it came

/** @param {number} seconds */
function agoOf(seconds) {
  if (seconds < 5) return word("page.hall.now");
  if (seconds < 60) return word("page.hall.seconds_ago", { count: Math.round(seconds) });
  if (seconds < 3600) return word("page.hall.minutes_ago", { count: Math.floor(seconds / 60) });
  return word("page.hall.hours_ago", { count: Math.floor(seconds / 3600) });
}

/** @param {ShownRow} given */
function since({ row, came }) {
  return row.since_line_s === null ? null : row.since_line_s + (performance.now() - came) / 1000;
}

// A table tells its trouble in English; for the usual kinds there are words in every language.
/** @param {Need} need */
function needOf(need) {
  const key = `page.trouble.${need.kind}`;
  const known = language !== "en" && key in WORDS;
  return word(`page.hall.need.${need.what}`, known ? { text: word(key) } : need);
}

/** @param {HallTableView} row */
function playOf(row) {
  if (row.phase === "before_game") return word("page.hall.not_begun");
  if (row.phase === "after_game") return word("page.hall.game_over");
  if (row.hand === 0) return word("page.hall.between_hands");
  const parts = [word("page.hand", { count: row.hand })];
  if (row.shows.round) parts.unshift(word("page.round", { wind: word(`wind.${row.round}`) }));
  parts.push(word("page.hall.deals", { name: nameOf(row.names, row.dealer) }));
  if (["before_hand", "settled"].includes(row.phase)) parts.push(word("page.hall.between_hands"));
  return parts.join(" · ");
}

/** @param {HallTableView} row */
function fourOf(row) {
  const four = made("div", { class: "four" });
  namesOf(row.names).forEach((name, seat) => {
    const deals = row.dealer === seat && row.hand > 0;
    four.append(made("span", deals ? { class: "dealer" } : {},
      made("em", {}, name), made("strong", {}, figure(row.points[seat]))));
  });
  four.classList.toggle("large", row.points.some((points) => figure(points).length > 6));
  return four;
}

/** @param {ShownRow} one */
function cardOf(one) {
  const { row } = one;
  const card = made("a", { class: "card", href: `/tables/${row.name}`, "data-name": row.name });
  const ago = since(one);
  const small = made("small", {}, ago === null ? "" : word("page.hall.newest", { time: agoOf(ago) }));
  card.append(made("h3", {}, row.title, small));
  if (row.needs.length > 0) {
    card.dataset.needs = String(row.needs.length);
    card.append(made("ul", { class: "needs" }, ...row.needs.map((need) => made("li", {}, needOf(need)))));
  }
  card.append(made("p", {}, row.phase === "before_game" ? playOf(row) : `${titleOf(row.rules)} · ${playOf(row)}`));
  if (row.phase !== "before_game") card.append(fourOf(row));
  card.append(made("p", { class: "said" }, row.said.map(({ text }) => text).join(" · ")));
  return card;
}

function showAll() {
  const all = [...shown.values()].sort((one, other) =>
    Number(other.row.needs.length > 0) - Number(one.row.needs.length > 0) || one.row.name.localeCompare(other.row.name));
  const needs = all.filter(({ row }) => row.needs.length > 0);
  // What a screen reader would say again stays as it is where nothing has changed.
  const lines = needs.map(({ row }) => labelled(row.title, listed(row.needs.map(needOf))));
  if ([...$("needs").children].map((each) => each.textContent).join("\n") !== lines.join("\n")) {
    $("needs").replaceChildren(...lines.map((line) => made("li", {}, line)));
  }
  $("quiet").hidden = all.length === 0;
  $("quiet").classList.toggle("needed", needs.length > 0);
  $("quiet").textContent = needs.length > 0 ? labelled(word("page.hall.needed"), needs.length) : word("page.hall.nobody_needed");
  $("none").hidden = all.length > 0;
  const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.name;
  $("cards").replaceChildren(...all.map(cardOf));
  if (focused) findAll($("cards"), `.card[data-name="${focused}"]`)[0]?.focus();
}

/** @param {RowsMessage} message */
function receive(message) {
  const rows = message.type === "hall" ? message.tables : [message.table];
  const isNew = message.type === "hall" || rows.some((row) => !shown.has(row.name));
  if (message.type === "hall") shown.clear();
  for (const row of rows) shown.set(row.name, { row, came: performance.now() });
  showAll();
  if (isNew) showMore();
}

// What does not come with the tables: what is managed here.
async function showMore() {
  await showManaging([...shown.values()].map(({ row }) => row), showMore);
}

async function start() {
  await enter();
  offerLanguages(async () => { await listenAgain(); showMore(); });
  offerManaging(showMore);
  ready();
  showTabs();
  listenTo("/api/v1/listen", receive);
  setInterval(showAll, TICK_MS);
}

start();
