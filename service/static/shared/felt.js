// The table as the engine understands it, drawn as an SVG of 1000 by 1000: one geometry for every page.
import { find, findAll, made, shape, targetOf } from "./elements.js";
import { figure, labelled, nameOf, placeOf, signed, speakAs, word } from "./words.js";
/** @import { Counter, Placed, PlacedDiscard } from "/static/page" */
/** @import { DiscardView, MeldView, PlayerView, PublicTable } from "/static/wire" */

// Places are those of the seat below; the other seats are turned about the middle. The tests lay the worst cases out.
const FELT = {
  console: { from: 320, size: 360 },
  river: { x: 320, rows: [684, 766, 848], across: 6, widest: 605, tile: { width: 60, height: 80 } },
  // From afar, as long as two rows hold each river: half as large again.
  large: { x: 320, rows: [684, 806], across: 6, widest: 605, tile: { width: 90, height: 120 } },
  // A player's left corner stays free for the sets of the neighbour there.
  edge: { left: 75, right: 992, bottom: 992, tile: { width: 44, height: 59 }, flower: { width: 30, height: 40 } },
  gap: { drawn: 16, sets: 10, beforeSets: 16 },
  added: 20, // how much further in the fourth tile of an added kong lies
  standing: { width: 42, height: 22, back: 8 },
  // Wind, name and points: their middle and baseline within the plate of each side, and room for the name in letters.
  plates: [
    { x: 382, y: 608, width: 236, height: 72, wind: [36, 48], name: [146, 31], points: [146, 64], letters: 6, inwards: [0, -7] },
    { x: 560, y: 402, width: 120, height: 196, wind: [60, 62], name: [60, 108], points: [60, 148], letters: 4, inwards: [-7, 0] },
    { x: 382, y: 320, width: 236, height: 72, wind: [36, 48], name: [146, 31], points: [146, 64], letters: 6, inwards: [0, 7] },
    { x: 320, y: 402, width: 120, height: 196, wind: [60, 62], name: [60, 108], points: [60, 148], letters: 4, inwards: [7, 0] },
  ],
  stick: { x: 430, y: 668, width: 140, height: 10, rx: 4 },
  middle: { x: 442, width: 116, place: 430, wall: 474, tiles: 484, below: 598, tile: 44, line: 26 },
};
export const fromAfar = () => document.body.classList.contains("tv");
const SMALLER = 28 / 32; // how many letters of a name fit where style.css sets it larger
export const WINDS = ["1z", "2z", "3z", "4z"];
export const BETWEEN_HANDS = ["before_game", "after_game", "before_hand", "settled"];

/** @param {MeldView} given */
export const isFlower = ({ kind }) => kind === "flower";

// A river in its rows; a turned tile stands on the lower line of its row.
/** @param {DiscardView[]} river @param {boolean} withClaimed @param {typeof FELT.river} layout @returns {PlacedDiscard[]} */
function riverPlaces(river, withClaimed, { x, rows, across, widest, tile }) {
  const laid = rows.map(() => /** @type {PlacedDiscard[]} */ ([]));
  let turned = false;
  river.forEach((discard, at) => {
    const claimed = discard.claimed_by !== null;
    // A claim takes the turned tile away: then the next one that stays is turned.
    turned ||= discard.ready;
    if (claimed && !withClaimed) return;
    const row = laid.find((each) => each.length < across) ?? laid[laid.length - 1];
    row.push({ code: discard.tile, at, claimed, turned, size: tile, x: 0, y: 0 });
    if (!claimed) turned = false;
  });
  laid.forEach((row, number) => {
    const wide = row.reduce((sum, one) => sum + (one.turned ? tile.height : tile.width), 0);
    const closer = Math.max(0, wide - widest) / Math.max(1, row.length - 1);
    let left = x;
    for (const one of row) {
      Object.assign(one, { x: left, y: rows[number] });
      left += (one.turned ? tile.height : tile.width) - closer;
    }
  });
  return laid.flat();
}

// All four rivers have tiles of one size.
/** @param {PublicTable} table */
function riverLayout({ players }) {
  const { across, rows } = FELT.large;
  const fit = players.every(({ river }) => river.filter(({ claimed_by }) => claimed_by === null).length <= across * rows.length);
  return fromAfar() && fit ? FELT.large : FELT.river;
}

