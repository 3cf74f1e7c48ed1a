// A row of tiles, and the palette of the rule set to change them: one tile of one row at a time.
import { button, made, targetOf } from "/static/shared/elements.js";
import { tileDrawn } from "/static/shared/tiles.js";
import { labelled, word } from "/static/shared/words.js";
import { mending } from "./known.js";
/** @import { OpenRow, SlotsWish } from "/static/page" */

/** @type {OpenRow | null} */
let openRow = null; // the row whose palette is shown; typed tiles go there

export function closePalette() {
  openRow = null;
}

/** @param {string | null} code @param {string} label @param {boolean} picked @param {() => void} onclick @param {string} kind */
function tileButton(code, label, picked, onclick, kind) {
  const tap = button("", onclick, kind);
  tap.setAttribute("aria-label", label);
  tap.setAttribute("aria-pressed", String(picked));
  tap.append(code === null ? made("span", { class: "missing" }, "+") : tileDrawn(code));
  return tap;
}

// `tiles` holds at least `least` and at most `most`; null is one that is still to be chosen.
// The only tile of an event is shown in the palette alone.
/** @param {(string | null)[]} tiles @param {SlotsWish} given */
export function tileSlots(tiles, { least, most, name, alone, changed }) {
  while (tiles.length < least) tiles.push(null);
  const shown = made("div", { class: "tile-row" });
  /** @type {OpenRow} */
  const row = { at: alone || tiles.includes(null) ? Math.max(tiles.indexOf(null), 0) : null, show, pick };
  if (row.at !== null && openRow === null) openRow = row;

  function told() {
    changed(tiles);
    show();
    shown.scrollIntoView({ block: "nearest" }); // the palette stays under the finger
  }
  /** @param {number} at */
  function open(at) {
    const before = openRow;
    [openRow, row.at] = [row, at];
    if (before !== null && before !== row) before.show();
    show();
    shown.scrollIntoView({ block: "nearest" });
  }
  // Tiles that are added one after the other take one tap each.
  /** @param {string} code */
  function pick(code) {
    const at = row.at ?? tiles.length;
    const added = at === tiles.length;
    tiles[at] = code;
    const missing = tiles.indexOf(null);
    if (missing >= 0) row.at = missing;
    else if (added && tiles.length < most) row.at = tiles.length;
    told();
  }
  function remove() {
    if (row.at !== null) tiles.splice(row.at, 1);
    row.at = null;
    told();
  }
  function palette() {
    const picks = [...mending.acts.tiles, "?"].map((code) =>
      tileButton(code, code, row.at !== null && tiles[row.at] === code, () => pick(code), "pick"));
    const kind = mending.acts.tiles.length > 36 && mending.acts.tiles.some((code) => code.startsWith("0")) ? "palette of-ten" : "palette";
    return made("div", { class: kind, role: "group", "aria-label": name }, ...picks);
  }
  function show() {
    const focused = shown.contains(document.activeElement) ? document.activeElement?.getAttribute("aria-label") ?? null : null;
    const slots = tiles.map((code, at) => tileButton(code, labelled(`${name} ${at + 1}`, code ?? ""),
      openRow === row && at === row.at, () => open(at), "slot"));
    if (tiles.length < most) {
      const adds = openRow === row && row.at === tiles.length;
      slots.push(tileButton(null, labelled(name, word("page.mend.one_more")), adds, () => open(tiles.length), "slot"));
    }
    /** @type {HTMLElement[]} */
    const parts = alone ? [] : [made("div", { class: "slots" }, ...slots)];
    if (openRow === row && row.at !== null) {
      parts.push(palette());
      if (tiles.length > least && row.at < tiles.length) parts.push(button(word("page.mend.without_tile"), remove, "other"));
    }
    shown.replaceChildren(...parts);
    if (focused !== null) [...shown.querySelectorAll("button")].find((each) => each.getAttribute("aria-label") === focused)?.focus();
  }
  show();
  return shown;
}

// "5" and then "m" on the keyboard: the five of characters.
let typedRank = "";
/** @param {KeyboardEvent} event */
export function typeTile(event) {
  if (openRow === null || openRow.at === null || targetOf(event).matches("input, select") || event.ctrlKey || event.metaKey) return;
  if (/^[0-9]$/.test(event.key)) typedRank = event.key;
  else if (/^[mpszf]$/.test(event.key) && mending.acts.tiles.includes(typedRank + event.key)) openRow.pick(typedRank + event.key);
}
