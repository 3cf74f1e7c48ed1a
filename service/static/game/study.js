// To study a game: its moves beside the table, arrow keys, playing by itself, and links to a moment.
import { $, button, find, findAll, made, openRoom, targetOf } from "/static/shared/elements.js";
import { agreed, copyInto } from "/static/shared/share.js";
import { drawnPart } from "/static/shared/tiles.js";
import { goTo, replayed } from "./replay.js";
/** @import { ReplayStep } from "/static/wire" */

/** @type {{ shown: string | null, timer: number | null, begin: { at: string | null, event: string | null } | null }} */
const study = { shown: null, timer: null, begin: null };

// First and last step of the hand that a step belongs to.
/** @param {number} at */
function handAround(at) {
  const { steps } = replayed;
  /** @param {ReplayStep} step */
  const begins = (step) => step.event === "HandStart";
  const first = Math.max(0, steps.slice(0, at + 1).findLastIndex(begins));
  const next = steps.findIndex((step, place) => place > first && begins(step));
  return { first, last: (next < 0 ? steps.length : next) - 1 };
}

/** @param {ReplayStep} step @param {number} at */
function moveLine(step, at) {
  const tap = button("", () => { stopPlaying(); goTo(at); });
  tap.append(...step.told.map(drawnPart));
  return made("li", { "data-at": at }, tap);
}

// The moves of one hand; the one that is shown is marked.
export function showMoves() {
  const { steps, at, language } = replayed; // the one that the steps are told in
  if (steps.length === 0) { $("moves").replaceChildren(); return; }
  const { first, last } = handAround(at);
  const shown = `${first}-${last}-${language}`;
  if (study.shown !== shown) {
    study.shown = shown;
    // A draw is nothing to look for: the step that follows tells it.
    const told = steps.map((step, place) => ({ step, place })).slice(first, last + 1).filter(({ step }) => step.event !== "Draw");
    $("moves").replaceChildren(...told.map(({ step, place }) => moveLine(step, place)));
  }
  const lines = findAll($("moves"), "li");
  const shownNow = lines.findLast((line) => Number(line.dataset.at) <= at);
  for (const line of lines) {
    const now = line === shownNow;
    line.classList.toggle("now", now);
    find("button", line).ariaCurrent = now ? "step" : null;
    // The list scrolls, the page stays.
    if (now) $("moves").scrollTop = line.offsetTop - $("moves").offsetTop - $("moves").clientHeight / 2;
  }
  $("hand-back").disabled = first <= 0;
  $("hand-on").disabled = last >= steps.length - 1;
}

/** @param {number} way */
function otherHand(way) {
  const { first, last } = handAround(replayed.at);
  const at = way > 0 ? last + 1 : replayed.at > first ? first : handAround(first - 1).first;
  stopPlaying();
  goTo(at);
}

function stopPlaying() {
  clearTimeout(study.timer ?? undefined);
  study.timer = null;
  $("play").setAttribute("aria-pressed", "false");
}

// The next step waits until this one is shown, also where the network is slow.
function playOn() {
  const timer = setTimeout(async () => {
    if (replayed.at >= replayed.steps.length - 1) { stopPlaying(); return; }
    await goTo(replayed.at + 1);
    if (study.timer === timer) playOn();
  }, Number($("speed").value));
  study.timer = timer;
}

function play() {
  if (study.timer !== null) { stopPlaying(); return; }
  $("play").setAttribute("aria-pressed", "true");
  playOn();
}

// What is typed into a field stays there.
/** @param {KeyboardEvent} event */
function keyPressed(event) {
  const typed = targetOf(event).closest("input, select, textarea, dialog") !== null;
  if (typed || event.altKey || event.ctrlKey || event.metaKey) return;
  /** @type {Record<string, (() => void) | undefined>} */
  const acts = {
    ArrowLeft: () => { stopPlaying(); goTo(replayed.at - 1); },
    ArrowRight: () => { stopPlaying(); goTo(replayed.at + 1); },
    ArrowUp: () => otherHand(-1),
    ArrowDown: () => otherHand(1),
    p: play,
    " ": targetOf(event).matches("button") ? undefined : play,
  };
  const act = acts[event.key];
  if (act === undefined) return;
  event.preventDefault();
  act();
}

/** @param {string} room */
export function showRoom(room) {
  openRoom(room);
  if (room === "replay") showMoves();
}

// "?at=N" names a step, "?event=N" the line of a moment. False where the page's address names none, or has been there.
export function goToBegin() {
  if (study.begin === null) return false;
  const { at, event } = study.begin;
  study.begin = null;
  goTo(event === null ? Number(at) : replayed.steps.findLastIndex(({ number }) => number <= Number(event)));
  showRoom("replay");
  return true;
}

// Where spectators may watch, a link has their key; no other key is ever part of one.
async function copyLink() {
  const page = (await agreed())?.link ?? `${location.origin}${location.pathname}`;
  const [path, key] = page.split("#");
  copyInto($("link-said"), `${path}?at=${replayed.at}${key ? `#${key}` : ""}`);
}

export function startStudy() {
  const asked = new URLSearchParams(location.search);
  const [at, event] = ["at", "event"].map((name) => asked.get(name));
  study.begin = /^\d+$/.test(event ?? at ?? "") ? { at, event } : null;
  $("play").addEventListener("click", play);
  $("speed").addEventListener("change", () => { if (study.timer !== null) { stopPlaying(); play(); } });
  $("hand-back").addEventListener("click", () => otherHand(-1));
  $("hand-on").addEventListener("click", () => otherHand(1));
  $("link").addEventListener("click", copyLink);
  addEventListener("keydown", keyPressed);
}
