// Who has come where over several games, by name.
"use strict";

function standingsOf(games) {
  const found = new Map();
  for (const game of games) {
    if (game.places === null) continue;
    game.names.forEach((name, seat) => {
      const row = found.get(name) ?? { name, games: 0, places: 0, points: 0 };
      row.games += 1;
      row.places += game.places[seat];
      row.points += game.points[seat] - game.start[seat];
      found.set(name, row);
    });
  }
  const average = (row) => row.places / row.games;
  return [...found.values()].sort((one, other) => average(one) - average(other) || other.points - one.points);
}

function showStandings(games) {
  const rows = standingsOf(games);
  $("standings").hidden = rows.length === 0;
  const heads = ["name", "games", "average", "points"];
  $("places").replaceChildren(
    made("tr", {}, ...heads.map((head) => made("th", { scope: "col" }, word(head)))),
    ...rows.map((row) => made("tr", {}, made("td", {}, row.name), made("td", {}, String(row.games)),
      made("td", {}, (row.places / row.games).toFixed(2)), made("td", {}, signed(row.points)))),
  );
}
