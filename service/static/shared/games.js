// Several played games are studied, and one is at the table: the name of its rules opens a list of all.
import { answerOf, toldOf } from "./asking.js";
import { $, button, find, made } from "./elements.js";
import { language, listed, titleOf, word } from "./words.js";
/** @import { StudiedGameView } from "/static/wire" */

const key = location.hash.slice(1);

// The evening on which it was played, or what its record is called.
/** @param {StudiedGameView} given */
const fromOf = ({ day, of }) => (day === null ? of : new Date(`${day}T12:00`).toLocaleDateString(language, { dateStyle: "medium" }));

/** @param {StudiedGameView} game @param {boolean} several whether they are of several evenings or records */
function lineOf(game, several) {
  const names = listed(game.names.filter(Boolean));
  const hands = [word("page.setup.evening_hands", { count: game.hands }), ...(game.over ? [] : [word("page.setup.evening_open")])].join(" · ");
  const tap = button("", () => choose(game));
  if (game.shown) tap.ariaCurrent = "true";
  tap.append(made("b", {}, titleOf(game.rules)), ...[several ? fromOf(game) : "", names, hands].filter(Boolean).map((text) => made("span", {}, text)));
  return made("li", {}, tap);
}

/** @param {StudiedGameView} game */
async function choose({ number, shown }) {
  find("#studied").hidePopover();
  if (shown) return;
  const answer = await answerOf("/api/games", { body: { number }, key });
  if (!answer.ok) return;
  if (location.pathname !== "/") history.replaceState(null, "", location.pathname + location.hash); // a moment of the other game
  location.reload();
}

/** @param {StudiedGameView} at */
function opener({ rules }) {
  const title = titleOf(rules);
  return made("button", { class: "choose-game", type: "button", popovertarget: "studied", "aria-label": `${title}: ${word("page.games.choose")}` }, made("span", {}, title), " ▾");
}

// It is offered in the header, and where that is narrow in the menu; not where one game is alone, nor to whoever may not choose for all who look.
export async function offerGames() {
  const games = await toldOf("/api/games", { key }) ?? [];
  const at = games.find(({ shown, may_choose }) => shown && may_choose);
  for (const each of document.querySelectorAll("#studied, .choose-game")) each.remove(); // in another language they are made anew
  if (at === undefined) return;
  document.body.classList.add("studies"); // what says the same beside it is not shown
  find("header").insertBefore(opener(at), $("more"));
  $("menu").prepend(opener(at));
  const several = new Set(games.map(fromOf)).size > 1; // else each row would say the same
  document.body.append(made("div", { id: "studied", popover: "" }, made("h2", {}, word("page.games.choose")),
    made("ol", {}, ...games.map((game) => lineOf(game, several)))));
}
