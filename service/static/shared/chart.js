// Points over the hands of one game, a line a seat; lines differ in their dashes too.
import { shape } from "./elements.js";
import { cut, words } from "./felt.js";
import { nameOf, namesOf, word } from "./words.js";
/** @import { GameView } from "/static/wire" */

export const CHART = { width: 640, height: 300, left: 56, right: 110, top: 14, bottom: 30 };

/** @param {number} low @param {number} high */
function ticksOf(low, high) {
  const rough = (high - low) / 4 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5].map((each) => each * power).find((each) => each >= rough) ?? 10 * power;
  const ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high; tick += step) ticks.push(tick);
  return ticks;
}

// Names at the right end of their lines, moved apart where they would lie on each other.
/** @param {number[]} heights */
function namePlaces(heights) {
  const order = heights.map((y, seat) => ({ y, seat })).sort((one, other) => one.y - other.y);
  const places = [];
  let last = -Infinity;
  for (const { y, seat } of order) {
    last = Math.max(y, last + 20);
    places[seat] = last;
  }
  return places;
}

// A drawing with lines at round values; where a point of a series of that length lies.
/** @param {[number, number]} given @param {number} length @param {number} right @param {string} label */
export function chartFrame([low, high], length, right, label) {
  const { width, height, left, top, bottom } = CHART;
  /** @param {number} at */
  const x = (at) => left + ((width - left - right) * at) / Math.max(length - 1, 1);
  /** @param {number} value */
  const y = (value) => top + ((height - top - bottom) * (high - value)) / (high - low || 1);
  const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
  for (const tick of ticksOf(low, high)) {
    svg.append(shape("line", { class: "axis", x1: left, x2: width - right, y1: y(tick), y2: y(tick) }),
      shape("text", { class: "chart-text", x: left - 6, y: y(tick) + 4, "text-anchor": "end" }, String(tick)));
  }
  return { svg, x, y };
}

/** @param {GameView} game */
export function drawChart(game) {
  const series = game.names.map((_, seat) => [game.start[seat], ...game.hands.map((hand) => hand.points[seat])]);
  const all = series.flat();
  const { width, height, right } = CHART;
  const told = namesOf(game.names).map((name, seat) => `${name}: ${series[seat].join(", ")}`).join(". ");
  const { svg, x, y } = chartFrame([Math.min(...all), Math.max(...all)], series[0].length, right, `${word("page.game.chart")}. ${told}`);
  series[0].forEach((_, at) => {
    if (series[0].length > 16 && at % 2) return;
    const label = words("chart-text", x(at), height - 8, String(at));
    label.setAttribute("text-anchor", "middle");
    svg.append(label);
  });
  const places = namePlaces(series.map((values) => y(values[values.length - 1])));
  series.forEach((values, seat) => {
    const points = values.map((value, at) => `${x(at)},${y(value)}`).join(" ");
    svg.append(shape("polyline", { class: `curve seat${seat}`, points }));
    values.forEach((value, at) => svg.append(
      shape("circle", { class: `seat${seat}`, cx: x(at), cy: y(value), r: 3 })));
    svg.append(words(`chart-name seat${seat}`, width - right + 10, places[seat] + 4, cut(nameOf(game.names, seat), 8)));
  });
  return svg;
}
