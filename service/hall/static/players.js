// Everybody who has finished a game, the best rating first; an admin sees whoever else is named at the end.
import { $, fill, made, ready } from "/static/shared/elements.js";
import { enter, toldBy } from "/static/shared/enter.js";
import { offerLanguages, titleOf, word } from "/static/shared/words.js";
import { PERSON_FIGURES, figureName } from "./player_figures.js";
import { rankedRow, shared } from "./ranked.js";
import { showTabs } from "/static/shared/hall_tabs.js";
/** @import { PeopleRated, Person } from "/static/wire" */

const AGAIN_MS = 20000;
const SHOWN_LAST = ["games", "average_place", "wins", "dealt_in", "average_won", "average_paid", "called", "ready", "mistakes"];
/** @type {PeopleRated | null} */
let everybody = null;

/** @returns {"" | `?rules=${string}`} */
const asked = () => ($("played").value ? `?rules=${encodeURIComponent($("played").value)}` : "");

/** @param {Person} one @param {number} _ @param {Person[]} people */
function lineOf(one, _, people) {
  return rankedRow({
    rank: one.games === 0 ? "–" : shared(one.rank, people.map((other) => other.rank)), path: `/players/${one.id}`, name: one.name,
    shown: [made("strong", { title: figureName("rating") }, PERSON_FIGURES.rating(one))],
    rest: SHOWN_LAST.map((name) => [figureName(name), PERSON_FIGURES[name](one)]),
  });
}

function showEverybody() {
  if (everybody === null) return;
  const { people, rules } = everybody;
  fill($("played"), ["", ...rules], [word("page.players.all_rules"), ...rules.map(titleOf)]);
  document.title = word("page.players");
  $("csv").href = `/api/v1/players/csv${asked()}`;
  $("nobody").hidden = people.length > 0;
  $("everybody").replaceChildren(...people.map(lineOf));
}

async function load() {
  everybody = await toldBy(`players${asked()}`) ?? everybody;
  showEverybody();
}

async function start() {
  await enter();
  offerLanguages(showEverybody);
  $("played").addEventListener("change", load);
  ready();
  showTabs();
  await load();
  setInterval(load, AGAIN_MS);
}

start();
