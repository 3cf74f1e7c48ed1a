// Leads beginners through a hand at the real table: what to do now, step by step, and what went wrong.
import { answerOf, toldOf } from "./asking.js";
import { $, button, made } from "./elements.js";
import { tileDrawn } from "./tiles.js";
import { word } from "./words.js";
/** @import { FirstHandView, StepView } from "/static/wire" */

const OWN_KEPT = "tilesight-first-hand"; // what the player of this phone has chosen: else the host's choice counts
const ASK_MS = 3000; // the camera counts walls and hands while nothing is written
/** @type {{ seat: number | null, mayTap: boolean, mayLead: boolean, told: FirstHandView | null, drawn: string, asks: number, lines: number, offline: boolean }} */
const guide = { seat: null, mayTap: false, mayLead: false, told: null, drawn: "", asks: 0, lines: -1, offline: false };
const key = () => location.hash.slice(1);

const isSeat = () => guide.seat !== null;
let asked = new URLSearchParams(location.search).has("lead"); // an address that leads, as for a big screen that nobody touches
const ownChoice = () => (isSeat() ? localStorage.getItem(OWN_KEPT) : null) ?? (asked ? "yes" : null);
const isOn = () => (ownChoice() === null ? guide.told?.on ?? false : ownChoice() === "yes");

/** @param {StepView} step */
function stepDrawn({ text, groups, turned }) {
  const laid = groups.map((group, at) => made("span", { class: "laid" }, ...group.map((tile, place) => {
    const drawn = tileDrawn(tile);
    if (at === 0 && place === turned) drawn.classList.add("sideways");
    return drawn;
  })));
  return [made("span", {}, text), ...(laid.length > 0 ? [made("span", { class: "hand-laid" }, ...laid)] : [])];
}

/** @param {number} at */
async function goTo(at) {
  const told = await answerOf("/api/first-hand", { body: { at }, key: key() });
  if (told.ok) await askFirstHand();
}

/** @param {FirstHandView} told */
function dealDrawn({ deal, at }) {
  const taps = guide.mayTap ? [
    ...(at > 0 ? [button(word("page.first.back"), () => goTo(at - 1))] : []),
    ...(at < deal.length - 1 ? [button(word("page.first.next"), () => goTo(at + 1), "main")] : []),
  ] : [];
  return [made("p", { class: "step" }, word("page.first.step", { at: at + 1, steps: deal.length })),
    made("p", { class: "now" }, ...stepDrawn(deal[at])), ...(taps.length > 0 ? [made("p", { class: "taps choices" }, ...taps)] : [])];
}

/** @param {StepView[]} now */
function nowDrawn(now) {
  return [made("ol", {}, ...now.map((step) => made("li", { class: step.code.split("_")[0] }, ...stepDrawn(step))))];
}

function draw() {
  const { told } = guide;
  const on = isOn() && told !== null && told.deal.length + told.now.length + told.wrong.length > 0;
  const box = $("first-hand");
  box.hidden = !on;
  const choice = document.getElementById("lead");
  if (choice instanceof HTMLInputElement) choice.checked = isOn();
  if (!on || told === null) return;
  const now = JSON.stringify([told, guide.offline, guide.mayTap, document.documentElement.lang]);
  if (now === guide.drawn) return; // what is read out is not read out again
  guide.drawn = now;
  const leave = isSeat() || guide.mayLead ? [button("✕", () => choose(false), "leave")] : [];
  for (const tap of leave) tap.setAttribute("aria-label", word("page.first.off"));
  box.replaceChildren(...leave,
    ...(guide.offline ? [made("p", { class: "wrong" }, word("page.first.offline"))] : []),
    ...told.wrong.map((text) => made("p", { class: "wrong" }, text)),
    ...(told.deal.length > 0 ? dealDrawn(told) : nowDrawn(told.now)));
}

export async function askFirstHand() {
  const mine = ++guide.asks;
  const told = await toldOf(isSeat() ? `/api/first-hand?seat=${guide.seat}` : "/api/first-hand", { key: key() });
  if (mine !== guide.asks) return;
  guide.offline = told === null;
  guide.told = told ?? guide.told;
  draw();
}

// A player chooses for the own phone, whoever runs the table for all.
/** @param {boolean} on */
async function choose(on) {
  asked = false;
  if (isSeat()) localStorage.setItem(OWN_KEPT, on ? "yes" : "no");
  else await answerOf("/api/first-hand", { body: { on }, key: key() });
  await askFirstHand();
}

// With each message of the table: where nobody is led, only what comes without a new line may have switched it on.
/** @param {number} lines @param {{ seat?: number | null, mayTap?: boolean, mayLead?: boolean }} who */
export function firstHandAfter(lines, { seat = null, mayTap = false, mayLead = false }) {
  const same = lines === guide.lines;
  Object.assign(guide, { lines, seat, mayTap, mayLead });
  if (same || isOn() || guide.told === null) askFirstHand();
}

export function offerFirstHand() {
  $("lead").addEventListener("change", () => choose($("lead").checked));
  setInterval(() => { if (isOn() && !document.hidden && guide.lines >= 0) askFirstHand(); }, ASK_MS);
}
