// One table of a hall, to look at: all of it comes anew with everything that happens there.
"use strict";

const name = location.pathname.split("/").at(-1);
let shownIn = null; // the language

function happenedLine(one) {
  return made("li", { "data-number": one.number }, made("span", { class: "at" }, clock(one.t)), made("span", {}, ...one.told.map(drawnPart)),
    ...one.ruled_by.map((name) => made("small", {}, ` ${word("page.game.ruled", { name })}`)));
}

function showPage(page) {
  const again = language !== shownIn;
  shownIn = language;
  document.title = page.title;
  $("title").textContent = page.title;
  showTexts($("rules"), page.rules_titles);
  redraw($("table"), page.table);
  showBar(page.table);
  if (again) $("said").replaceChildren();
  // What stays is left alone, so that nothing is read out twice.
  const keys = new Set(page.announced.map((one) => one.key));
  const there = new Set();
  for (const line of [...$("said").children]) {
    if (keys.has(line.dataset.key)) there.add(line.dataset.key);
    else line.remove();
  }
  for (const one of page.announced.filter(({ key }) => !there.has(key))) {
    showAnnounced(one);
    $("said").firstChild.dataset.key = one.key;
  }
  $("events").replaceChildren(...page.happened.toReversed().map(happenedLine));
  page.announced.forEach(tellBelow);
}

// A table that is not there any more ends the page.
function refused({ reason, code }) {
  if (reason && code === 1008) setStatus("failed", reason);
  return reason && code === 1008;
}

async function start() {
  await enter();
  await loadTiles();
  offerLanguages(listenAgain);
  ready();
  listenTo(`/api/v1/tables/${name}/listen`, (message) => { if (message.type === "page") showPage(message); }, undefined, refused);
}

start();
