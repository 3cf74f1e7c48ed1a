// Who has come where over several games, by name: this record's and the others' in its folder.
"use strict";

async function showStandings() {
  const answer = await fetch("/api/standings").catch(() => null);
  const rows = answer?.ok ? (await answer.json()).people : [];
  $("standings").hidden = rows.length === 0;
  const heads = ["name", "games", "average", "points"];
  $("places").replaceChildren(
    made("tr", {}, ...heads.map((head) => made("th", { scope: "col" }, word(`page.game.${head}`)))),
    ...rows.map((row) => made("tr", {}, made("td", {}, row.name), made("td", {}, String(row.games)),
      made("td", {}, row.average.toFixed(2)), made("td", {}, signed(row.points)))),
  );
}
