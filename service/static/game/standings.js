// Who has come where tonight and on all evenings, by name and rule set, and who pays whom.
import { toldOf } from "/static/shared/asking.js";
import { $, choice, made } from "/static/shared/elements.js";
import { figure, placeAmong, signed, titleOf, word } from "/static/shared/words.js";
/** @import { PointsPaid, StandingView } from "/static/wire" */

const RATE_KEPT = "tilesight-rate";
let chosenStandings = 0;

export async function showStandings() {
  const answer = await toldOf("/api/standings");
  const told = answer?.by_rules ?? [];
  // All evenings of a rule set are shown where they hold more than tonight.
  const offered = told.flatMap(({ rules, people, tonight, payments }) => [
    { says: "page.game.tonight", rules, rows: tonight, payments },
    ...(JSON.stringify(people) === JSON.stringify(tonight) ? [] : [{ says: "page.game.all_evenings", rules, rows: people, payments: [] }]),
  ]).filter(({ rows }) => rows.length > 0);
  const unreadable = answer?.unreadable ?? [];
  $("not-counted").hidden = unreadable.length === 0;
  $("not-counted").replaceChildren(...unreadable.map((why) => made("li", {}, word("page.game.not_counted", { why }))));
  $("standings").hidden = offered.length + unreadable.length === 0;
  if (offered.length === 0) return;
  chosenStandings = Math.min(chosenStandings, offered.length - 1);
  const choose = choice(offered.map((_, at) => String(at)), offered.map(({ says, rules }) => `${word(says)} · ${titleOf(rules)}`));
  choose.value = String(chosenStandings);
  choose.setAttribute("aria-label", word("page.game.standings"));
  choose.onchange = () => { chosenStandings = Number(choose.value); showOne(offered[chosenStandings]); };
  $("standings-of").replaceChildren(choose);
  showOne(offered[chosenStandings]);
}

/** @param {{ rows: StandingView[]; payments: PointsPaid[] }} given */
function showOne({ rows, payments }) {
  const heads = ["place", "name", "games", "average", "points"];
  const ranks = rows.map(({ rank }) => rank);
  $("places").replaceChildren(
    made("tr", {}, ...heads.map((head) => made("th", { scope: "col" }, word(`page.game.${head}`)))),
    ...rows.map((row) => made("tr", {}, made("td", {}, placeAmong(row.rank, ranks)), made("td", {}, row.name), made("td", {}, String(row.games)),
      made("td", {}, row.average_place.toFixed(2)), made("td", {}, signed(row.points)))),
  );
  const rate = $("rate");
  const showTally = () => $("tally").replaceChildren(...payments.map(({ points, ...pair }) => {
    const sum = Number(rate.value) > 0 ? (points * Number(rate.value)).toFixed(2) : figure(points);
    return made("li", {}, word("page.game.pays", { ...pair, sum }));
  }));
  $("settling").hidden = payments.length === 0;
  rate.value = localStorage.getItem(RATE_KEPT) ?? "";
  rate.oninput = () => { localStorage.setItem(RATE_KEPT, rate.value); showTally(); };
  showTally();
}