// Tiles of a set as they lie: the claimed one sideways, on the side of whoever discarded it.
/** @param {MeldView} meld @param {number} seat */
function lyingTiles(meld, seat) {
  const tiles = [...meld.tiles];
  if (meld.claimed === null || meld.from === null) return { tiles, turned: -1, added: null };
  const added = meld.kind === "added_kong" ? tiles.pop() ?? null : null;
  const side = (meld.from - seat + 4) % 4;
  const turned = side === 3 ? 0 : side === 2 ? 1 : tiles.length - 1;
  const place = tiles.indexOf(meld.claimed);
  if (place >= 0) { tiles.splice(place, 1); tiles.splice(turned, 0, meld.claimed); }
  return { tiles, turned, added };
}

// The first set lies outermost, so that it never moves; flowers lie outside of all.
/** @param {MeldView[]} melds @param {number} seat */
function setPlaces(melds, seat) {
  let { right } = FELT.edge;
  const inOrder = melds.map((meld, set) => ({ meld, set })).sort((one, other) => Number(isFlower(other.meld)) - Number(isFlower(one.meld)));
  const places = inOrder.flatMap(({ meld, set }) => {
    const size = isFlower(meld) ? FELT.edge.flower : FELT.edge.tile;
    const { tiles, turned, added } = lyingTiles(meld, seat);
    const y = FELT.edge.bottom - size.height;
    let x = right - tiles.length * size.width - (turned < 0 ? 0 : size.height - size.width);
    right = x - FELT.gap.sets;
    return tiles.flatMap((code, at) => {
      const lies = { code, set, size, x, y, turned: at === turned };
      x += lies.turned ? size.height : size.width;
      return lies.turned && added !== null ? [lies, { ...lies, code: added, y: y - FELT.added }] : [lies];
    });
  });
  return { places, left: melds.length === 0 ? FELT.edge.right : right + FELT.gap.sets - FELT.gap.beforeSets };
}

// One row before the player: concealed tiles, the drawn one apart, and the sets at the right.
/** @param {PlayerView} player @param {number} seat */
function edgePlaces(player, seat) {
  const { places: sets, left: limit } = setPlaces(player.melds, seat);
  const { tile, bottom, left: most, right } = FELT.edge;
  const tiles = [...player.hand];
  const drawn = tiles.length % 3 === 2 ? tiles.splice(player.drawn === null ? -1 : tiles.lastIndexOf(player.drawn), 1) : [];
  // The place of a drawn tile is kept free, so that no tile jumps at a draw.
  const wide = (tiles.length + 1) * tile.width + FELT.gap.drawn;
  const left = Math.min(500 - (tiles.length * tile.width) / 2, limit - wide);
  const y = bottom - tile.height;
  const hand = [...tiles, ...drawn].map((code, at) => ({
    code, y, size: tile, turned: false, drawn: at === tiles.length,
    x: left + at * tile.width + (at === tiles.length ? FELT.gap.drawn : 0),
  }));
  return { hand, sets, scale: player.hand.length > 0 ? Math.min(1, (right - most) / (right - left)) : 1 };
}

// A tile with what is drawn upon it; a turned one keeps the lower line of its row.
/** @param {Placed} given @param {string[]} wild */
function piece({ code, x, y, size, turned, claimed = false }, wild = []) {
  const name = code === "?" ? "unknown" : code;
  const title = shape("title", {});
  title.textContent = code;
  const place = turned ? `translate(${x} ${y + size.height}) rotate(-90)` : `translate(${x} ${y})`;
  const tile = shape("g", { class: claimed ? "piece claimed" : "piece", transform: place, "data-code": code },
    title, shape("use", { href: `#tile-${name}`, ...size }));
  if (wild.includes(code)) tile.append(shape("path", { class: "wild", d: `M0 14V4Q0 0 4 0H14Z` }));
  return tile;
}

/** @param {Element} tile @param {string} kind */
export function framed(tile, kind) {
  const use = find("use", tile);
  const [width, height] = ["width", "height"].map((side) => Number(use.getAttribute(side)));
  tile.classList.add(kind);
  tile.append(shape("rect", { class: "frame", x: 0, y: 0, width, height, rx: 7 }));
  if (kind === "doubtful") tile.append(words("doubt", width - 9, 20, "?"));
}

/** @param {string} kind @param {number} x @param {number} y @param {string} content */
export function words(kind, x, y, content) {
  const element = shape("text", { class: kind, x, y });
  element.textContent = content;
  return element;
}

