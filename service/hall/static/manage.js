// For whoever runs the hall: tables and keys are added here. Others do not see it.
import { toldOf } from "/static/shared/asking.js";
import { $, button, fill, find, made, onSubmit } from "/static/shared/elements.js";
import { toldBy } from "/static/shared/enter.js";
import { word } from "/static/shared/words.js";
/** @import { HallTableView } from "/static/wire" */

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

// Whoever has no table yet adds the first one where the tables will stand; further ones are added in the menu.
/** @param {boolean} none */
function showFirst(none) {
  $("first").hidden = !none;
  $("more-tables").hidden = none;
  const place = none ? $("first") : $("more-tables");
  if (place.contains($("add-table"))) return;
  place.append($("add-table"));
}

/** @param {HallTableView[]} tables @param {() => Promise<void>} changed */
export async function showManaging(tables, changed) {
  $("manage").hidden = !(await showKeys(changed));
  if ($("manage").hidden) return;
  showFirst(tables.length === 0);
  const names = tables.map(({ name }) => name);
  fill(/** @type {HTMLSelectElement} */ (find("#make-key select")),
    [...ROLES, ...names.map((name) => `table ${name}`)],
    [...ROLES.map((role) => word(`page.hall.role.${role}`)), ...names.map((name) => `${word("page.hall.role.table")} ${name}`)]);
}

/** @type {["add-table" | "make-key", (given: FormData) => Promise<object | null>][]} */
const forms = [["add-table", addTable], ["make-key", makeKey]];

// "changed" shows anew what has changed here.
/** @param {() => Promise<void>} changed */
export function offerManaging(changed) {
  for (const [id, change] of forms) {
    onSubmit($(id), async (given) => {
      $(id).after($("wrong"));
      if (await change(given) === null) return;
      $(id).reset();
      // The key stays in sight, also where the form goes: it is shown only now.
      if ($("menu").contains($(id))) $(id).after($("secret"));
      $("secret").focus();
      await changed();
    });
  }
}
