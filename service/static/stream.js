// The stream page: what it is told to show stands behind "#" in its address.
"use strict";

const wish = new URLSearchParams(location.hash.slice(1));
const LINE_MS = 9000;
let fading = null;

if (wish.get("lang") in WORDS) language = wish.get("lang");

function meldsOf(player) {
  return player.melds.flatMap((meld) => meld.tiles).map(tileDrawn);
}

function playerOf(table, seats, seat) {
  const player = table.players[seat];
  const head = made("h2", {}, made("span", {}, nameOf(table.names, seat)));
  if (table.winners.includes(seat)) head.append(made("span", { class: "badge-word" }, word("page.wins")));
  else if (player.ready) head.append(made("span", { class: "badge-word" }, word(`badge.${table.shows.ready_word}`)));
  else if (table.dealer === seat && table.hand > 0) head.append(made("span", { class: "badge-word" }, word("page.dealer")));
  head.append(made("strong", {}, String(table.points[seat])));
  const own = seats === undefined ? [] : seats[seat].hand;
  const shown = player.shown ? player.hand : own;
  const box = made("section", { class: `player${table.turn === seat ? " its-turn" : ""}` }, head,
    made("p", { class: "tiles" }, ...shown.map(tileDrawn), ...meldsOf(player)));
  const waits = seats === undefined ? [] : seats[seat].waits;
  if (waits.length > 0) {
    const told = waits.flatMap(({ tile, left }) => [tileDrawn(tile), `×${left}`]);
    box.append(made("p", { class: "waits" }, word("page.stream.waits_for"), ...told));
  }
  return box;
}

function showLine(said) {
  if (said.length === 0) return;
  $("line").textContent = said.map((one) => inLanguage(one.texts)).join(" · ");
  $("line").classList.remove("old");
  clearTimeout(fading);
  fading = setTimeout(() => $("line").classList.add("old"), LINE_MS);
}

/** @param {import("./wire").StreamView} view */
function show({ table, seats, said }) {
  $("players").replaceChildren(...[0, 1, 2, 3].map((seat) => playerOf(table, seats, seat)));
  $("table").hidden = wish.get("table") !== "1";
  if (!$("table").hidden) redraw($("table"), table);
  showLine(said);
}

function listen() {
  const socket = new WebSocket(address("/ws/stream"));
  socket.onopen = () => socket.send(JSON.stringify({
    key: wish.get("key"), delay_s: Number(wish.get("delay") ?? 0), waits: wish.get("waits") === "1",
  }));
  socket.onmessage = (event) => show(JSON.parse(event.data));
  socket.onclose = (event) => {
    if (event.code === 1008) {
      $("status").textContent = event.reason;
      $("status").hidden = false;
      return;
    }
    setTimeout(listen, RETRY_MS);
  };
}

loadTiles().then(listen);
