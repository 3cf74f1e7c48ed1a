// The players of an archive: what they did, and who sat where in a film.
import { $, button, find, made, openRoom } from "/static/shared/elements.js";
import { toldBy } from "/static/shared/enter.js";
import { signed, titleOf, word } from "/static/shared/words.js";
import { named, narrowing, part, search, showFilms } from "./archive.js";
/** @import { PlayerRow, ReadingRow } from "/static/wire" */

/** @type {PlayerRow[]} */
export let players = [];

/** @param {PlayerRow} one */
function playerLine(one) {
  const told = narrowing("player", one.player, one.player);
  told.addEventListener("click", () => openRoom("hands"));
  return made("li", {}, part("title", told), part("soft", titleOf(one.rules)), named("page.players.hands", one.hands),
    named("page.archive.wins", one.won), named("page.players.points", signed(one.points)));
}

export function showPlayers() {
  find('[data-room="people"]').hidden = players.length === 0;
  $("players").replaceChildren(...players.map(playerLine));
}

export async function loadPlayers() {
  const told = await toldBy("archive/players");
  if (told === null) return;
  players = told;
  showPlayers();
}

// The names of a film's seats, and a form to give them.
/** @param {ReadingRow} film */
export function seatsNamed(film) {
  const fields = film.players.map((name, seat) => made("input", { value: name, maxlength: 40,
    placeholder: word("seat.title", { seat }), "aria-label": word("seat.title", { seat }) }));
  const save = button(word("page.players.save"), async () => {
    const names = fields.map((field) => field.value.trim());
    if (await toldBy(`archive/readings/${film.id}/players`, { body: { names } }) === null) return;
    film.players = names;
    await loadPlayers();
    showFilms();
    search();
  });
  const named = film.players.filter(Boolean).join(", ");
  return made("details", { class: "names" }, made("summary", {}, named || word("page.archive.name_players")), ...fields, save);
}
