// Several tables at once, for everybody: "?tables=north,south" shows these alone.
import { $, made, ready } from "/static/shared/elements.js";
import { enter } from "/static/shared/enter.js";
import { drawTable } from "/static/shared/felt.js";
import { listenAgain, listenTo } from "/static/shared/said.js";
import { loadTiles } from "/static/shared/tiles.js";
import { offerLanguages, titleOf } from "/static/shared/words.js";
/** @import { TableView, WatchMessage } from "/static/wire" */

const wished = new URLSearchParams(location.search).get("tables")?.split(",") ?? null;
const watched = /** @type {Map<string, TableView>} */ (new Map()); // by name: the table's page

/** @param {TableView} page */
function tableShown(page) {
  const newest = page.announced.at(-1);
  const said = made("p", { class: "said", "aria-live": "polite" }, newest === undefined ? "" : newest.text);
  const section = made("section", { "data-name": page.name, "aria-label": page.title },
    made("h2", {}, page.title, made("small", {}, titleOf(page.rules))));
  section.append(drawTable(page.table), said);
  return section;
}

/** @param {TableView} page */
function show(page) {
  if (wished !== null && !wished.includes(page.name)) return;
  watched.set(page.name, page);
  const old = document.querySelector(`#watched > [data-name="${page.name}"]`);
  if (old === null) showWatched();
  else old.replaceWith(tableShown(page));
}

function showWatched() {
  const pages = [...watched.values()].sort((one, other) => one.name.localeCompare(other.name));
  $("none").hidden = pages.length > 0;
  $("watched").replaceChildren($("none"), ...pages.map(tableShown));
}

/** @param {WatchMessage} message */
function receive(message) {
  if (message.type === "table") show(message);
  if (message.type !== "pages") return;
  watched.clear();
  $("watched").replaceChildren($("none"));
  message.pages.forEach(show);
  showWatched();
}

async function start() {
  await enter();
  await loadTiles();
  offerLanguages(listenAgain);
  ready();
  listenTo("/api/v1/watch", receive);
}

start();
