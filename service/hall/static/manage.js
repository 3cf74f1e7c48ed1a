// For whoever runs the hall: tables, seasons and keys are added here. Others do not see it.
import { toldOf } from "/static/shared/asking.js";
import { $, button, choice, fill, made, onSubmit } from "/static/shared/elements.js";
import { toldBy } from "/static/shared/enter.js";
import { titleOf, word } from "/static/shared/words.js";
import { showLeagues, shown } from "./hall.js";

const ROLES = ["public", "viewer", "admin"];

const send = (method, path, body) => toldBy(path, body, method);

function showSecret(text, ...lines) {
  $("secret").hidden = false;
  $("secret").replaceChildren(text, ...lines.map((line) => made("code", {}, line)));
}

function showTableKey(name, key) {
  showSecret(word("page.hall.key_once"), key,
    `tilesight serve --hall-url ${location.origin}/tables/${name} --hall-key-file hall.key`);
}

async function addTable(given) {
  const told = await send("POST", "tables", { name: given.get("name"), title: given.get("title") });
  if (told !== null) showTableKey(told.table, told.key);
  return told;
}

const addLeague = (given) =>
  send("POST", "leagues", { name: given.get("name"), season: given.get("season"), rules: given.get("rules") });

async function makeKey(given) {
  const [role, table] = given.get("role").split(" ");
  const told = await send("POST", "keys", { role, table: table ?? null, label: given.get("label") });
  if (told === null) return null;
  if (table) showTableKey(table, told.key);
  else showSecret(word("page.hall.key_link"), `${location.origin}${role === "public" ? "/watch" : "/"}#${told.key}`);
  return told;
}

async function showKeys() {
  const keys = await toldOf("/api/v1/keys");
  if (keys === null) return false;
  $("keys").replaceChildren(...keys.map((key) => made("tr", key.revoked_s === null ? {} : { class: "revoked" },
    made("td", {}, String(key.id)), made("td", { class: "text" }, word(`page.hall.role.${key.role}`)),
    made("td", { class: "text" }, [key.table, key.label].filter(Boolean).join(" · ")),
    made("td", {}, key.revoked_s === null
      ? button(word("page.hall.revoke"), async () => { if (await send("DELETE", `keys/${key.id}`, {})) await showManaging(); })
      : word("page.hall.revoked")))));
  return true;
}

function showPlaysIn(leagues) {
  $("plays-in").replaceChildren(...[...shown.values()].map(({ row }) => {
    const select = choice(["", ...leagues.map((one) => String(one.id))],
      [word("page.hall.no_league"), ...leagues.map((one) => `${one.name} ${one.season}`)]);
    select.value = row.league === null ? "" : String(row.league);
    select.addEventListener("change", () =>
      send("PUT", `tables/${row.name}`, { league: select.value ? Number(select.value) : null }));
    return made("label", {}, word("page.hall.league_of", { title: row.title }), select);
  }));
}

export async function showManaging() {
  const leagues = await showLeagues();
  $("manage").hidden = !(await showKeys());
  if ($("manage").hidden) return;
  const names = [...shown.keys()];
  fill(document.querySelector("#make-key select"),
    [...ROLES, ...names.map((name) => `table ${name}`)],
    [...ROLES.map((role) => word(`page.hall.role.${role}`)), ...names.map((name) => `${word("page.hall.role.table")} ${name}`)]);
  const rules = await toldOf("/api/v1/rules");
  fill(document.querySelector("#add-league select"), rules, rules.map(titleOf));
  showPlaysIn(leagues);
}

for (const [id, change] of [["add-table", addTable], ["add-league", addLeague], ["make-key", makeKey]]) {
  onSubmit($(id), async (given) => {
    if (await change(given) === null) return;
    $(id).reset();
    await showManaging();
  });
}
