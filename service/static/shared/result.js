// How a hand came out: the winning hand laid out, what was paid line by line, and what comes next.
import { toldOf } from "./asking.js";
import { button, made } from "./elements.js";
import { cut, fromAfar } from "./felt.js";
import { tileRow } from "./tiles.js";
import { figure, listed, nameOf, namesOf, placeOf, signed, speakAs, word } from "./words.js";
/** @import { Child, Payout } from "/static/page" */
/** @import { GameView, HandArranged, HandView, WinView } from "/static/wire" */

export const OVER = ["settled", "before_hand", "after_game"];

/** @param {HandView} hand */
export function outcome(hand) {
  speakAs(hand.shows);
  const told = hand.wins.map((win) => win.seat === win.from
    ? word("page.game.wins_self", { winner: nameOf(hand.names, win.seat) })
    : word("page.game.wins_from", { winner: nameOf(hand.names, win.seat), loser: nameOf(hand.names, win.from) }));
  if (told.length > 0) return told.join("; ");
  if (hand.drawn !== null) return word("event.drawn", { reason: word(`drawn.${hand.drawn}`) });
  if (hand.refused.length > 0) {
    return hand.refused.map((win) => word("page.game.refused_win", { winner: nameOf(hand.names, win.seat) })).join("; ");
  }
  return word("page.game.goes_on");
}

// A headline leaves room for what follows: long names end in "…".
const [NAMED, NAMED_AFAR] = [13, 6];
/** @param {HandView} hand */
export const headline = (hand) => outcome({ ...hand, names: hand.names.map((name) => cut(name, fromAfar() ? NAMED_AFAR : NAMED)) });

// The hand in its sets, the winning tile marked where it belongs.
/** @param {HandArranged} given */
function setsOf({ sets, won: [at, place] }) {
  return sets.map((codes, number) => {
    const row = tileRow(codes, "own");
    if (number === at) row.children[place].classList.add("won");
    return row;
  });
}

// A meld's outer tiles may lie face down.
/** @param {WinView} win */
export function laidOut(win) {
  const row = made("p", { class: "hand-laid" });
  if (win.laid !== null) row.append(...setsOf(win.laid));
  else {
    if (win.hand === null) row.append(made("span", {}, word("page.game.not_shown")));
    else row.append(tileRow(win.hand, "own"));
    row.append(tileRow([win.tile], "winning"));
  }
  for (const meld of win.melds) row.append(tileRow(meld.tiles, "meld"));
  if (win.laid === null) return [row];
  return [row, made("p", { class: "wait" }, word(`page.wait.${win.laid.wait}`))];
}

/** @param {[string, string][]} rows */
export const ledgerOf = (rows) => made("dl", { class: rows.length > 8 ? "ledger long" : "ledger" },
  ...rows.map(([name, value]) => made("div", {}, made("dt", {}, name), made("dd", {}, value))));

/** @param {HandView} hand */
export const payoutsOf = (hand) => /** @type {Payout[]} */ (hand.payouts);

// What a payout consists of: a row an item, then their sum, then who pays whom.
/** @param {Payout} given @param {string[]} names */
function payoutOf({ ledger, deltas, pot, seat, text }, names) {
  if (seat !== null && pot === 0 && deltas.every((delta) => delta === 0)) return made("p", {}, text); // nothing more is paid
  const { rows, worth } = ledger;
  const parts = worth === null ? [ledgerOf(rows)] : [ledgerOf(rows), made("p", { class: "sum" }, worth)];
  const paid = deltas.flatMap((delta, from) => (delta < 0 ? [[from, -delta]] : []));
  /** @param {Child} from @param {Child} to @param {number} value */
  const payment = (from, to, value) => made("p", { class: "payment" }, from, made("b", {}, "→"), to, made("strong", {}, figure(value)));
  /** @param {number} each */
  const named = (each) => made("span", { class: `s${each}` }, names[each]);
  if (seat !== null) parts.push(...paid.map(([from, value]) => payment(named(from), named(seat), value)));
  if (seat !== null && pot < 0) parts.push(payment(word("page.result.table"), named(seat), -pot));
  return made("div", {}, ...parts);
}

