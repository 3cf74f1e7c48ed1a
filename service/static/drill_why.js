// Why a choice is good or not: what it leads to beside the best or the next best, and the dearest mistakes.
"use strict";

function whyLine({ name, role, wins, tiles, texts }) {
  const wanted = tiles.map(tileCounted);
  const sum = tiles.reduce((count, one) => count + one.left, 0);
  const label = word(`page.drill.role.${role}`);
  const lead = tiles.length === 0 ? [] : [word(wins ? "page.drill.wins_with" : "page.drill.improves_by", { count: sum }), " ", ...wanted];
  return made("li", { class: role }, made("h3", {}, label, " ", ...choiceDrawn(name)),
    made("p", {}, inLanguage(texts)), made("p", { class: "wanted" }, ...lead));
}

function showWhy() {
  $("why").replaceChildren(...(drill.judged?.compared ?? []).map(whyLine));
}

// The decision of that step, as the drill asks it.
function goToStep(step) {
  const at = drill.decisions.findIndex((one) => one.step === step);
  if (at >= 0) goTo(at);
  $("question").scrollIntoView({ block: "center" });
}

// The link opens the moment before the mistake.
function mistakeLine({ step, hand_number: hand, played, behind }) {
  const cost = word(`page.drill.behind.${behind.in}`, behind);
  const shown = played === "pass" ? [word("page.drill.offer.pass")] : /^[0-9][mpszf]$/.test(played) ? [tileDrawn(played)] : [];
  const tap = button(word("page.hand", { count: hand }), () => goToStep(step));
  tap.append(" ", ...shown);
  const link = made("a", { href: `/game?at=${Math.max(step - 1, 0)}${location.hash}` }, word("page.drill.in_replay"));
  return made("li", {}, tap, ` ${cost} `, link);
}

function showMistakes() {
  const { mistakes } = drill;
  const key = mistakes?.length === 0 ? "page.drill.no_mistakes" : "page.drill.by_cost";
  $("mistakes-said").textContent = mistakes === null ? "" : word(key, { count: mistakes.length });
  $("mistakes").replaceChildren(...(mistakes ?? []).map(mistakeLine));
}

async function rankMistakes() {
  $("rank").disabled = true;
  $("mistakes-said").textContent = word("page.drill.ranking");
  const told = await get(`/api/drill/mistakes?${ofSeat()}`);
  $("rank").disabled = false;
  drill.mistakes = told?.mistakes ?? null;
  showMistakes();
}
