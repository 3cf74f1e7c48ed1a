// Announcements are spoken in the chosen language, each once: also after a reconnect or a reload.
"use strict";

const HEARD_KEPT = "tilesight-heard";
const SPEECH_KEPT = "tilesight-speech";
const PACE_KEPT = "tilesight-pace";
const PACES = { usual: "1 1", slower: "0.75 1", quieter: "1 0.4", slower_quieter: "0.75 0.4" }; // rate and volume
const REMEMBERED_KEYS = 500;
const MISSED_SPOKEN = 5; // of what was missed while away; older news would only hold up the new

let heard = null; // keys of what this page was told, of one record
let heardOf = null;
const questionsHeard = new Set(); // ids of those that have been spoken

function recallHeard(record) {
  heardOf = record;
  try {
    const kept = JSON.parse(sessionStorage.getItem(HEARD_KEPT));
    heard = kept !== null && kept.record === record ? new Set(kept.keys) : null;
  } catch {
    heard = null;
  }
}

function wantsSpeech() {
  return document.getElementById("speak").getAttribute("aria-pressed") === "true";
}

function utter(text) {
  const words = new SpeechSynthesisUtterance(text);
  words.lang = word("language.voice");
  [words.rate, words.volume] = (localStorage.getItem(PACE_KEPT) ?? PACES.usual).split(" ").map(Number);
  speechSynthesis.speak(words);
}

const MENDING = ["taken_back", "paid_before"]; // items of a payout that changes one of the same hand

// A payout is said as a person would: who wins with what, who pays whom, and how everybody stands.
function spokenOf(one, mends = false) {
  if (one.kind !== "payout" || one.corrected && one.seat === null || one.items.some(({ name }) => MENDING.includes(name))) return inLanguage(one.texts);
  return mends ? word("page.corrected", { said: payoutOfWinner(one) }) : payoutOfWinner(one);
}

function payoutOfWinner(one) {
  const why = one.seat !== null ? inLanguage(one.why) : [];
  if (why.length === 0) return inLanguage(one.texts);
  const names = namesOf(known.table?.names ?? ["", "", "", ""]);
  const patterns = inLanguage(one.ledger).rows.map((row) => row.join(" "));
  const stands = names.map((name, seat) => `${name} ${figure(one.points[seat])}`);
  return [word("page.share.wins", { winner: names[one.seat] }), patterns.join(", "), ...why, stands.join(", ")].join(". ");
}

// What is heard of a line's payout beside its key: one that changes is told as a correction.
const paidOn = ({ of }) => `payout of ${of}`;
let payoutGone = false; // a payout was heard that is in force no more

// Everything there is when a page first comes is old; what it has not heard later is news.
function hear(announced) {
  const first = heard === null;
  if (first) heard = new Set();
  const fresh = announced.filter((one) => !heard.has(one.key));
  const mending = new Set(fresh.filter((one) => one.kind === "payout" && (one.corrected || payoutGone || heard.has(paidOn(one)))));
  payoutGone = false;
  for (const one of fresh) {
    heard.add(one.key);
    if (one.kind === "payout") heard.add(paidOn(one));
  }
  sessionStorage.setItem(
    HEARD_KEPT, JSON.stringify({ record: heardOf, keys: [...heard].slice(-REMEMBERED_KEYS) }),
  );
  if (first || !wantsSpeech()) return;
  for (const one of fresh.slice(-MISSED_SPOKEN)) utter(spokenOf(one, mending.has(one)));
}

// A question is spoken once with its choices, when it is the first to answer.
function hearQuestions([first]) {
  if (first === undefined || questionsHeard.has(first.id) || !wantsSpeech()) return;
  questionsHeard.add(first.id);
  utter(inLanguage(first.spoken));
}

// What a correction has taken back is news if it is said again.
function unsay(before, { of, announced }) {
  const kept = new Set(announced.map((one) => one.key));
  for (const one of before) {
    if (one.of < of || kept.has(one.key)) continue;
    payoutGone ||= one.kind === "payout" && heard?.has(one.key) === true;
    heard?.delete(one.key);
  }
}

// Browsers let a page speak only after a person has touched it, so speaking is a button.
function offerSpeech() {
  if (!("speechSynthesis" in window)) return;
  const button = document.getElementById("speak");
  button.hidden = false;
  const on = localStorage.getItem(SPEECH_KEPT) === "true";
  button.setAttribute("aria-pressed", String(on));
  const pace = document.getElementById("pace");
  pace.hidden = !on;
  for (const [name, value] of Object.entries(PACES)) pace.append(made("option", { value, "data-word": `page.pace.${name}` }, word(`page.pace.${name}`)));
  pace.value = localStorage.getItem(PACE_KEPT) ?? PACES.usual;
  pace.addEventListener("change", () => {
    localStorage.setItem(PACE_KEPT, pace.value);
    speechSynthesis.cancel();
    utter(pace.selectedOptions[0].textContent);
  });
  button.addEventListener("click", () => {
    const on = !wantsSpeech();
    button.setAttribute("aria-pressed", String(on));
    localStorage.setItem(SPEECH_KEPT, String(on));
    pace.hidden = !on;
    if (!on) speechSynthesis.cancel();
  });
}