/** @param {HandView} hand */
function deltasOf(hand) {
  const row = made("div", { class: "deltas" });
  namesOf(hand.names).forEach((name, seat) => {
    const delta = hand.deltas[seat];
    row.append(made("div", {}, made("span", { class: "who" }, name),
      made("strong", { class: delta > 0 ? "gain" : delta < 0 ? "loss" : "" }, signed(delta)), made("span", {}, `${word("page.game.total")} ${figure(hand.points[seat])}`)));
  });
  return row;
}

/** @param {HandView} given */
export const paidOf = ({ names, deltas }) => listed(namesOf(names).map((name, seat) => `${name} ${signed(deltas[seat])}`).filter((_, seat) => deltas[seat] !== 0));

// What the winners were paid by the others; sticks on the table are no part of it.
/** @param {HandView} hand */
export const valueOf = (hand) => payoutsOf(hand).filter(({ seat }) => seat !== null).reduce((sum, { deltas }) => sum + deltas.reduce((lost, delta) => lost - Math.min(delta, 0), 0), 0);

// The hand that won most this evening, in the game that is played last, and what is said of it; null where there is nothing to choose from.
/** @param {GameView[]} games */
export function bestOf(games) {
  const won = games.flatMap((game) => game.hands.flatMap((hand) => hand.wins.map(({ seat }) => ({ hand, seat, points: hand.deltas[seat], rules: game.rules }))));
  const rules = games.at(-1)?.rules;
  const [best] = won.filter((one) => one.rules === rules).sort((one, other) => other.points - one.points);
  if (won.length < 2 || best === undefined) return null;
  const { hand, seat, points } = best;
  return { hand, said: word("page.game.best", { name: nameOf(hand.names, seat), points: signed(points), hand: placeOf(hand, hand.shows) }) };
}

/** @param {HandView} hand */
export const resultTitle = (hand) => word("page.game.result", { hand: placeOf(hand, hand.shows) });

// The whole result; "share" and "dispute" are what a tap on their buttons does: what was won may be sent, and where that is allowed disputed.
/** @param {HandView} hand @param {((hand: HandView) => unknown) | null} share @param {((event: number) => unknown) | null} dispute @returns {HTMLElement[]} */
export function resultOf(hand, share, dispute = null) {
  speakAs(hand.shows);
  const value = hand.wins.length > 0 ? valueOf(hand) : 0;
  /** @type {HTMLElement[]} */
  const shown = [made("h2", {}, resultTitle(hand)),
    made("p", { class: hand.refused.length > 0 && hand.wins.length === 0 ? "outcome loss" : "outcome" }, made("span", {}, headline(hand)), made("strong", {}, value > 0 ? figure(value) : ""))];
  if (hand.look !== null) shown.push(made("p", { class: "look", role: "status" }, hand.look));
  for (const win of hand.wins) shown.push(...laidOut(win));
  const names = namesOf(hand.names);
  shown.push(...payoutsOf(hand).map((payout) => payoutOf(payout, names)), deltasOf(hand));
  for (const problem of hand.problems) {
    shown.push(made("p", { class: "irregular" }, problem.text));
  }
  if (hand.next !== null) shown.push(made("p", { class: "next" }, hand.next.text));
  const won = hand.wins.find((win) => win.event !== null)?.event ?? undefined;
  const taps = [];
  if (dispute !== null && won !== undefined) {
    taps.push(button(word("page.game.dispute"), () => dispute(won), "dispute"));
  }
  if (share !== null && won !== undefined && hand.look === null) taps.push(button(word("page.share.share"), () => share(hand), "dispute"));
  if (taps.length > 0) shown.push(made("p", { class: "taps" }, ...taps));
  return shown;
}

export const fetchHands = () => toldOf("/api/hands");
