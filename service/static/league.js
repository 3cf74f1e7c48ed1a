// The standings of a season and its games; looked at again from time to time.
"use strict";

const AGAIN_MS = 20000;
const number = location.pathname.split("/").at(-1);
const NAME = "page.players.name";
const HEADS = ["page.hall.rank", NAME, "page.players.games", "page.hall.points", "page.hall.average_points", "page.hall.average_place",
  "page.hall.first", "page.hall.second", "page.hall.third", "page.hall.fourth"];
let last = null;

// "2", or "=2" where several share the place.
const shared = (place, among) => (among.filter((one) => one === place).length > 1 ? `=${place}` : String(place));
const cell = (text, kind = "") => made("td", kind ? { class: kind } : {}, text);
const head = (text, kind = "") => made("th", kind ? { scope: "col", class: kind } : { scope: "col" }, text);

// Who has a name has a page.
const linked = (path, text) => made("a", { href: path }, text);
const personOf = ({ player, name }, kind) => cell(linked(`/players/${player}`, name), kind);

function rowOf(one, _, people) {
  return made("tr", {}, cell(shared(one.rank, people.map((other) => other.rank))), personOf(one, "text"), cell(String(one.games)), cell(signed(one.points)),
    cell(signed(Number(one.average_points.toFixed(1)))), cell(one.average_place.toFixed(2)),
    ...one.places.map((count) => cell(String(count))));
}

function gameOf(game) {
  const when = new Date(game.ended_s * 1000);
  const time = made("time", { datetime: when.toISOString() }, when.toLocaleString(language ?? "en",
    { dateStyle: "short", timeStyle: "short" }));
  const players = game.players.map((one) => made("td", { class: "text" },
    `${shared(one.place, game.players.map((other) => other.place))}. `,
    one.player === null ? word("page.hall.unnamed") : linked(`/players/${one.player}`, one.name), ` ${signed(one.points)}`));
  return made("tr", {}, made("td", { class: "text" }, time), cell(linked(`/tables/${game.table_name}`, game.table), "text"), ...players);
}

function showLeague() {
  if (last === null) return;
  const { league, people, games } = last;
  document.title = $("title").textContent = `${league.name} ${league.season}`;
  showTexts($("rules"), league.rules_titles);
  $("csv").href = `/api/v1/leagues/${number}/csv`;
  $("nobody").hidden = people.length > 0;
  $("people").replaceChildren(...(people.length === 0 ? [] : [made("tr", {},
    ...HEADS.map((one) => head(word(one), one === NAME ? "text" : "")))]), ...people.map(rowOf));
  $("games").replaceChildren(...games.map(gameOf));
}

async function load() {
  const answer = await fetch(`/api/v1/leagues/${number}`).catch(() => null);
  const told = await answer?.json().catch(() => null);
  $("wrong").textContent = answer?.ok ? "" : told?.detail ?? "";
  if (answer?.ok) {
    last = told;
    showLeague();
  }
}

async function start() {
  await enter();
  offerLanguages(showLeague);
  ready();
  await load();
  setInterval(load, AGAIN_MS);
}

start();
