// The result of the hand that has just ended, on the page of the table.
"use strict";

let resultOfLines = -1;

async function showResult() {
  const { table } = known;
  const over = table !== null && table.hand > 0 && OVER.includes(table.phase);
  $("result").hidden = !over;
  if (!over || mending.acts.lines === resultOfLines) return;
  resultOfLines = mending.acts.lines;
  const told = await fetchHands();
  const hand = told?.games.at(-1)?.hands.at(-1);
  if (hand === undefined) return;
  $("result").replaceChildren(...resultOf(hand, (number) => openEvent(number, 0, [], true)));
}
