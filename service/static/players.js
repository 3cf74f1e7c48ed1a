// Everybody who has finished a game in this hall, the best rating first.
"use strict";

const AGAIN_MS = 20000;
const IN_TABLE = ["rating", "games", "average_place", "wins", "dealt_in",
  "average_won", "average_paid", "called", "ready", "mistakes"];
let everybody = null;

const asked = () => ($("played").value ? `?rules=${encodeURIComponent($("played").value)}` : "");

function headOf(name) {
  return made("th", { scope: "col", class: name === "name" ? "text" : "" }, figureName(name));
}

function lineOf(one) {
  const same = everybody.people.filter((other) => other.rank === one.rank).length > 1;
  const figures = IN_TABLE.map((name) => made("td", {}, PERSON_FIGURES[name](one)));
  return made("tr", {}, made("td", {}, same ? `=${one.rank}` : String(one.rank)),
    made("td", { class: "text" }, made("a", { href: `/players/${one.id}` }, one.name)), ...figures);
}

function showEverybody() {
  if (everybody === null) return;
  const { people, rules } = everybody;
  const chosen = $("played").value;
  $("played").replaceChildren(made("option", { value: "" }, word("page.players.all_rules")),
    ...rules.map((one) => made("option", { value: one.rules }, inLanguage(one.rules_titles))));
  $("played").value = chosen;
  document.title = word("page.players");
  $("csv").href = `/api/v1/players/csv${asked()}`;
  $("nobody").hidden = people.length > 0;
  $("everybody").replaceChildren(
    ...(people.length === 0 ? [] : [made("tr", {}, ...["rank", "name", ...IN_TABLE].map(headOf))]),
    ...people.map(lineOf));
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
  await load();
  setInterval(load, AGAIN_MS);
}

start();
