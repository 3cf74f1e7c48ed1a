// The set-up page: it offers what there is, shows what the camera sees, and starts the game.
"use strict";

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
  offerLanguages(showAgain);
  startSteps();
  startGame();
  startCorners();
  startSet();
  takeDropped();
  $("mirrored").addEventListener("change", turnRound);
  ready();
  await loadOffered();
  if (setup.offered === null) return;
  goOnWith(setup.offered.tried);
  showAgain();
  await lastTime();
  showPicture();
  checkPicture();
}

start();
