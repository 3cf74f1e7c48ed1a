// Leads beginners through a hand at the real table: what to do now, step by step, and what went wrong.
import { answerOf } from "./asking.js";
import { $, button, made } from "./elements.js";
import { tileDrawn } from "./tiles.js";
import { word } from "./words.js";
/** @import { FirstHandView, StepView } from "/static/wire" */

const OWN_KEPT = "tilesight-first-hand"; // what the player of this phone has chosen: else the host's choice counts
const ASK_MS = 3000; // the camera counts walls and hands while nothing is written
/** @type {{ seat: number | null, mayTap: boolean, mayLead: boolean, told: FirstHandView | null, drawn: string, asks: number, led: boolean, open: boolean, refused: string | null }} */
const guide = { seat: null, mayTap: false, mayLead: false, told: null, drawn: "", asks: 0, led: false, open: false, refused: null };
const key = () => location.hash.slice(1);

const isSeat = () => guide.seat !== null;
let asked = new URLSearchParams(location.search).has("lead"); // an address that leads, as for a big screen that nobody touches
const ownChoice = () => (isSeat() ? localStorage.getItem(OWN_KEPT) : null) ?? (asked ? "yes" : null);
const isOn = () => (ownChoice() === null ? guide.led : ownChoice() === "yes");

/** @param {StepView} step */
function stepDrawn({ text, groups, turned }) {
  const laid = groups.map((group, at) => made("span", { class: "laid" }, ...group.map((tile, place) => {
    const drawn = tileDrawn(tile);
    if (at === 0 && place === turned) drawn.classList.add("sideways");
    return drawn;
  })));
  return [made("span", {}, text), ...(laid.length > 0 ? [made("span", { class: "hand-laid" }, ...laid)] : [])];
}

// Why the server gives no answer, in its words; where nobody answers, in ours.
/** @param {{ told: { detail?: string } | null }} answer */
const refusalOf = ({ told }) => told?.detail ?? word("page.first.offline");

/** @param {number} at */
async function goTo(at) {
  const answer = await answerOf("/api/first-hand", { body: { at }, key: key() });
  if (answer.ok) { await askFirstHand(); return; }
  guide.refused = refusalOf(answer);
  draw();
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
  const { told, refused } = guide;
  const on = isOn() && (refused !== null || (told !== null && told.deal.length + told.now.length + told.wrong.length > 0));
  const box = $("first-hand");
  box.hidden = !on;
  const choice = document.getElementById("lead");
  if (choice instanceof HTMLInputElement) choice.checked = isOn();
  if (!on) return;
  const now = JSON.stringify([told, refused, guide.mayTap, document.documentElement.lang]);
  if (now === guide.drawn) return; // what is read out is not read out again
  guide.drawn = now;
  const leave = isSeat() || guide.mayLead ? [button("✕", () => choose(false), "leave")] : [];
  for (const tap of leave) tap.setAttribute("aria-label", word("page.first.off"));
  box.replaceChildren(...leave,
    ...(refused === null ? [] : [made("p", { class: "wrong" }, refused)]),
    ...(told?.wrong ?? []).map((text) => made("p", { class: "wrong" }, text)),
    ...(told === null ? [] : told.deal.length > 0 ? dealDrawn(told) : nowDrawn(told.now)));
}

// Nothing is asked for a page that is not led.
export async function askFirstHand() {
  const mine = ++guide.asks;
  if (!isOn()) { Object.assign(guide, { told: null, refused: null }); draw(); return; }
  const answer = await answerOf(isSeat() ? `/api/first-hand?seat=${guide.seat}` : "/api/first-hand", { key: key() });
  if (mine !== guide.asks) return;
  guide.refused = answer.ok ? null : refusalOf(answer);
  if (answer.ok) guide.told = answer.told;
  draw();
}

// A player chooses for the own phone, whoever runs the table for all.
/** @param {boolean} on */
async function choose(on) {
  asked = false;
  if (isSeat()) localStorage.setItem(OWN_KEPT, on ? "yes" : "no");
  else if ((await answerOf("/api/first-hand", { body: { on }, key: key() })).ok) guide.led = on;
  await askFirstHand();
}

// With each message of the table, which says whether everybody is led.
/** @param {boolean} led @param {{ seat?: number | null, mayTap?: boolean, mayLead?: boolean }} who */
export function firstHandAfter(led, { seat = null, mayTap = false, mayLead = false }) {
  Object.assign(guide, { led, seat, mayTap, mayLead, open: true });
  askFirstHand();
}

export function offerFirstHand() {
  $("lead").addEventListener("change", () => choose($("lead").checked));
  setInterval(() => { if (isOn() && !document.hidden && guide.open) askFirstHand(); }, ASK_MS);
}
