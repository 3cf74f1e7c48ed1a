// The seasons of all leagues; whoever runs the hall begins one here, and says which tables play in it.
import { toldOf } from "/static/shared/asking.js";
import { $, choice, fill, find, made, onSubmit, ready } from "/static/shared/elements.js";
import { enter, toldBy } from "/static/shared/enter.js";
import { offerLanguages, titleOf, word } from "/static/shared/words.js";
import { showTabs } from "/static/shared/hall_tabs.js";
/** @import { HallTableView, LeagueRow } from "/static/wire" */

const AGAIN_MS = 20000;
/** @type {{ leagues: LeagueRow[], tables: HallTableView[], rules: string[], runs: boolean }} */
const told = { leagues: [], tables: [], rules: [], runs: false };

/** @param {LeagueRow} given */
function seasonOf({ id, name, season, rules }) {
  return made("li", {}, made("a", { href: `/leagues/${id}` }, `${name} ${season}`), made("span", { class: "soft" }, titleOf(rules)));
}

/** @param {HallTableView} row */
function playsIn(row) {
  const select = choice(["", ...told.leagues.map(({ id }) => String(id))],
    [word("page.hall.no_league"), ...told.leagues.map(({ name, season }) => `${name} ${season}`)]);
  const show = () => { select.value = row.league === null ? "" : String(row.league); };
  show();
  select.addEventListener("change", async () => {
    const league = select.value ? Number(select.value) : null;
    if (await toldBy(`tables/${row.name}`, { method: "PUT", body: { league } }) !== null) row.league = league;
    show(); // what was refused is not so
  });
  return made("label", {}, word("page.hall.league_of", { title: row.title }), select);
}

function showLeagues() {
  const { leagues, tables, rules, runs } = told;
  document.title = word("page.hall.leagues");
  $("no-seasons").hidden = leagues.length > 0;
  $("seasons").replaceChildren(...leagues.map(seasonOf));
  $("manage").hidden = !runs;
  fill(/** @type {HTMLSelectElement} */ (find("#add-league select")), rules, rules.map(titleOf));
  $("plays-title").hidden = tables.length === 0 || leagues.length === 0;
  $("plays-in").replaceChildren(...($("plays-title").hidden ? [] : tables.map(playsIn)));
}

async function load() {
  told.leagues = await toldOf("/api/v1/leagues") ?? told.leagues;
  if (told.runs) told.tables = (await toldOf("/api/v1/tables"))?.tables ?? told.tables;
  // What is being chosen stays.
  if (!$("plays-in").contains(document.activeElement)) showLeagues();
}

/** @param {FormData} given */
async function addLeague(given) {
  const body = { name: given.get("name"), season: given.get("season"), rules: given.get("rules"), films: given.get("films") !== null };
  if (await toldBy("leagues", { body }) === null) return;
  $("add-league").reset();
  await load();
}

async function start() {
  await enter();
  offerLanguages(showLeagues);
  onSubmit($("add-league"), addLeague);
  ready();
  told.runs = await showTabs();
  if (told.runs) told.rules = await toldOf("/api/v1/rules") ?? [];
  await load();
  setInterval(load, AGAIN_MS);
}

start();
