// The score sheet: a row a hand; a tap shows how the hand came out.
import { $, button, made } from "/static/shared/elements.js";
import { headline, resultTitle } from "/static/shared/result.js";
import { figure, namesOf, signed, titleOf, word } from "/static/shared/words.js";
/** @import { GameView, HandView } from "/static/wire" */

/** @param {GameView} game */
function headOf(game) {
  const names = namesOf(game.names).map((name) => made("th", { scope: "col", class: "name" }, name));
  return made("tr", {}, made("th", { scope: "col" }, word("page.game.hand_column")),
    made("th", { scope: "col", class: "words" }, word("page.game.result_column")), ...names);
}

/** @param {number} delta @param {number} points */
function figures(delta, points) {
  const kind = delta > 0 ? "gain" : delta < 0 ? "loss" : "";
  return made("td", {}, made("strong", { class: kind }, signed(delta)), made("span", {}, figure(points)));
}

/** @param {HandView} hand @param {HandView | null} chosen @param {(hand: HandView) => void} choose */
function rowOf(hand, chosen, choose) {
  const tap = button(String(hand.number), () => choose(hand));
  tap.setAttribute("aria-label", resultTitle(hand));
  const row = made("tr", { class: chosen === hand ? "chosen" : "" }, made("td", {}, tap),
    made("td", { class: "words" }, headline(hand)));
  hand.deltas.forEach((delta, seat) => row.append(figures(delta, hand.points[seat])));
  return row;
}

/** @param {GameView} game */
function totalOf(game) {
  const row = made("tr", {}, made("td", {}, word("page.game.final")), made("td", { class: "words" }, ""));
  game.points.forEach((points, seat) => row.append(figures(points - game.start[seat], points)));
  return row;
}

/** @param {GameView[]} games @param {HandView | null} chosen @param {(hand: HandView) => void} choose */
export function showSheet(games, chosen, choose) {
  /** @type {HTMLElement[]} */
  const rows = [];
  const mixed = games.some(({ rules }) => rules !== games[0].rules);
  games.forEach((game, at) => {
    if (games.length > 1) {
      const title = [word("page.game.game_number", { count: at + 1 }), ...(mixed ? [titleOf(game.rules)] : [])].join(" · ");
      rows.push(made("tr", {}, made("th", { colspan: 6 }, title)));
    }
    rows.push(headOf(game), ...game.hands.map((hand) => rowOf(hand, chosen, choose)));
    if (game.ended) rows.push(totalOf(game));
  });
  $("hands").replaceChildren(...rows);
  $("none").hidden = games.some((game) => game.hands.length > 0);
}