// Letters as they are seen: one with its marks, or a picture that is put together of several.
const segments = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** @param {string} text */
const lettersOf = (text) => [...segments.segment(text)].map(({ segment }) => segment);
/** @type {[RegExp, number][]} */
const WIDTHS = [[/\p{Emoji_Presentation}|\ufe0f/u, 1.35], [/[\u2e80-\uffff]|[\u{20000}-\u{3ffff}]/u, 1], [/W/, 1.1], [/[M@%mw]/, 1], [/…/, 0.9], [/[A-HJ-Z&]/, 0.8], [/[fijlrtI.,' ]/, 0.4]];

// How wide a text is, in heights of a letter.
/** @param {string} text */
export const widthOf = (text) => lettersOf(text).reduce((sum, letter) => sum + (WIDTHS.find(([kind]) => kind.test(letter))?.[1] ?? 0.65), 0);

/** @param {string} name @param {number} most */
export function cut(name, most) {
  let short = name;
  while (widthOf(short) > most) short = `${lettersOf(short.replace(/…$/, "")).slice(0, -1).join("").trimEnd()}…`;
  return short;
}

// A text that never leaves its room: a long one is set smaller.
/** @param {string} kind @param {number} x @param {number} y @param {string} content @param {number} width @param {number} letter */
function fitted(kind, x, y, content, width, letter) {
  const element = words(kind, x, y, content);
  element.style.fontSize = `${Math.min(letter, Math.floor(width / widthOf(content)))}px`;
  return element;
}

/** @param {PublicTable} table @param {number} seat @param {number} side */
function drawPlate(table, seat, side) {
  const { x, y, width, height, wind, name, points, letters, inwards } = FELT.plates[side];
  const [dx, dy] = table.players[seat].ready ? inwards : [0, 0];
  const group = shape("g", { class: "plate", "data-seat": seat });
  if (!BETWEEN_HANDS.includes(table.phase) && table.turn === seat) {
    group.append(shape("rect", { class: "turn", x: x + 3, y: y + 3, width: width - 6, height: height - 6, rx: 10 }));
  }
  group.classList.toggle("winner", table.winners.includes(seat));
  if (table.hand > 0) {
    const dealer = table.dealer === seat;
    const sits = words(dealer ? "wind dealer" : "wind", x + wind[0] + dx, y + wind[1] + dy, word(`wind.short.${WINDS[(seat - table.dealer + 4) % 4]}`));
    if (dealer) sits.append(shape("title", {}, word("page.dealer")));
    group.append(sits);
  }
  group.append(words("name", x + name[0] + dx, y + name[1] + dy, cut(nameOf(table.names, seat), fromAfar() ? letters * SMALLER : letters)),
    fitted("points", x + points[0] + dx, y + points[1] + dy, figure(table.points[seat]), width > height ? 160 : 106 - 4 * Math.abs(dx), width > height ? 34 : 28));
  return group;
}

// What counts for the hand beside the tiles in play: a sign and a figure each, which words say to who cannot see them.
/** @param {PublicTable} table @returns {Counter[]} */
function countersOf(table) {
  /** @type {Counter[]} */
  const counters = [];
  if (table.shows.honba && table.honba > 0) counters.push({ sign: "honba", figure: `×${table.honba}` });
  if (table.pot > 0) counters.push({ sign: "deposit", figure: figure(table.pot) });
  if (table.staying >= table.shows.staying_from) counters.push({ figure: word("page.staying", { count: table.staying }) });
  return counters;
}

/** @param {Counter} given @param {number} y */
function drawCounter({ sign, figure: told }, y) {
  const { x, width } = FELT.middle;
  if (sign === undefined) return [fitted("line", 500, y, told, width, 26)];
  const left = 500 - (40 + widthOf(told) * 26) / 2;
  const line = fitted("line from", left + 40, y, told, x + width - left - 40, 26);
  return [shape("rect", { class: "stick", x: left, y: y - 14, width: 32, height: 9, rx: 3 }),
    ...(sign === "honba" ? [8, 16, 24] : [16]).map((at) => shape("circle", { class: sign, cx: left + at, cy: y - 9.5, r: 3 })), line];
}

// Round, tiles left, indicators and counters between the four plates; what lies under the others is a row below.
/** @param {PublicTable} table */
function drawMiddle(table) {
  const { width, place, wall, tiles, below, tile, line } = FELT.middle;
  const counters = countersOf(table);
  const group = shape("g", { class: "middle" },
    fitted("line place", 500, place, placeOf({ ...table, honba: 0 }, table.shows), width, 30), fitted("wall", 500, wall, `×${table.tiles_left}`, width, 44));
  const shown = [...table.indicators, ...table.wild.map((code) => ({ kind: "wild", tile: code }))];
  const rows = [shown.filter(({ kind }) => !kind.startsWith("ura")), shown.filter(({ kind }) => kind.startsWith("ura"))].filter((row) => row.length > 0);
  const high = (below - counters.length * line - tiles) / rows.length;
  rows.forEach((row, number) => {
    const each = Math.min(tile, width / row.length, (high - 3) * 0.75);
    const size = { width: each - 2, height: ((each - 2) * 4) / 3 };
    row.forEach(({ kind, tile: code }, at) => {
      const laid = piece({ code, x: 500 + (at - row.length / 2) * each, y: tiles + number * high, size, turned: false }, table.wild);
      find("title", laid).textContent = labelled(word(`page.indicator.${kind}`), code);
      group.append(laid);
    });
  });
  counters.forEach((one, at) => group.append(...drawCounter(one, below - 4 - (counters.length - 1 - at) * line)));
  return group;
}

/** @param {PlayerView} player @param {number} seat @param {PublicTable} table */
function drawEdge(player, seat, table) {
  const { hand, sets, scale } = edgePlaces(player, seat);
  const { right, bottom } = FELT.edge;
  const own = shape("g", { class: player.shown ? "hand shown" : "hand" });
  for (const one of hand) {
    const { x } = one;
    const { width, height, back } = FELT.standing;
    if (player.shown) own.append(piece(one, table.wild));
    else own.append(shape("rect", { class: "standing", x: x + 1, y: bottom - height, width, height, rx: 3 }),
      shape("rect", { class: "back", x: x + 1, y: bottom - back, width, height: back, rx: 3 }));
  }
  const declared = shape("g", { class: "melds" });
  for (const one of sets) {
    const tile = piece(one, table.wild);
    tile.dataset.set = String(one.set);
    declared.append(tile);
  }
  const edge = shape("g", { class: "edge" }, own, declared);
  if (scale < 1) edge.setAttribute("transform", `translate(${right * (1 - scale)} ${bottom * (1 - scale)}) scale(${scale})`);
  return edge;
}

/** @param {PlayerView} player @param {number} seat @param {PublicTable} table @param {boolean} withClaimed */
function drawRiver(player, seat, table, withClaimed) {
  const group = shape("g", { class: "river" });
  // A tile that was won on keeps its place.
  const river = player.river.map((one, at) => (at === player.river.length - 1 && table.winners.includes(one.claimed_by ?? -1)
    && table.wins.some(({ from, tile }) => from === seat && tile === one.tile) ? { ...one, claimed_by: null } : one));
  for (const one of riverPlaces(river, withClaimed, riverLayout(table))) {
    const tile = piece(one, table.wild);
    tile.dataset.at = String(one.at);
    if (table.last_discard?.seat === seat && one.at === river.length - 1 && !one.claimed) framed(tile, "latest");
    group.append(tile);
  }
  return group;
}

// The tile that won stands apart in the winner's row, and where it came from; until the next deal all else is dimmer.
/** @param {Element} svg @param {PublicTable} table */
function lightWinners(svg, table) {
  const sides = findAll(svg, ".side");
  const over = table.winners.length > 0 && BETWEEN_HANDS.includes(table.phase);
  svg.classList.toggle("settled", over);
  for (const { seat, from, tile } of table.wins) {
    const edge = find(".edge", sides[seat]);
    edge.classList.add("lit");
    const [drawn] = findAll(edge, ".shown .piece:last-child");
    if (drawn?.dataset.code === tile) framed(drawn, "won");
    if (from === seat) continue;
    const [last] = findAll(sides[from], ".river .piece:last-child");
    const lost = last?.dataset.code === tile ? last : sides[from].querySelector(`.melds .piece[data-code="${tile}"]`);
    if (over && lost !== null && !lost.classList.contains("won")) framed(lost, "won");
  }
}

// Who has won and plays on: its badge says so, and it has laid no stick.
/** @param {PublicTable["players"][number]} player @param {PublicTable} table */
const playsOn = (player, table) => player.ready && table.shows.ready_word === "won";

// "below" is the seat that the table is drawn for.
/** @param {PublicTable} table @param {number} below @param {boolean} withClaimed */
export function drawTable(table, below = 0, withClaimed = false) {
  speakAs(table.shows);
  const svg = shape("svg", { viewBox: "0 0 1000 1000", role: "img", "aria-label": spokenTable(table) });
  const { from, size } = FELT.console;
  svg.append(shape("rect", { class: "felt", width: 1000, height: 1000 }),
    shape("rect", { class: "console", x: from, y: from, width: size, height: size, rx: 14 }));
  table.players.forEach((player, seat) => {
    const side = shape("g", { class: "side", transform: `rotate(${-90 * ((seat - below + 4) % 4)} 500 500)` });
    if (player.ready && !playsOn(player, table)) side.append(shape("rect", { class: "stick", ...FELT.stick }), shape("circle", { class: "deposit", cx: 500, cy: FELT.stick.y + 5, r: 3.5 }));
    side.append(drawRiver(player, seat, table, withClaimed), drawEdge(player, seat, table));
    svg.append(side);
  });
  for (let seat = 0; seat < 4; seat += 1) svg.append(drawPlate(table, seat, (seat - below + 4) % 4));
  if (table.hand > 0) svg.append(drawMiddle(table));
  lightWinners(svg, table);
  return svg;
}

// Over the name of a seat for a moment: what its points changed by.
/** @param {number} seat @param {number} side @param {number} delta */
function drawChange(seat, side, delta) {
  const { x, y, width, name } = FELT.plates[side];
  const kind = delta > 0 ? "gain" : "loss";
  return shape("g", { class: `change ${kind}`, "data-seat": seat, "aria-hidden": true },
    shape("rect", { x: x + 6, y: y + name[1] - 28, width: width - 12, height: 36, rx: 8 }),
    fitted("points", x + width / 2, y + name[1], signed(delta), width - 24, 30));
}

// On a small felt, a tap on a row shows that row alone and large below it, until the next tap.
/** @param {HTMLElement} table @param {Element} tapped */
function showLoupe(table, tapped) {
  document.getElementById("loupe")?.remove();
  const row = /** @type {SVGGElement | null} */ (tapped.closest(".river, .edge"));
  if (row === null || tapped.closest(".mendable") !== null || table.clientWidth > 600) return;
  const { x, y, width, height } = row.getBBox();
  const alone = /** @type {SVGGElement} */ (row.cloneNode(true));
  alone.removeAttribute("transform");
  const drawn = shape("svg", { viewBox: `${x - 6} ${y - 6} ${width + 12} ${height + 12}`, style: `min-width: ${Math.round((width / FELT.edge.tile.width) * 26)}px` }, alone);
  const loupe = made("div", { id: "loupe", style: `top: ${table.getBoundingClientRect().bottom}px` }, drawn);
  loupe.addEventListener("click", () => loupe.remove());
  document.body.append(loupe);
}

// A hand with the drawn tile last, and how many stand before that.
/** @param {string[]} hand @param {string | null} drawn */
export function inOrder(hand, drawn) {
  const rest = [...hand];
  const last = drawn === null ? [] : rest.splice(rest.indexOf(drawn), 1);
  return { tiles: [...rest, ...last], standing: rest.length };
}

// A tap lets a picture and the felt change places.
/** @param {HTMLElement} picture @param {() => boolean} there */
export function offerSwap(picture, there = () => true) {
  const both = /** @type {HTMLElement} */ (picture.parentElement);
  picture.addEventListener("click", () => both.classList.toggle("swapped", there() && !both.classList.contains("swapped")));
}

/** @type {WeakMap<HTMLElement, PublicTable>} */
export const drawn = new WeakMap(); // the table that an element shows

// In place of the table drawn before: what is new arrives, and points that changed say by how much.
/** @param {HTMLElement} target @param {PublicTable} table @param {number} below @param {boolean} withClaimed */
export function redraw(target, table, below = 0, withClaimed = false) {
  const before = drawn.get(target);
  drawn.set(target, table);
  const svg = drawTable(table, below, withClaimed);
  if (before !== undefined && before.hand === table.hand) {
    table.players.forEach(({ river, shown }, seat) => {
      const side = svg.querySelectorAll(".side")[seat];
      if (river.length === before.players[seat].river.length + 1) find(".river", side).classList.add("arrives");
      if (shown && !before.players[seat].shown) find(".hand", side).classList.add("falls");
      const delta = table.points[seat] - before.points[seat];
      if (delta !== 0) svg.append(drawChange(seat, (seat - below + 4) % 4, delta));
    });
  }
  svg.addEventListener("click", (event) => showLoupe(target, targetOf(event)));
  target.replaceChildren(svg);
}

/** @param {PublicTable} table */
function spokenTable(table) {
  const counters = [];
  if (table.hand > 0) counters.push(placeOf(table, table.shows), labelled(word("page.left"), table.tiles_left));
  if (table.pot > 0) counters.push(word("page.deposits", { count: figure(table.pot) }));
  if (table.hand > 0 && table.staying >= table.shows.staying_from) counters.push(word("page.staying", { count: table.staying }));
  return table.players.map((player, seat) => word("page.described", {
    name: nameOf(table.names, seat), points: table.points[seat],
    tiles: player.hand.length, river: player.river.length,
  }) + (player.ready ? `, ${word(`badge.${table.shows.ready_word}`)}` : "")
    + (table.winners.includes(seat) && !playsOn(player, table) ? `, ${word("page.wins")}` : "")).concat(counters).join(". ");
}
