// The table as the engine understands it, drawn as an SVG of 1000 by 1000 with seat 0 below.
"use strict";

const TILE = { width: 43, height: 57 };
const RIVER = { columns: 7, top: 660, left: 500 - (7 * TILE.width) / 2 };
const HAND_TOP = 925;
const SVG = "http://www.w3.org/2000/svg";

function shape(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function tileAt(code, x, y, sideways = false, extra = "") {
  const name = code === "?" ? "unknown" : code;
  const tile = shape("use", {
    href: `#tile-${name}`, width: TILE.width, height: TILE.height, class: extra,
  });
  const label = shape("title", {});
  label.textContent = code;
  tile.append(label);
  // A sideways tile stands on the same line as its upright neighbours.
  const place = sideways
    ? `translate(${x} ${y + TILE.height}) rotate(-90)`
    : `translate(${x} ${y})`;
  tile.setAttribute("transform", place);
  return tile;
}

function drawRiver(player, isLatest) {
  const group = shape("g", { class: "river" });
  let x = RIVER.left, row = 0, column = 0, turned = false;
  player.river.forEach((discard, place) => {
    if (column === RIVER.columns && row < 3) { column = 0; row += 1; x = RIVER.left; }
    const y = RIVER.top + row * (TILE.height + 3);
    const claimed = discard.claimed_by !== null ? "claimed" : "";
    // A claim takes the turned tile away: then the next one that stays is turned.
    turned ||= discard.ready;
    const sideways = turned;
    if (!claimed) turned = false;
    group.append(tileAt(discard.tile, x, y, sideways, claimed));
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

function drawHand(player) {
  const group = shape("g", { class: "hand" });
  let x = 500 - 7 * TILE.width;
  for (const code of player.hand) {
    group.append(tileAt(player.shown ? code : "back", x, HAND_TOP));
    x += TILE.width;
  }
  return group;
}

function drawMelds(player, seat) {
  const group = shape("g", { class: "melds" });
  let right = 985;
  for (const meld of player.melds) {
    const tiles = [...meld.tiles];
    let turned = -1;
    if (meld.claimed !== null && meld.from !== null) {
      // The claimed tile lies sideways on the side of whoever discarded it.
      const side = (meld.from - seat + 4) % 4;
      turned = side === 3 ? 0 : side === 2 ? 1 : tiles.length - 1;
      const place = tiles.indexOf(meld.claimed);
      if (place >= 0) { tiles.splice(place, 1); tiles.splice(turned, 0, meld.claimed); }
    }
    let x = right - tiles.reduce((sum, _, i) => sum + (i === turned ? TILE.height : TILE.width), 0);
    right = x - 10;
    tiles.forEach((code, i) => {
      group.append(tileAt(code, x, HAND_TOP, i === turned));
      x += i === turned ? TILE.height : TILE.width;
    });
  }
  return group;
}

const PLATES = [
  { x: 500, y: 602, w: 190, h: 88 }, { x: 603, y: 500, w: 88, h: 100 },
  { x: 500, y: 398, w: 190, h: 88 }, { x: 397, y: 500, w: 88, h: 100 },
];

function words(kind, x, y, content) {
  const element = shape("text", { class: kind, x, y });
  element.textContent = content;
  return element;
}

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
  const wide = w > 150;
  group.append(words("name", x, y - 12, shortened(nameOf(table.names, seat), wide ? 14 : 8)));
  const long = !wide && String(table.points[seat]).length > 4;
  group.append(words(long ? "points long" : "points", x, y + 22, table.points[seat]));
  const badges = [];
  if (table.dealer === seat && table.hand > 0) badges.push(word("page.dealer"));
  if (table.winners.includes(seat)) badges.push(word("page.wins"));
  else if (table.players[seat].ready) badges.push(word(`badge.${table.shows.ready_word}`));
  badges.forEach((badge, place) => {
    const left = x - (badges.length * 70) / 2 + place * 70;
    // On the outer edge of the console, where the seat's own tiles begin.
    const top = side === 2 ? y - h / 2 - 18 : y + h / 2 - 10;
    group.append(shape("rect", { class: "badge", x: left + 1, y: top, width: 68, height: 26, rx: 13 }));
    group.append(words("badge-text", left + 35, top + 19, badge));
  });
  return group;
}

// What counts for the hand beside the tiles in play, a line each.
function standingOf(table) {
  if (table.hand === 0) return [];
  const lines = [];
  if (table.shows.round) lines.push(word("page.round", { wind: word(`wind.${table.round}`) }));
  if (table.shows.honba) lines.push(word("page.honba", { count: table.honba }));
  if (table.pot > 0) lines.push(word("page.deposits", { count: table.pot }));
  if (table.staying >= table.shows.staying_from) lines.push(word("page.staying", { count: table.staying }));
  return lines;
}

// The corners between two rivers, where no tile of a player ever lies; each has room for one kind.
const CORNER = { line: 27, columns: 4 };
const CORNERS = [{ x: 152, y: 152 }, { x: 664, y: 152 }, { x: 676, y: 664 }, { x: 152, y: 664 }];

function drawBetweenRivers(table) {
  const group = shape("g", { class: "corner" });
  let [{ x, y }] = CORNERS;
  y += 20;
  for (const line of standingOf(table)) {
    group.append(words("line", x, y, line));
    y += CORNER.line;
  }
  const shown = [...table.indicators, ...table.wild.map((tile) => ({ kind: "wild", tile }))];
  [...new Set(shown.map((one) => one.kind))].forEach((kind, corner) => {
    if (corner > 0) {
      ({ x, y } = CORNERS[corner % CORNERS.length]);
      y += 20;
    }
    group.append(words("line", x, y + 4, word(`page.indicator.${kind}`)));
    y += 12;
    shown.filter((one) => one.kind === kind).forEach((one, place) => {
      const column = place % CORNER.columns;
      if (place > 0 && column === 0) y += TILE.height + 2;
      group.append(tileAt(one.tile, x + column * (TILE.width + 2), y));
    });
  });
  return group;
}

// "below" is the seat that the picture is drawn for.
function drawTable(table, below = 0) {
  const svg = shape("svg", { viewBox: "0 0 1000 1000", role: "img" });
  svg.setAttribute("aria-label", spokenTable(table));
  svg.append(shape("rect", { class: "felt", width: 1000, height: 1000 }));
  svg.append(shape("rect", { class: "console", x: 345, y: 345, width: 310, height: 310, rx: 16 }));
  table.players.forEach((player, seat) => {
    const latest = table.last_discard !== null && table.last_discard.seat === seat;
    svg.append(shape("g", { transform: `rotate(${-90 * ((seat - below + 4) % 4)} 500 500)` },
      drawRiver(player, latest), drawHand(player), drawMelds(player, seat)));
  });
  for (let seat = 0; seat < 4; seat += 1) svg.append(drawPlate(table, seat, (seat - below + 4) % 4));
  if (table.hand > 0) {
    svg.append(words("small", 500, 466, word("page.hand", { count: table.hand })));
    svg.append(words("wall", 500, 513, table.wall_left));
    svg.append(words("small", 500, 538, word("page.left")));
  }
  svg.append(drawBetweenRivers(table));
  return svg;
}

function spokenTable(table) {
  return table.players.map((player, seat) => word("page.described", {
    name: nameOf(table.names, seat), points: table.points[seat],
    tiles: player.hand.length, river: player.river.length,
  }) + (player.ready ? `, ${word("badge.ready")}` : "")).concat(standingOf(table)).join(". ");
}
