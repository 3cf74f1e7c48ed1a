// The game so far: everything is asked for anew when the record has grown.
import { alike, showChart } from "/static/shared/chart.js";
import { $, button, offerRooms, ready } from "/static/shared/elements.js";
import { offerGames } from "/static/shared/games.js";
import { bestOf, fetchHands, resultOf } from "/static/shared/result.js";
import { listenTo } from "/static/shared/said.js";
import { openShare } from "/static/shared/share.js";
import { loadTiles } from "/static/shared/tiles.js";
import { offerLanguages, showRules, word } from "/static/shared/words.js";
import { showClip, startClip } from "./clip.js";
import { key, showDownloads } from "./downloads.js";
import { goTo, goToHand, labelStep, loadSteps, startReplay } from "./replay.js";
import { showSheet } from "./sheet.js";
import { showStandings } from "./standings.js";
import { forgetStories, handStory, openStories } from "./story.js";
import { goToBegin, showMoves, showRoom, startStudy } from "./study.js";
/** @import { GameView, HandView, TableView } from "/static/wire" */

const SOON_MS = 800;
/** @type {{ games: GameView[], chosen: HandView | null, of: string | null }} */
const told = { games: [], chosen: null, of: null };
let due = 0;

/** @param {HandView} hand */
function choose(hand) {
  told.chosen = hand;
  showAll();
  goToHand(hand);
}

// A tap on the chart tells the hand in pictures, too.
/** @param {HandView} hand */
function openHand(hand) {
  openStories();
  choose(hand);
  $("chosen").scrollIntoView({ block: "nearest" });
}

/** @param {number} step */
function openStep(step) {
  showRoom("replay");
  goTo(step);
}

// A tap shows the hand.
/** @param {GameView[]} games */
function showBest(games) {
  const best = bestOf(games);
  $("best").hidden = best === null;
  if (best !== null) $("best").replaceChildren(button(best.said, () => choose(best.hand)));
}

function showAll() {
  const { games, chosen } = told;
  const last = games.at(-1);
  const shown = games.find((game) => chosen !== null && game.hands.includes(chosen)) ?? last; // others may be by other rules
  showSheet(games, chosen, choose);
  showBest(games);
  $("chosen").hidden = chosen === null;
  if (chosen !== null) $("chosen").replaceChildren(...resultOf(chosen, openShare), handStory(chosen, told.of ?? "", openStep), button(word("page.game.replay"), () => showRoom("replay"), "main"));
  $("chart-section").hidden = shown === undefined || shown.hands.length === 0;
  if (shown !== undefined && shown.hands.length > 0) showChart($("chart"), alike(games, shown), openHand);
  if (shown !== undefined) showRules(shown.rules);
  showDownloads(last?.shows.exports ?? []);
  showStandings();
  labelStep();
}

async function load() {
  const answer = await fetchHands();
  if (answer === null) return;
  told.games = answer.games;
  forgetStories();
  const hands = answer.games.flatMap((game) => game.hands);
  // The hand that was chosen may have been put right since.
  const before = told.chosen;
  told.chosen = hands.find((hand) => hand.first === before?.first) ?? hands.findLast((hand) => hand.payouts.length) ?? null;
  showAll();
  await loadSteps(goToBegin);
}

/** @param {TableView} message */
function receive({ record, lines }) {
  const of = `${record} ${lines}`;
  if (of === told.of) return; // what has changed is no line
  document.body.dataset.record = record;
  clearTimeout(due);
  due = setTimeout(load, told.of === null ? 0 : SOON_MS);
  told.of = of;
}

async function start() {
  await loadTiles();
  if (key) $("back").href = `/#${key}`;
  if (key) $("to-drill").href = `/drill#${key}`;
  $("to-drill").hidden = !key;
  offerLanguages(() => { offerGames(); if (!$("clip").hidden) showClip(); return load(); });
  offerRooms(showRoom);
  startReplay(showMoves);
  startStudy();
  startClip();
  ready();
  offerGames();
  // What was to be loaded when the line broke is loaded now.
  listenTo("/ws", receive, () => { told.of = null; });
}

start();
