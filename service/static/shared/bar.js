// Who plays, with how much, and how they stand: a cell a player; and what is played now, in one line.
import { $, find, made } from "./elements.js";
import { BETWEEN_HANDS, WINDS } from "./felt.js";
import { figure, nameOf, namesOf, placeOf, shortPlaceAmong, signed, word } from "./words.js";
/** @import { PublicTable } from "/static/wire" */

// "deltas" is what the last hand changed; null where none is over.
/** @param {PublicTable} table @param {number[] | null} deltas */
export function showBar(table, deltas = null) {
  $("bar").replaceChildren(...namesOf(table.names).map((name, seat) => {
    const sits = table.hand > 0 ? word(`wind.short.${WINDS[(seat - table.dealer + 4) % 4]}`) : "";
    const change = deltas?.[seat] ?? 0;
    const [points, changed] = [figure(table.points[seat]), change === 0 ? "" : signed(change)];
    const plays = table.turn === seat && !BETWEEN_HANDS.includes(table.phase);
    // Where a cell is narrow, a figure is written as small as it must be to stand there whole.
    const style = `--points: ${points.length}; --changed: ${changed.length || 1}`;
    return made("li", { class: `${plays ? "plays" : ""} ${table.players[seat].ready ? "ready" : ""}`, style },
      made("span", { class: `sits${table.dealer === seat ? " dealer" : ""}` }, sits), made("i", { class: `dot s${seat}` }),
      made("span", { class: "who" }, name), made("span", { class: change < 0 ? "loss" : "gain" }, changed),
      made("strong", {}, points), made("span", { class: "place" }, table.hand > 0 ? shortPlaceAmong(table.places[seat], table.places) : ""));
  }));
  const parts = table.hand > 0
    ? [placeOf(table, table.shows), word("page.deals", { name: nameOf(table.names, table.dealer) }), ...(table.pot > 0 ? [word("page.deposits", { count: figure(table.pot) })] : [])]
    : ["tilesight"];
  // What finds no room is left out whole: a figure is never cut.
  $("now").replaceChildren(...parts.map((part, at) => made("span", {}, at === 0 ? part : ` · ${part}`)));
}

const TABS = /** @type {const} */ (["view", "log"]);

// Picture or events stand below the slot where there is no room for both.
export function offerTabs() {
  for (const tab of TABS) {
    $(`to-${tab}`).addEventListener("click", () => {
      find("main").dataset.tab = tab;
      find("main").classList.remove("swapped");
      for (const each of TABS) $(`to-${each}`).setAttribute("aria-pressed", String(each === tab));
      $(tab).scrollIntoView({ block: "nearest" });
    });
  }
}
