// What the questions of lessons and drill have in common.
import { $, made } from "/static/shared/elements.js";
import { tileDrawn } from "/static/shared/tiles.js";
/** @import { PublicTable } from "/static/wire" */

// The sets that a seat has declared, beside its hand.
/** @param {{ table: PublicTable, seat: number }} given */
export const setsOf = ({ table, seat }) => table.players[seat].melds.map(({ tiles }) => made("span", {}, ...tiles.map(tileDrawn)));

// The next question is read from its beginning.
export function toQuestion() {
  scrollTo({ top: 0 });
  for (const part of [$("decide"), $("because")]) part.scrollTop = 0;
}
