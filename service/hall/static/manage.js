// For whoever runs the hall: tables, seasons and keys are added here. Others do not see it.
import { toldOf } from "/static/shared/asking.js";
import { $, button, choice, fill, find, made, onSubmit } from "/static/shared/elements.js";
import { toldBy } from "/static/shared/enter.js";
import { titleOf, word } from "/static/shared/words.js";
/** @import { HallTableView, LeagueRow } from "/static/wire" */

const ROLES = ["public", "viewer", "admin"];

/** @param {string} text @param {...string} lines */
function showSecret(text, ...lines) {
  $("secret").hidden = false;
  $("secret").replaceChildren(text, ...lines.map((line) => made("code", {}, line)));
}

/** @param {string} name @param {string} key */
function showTableKey(name, key) {
  showSecret(word("page.hall.key_once"), key,
    `tilesight serve --hall-url ${location.origin}/tables/${name} --hall-key-file hall.key`);
}

/** @param {FormData} given */
async function addTable(given) {
  const told = await toldBy("tables", { body: { name: given.get("name"), title: given.get("title") } });
  if (told !== null) showTableKey(told.table ?? "", told.key);
  return told;
}

/** @param {FormData} given */
const addLeague = (given) =>
  toldBy("leagues", {
    body: { name: given.get("name"), season: given.get("season"), rules: given.get("rules"), films: given.get("films") !== null },
  });

/** @param {FormData} given */
async function makeKey(given) {
  const [role, table] = String(given.get("role")).split(" ");
  const told = await toldBy("keys", { body: { role, table: table ?? null, label: given.get("label") } });
  if (told === null) return null;
  if (table) showTableKey(table, told.key);
  else showSecret(word("page.hall.key_link"), `${location.origin}${role === "public" ? "/watch" : "/"}#${told.key}`);
  return told;
}

/** @param {() => Promise<void>} changed */
async function showKeys(changed) {
  const keys = await toldOf("/api/v1/keys");
  if (keys === null) return false;
  $("keys").replaceChildren(...keys.map((key) => made("tr", key.revoked_s === null ? {} : { class: "revoked" },
    made("td", {}, String(key.id)), made("td", { class: "text" }, word(`page.hall.role.${key.role}`)),
    made("td", { class: "text" }, [key.table, key.label].filter(Boolean).join(" · ")),
    made("td", {}, key.revoked_s === null
      ? button(word("page.hall.revoke"), async () => { if (await toldBy(`keys/${key.id}`, { method: "DELETE", body: {} })) await changed(); })
      : word("page.hall.revoked")))));
  return true;
}

/** @param {HallTableView[]} tables @param {LeagueRow[]} leagues */
function showPlaysIn(tables, leagues) {
  $("plays-in").replaceChildren(...tables.map((row) => {
    const select = choice(["", ...leagues.map((one) => String(one.id))],
      [word("page.hall.no_league"), ...leagues.map((one) => `${one.name} ${one.season}`)]);
    select.value = row.league === null ? "" : String(row.league);
    select.addEventListener("change", () =>
      toldBy(`tables/${row.name}`, { method: "PUT", body: { league: select.value ? Number(select.value) : null } }));
    return made("label", {}, word("page.hall.league_of", { title: row.title }), select);
  }));
}

/** @param {HallTableView[]} tables @param {LeagueRow[]} leagues @param {() => Promise<void>} changed */
export async function showManaging(tables, leagues, changed) {
  $("manage").hidden = !(await showKeys(changed));
  if ($("manage").hidden) return;
  const names = tables.map(({ name }) => name);
  fill(/** @type {HTMLSelectElement} */ (find("#make-key select")),
    [...ROLES, ...names.map((name) => `table ${name}`)],
    [...ROLES.map((role) => word(`page.hall.role.${role}`)), ...names.map((name) => `${word("page.hall.role.table")} ${name}`)]);
  const rules = await toldOf("/api/v1/rules") ?? [];
  fill(/** @type {HTMLSelectElement} */ (find("#add-league select")), rules, rules.map(titleOf));
  showPlaysIn(tables, leagues);
}

/** @type {["add-table" | "add-league" | "make-key", (given: FormData) => Promise<object | null>][]} */
const forms = [["add-table", addTable], ["add-league", addLeague], ["make-key", makeKey]];

// "changed" shows anew what has changed here.
/** @param {() => Promise<void>} changed */
export function offerManaging(changed) {
  for (const [id, change] of forms) {
    onSubmit($(id), async (given) => {
      if (await change(given) === null) return;
      $(id).reset();
      await changed();
    });
  }
}
