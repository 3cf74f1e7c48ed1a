// The standings of a season and its games; looked at again from time to time.
import { $, made, ready } from "/static/shared/elements.js";
import { enter, toldBy } from "/static/shared/enter.js";
import { figure, language, offerLanguages, showRules, signed, word } from "/static/shared/words.js";
import { placesBar, rankedRow, shared } from "./ranked.js";
import { showTabs } from "/static/shared/hall_tabs.js";
/** @import { LeagueGame, LeaguePage, StandingView } from "/static/wire" */

const AGAIN_MS = 20000;
const number = location.pathname.split("/").at(-1) ?? "";
/** @type {LeaguePage | null} */
let last = null;

/** @param {string | Node} text @param {string} kind */
const cell = (text, kind = "") => made("td", kind ? { class: kind } : {}, text);

// Who has a name has a page.
/** @param {string} path @param {string} text */
const linked = (path, text) => made("a", { href: path }, text);

/** @param {StandingView} one @param {number} _ @param {StandingView[]} people */
function rowOf(one, _, people) {
  return rankedRow({
    rank: shared(one.rank, people.map((other) => other.rank)), path: `/players/${one.player}`, name: one.name,
    shown: [made("strong", {}, signed(one.points)), placesBar(one.places)],
    rest: [[word("page.players.games"), figure(one.games)], [word("page.hall.average_points"), signed(Number(one.average_points.toFixed(1)))],
      [word("page.hall.average_place"), one.average_place.toFixed(2)]],
  });
}

/**
 * A table has a page; a film is the archive's.
 * @param {LeagueGame} game
 */
const whereOf = (game) => (game.table_name === null ? game.table : linked(`/tables/${game.table_name}`, game.table));

/** @param {LeagueGame} game */
function gameOf(game) {
  const when = new Date(game.ended_s * 1000);
  const time = made("time", { datetime: when.toISOString() }, when.toLocaleString(language,
    { dateStyle: "medium", timeStyle: "short" }));
  const players = game.players.map((one) => made("td", { class: "text" },
    `${shared(one.place, game.players.map((other) => other.place))}. `,
    one.player === null ? word("page.hall.unnamed") : linked(`/players/${one.player}`, one.name ?? ""), ` ${signed(one.points)}`));
  return made("tr", {}, made("td", { class: "text" }, time), cell(whereOf(game), "text"), ...players);
}

function showLeague() {
  if (last === null) return;
  const { league, people, games } = last;
  document.title = $("title").textContent = `${league.name} ${league.season}`;
  showRules(league.rules);
  $("csv").href = `/api/v1/leagues/${number}/csv`;
  $("nobody").hidden = people.length > 0;
  $("people").replaceChildren(...people.map(rowOf));
  $("games").replaceChildren(...games.map(gameOf));
}

async function load() {
  last = await toldBy(`leagues/${number}`) ?? last;
  showLeague();
}

async function start() {
  await enter();
  offerLanguages(showLeague);
  ready();
  showTabs();
  await load();
  setInterval(load, AGAIN_MS);
}

start();
