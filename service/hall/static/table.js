// One table of a hall, to look at: all of it comes anew with everything that happens there.
import { showBar } from "/static/shared/bar.js";
import { $, made, ready } from "/static/shared/elements.js";
import { enter } from "/static/shared/enter.js";
import { redraw } from "/static/shared/felt.js";
import { clock, listenAgain, listenTo, setStatus, showEvents, showSaid } from "/static/shared/said.js";
import { drawnPart, loadTiles } from "/static/shared/tiles.js";
import { offerLanguages, showRules, word } from "/static/shared/words.js";
/** @import { EventView, TableView } from "/static/wire" */

const name = location.pathname.split("/").at(-1) ?? "";

/** @param {EventView} one */
function happenedLine(one) {
  return made("li", { "data-number": one.number }, made("span", { class: "at" }, clock(one.t)), made("span", {}, ...one.told.map(drawnPart)),
    ...one.ruled_by.map((name) => made("small", {}, ` ${word("page.game.ruled", { name })}`)));
}

/** @param {TableView} page */
function showPage(page) {
  document.title = page.title;
  $("title").textContent = page.title;
  showRules(page.rules);
  redraw($("table"), page.table);
  showBar(page.table);
  showSaid(page.announced);
  showEvents(page, happenedLine);
}

// A table that is not there any more ends the page.
/** @param {CloseEvent} given */
function refused({ reason, code }) {
  if (reason && code === 1008) setStatus("failed", reason);
  return reason && code === 1008;
}

async function start() {
  await enter();
  await loadTiles();
  offerLanguages(listenAgain);
  ready();
  listenTo(`/api/v1/tables/${name}/listen`, showPage, undefined, refused);
}

start();
