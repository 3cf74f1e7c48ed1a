// What somebody did over all evenings, as figures with their names.
import { figure, language, signed, word } from "/static/shared/words.js";
/** @import { Person } from "/static/wire" */

/** @param {number} [part] @param {number} [whole] */
const share = (part = 0, whole = 0) => (whole === 0 ? "–" : new Intl.NumberFormat(language,
  { style: "percent", maximumFractionDigits: 1 }).format(part / whole));
/** @param {number | null} value */
const average = (value) => (value === null ? "–" : figure(Math.round(value)));

// By name: the figure of a person, as a text. Points only where all games have the same rules.
/** @type {Record<string, (one: Person) => string>} */
export const PERSON_FIGURES = {
  rating: (one) => (one.games === 0 ? "–" : String(Math.round(one.rating))),
  games: (one) => String(one.games),
  average_place: (one) => one.average_place?.toFixed(2) ?? "–",
  points: (one) => (one.points === null ? "–" : signed(one.points)),
  hands: (one) => String(one.hands),
  wins: (one) => share(one.wins, one.hands),
  self_draws: (one) => share(one.self_draws, one.wins),
  dealt_in: (one) => share(one.dealt_in, one.hands),
  average_won: (one) => average(one.average_won),
  average_paid: (one) => average(one.average_paid),
  called: (one) => share(one.called, one.hands),
  ready: (one) => share(one.ready, one.hands),
  mistakes: (one) => share(one.mistakes, one.decisions),
};
/** @param {string} name */
export const figureName = (name) => word(`page.players.${name}`);
