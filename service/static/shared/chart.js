// Points over the hands of an evening, a line a player; lines of seats differ in their dashes too.
import { shape } from "./elements.js";
import { cut, widthOf, words } from "./felt.js";
import { figure, labelled, listed, nameOf, word } from "./words.js";
/** @import { ChartGame, ChartPart, ChartPlayer, ChartSize } from "/static/page" */
/** @import { GameView, HandView } from "/static/wire" */

export const CHART = { em: 14, width: 640, height: 300, left: 56, right: 110, top: 14, bottom: 30 };
const NAMED = 5.5; // room of a name at its line's end, in heights of its letters
const TALLEST = 300;
const CLOSE = 5; // hands that lie nearer to each other have no points and ticks of their own
/** @type {WeakMap<HTMLElement, ResizeObserver>} */
const watched = new WeakMap();

/** @param {number} low @param {number} high */
function ticksOf(low, high) {
  const rough = (high - low) / 4 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5].map((each) => each * power).find((each) => each >= rough) ?? 10 * power;
  const ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high; tick += step) ticks.push(tick);
  return ticks;
}

// Heights of names, moved apart where they would lie on each other, and back where the last would leave the drawing.
/** @param {number[]} heights @param {number} apart @param {number} lowest */
function namePlaces(heights, apart, lowest) {
  const order = heights.map((y, at) => ({ y, at })).sort((one, other) => one.y - other.y);
  /** @type {number[]} */
  const places = [];
  let last = -Infinity;
  for (const { y, at } of order) places[at] = last = Math.max(y, last + apart);
  last = lowest + apart;
  for (const { at } of order.reverse()) places[at] = last = Math.min(places[at], last - apart);
  return places;
}

// A drawing with lines at round values; where a point of a series of that length lies.
/** @param {[number, number]} given @param {number} length @param {ChartSize} size @param {string} label */
export function chartFrame([low, high], length, { width, height, left, right, top, bottom }, label) {
  /** @param {number} at */
  const x = (at) => left + ((width - left - right) * at) / Math.max(length - 1, 1);
  /** @param {number} value */
  const y = (value) => top + ((height - top - bottom) * (high - value)) / (high - low || 1);
  const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
  for (const tick of ticksOf(low, high)) {
    svg.append(shape("line", { class: "axis", x1: left, x2: width - right, y1: y(tick), y2: y(tick) }),
      shape("text", { class: "chart-text", x: left - 6, y: y(tick) + 4, "text-anchor": "end" }, figure(tick)));
  }
  return { svg, x, y };
}

// The games of an evening by the same rules, the last of them among them: points of others are never added.
/** @param {GameView[]} games @returns {ChartGame[]} */
export const alike = (games, of = games.at(-1)) => games.map((game, at) => ({ ...game, number: at + 1 })).filter(({ rules, hands }) => rules === of?.rules && hands.length > 0);

// Who played, each with what they had after each hand. A later game begins for them where the one before has left them; who comes later begins as all did.
// Two of one name at a table are two.
/** @param {GameView[]} games @returns {ChartPlayer[]} */
function playersOf(games) {
  /** @type {Map<string, ChartPlayer>} */
  const players = new Map();
  let from = 0;
  for (const game of games) {
    game.names.forEach((given, seat) => {
      const name = nameOf(game.names, seat);
      const key = given && game.names.filter((each) => each === given).length > 1 ? `${given} ${seat}` : given || name;
      const player = players.get(key) ?? { name, parts: [], total: games[0].start[seat] };
      const moved = player.total - game.start[seat];
      const before = player.parts.at(-1)?.values.at(-1);
      const values = [player.total, ...game.hands.map(({ points }) => points[seat] + moved)];
      player.parts.push({ seat, from, values, joins: before === undefined || before === player.total ? null : before });
      player.total = game.points[seat] + moved;
      players.set(key, player);
    });
    from += game.hands.length;
  }
  return [...players.values()];
}

