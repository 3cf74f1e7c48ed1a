// The players of an archive: what they did, and who sat where in a film.
import { $, button, find, made, openRoom } from "/static/shared/elements.js";
import { toldBy } from "/static/shared/enter.js";
import { listed, nameOf, signed, titleOf, word } from "/static/shared/words.js";
import { named, part } from "./line.js";
/** @import { PlayerRow, ReadingRow } from "/static/wire" */

/** @type {PlayerRow[]} */
export let players = [];

/** @typedef {(field: string, value: string, text: string) => HTMLElement} Narrowing */

/** @param {PlayerRow} one @param {Narrowing} narrowing */
function playerLine(one, narrowing) {
  const told = narrowing("player", one.player, one.player);
  told.addEventListener("click", () => openRoom("hands"));
  return made("li", {}, part("title", told), part("soft", titleOf(one.rules)), named("page.players.hands", one.hands),
    named("page.archive.wins", one.won), named("page.players.points", signed(one.points)));
}

// "narrowing" makes the word that searches for its player.
/** @param {Narrowing} narrowing */
export function showPlayers(narrowing) {
  find('[data-room="people"]').hidden = players.length === 0;
  $("players").replaceChildren(...players.map((one) => playerLine(one, narrowing)));
}

export async function loadPlayers() {
  const told = await toldBy("archive/players");
  if (told === null) return;
  players = told;
}

// The names of a film's seats, and a form to give them.
/** @param {ReadingRow} film @param {() => void} seated */
export function seatsNamed(film, seated) {
  const fields = film.players.map((name, seat) => made("input", { value: name, maxlength: 40,
    placeholder: nameOf([], seat), "aria-label": nameOf([], seat) }));
  const save = button(word("page.players.save"), async () => {
    const names = fields.map((field) => field.value.trim());
    if (await toldBy(`archive/readings/${film.id}/players`, { body: { names } }) === null) return;
    film.players = names;
    seated();
  });
  const named = listed(film.players.filter(Boolean));
  return made("details", { class: "names" }, made("summary", {}, named || word("page.archive.name_players")), ...fields, save);
}
