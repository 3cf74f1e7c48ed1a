// Who has come where over several games, by name: this record's and the others' in its folder.
"use strict";

const RATE_KEPT = "tilesight-rate";

async function showStandings() {
  const answer = await fetch("/api/standings").catch(() => null);
  const { people: rows, payments } = answer?.ok ? await answer.json() : { people: [], payments: [] };
  $("standings").hidden = rows.length === 0;
  const heads = ["name", "games", "average", "points"];
  $("places").replaceChildren(
    made("tr", {}, ...heads.map((head) => made("th", { scope: "col" }, word(`page.game.${head}`)))),
    ...rows.map((row) => made("tr", {}, made("td", {}, row.name), made("td", {}, String(row.games)),
      made("td", {}, row.average.toFixed(2)), made("td", {}, signed(row.points)))),
  );
  const rate = $("rate");
  const showTally = () => $("tally").replaceChildren(...payments.map(({ points, ...pair }) => {
    const sum = Number(rate.value) > 0 ? (points * rate.value).toFixed(2) : figure(points);
    return made("li", {}, word("page.game.pays", { ...pair, sum }));
  }));
  $("settling").hidden = payments.length === 0;
  rate.value = localStorage.getItem(RATE_KEPT) ?? "";
  rate.oninput = () => { localStorage.setItem(RATE_KEPT, rate.value); showTally(); };
  showTally();
}