// "open" is what a tap on a hand does: whoever uses no finger has the score sheet for it.
/** @param {ChartGame[]} games @param {((hand: HandView) => unknown) | null} open @param {{ width: number, em: number }} given */
export function drawChart(games, open, { width, em }) {
  const hands = games.flatMap((game) => game.hands);
  const players = playersOf(games);
  const all = players.flatMap(({ parts }) => parts.flatMap(({ values }) => values));
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const figures = Math.max(...ticksOf(low, high).map((tick) => widthOf(figure(tick))));
  const size = {
    width, height: Math.max(Math.min(TALLEST, width * 0.75), 10 * em), top: 1.6 * em, bottom: 1.9 * em,
    left: em * figures + 12, right: em * Math.max(...players.map(({ name }) => widthOf(cut(name, NAMED)))) + 18,
  };
  const told = players.map(({ name, parts }) => labelled(name, listed(parts.flatMap(({ values }, at) => (at > 0 ? values.slice(1) : values))))).join(". ");
  const { svg, x, y } = chartFrame([low, high], hands.length + 1, size, `${word("page.game.chart")}. ${told}`);
  drawHands(svg, games, x, size, em);
  // Where nobody has won or lost, and where somebody has nothing left.
  for (const level of new Set([games[0].start[0], 0])) {
    if (level >= low && level <= high) svg.append(shape("line", { class: "zero", x1: size.left, x2: width - size.right, y1: y(level), y2: y(level) }));
  }
  const staying = players.filter(({ parts }) => endOf(parts) === hands.length);
  const places = namePlaces(staying.map(({ parts }) => y(lastOf(parts))), 1.25 * em, size.height - size.bottom);
  for (const { name, parts } of players) {
    for (const part of parts) drawPart(svg, part, x, y);
    const at = staying.findIndex((one) => one.parts === parts);
    const above = y(lastOf(parts)) - em / 2;
    const ends = at >= 0 ? { x: width - size.right + 10, y: places[at] + em / 3 } : { x: x(endOf(parts)) - 4, y: above > 2.4 * em ? above : above + 1.9 * em };
    const label = words(`chart-name seat${parts[parts.length - 1].seat}`, ends.x, ends.y, cut(name, NAMED));
    label.setAttribute("text-anchor", at >= 0 ? "start" : "end");
    svg.append(label);
  }
  if (open !== null) offerHands(svg, hands, x, open);
  return svg;
}

/** @param {ChartPart[]} parts */
const endOf = (parts) => parts[parts.length - 1].from + parts[parts.length - 1].values.length - 1;
/** @param {ChartPart[]} parts */
const lastOf = (parts) => parts[parts.length - 1].values[parts[parts.length - 1].values.length - 1];

// A tick a hand, with its number where there is room; a mark where the next game begins.
/** @param {SVGSVGElement} svg @param {ChartGame[]} games @param {(at: number) => number} x @param {ChartSize} size @param {number} em */
function drawHands(svg, games, x, { height, top, bottom }, em) {
  let from = 0;
  let last = -Infinity;
  let free = -Infinity; // from where there is room for the name of a game
  const digits = String(Math.max(...games.flatMap(({ hands }) => hands.map(({ number }) => number)))).length;
  const apart = em * (0.62 * digits + 0.9);
  games.forEach((game, at) => {
    if (at > 0) {
      svg.append(shape("line", { class: "game-mark", x1: x(from), x2: x(from), y1: top, y2: height - bottom }));
    }
    const title = word("page.game.game_number", { count: game.number });
    if (games.length > 1 && x(from) >= free) {
      svg.append(words("chart-text game-name", x(from) + 4, top - 0.4 * em, title));
      free = x(from) + em * (widthOf(title) + 0.3);
    }
    const every = Math.ceil(apart / (x(1) - x(0)));
    game.hands.forEach((hand, at) => {
      const place = x(from + at + 1);
      const isNamed = (at + 1) % every === 0 && place - last >= apart * 0.9;
      if (isNamed || x(1) - x(0) >= CLOSE) svg.append(shape("line", { class: "axis tick", x1: place, x2: place, y1: height - bottom, y2: height - bottom + 5 }));
      if (!isNamed) return;
      last = place;
      const label = words("chart-text", place, height - 0.35 * em, String(hand.number));
      label.setAttribute("text-anchor", "middle");
      svg.append(label);
    });
    from += game.hands.length;
  });
}

/** @param {SVGSVGElement} svg @param {ChartPart} part @param {(at: number) => number} x @param {(value: number) => number} y */
function drawPart(svg, { seat, from, values, joins }, x, y) {
  const points = values.map((value, at) => `${x(from + at)},${y(value)}`);
  if (joins !== null) points.unshift(`${x(from)},${y(joins)}`);
  svg.append(shape("polyline", { class: `curve seat${seat}`, points: points.join(" ") }));
  if (x(1) - x(0) >= CLOSE) values.forEach((value, at) => svg.append(shape("circle", { class: `seat${seat}`, cx: x(from + at), cy: y(value), r: 3 })));
}

// The hand that is nearest to the tap.
/** @param {SVGSVGElement} svg @param {HandView[]} hands @param {(at: number) => number} x @param {(hand: HandView) => unknown} open */
function offerHands(svg, hands, x, open) {
  svg.classList.add("offers");
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const tapped = ((event.clientX - box.left) * svg.viewBox.baseVal.width) / box.width;
    const at = Math.round((tapped - x(0)) / (x(1) - x(0)));
    open(hands[Math.min(Math.max(at, 1), hands.length) - 1]);
  });
}

// Drawn as wide as its place is, in letters of its size, and anew where that changes.
/** @param {HTMLElement} box @param {ChartGame[]} games @param {((hand: HandView) => unknown) | null} open */
export function showChart(box, games, open = null) {
  let drawn = -1;
  const draw = () => {
    if (box.clientWidth === drawn) return;
    drawn = box.clientWidth;
    box.replaceChildren(drawChart(games, open, { width: drawn || CHART.width, em: parseFloat(getComputedStyle(box).fontSize) || CHART.em }));
  };
  watched.get(box)?.disconnect();
  const watching = new ResizeObserver(draw);
  watched.set(box, watching);
  draw();
  watching.observe(box);
}
