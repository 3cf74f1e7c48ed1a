// A player's own hand: its tiles, what it waits for, what to do with it, and what it brought.
import { $, find, made } from "/static/shared/elements.js";
import { tileCounted, tileDrawn } from "/static/shared/tiles.js";
import { figure, sentences, signed, word } from "/static/shared/words.js";
/** @import { Advice, Child, Hint, OwnNews } from "/static/page" */
/** @import { AnnouncementView, MeldView, SeatResultView, SeatView } from "/static/wire" */

const BEST = 3; // pieces of advice that are shown at once
const MOST_TILES = 14; // useful tiles of one piece of advice

// The hand as it lies: the tile that was drawn, or won with, stands apart.
/** @param {{ hand: string[]; apart: string | null }} given */
function laidHand({ hand, apart }) {
  const tiles = [...hand];
  const at = tiles.length % 3 === 2 && apart !== null ? tiles.lastIndexOf(apart) : -1;
  if (at >= 0) tiles.splice(at, 1);
  const stands = at >= 0 || (apart !== null && tiles.length % 3 === 1);
  return { tiles, apart: stands ? apart : null };
}

// What stands in the place of a hand that nobody has seen.
/** @param {SeatView} given */
function instead({ no_hint: why, camera }) {
  if (why !== "hidden") return word("page.seat.no_hand");
  return sentences(word("page.seat.hidden"), camera && !camera.watching ? word("page.seat.hidden_camera") : "");
}

/** @param {SeatView} given */
export function offerHint({ no_hint: why }) {
  $("hint").disabled = why !== null;
  /** @type {Record<string, string>} */
  const keys = { hidden: "page.seat.no_hint", flower: "page.seat.flower_later" };
  $("no-hint").textContent = why === null ? "" : word(keys[why] ?? "page.seat.no_hand");
}

/** @param {SeatView} mine @param {MeldView[]} melds */
export function showHand(mine, melds) {
  const known = mine.hand.some((code) => code !== "?");
  const { tiles, apart } = laidHand(known ? mine : { hand: [], apart: null });
  const shown = tiles.map(tileDrawn);
  if (apart !== null) {
    const drawn = tileDrawn(apart);
    shown.push(drawn);
    drawn.classList.add("apart");
    drawn.classList.toggle("wins", mine.waits.some(({ tile }) => tile === apart.replace("0", "5")));
  }
  $("hand").replaceChildren(...shown);
  $("hand").hidden = !known;
  $("hand").setAttribute("aria-label", [...tiles, ...(apart === null ? [] : ["+", apart])].join(" "));
  $("sets").replaceChildren(...melds.map((meld) => made("span", {}, ...meld.tiles.map(tileDrawn))));
  $("no-hand").textContent = known ? "" : instead(mine);
  $("waits").replaceChildren(...(mine.waits.length === 0 ? []
    : [word("page.seat.waits"), " ", ...mine.waits.map(tileCounted)]));
}

// Plain waits stand beside the hand, as they are now: a sentence would only be older.
/** @param {OwnNews} given */
export function standsByHand({ kind, on_draw: more, waits }) {
  return kind === "ready" && more === undefined && (waits ?? []).every((wait) => wait.refused === undefined);
}

// What is good to have after a discard or a claim: its waits, or the tiles that bring it nearer.
/** @param {Advice} row @param {Map<string, number>} copies @returns {{ tile: string; left: number }[]} */
function wantedOf(row, copies) {
  if (row.waits?.length) return row.waits;
  return (row.useful ?? []).map((tile) => ({ tile, left: copies.get(tile) ?? 0 }));
}

/** @param {Advice} row @param {string} text @param {Map<string, number>} copies */
function adviceLine(row, text, copies) {
  const wanted = wantedOf(row, copies).sort((one, other) => other.left - one.left);
  /** @type {Child[]} */
  const tiles = wanted.slice(0, MOST_TILES).map(tileCounted);
  if (wanted.length > MOST_TILES) tiles.push(`+${wanted.length - MOST_TILES}`);
  const played = row.claim === undefined ? [row.tile] : [...(row.claim.own ?? []), row.claim.tile];
  /** @type {Child[]} */
  const first = played.filter((tile) => tile !== undefined).map(tileDrawn);
  if (first.length > 0 && tiles.length > 0) first.push(made("span", { class: "then" }, "→"));
  const drawn = made("div", { class: "wanted" }, ...first, ...tiles);
  return made("li", {}, ...(drawn.childElementCount > 0 ? [drawn] : []), made("span", {}, text));
}

/** @param {Hint | null} hint */
function adviceLines(hint) {
  if (hint === null) return [];
  const texts = hint.rows ?? [];
  if (texts.length === 0) return [made("li", {}, hint.text)];
  const copies = new Map((hint.copies ?? []).map(({ tile, left }) => [tile, left]));
  const first = [hint.flower, hint.win?.tile].filter((tile) => tile !== undefined).map((tile) => ({ tile }));
  const rows = [...first, ...(hint.discards.length > 0 ? hint.discards : [hint.now ?? []].flat()), ...(hint.claims ?? [])];
  return rows.map((row, place) => adviceLine(row, texts[place], copies));
}

/** @param {AnnouncementView | null} hint */
export function showAdvice(hint) {
  const lines = adviceLines(/** @type {Hint | null} */ (hint));
  $("advice").replaceChildren(...lines.slice(0, BEST));
  $("more-advice").hidden = lines.length <= BEST;
  const rest = /** @type {HTMLOListElement} */ (find("#more-advice ol"));
  rest.start = BEST + 1;
  rest.replaceChildren(...lines.slice(BEST));
}

/** @param {SeatResultView} given */
function headline({ won, delta }) {
  const points = figure(Math.abs(delta));
  if (won) return word("page.seat.you_won", { points: delta < 0 ? signed(delta) : `+${points}` });
  if (delta === 0) return word("page.seat.you_keep");
  return word(delta > 0 ? "page.seat.you_get" : "page.seat.you_pay", { points });
}

/** @param {SeatResultView | null} result */
export function showOwnResult(result) {
  $("own-result").hidden = result === null;
  if (result === null) return;
  const { delta, points, place, place_shared: level } = result;
  const standing = place === null ? word("page.seat.points", { points: figure(points) }) : word(level ? "page.seat.place_shared" : "page.seat.place", { place, points: figure(points) });
  const kind = delta > 0 ? "gain" : delta < 0 ? "loss" : "";
  $("own-result").replaceChildren(made("p", { class: `outcome ${kind}` }, headline(result)), made("p", {}, standing));
}
