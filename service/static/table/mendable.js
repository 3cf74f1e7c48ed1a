// What can be mended: events in the list, and tiles of the drawn table by the event that brought them.
import { $, button, findAll, made } from "/static/shared/elements.js";
import { framed, isFlower } from "/static/shared/felt.js";
import { drawnPart } from "/static/shared/tiles.js";
import { word } from "/static/shared/words.js";
import { isDoubtful, known, mending } from "./known.js";
import { openEvent } from "./mend.js";
import { ask, openDialog } from "./mend_dialog.js";
/** @import { EventView } from "/static/wire" */

// An event in the list is a button: what it says is what may be wrong.
/** @param {EventView} message */
export function eventButton(message) {
  const parts = message.told.map(drawnPart);
  const open = () =>
    openEvent(message.number, message.place, message.told.map(drawnPart));
  const tap = button("", open, "event");
  tap.dataset.number = String(message.number);
  tap.append(...parts);
  if (message.by_person) tap.classList.add("by-person");
  for (const name of message.ruled_by) tap.append(made("em", {}, word("page.game.ruled", { name })));
  if (message.again !== null) tap.append(made("em", {}, message.again));
  return tap;
}

// How the game and the hand began: players, dealer, round and counters, wherever they stand in the list.
const BEGINNINGS = ["game_start", "hand_start", "position"];

export async function openPosition() {
  openDialog([word("page.mend.position")]);
  const told = await ask("/api/events");
  if (told === null) return;
  const last = BEGINNINGS.map((type) => told.events.filter(({ event }) => event.type === type).at(-1));
  const [game, hand, position] = last;
  const of = [game, hand, position !== undefined && position.number > (hand?.number ?? 0) ? position : undefined];
  const shown = of.filter((each) => each !== undefined).map((each) =>
    made("li", {}, made("b", {}, word(`page.mend.type.${each.event.type}`)), " ", eventButton(each)));
  $("mend-content").replaceChildren(shown.length > 0 ? made("ul", { class: "beginnings" }, ...shown)
    : made("p", {}, word("page.mend.no_game")));
}

/** @param {Element} element @param {[number, number]} given @param {string} code */
function mendable(element, [number, place], code) {
  element.setAttribute("tabindex", "0");
  element.setAttribute("role", "button");
  element.setAttribute("aria-label", word("page.mend.mend_label") + code);
  element.classList.add("mendable");
  const open = () => openEvent(number, place);
  element.addEventListener("click", open);
  element.addEventListener("keydown", (event) => {
    const { key } = /** @type {KeyboardEvent} */ (event);
    if (key === "Enter" || key === " ") { event.preventDefault(); open(); }
  });
}

// A tile of the drawn table, by the event that brought it.
/** @param {HTMLElement} tile @param {[number, number]} at */
function knownBy(tile, at) {
  const [number, place] = at;
  const event = known.happened.find((one) => one.number === number && one.place === place);
  if (event !== undefined && isDoubtful(event)) framed(tile, "doubtful");
  if (mending.allowed) mendable(tile, at, tile.dataset.code ?? "");
}

// Tiles of rivers, sets and flowers know the event that brought them; each are counted from the last.
export function offerMending() {
  const drawn = document.querySelector("#table svg");
  if (drawn === null || known.table === null) return; // nothing is drawn yet
  // A picture has no parts for a screen reader, a group has.
  if (mending.allowed) drawn.setAttribute("role", "group");
  for (const [seat, side] of findAll(drawn, ".side").entries()) {
    const { river, melds } = known.table.players[seat];
    const { rivers, sets, flowers } = mending.acts;
    const flowersFrom = melds.filter((meld) => !isFlower(meld)).length; // they follow the sets
    /** @param {HTMLElement} tile @param {number} number @param {[number, number][] | undefined} events @param {number} end */
    const offer = (tile, number, events, end) => {
      const at = events?.[number - end + events.length];
      if (at) knownBy(tile, at);
    };
    for (const tile of findAll(side, "[data-at]")) offer(tile, Number(tile.dataset.at), rivers[seat], river.length);
    for (const tile of findAll(side, "[data-set]")) {
      const number = Number(tile.dataset.set);
      if (number < flowersFrom) offer(tile, number, sets[seat], flowersFrom);
      else offer(tile, number, flowers[seat], melds.length);
    }
  }
  $("add").disabled = false;  // before, nobody's name is known
  $("undo").disabled = !mending.acts.undo;
  $("redo").disabled = !mending.acts.redo;
}
