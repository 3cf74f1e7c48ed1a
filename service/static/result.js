// How a hand came out: the winning hand laid out, what was paid line by line, and what comes next.
"use strict";

const OVER = ["settled", "before_hand", "after_game"];

function outcome(hand) {
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

function tileRow(codes, kind) {
  return made("span", { class: `laid ${kind}` }, ...codes.map(tileDrawn));
}

// The hand in its sets, the winning tile marked where it belongs.
function setsOf({ sets, won: [at, place] }) {
  return sets.map((codes, number) => {
    const row = tileRow(codes, "own");
    if (number === at) row.children[place].classList.add("won");
    return row;
  });
}

// A meld's outer tiles may lie face down.
function laidOut(win) {
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

// What each seat pays stands above already, where there was but one payout.
function payoutOf(payout, _, payouts) {
  const rows = inLanguage(payout.rows);
  const why = inLanguage(payout.why);
  const alone = payouts.length === 1 && payout.items.length > 0;
  const moved = Math.max(1, payout.deltas.filter(Boolean).length + (payout.pot ? 1 : 0));
  const reasons = alone ? [...rows.slice(0, -moved), ...(payout.pot ? rows.slice(-1) : [])] : rows;
  return made("div", {}, ...why.map((line) => made("p", { class: "sum" }, line)),
    made("ul", { class: "rows" }, ...reasons.map((row) => made("li", {}, row))));
}

function deltasOf(hand) {
  const row = made("div", { class: "deltas" });
  namesOf(hand.names).forEach((name, seat) => {
    const delta = hand.deltas[seat];
    const kind = delta > 0 ? "gain" : delta < 0 ? "loss" : "";
    row.append(made("div", {}, made("span", { class: "who" }, name),
      made("strong", { class: kind }, signed(delta)), made("span", {}, `${word("page.game.total")} ${figure(hand.points[seat])}`)));
  });
  return row;
}

const resultTitle = (hand) => word("page.game.result", { hand: placeOf(hand, hand.shows) });

// The whole result; "dispute" is what a tap on its button does, where it may be disputed.
function resultOf(hand, dispute = null) {
  speakAs(hand.shows);
  const shown = [made("h2", {}, resultTitle(hand)), made("p", { class: "outcome" }, outcome(hand))];
  for (const win of hand.wins) shown.push(...laidOut(win));
  shown.push(deltasOf(hand));
  if (hand.payouts.length > 0) {
    shown.push(made("h3", {}, word("page.game.paid")), ...hand.payouts.map(payoutOf));
  }
  for (const problem of hand.problems) {
    shown.push(made("p", { class: "irregular" }, inLanguage(problem.texts)));
  }
  if (hand.next !== null) shown.push(made("p", { class: "next" }, inLanguage(hand.next.texts)));
  const won = hand.wins.find((win) => win.event !== null);
  const taps = [];
  if (dispute !== null && won !== undefined) {
    taps.push(button(word("page.game.dispute"), () => dispute(won.event), "dispute"));
  }
  if (won !== undefined) taps.push(button(word("page.share.share"), () => openShare(hand), "dispute"));
  if (taps.length > 0) shown.push(made("p", { class: "taps" }, ...taps));
  return shown;
}

async function fetchHands() {
  const answer = await fetch("/api/hands").catch(() => null);
  return answer?.ok ? answer.json() : null;
}
