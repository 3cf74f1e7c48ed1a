// Leads through a rehearsal at the table: a card at a time, aloud too, then what it has shown.
import { answerOf } from "/static/shared/asking.js";
import { $, button, made, once } from "/static/shared/elements.js";
import { sayAloud } from "/static/shared/speech.js";
import { word } from "/static/shared/words.js";
/** @import { RehearsalView } from "/static/wire" */

const ASK_MS = 1000; // the last card is watched for a few seconds more
/** @type {{ told: RehearsalView | null, refused: string, waits: boolean, said: string, drawn: string, mayTap: boolean, known: boolean }} */
const rehearsal = { told: null, refused: "", waits: false, said: "", drawn: "", mayTap: false, known: false };

/** @param {{ done: number } | { stop: true }} wish */
async function wishes(wish) {
  if (rehearsal.waits) return;
  rehearsal.waits = true;
  draw();
  const answer = await answerOf("/api/rehearsal", { body: wish });
  rehearsal.waits = false;
  rehearsal.refused = answer.ok ? "" : answer.told?.detail ?? word("page.first.offline");
  if (answer.ok) rehearsal.told = answer.told;
  draw();
}

/** @param {RehearsalView} told */
function stepDrawn({ step, at, of, text }) {
  const done = button(word(step === "lay_out" ? "page.rehearse.laid" : "page.rehearse.done"), once(() => wishes({ done: at })), "main");
  const stop = button(word("page.rehearse.stop"), () => wishes({ stop: true }));
  done.disabled = stop.disabled = rehearsal.waits;
  return [
    ...(step === "card" ? [made("p", { class: "step" }, word("page.rehearse.card", { at, of }))] : []),
    made("p", { class: "now" }, text),
    ...(rehearsal.waits && step === "lay_out" ? [made("p", {}, word("page.rehearse.reading"))] : []),
    ...(rehearsal.mayTap && step !== "settles" ? [made("p", { class: "taps choices" }, done, stop)] : []),
  ];
}

/** @param {RehearsalView} told */
function resultDrawn({ result }) {
  const [grade, ...lines] = [result.at(-1) ?? "", ...result.slice(0, -1)];
  return [made("p", { class: "now" }, grade), made("ul", {}, ...lines.map((line) => made("li", {}, line))),
    ...(rehearsal.mayTap ? [made("p", { class: "taps" }, made("a", { href: "/setup" }, word("page.set_up_again")))] : [])];
}

function draw() {
  const { told, refused, waits, mayTap } = rehearsal;
  const box = $("rehearsal");
  box.hidden = told === null;
  if (told === null) return;
  const now = JSON.stringify([told, refused, waits, mayTap, document.documentElement.lang]);
  if (now === rehearsal.drawn) return; // what is read out is not read out again
  rehearsal.drawn = now;
  box.replaceChildren(...(refused === "" ? [] : [made("p", { class: "wrong", role: "alert" }, refused)]),
    ...(told.step === "over" ? resultDrawn(told) : stepDrawn(told)));
  const says = told.step === "over" ? told.result.at(-1) ?? "" : told.text;
  if (says !== rehearsal.said) sayAloud(says);
  rehearsal.said = says;
}

// Where a game is played nothing is asked again.
export async function askRehearsal() {
  const answer = await answerOf("/api/rehearsal");
  if (answer.ok) rehearsal.told = answer.told;
  rehearsal.known ||= answer.ok;
  draw();
}

/** @param {boolean} mayTap */
export function rehearsalAfter(mayTap) {
  rehearsal.mayTap = mayTap;
  if (!rehearsal.known) askRehearsal();
  else draw();
}

export function offerRehearsal() {
  setInterval(() => {
    if (rehearsal.told !== null && rehearsal.told.step !== "over" && !rehearsal.waits && !document.hidden) askRehearsal();
  }, ASK_MS);
}
