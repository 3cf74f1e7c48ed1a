// The table as the engine understands it, drawn as an SVG of 1000 by 1000 with seat 0 below.
"use strict";

// Discards are large: on the narrowest phone they are still 24 pixels wide.
const TILE = { width: 69, height: 90 };
const SMALL = { width: 42, height: 55 };
const CENTRE = { from: 293, size: 414 };
const RIVER = { columns: 6, rows: 3, top: CENTRE.from + CENTRE.size + 3, left: CENTRE.from };
// Declared sets, and a hand that is shown, lie in the corner at the right hand of their seat.
const CORNER = { left: 712, top: 711, right: 998 };
// The standing tiles of a hidden hand, as they look from above.
const EDGE = { top: 988, width: 21, height: 10 };
const SVG = "http://www.w3.org/2000/svg";

function shape(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function tileAt(code, x, y, { size = TILE, sideways = false, kind = "" } = {}) {
  const name = code === "?" ? "unknown" : code;
  const tile = shape("use", { href: `#tile-${name}`, ...size, class: kind });
  const label = shape("title", {});
  label.textContent = code;
  tile.append(label);
  // A sideways tile stands on the same line as its upright neighbours.
  const place = sideways
    ? `translate(${x} ${y + size.height}) rotate(-90)`
    : `translate(${x} ${y})`;
  tile.setAttribute("transform", place);
  return tile;
}

function drawRiver(player, isLatest) {
  const group = shape("g", { class: "river" });
  let x = RIVER.left, row = 0, column = 0, turned = false;
  player.river.forEach((discard, place) => {
    if (column === RIVER.columns && row < RIVER.rows - 1) { column = 0; row += 1; x = RIVER.left; }
    const y = RIVER.top + row * (TILE.height + 2);
    const claimed = discard.claimed_by !== null ? "claimed" : "";
    // A claim takes the turned tile away: then the next one that stays is turned.
    turned ||= discard.ready;
    const sideways = turned;
    if (!claimed) turned = false;
    group.append(tileAt(discard.tile, x, y, { sideways, kind: claimed }));
    const width = sideways ? TILE.height : TILE.width;
    if (isLatest && place === player.river.length - 1 && !claimed) {
      group.append(shape("rect", {
        class: "latest", rx: 7, x: x - 2, width: width + 4,
        y: sideways ? y + TILE.height - TILE.width - 2 : y - 2,
        height: (sideways ? TILE.width : TILE.height) + 4,
      }));
    }
    x += width;
    column += 1;
  });
  return group;
}

// A hidden hand stands at the edge of the table; a shown one lies under the seat's declared sets.
function drawHand(player, top) {
  const group = shape("g", { class: "hand" });
  if (!player.shown) {
    const left = 500 - (player.hand.length * EDGE.width) / 2;
    player.hand.forEach((_, place) => group.append(shape("rect", {
      class: "standing", rx: 3, x: left + place * EDGE.width, y: EDGE.top, width: EDGE.width - 2, height: EDGE.height,
    })));
    return group;
  }
  const columns = Math.floor((CORNER.right - CORNER.left) / SMALL.width);
  player.hand.forEach((code, place) => {
    const x = CORNER.left + (place % columns) * SMALL.width;
    const y = top + Math.floor(place / columns) * (SMALL.height + 3);
    group.append(tileAt(code, x, y, { size: SMALL }));
  });
  return group;
}

// Tiles of a set as they lie: the claimed one sideways, on the side of whoever discarded it.
function lyingTiles(meld, seat) {
  const tiles = [...meld.tiles];
  if (meld.claimed === null || meld.from === null) return { tiles, turned: -1 };
  const side = (meld.from - seat + 4) % 4;
  const turned = side === 3 ? 0 : side === 2 ? 1 : tiles.length - 1;
  const place = tiles.indexOf(meld.claimed);
  if (place >= 0) { tiles.splice(place, 1); tiles.splice(turned, 0, meld.claimed); }
  return { tiles, turned };
}

// The sets row by row, and the height at which the next row begins.
function drawMelds(player, seat) {
  const group = shape("g", { class: "melds" });
  let x = CORNER.left, y = CORNER.top;
  for (const meld of player.melds) {
    const { tiles, turned } = lyingTiles(meld, seat);
    const widths = tiles.map((_, i) => (i === turned ? SMALL.height : SMALL.width));
    const wide = widths.reduce((sum, one) => sum + one, 0);
    if (x > CORNER.left && x + wide > CORNER.right) { x = CORNER.left; y += SMALL.height + 3; }
    tiles.forEach((code, i) => {
      group.append(tileAt(code, x, y, { size: SMALL, sideways: i === turned }));
      x += widths[i];
    });
    x += 10;
  }
  return { group, below: player.melds.length > 0 ? y + SMALL.height + 8 : y };
}

// Who sits where, within the centre: the side of each seat, its middle and size.
const PLATES = [
  { x: 500, y: 661, w: 300, h: 84 }, { x: 653, y: 500, w: 102, h: 200 },
  { x: 500, y: 339, w: 300, h: 84 }, { x: 347, y: 500, w: 102, h: 200 },
];

function words(kind, x, y, content) {
  const element = shape("text", { class: kind, x, y });
  element.textContent = content;
  return element;
}

const LETTER = { name: 26, points: 30, line: 24, "badge-text": 18 }; // heights, as the style sheet has them

// A text that never leaves its box: a long one is set smaller.
function fitted(kind, x, y, content, width) {
  const element = words(kind, x, y, String(content));
  const wide = [...String(content)].reduce((sum, letter) => sum + (letter.codePointAt(0) > 0x2e7f ? 1 : 0.66), 0);
  if (wide * LETTER[kind] > width) element.style.fontSize = `${Math.floor(width / wide)}px`;
  return element;
}

const BADGE = { width: 88, points: 116 };

function shortened(name, letters) {
  return name.length > letters ? name.slice(0, letters - 1) + "…" : name;
}

function drawPlate(table, seat, side) {
  const { x, y, w, h } = PLATES[side];
  const playing = !["before_game", "after_game", "before_hand", "settled"].includes(table.phase);
  const group = shape("g", { class: "plate", "data-seat": seat });
  group.append(shape("rect", {
    x: x - w / 2, y: y - h / 2, width: w, height: h, rx: 10,
    class: playing && table.turn === seat ? "turn" : "console",
  }));
  const badges = [];
  if (table.dealer === seat && table.hand > 0) badges.push(word("page.dealer"));
  if (table.winners.includes(seat)) badges.push(word("page.wins"));
  else if (table.players[seat].ready) badges.push(word(`badge.${table.shows.ready_word}`));
  // A narrow plate has its badges below the points, a wide one beside them.
  const stacked = w < 150;
  const left = stacked ? x - BADGE.width / 2 : x - (BADGE.points + badges.length * BADGE.width) / 2 + BADGE.points;
  const points = stacked ? x : left - BADGE.points / 2;
  group.append(fitted("name", x, y - 8, shortened(nameOf(table.names, seat), 18), w - 12));
  group.append(fitted("points", points, y + 26, figure(table.points[seat]), stacked ? w - 12 : BADGE.points - 8));
  badges.forEach((badge, place) => {
    const at = stacked ? left : left + place * BADGE.width;
    const top = stacked ? y + 38 + place * 30 : y + 3;
    group.append(shape("rect", { class: "badge", x: at + 1, y: top, width: BADGE.width - 4, height: 26, rx: 13 }));
    group.append(fitted("badge-text", at + BADGE.width / 2 - 1, top + 19, badge, BADGE.width - 14));
  });
  return group;
}

// What counts for the hand beside the tiles in play, a line each.
function standingOf(table) {
  if (table.hand === 0) return [];
  const lines = [placeOf(table, table.shows)];
  if (table.pot > 0) lines.push(word("page.deposits", { count: figure(table.pot) }));
  if (table.staying >= table.shows.staying_from) lines.push(word("page.staying", { count: table.staying }));
  return lines;
}

// Round, tiles left and indicators between the four plates.
const MIDDLE = { top: 386, left: 402, width: 196, label: 78, most: [38, 30, 26] };

// A row of indicators of one kind, and its height.
function drawIndicators(kind, tiles, y, most) {
  const each = Math.min(most, (MIDDLE.width - MIDDLE.label) / tiles.length);
  const size = { width: each - 2, height: Math.round((each - 2) * 1.31) };
  const label = fitted("line", MIDDLE.left + MIDDLE.label / 2, y + size.height / 2 + 7, word(`page.indicator.${kind}`), MIDDLE.label - 6);
  const left = MIDDLE.left + MIDDLE.label;
  return { drawn: [label, ...tiles.map((code, place) => tileAt(code, left + place * each, y, { size }))], height: size.height + 4 };
}

function drawMiddle(table) {
  const group = shape("g", { class: "middle" });
  let y = MIDDLE.top + 24;
  for (const line of standingOf(table)) {
    group.append(fitted("line", 500, y, line, MIDDLE.width));
    y += 26;
  }
  group.append(words("wall", 500, y + 18, table.tiles_left), words("small", 500, y + 40, word("page.left")));
  y += 52;
  const shown = [...table.indicators, ...table.wild.map((tile) => ({ kind: "wild", tile }))];
  const kinds = [...new Set(shown.map((one) => one.kind))];
  for (const kind of kinds) {
    const tiles = shown.filter((one) => one.kind === kind).map((one) => one.tile);
    const { drawn, height } = drawIndicators(kind, tiles, y, MIDDLE.most[Math.min(kinds.length, MIDDLE.most.length) - 1]);
    group.append(...drawn);
    y += height;
  }
  return group;
}

// "below" is the seat that the picture is drawn for.
function drawTable(table, below = 0) {
  speakAs(table.shows);
  const svg = shape("svg", { viewBox: "0 0 1000 1000", role: "img" });
  svg.setAttribute("aria-label", spokenTable(table));
  svg.append(shape("rect", { class: "felt", width: 1000, height: 1000 }));
  svg.append(shape("rect", { class: "console", x: CENTRE.from, y: CENTRE.from, width: CENTRE.size, height: CENTRE.size, rx: 16 }));
  table.players.forEach((player, seat) => {
    const latest = table.last_discard !== null && table.last_discard.seat === seat;
    const melds = drawMelds(player, seat);
    svg.append(shape("g", { transform: `rotate(${-90 * ((seat - below + 4) % 4)} 500 500)` },
      drawRiver(player, latest), melds.group, drawHand(player, melds.below)));
  });
  for (let seat = 0; seat < 4; seat += 1) svg.append(drawPlate(table, seat, (seat - below + 4) % 4));
  if (table.hand > 0) svg.append(drawMiddle(table));
  return svg;
}

// Over the name of a seat for a moment: what its points changed by.
function drawChange(seat, side, delta) {
  const { x, y, w, h } = PLATES[side];
  const kind = delta > 0 ? "gain" : "loss";
  return shape("g", { class: `change ${kind}`, "data-seat": seat, "aria-hidden": true },
    shape("rect", { x: x - w / 2 + 3, y: y - h / 2 + 3, width: w - 6, height: 34, rx: 8 }),
    fitted("points", x, y - h / 2 + 31, signed(delta), w - 16));
}

// In place of the table drawn before: a discard that is new arrives, and points that changed say by how much.
function redraw(target, table, below = 0) {
  const before = target.drawn;
  target.drawn = table;
  const svg = drawTable(table, below);
  if (before !== undefined && before.hand === table.hand) {
    table.players.forEach(({ river }, seat) => {
      if (river.length === before.players[seat].river.length + 1) svg.querySelectorAll(".river")[seat].classList.add("arrives");
      const delta = table.points[seat] - before.points[seat];
      if (delta !== 0) svg.append(drawChange(seat, (seat - below + 4) % 4, delta));
    });
  }
  target.replaceChildren(svg);
}

function spokenTable(table) {
  return table.players.map((player, seat) => word("page.described", {
    name: nameOf(table.names, seat), points: table.points[seat],
    tiles: player.hand.length, river: player.river.length,
  }) + (player.ready ? `, ${word("badge.ready")}` : "")).concat(standingOf(table)).join(". ");
}
