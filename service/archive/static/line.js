// The parts of a line in a list of the archive.
import { made } from "/static/shared/elements.js";
import { word } from "/static/shared/words.js";
/** @import { Child } from "/static/page" */

/** @param {string} name @param {...Child} shown */
export const part = (name, ...shown) => made("span", { class: name }, ...shown);
/** @param {string} key @param {unknown} shown */
export const named = (key, shown) => part("figure", made("small", {}, word(key)), " ", String(shown));
