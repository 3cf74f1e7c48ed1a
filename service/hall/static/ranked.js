// People in order: a row each with what counts most; on a small screen, a tap opens the rest.
import { button, made } from "/static/shared/elements.js";
import { isShared, listed, word } from "/static/shared/words.js";
/** @import { Ranked } from "/static/page" */

// "2", or "=2" where several share the place.
/** @param {number | undefined} place @param {(number | undefined)[]} among */
export const shared = (place, among) => (isShared(place, among) ? `=${place}` : String(place));

// How often somebody came where: one bar of four parts.
/** @param {number[]} places */
export function placesBar(places) {
  const told = listed(places.map((count, at) => `${word("place", { place: at + 1 })} ${count}`));
  return made("span", { class: "places", role: "img", "aria-label": told },
    ...places.map((count, at) => made("i", { class: `at${at}`, style: `flex-grow:${count}` }, count > 0 ? String(count) : "")));
}

// "shown" comes after the name, "rest" are figures with what they are called.
/** @param {Ranked} given */
export function rankedRow({ rank, path, name, shown, rest }) {
  const more = button("▾", () => more.setAttribute("aria-expanded", String(row.classList.toggle("open"))));
  more.setAttribute("aria-expanded", "false");
  more.setAttribute("aria-label", word("page.players.all_figures"));
  const row = made("li", {}, made("span", { class: "rank" }, rank), made("a", { href: path }, name), ...shown, more,
    made("dl", {}, ...rest.map(([title, value]) => made("div", {}, made("dt", {}, title), made("dd", {}, value)))));
  return row;
}
