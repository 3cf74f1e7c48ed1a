// Whether phones can open these pages, and the offer to let them.
import { button, made } from "./elements.js";
import { word } from "./words.js";
/** @import { Values } from "/static/page" */
/** @import { NetworkView } from "/static/wire" */

/** @param {string} key @param {Values} [values] */
export const networkNote = (key, values) => made("p", {}, word(key, values));

// "told" is what the server says of its door to the network; "open" asks it to open that.
/** @param {HTMLElement} element @param {NetworkView | null} told @param {() => Promise<string | null>} open */
export function showNetwork(element, told, open) {
  element.hidden = told === null;
  if (told === null) return;
  if (told.address !== null) {
    const shown = [networkNote("page.network.opened", told)];
    if (told.name) shown.push(networkNote("page.network.name", { address: told.name }));
    if (!told.trusted) shown.push(networkNote("page.network.plain"));
    element.replaceChildren(...shown);
    return;
  }
  const problem = made("p", { class: "problem", role: "alert" });
  const tap = button(word("page.network.open"), async () => {
    tap.disabled = true;
    problem.textContent = (await open()) ?? "";
    tap.disabled = false;
  }, "main");
  element.replaceChildren(networkNote("page.network.closed"), networkNote("page.network.keys"), tap, problem);
}
