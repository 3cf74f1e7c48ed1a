// How the game and the hand began: players, dealer, round and counters, wherever they stand in the list.
"use strict";

const BEGINNINGS = ["game_start", "hand_start", "position"];

async function openPosition() {
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
