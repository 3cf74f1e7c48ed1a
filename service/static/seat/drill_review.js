// A review of the game by points: what the seat could expect, and its costliest discards.
import { CHART, chartFrame } from "/static/shared/chart.js";
import { $, button, made, shape } from "/static/shared/elements.js";
import { tileDrawn } from "/static/shared/tiles.js";
import { figure, sentences, word } from "/static/shared/words.js";
import { get, goToStep, ofSeat } from "./drill_decision.js";
/** @import { ChoiceOdds, ExpectedPoints, ReviewView, ReviewedView } from "/static/wire" */

/** @type {{ told: ReviewView | null }} */
export const review = { told: null };

/** @param {number} chance */
const percent = (chance) => (100 * chance).toFixed(chance < 0.1 ? 1 : 0);
/** @param {number} points */
const whole = (points) => figure(Math.round(points));

/** @param {ChoiceOdds} given */
function oddsText({ win, points, risk, loss, change }) {
  return word("page.review.odds", { win: percent(win), points: whole(points), risk: percent(risk), loss: whole(loss), change: whole(change) });
}

// A dot a discard; it opens that decision.
/** @param {ExpectedPoints[]} expected */
function expectedChart(expected) {
  const values = expected.map((one) => one.points);
  const { height, top, bottom } = CHART;
  const { svg, x, y } = chartFrame([Math.min(...values), Math.max(...values)], values.length, { ...CHART, right: 12 }, word("page.review.expected"));
  expected.forEach((one, at) => {
    if (one.hand_number === expected[at - 1]?.hand_number) return;
    svg.append(shape("line", { class: "axis", x1: x(at), x2: x(at), y1: top, y2: height - bottom }),
      shape("text", { class: "chart-text", x: x(at) + 2, y: height - 8 }, String(one.hand_number)));
  });
  svg.append(shape("polyline", { class: "curve", points: values.map((value, at) => `${x(at)},${y(value)}`).join(" ") }));
  return svg;
}

// The link opens the moment before the discard.
/** @param {ReviewedView} given */
function costLine({ step, hand_number: hand, played, best, cost, stance, played_odds, best_odds }) {
  const tap = button(word("page.hand", { count: hand }), () => goToStep(step));
  tap.append(" ", tileDrawn(played));
  const link = made("a", { href: `/game?at=${Math.max(step - 1, 0)}${location.hash}` }, word("page.drill.in_replay"));
  const odds = [{ tile: played, odds: played_odds }, { tile: best, odds: best_odds }].map((one) => made("p", {}, tileDrawn(one.tile), " ", oddsText(one.odds)));
  const push = stance === null ? [] : [made("p", {}, word(`page.review.stance.${stance}`))];
  return made("li", {}, tap, ` ${word("page.review.cost", { cost: whole(cost) })} `, tileDrawn(best), " ", link, ...push, ...odds);
}

export function showReview() {
  const { told } = review;
  $("expected").replaceChildren();
  $("costliest").replaceChildren();
  $("review-said").textContent = "";
  if (told === null) return;
  const { source, expected, costliest } = told;
  if (source === null) { $("review-said").textContent = word("page.review.no_odds"); return; }
  const found = costliest.length === 0 ? word("page.review.none") : word("page.review.costliest", { count: costliest.length });
  $("review-said").textContent = sentences(found, word(`page.review.source.${source}`));
  $("expected").replaceChildren(made("figcaption", {}, word("page.review.expected")), expectedChart(expected));
  $("costliest").replaceChildren(...costliest.map(costLine));
}

export async function makeReview() {
  $("make-review").disabled = true;
  $("review-said").textContent = word("page.review.making");
  review.told = await get(`/api/drill/review?${ofSeat()}`);
  $("make-review").disabled = false;
  showReview();
}
