// The set-up page: it offers what there is, shows what the camera sees, and starts the game.
import { $, ready } from "/static/shared/elements.js";
import { offerLanguages } from "/static/shared/words.js";
import { checkPicture, showCheck, showPicture, turnRound } from "./check.js";
import { drawCorners, startCorners } from "./corners.js";
import { showGame, showRunning, showSummary, startGame } from "./game.js";
import { nameFaces, ownSet, showSet, startSet } from "./set.js";
import { goOnWith, lastTime, lookAgain, showSources, takeDropped } from "./source.js";
import { offered, setup, showSteps, startSteps } from "./steps.js";

function showAgain() {
  if (setup.offered === null) return;
  showGame();
  showSources();
  showRunning();
  showSteps();
  drawCorners();
  if (setup.check !== null) showCheck(setup.check);
  showSet();
}

async function start() {
  offerLanguages(async () => {
    if (Object.keys(ownSet.faces).length > 0) await nameFaces();
    showAgain();
  });
  startSteps(showSummary);
  startGame();
  startCorners();
  startSet();
  takeDropped();
  $("mirrored").addEventListener("change", turnRound);
  ready();
  await lookAgain();
  if (setup.offered === null) return;
  goOnWith(offered().tried);
  showAgain();
  await lastTime();
  showPicture();
  checkPicture();
}

// A browser may keep the page as it was left, in the middle of the start of a game.
addEventListener("pageshow", ({ persisted }) => { if (persisted) location.reload(); });
start();
