// Announcements are spoken in the chosen language, each once: also after a reconnect or a reload.
import { $, find, made } from "./elements.js";
import { figure, namesOf, word } from "./words.js";
/** @import { Payout } from "/static/page" */
/** @import { AnnouncementView, QuestionView } from "/static/wire" */

const HEARD_KEPT = "tilesight-heard";
const SPEECH_KEPT = "tilesight-speech";
const PACE_KEPT = "tilesight-pace";
const PACES = { usual: "1 1", slower: "0.75 1", quieter: "1 0.4", slower_quieter: "0.75 0.4" }; // rate and volume
const REMEMBERED_KEYS = 500;
const MISSED_SPOKEN = 5; // of what was missed while away; older news would only hold up the new

/** @type {Set<string> | null} */
let heard = null; // keys of what this page was told, of one record
/** @type {string | null} */
let heardOf = null;
let sitting = ["", "", "", ""]; // names by seat, as they are spoken
export const questionsHeard = /** @type {Set<string>} */ (new Set()); // ids of those that have been spoken
const unspoken = /** @type {Map<string, () => void>} */ (new Map()); // what the browser would not say before a person has touched the page, and how to say it

/** @param {string} record */
export function recallHeard(record) {
  heardOf = record;
  unspoken.clear();
  try {
    const kept = JSON.parse(sessionStorage.getItem(HEARD_KEPT) ?? "null");
    heard = kept !== null && kept.record === record ? new Set(kept.keys) : null;
  } catch {
    heard = null;
  }
}

function wantsSpeech() {
  return $("speak").getAttribute("aria-pressed") === "true";
}

// A browser lets no page speak that nobody has touched since it was loaded. Some refuse with an error, some without a word.
const mayNotSpeak = () => navigator.userActivation?.hasBeenActive === false;

// "refused" is called where the page may not speak: what was to be said is then not heard yet.
/** @param {string} text @param {() => void} refused */
function utter(text, refused = () => {}) {
  if (mayNotSpeak()) { refused(); return; }
  const words = new SpeechSynthesisUtterance(text);
  words.lang = word("language.voice");
  [words.rate, words.volume] = (localStorage.getItem(PACE_KEPT) ?? PACES.usual).split(" ").map(Number);
  words.addEventListener("error", ({ error }) => { if (error === "not-allowed") refused(); });
  speechSynthesis.speak(words);
}

function askForTouch() {
  find("#let-speak").hidden = !wantsSpeech() || !(mayNotSpeak() || unspoken.size > 0);
}

// One touch anywhere is enough: what has waited for it is said now.
function touched() {
  const waiting = [...unspoken.values()].slice(-MISSED_SPOKEN);
  unspoken.clear();
  if (wantsSpeech()) for (const saying of waiting) saying();
  askForTouch();
}

const MENDING = ["taken_back", "paid_before"]; // items of a payout that changes one of the same hand

// A payout is said as a person would: who wins with what, who pays whom, and how everybody stands.
/** @param {AnnouncementView} one @param {boolean} mends */
function spokenOf(one, mends = false) {
  if (one.kind !== "payout" || one.withdrawn || one.unsure) return one.text;
  const payout = /** @type {Payout} */ (one);
  if (payout.corrected && payout.seat === null || payout.items.some(({ name }) => MENDING.includes(name))) return one.text;
  return mends ? word("page.corrected", { said: payoutOfWinner(payout) }) : payoutOfWinner(payout);
}

/** @param {Payout} one */
function payoutOfWinner(one) {
  const { seat, why } = one;
  if (seat === null || why.length === 0) return one.text;
  const names = namesOf(sitting);
  const patterns = one.ledger.rows.map((row) => row.join(" "));
  const stands = names.map((name, at) => `${name} ${figure(one.points[at])}`);
  return [word("page.share.wins", { winner: names[seat] }), patterns.join(", "), ...why, stands.join(", ")].join(". ");
}

// Whether something is paid: not what is told to hold no more.
/** @param {AnnouncementView} one */
const paid = (one) => one.kind === "payout" && !one.withdrawn;

// What is heard of a line's payout beside its key: one that changes is told as a correction.
/** @param {{ of: number }} given */
const paidOn = ({ of }) => `payout of ${of}`;
let payoutGone = false; // a payout was heard that is in force no more

// Everything there is when a page first comes is old; what it has not heard later is news.
/** @param {AnnouncementView[]} announced @param {string[]} names */
export function hear(announced, names) {
  sitting = names;
  const first = heard === null;
  const known = heard ??= new Set();
  const fresh = announced.filter((one) => !known.has(one.key));
  const mending = new Set(fresh.filter((one) => paid(one) && (one.corrected || payoutGone || known.has(paidOn(one)))));
  payoutGone = false;
  for (const one of fresh) {
    known.add(one.key);
    if (paid(one)) known.add(paidOn(one));
  }
  keepHeard();
  if (first || !wantsSpeech()) return;
  // Of much that comes at once the last is spoken, and what anybody pays.
  const spoken = fresh.filter(({ kind }, at) => kind === "payout" || at >= fresh.length - MISSED_SPOKEN);
  for (const one of spoken) say(one, mending.has(one));
}

/** @param {AnnouncementView} one @param {boolean} mends */
function say(one, mends) {
  utter(spokenOf(one, mends), () => {
    unheard(one, mends);
    sayLater(one.key, () => sayAgain(one, mends));
  });
}

// What the browser refused is not heard: a payout that comes after it is no correction of it.
/** @param {AnnouncementView} one @param {boolean} mends */
function unheard(one, mends) {
  heard?.delete(one.key);
  if (paid(one) && !mends) heard?.delete(paidOn(one));
  keepHeard();
}

/** @param {AnnouncementView} one @param {boolean} mends */
function sayAgain(one, mends) {
  heard?.add(one.key);
  if (paid(one)) heard?.add(paidOn(one));
  keepHeard();
  say(one, mends);
}

function keepHeard() {
  sessionStorage.setItem(HEARD_KEPT, JSON.stringify({ record: heardOf, keys: [...heard ?? []].slice(-REMEMBERED_KEYS) }));
}

/** @param {string} key @param {() => void} saying */
function sayLater(key, saying) {
  unspoken.set(key, saying);
  askForTouch();
}

// A question is spoken once with its choices, when it is the first to answer.
/** @param {QuestionView[]} given */
export function hearQuestions([first]) {
  unspoken.delete("question");
  if (first === undefined || questionsHeard.has(first.id) || !wantsSpeech()) return;
  questionsHeard.add(first.id);
  utter(first.spoken, () => {
    questionsHeard.delete(first.id);
    sayLater("question", () => hearQuestions([first]));
  });
}

// What to do now, as a rehearsal says it.
/** @param {string} text */
export function sayAloud(text) {
  unspoken.delete("now");
  if (text !== "" && wantsSpeech()) utter(text, () => sayLater("now", () => sayAloud(text)));
}

// What a correction has taken back is news if it is said again. What is only older than the last ones is not taken back.
/** @param {AnnouncementView[]} before @param {{ announced: AnnouncementView[] }} given */
export function unsay(before, { announced }) {
  const kept = new Set(announced.map((one) => one.key));
  const oldest = announced[0]?.of ?? -1;
  for (const one of before) {
    if (one.of <= oldest || kept.has(one.key)) continue;
    payoutGone ||= one.kind === "payout" && heard?.has(one.key) === true;
    heard?.delete(one.key);
    unspoken.delete(one.key);
  }
}

// Speaking is a button, whose touch lets a page speak; after a reload, any touch does.
export function offerSpeech() {
  if (!("speechSynthesis" in window)) return;
  document.body.append(made("button", { id: "let-speak", type: "button", class: "main", "data-word": "page.speak.touch", hidden: "" }, word("page.speak.touch")));
  for (const kind of ["pointerup", "keyup"]) document.addEventListener(kind, touched);
  const button = $("speak");
  button.hidden = false;
  const on = localStorage.getItem(SPEECH_KEPT) === "true";
  button.setAttribute("aria-pressed", String(on));
  const pace = $("pace");
  pace.hidden = !on;
  for (const [name, value] of Object.entries(PACES)) pace.append(made("option", { value, "data-word": `page.pace.${name}` }, word(`page.pace.${name}`)));
  pace.value = localStorage.getItem(PACE_KEPT) ?? PACES.usual;
  pace.addEventListener("change", () => {
    localStorage.setItem(PACE_KEPT, pace.value);
    speechSynthesis.cancel();
    utter(pace.selectedOptions[0].textContent ?? "");
  });
  button.addEventListener("click", () => {
    const on = !wantsSpeech();
    button.setAttribute("aria-pressed", String(on));
    localStorage.setItem(SPEECH_KEPT, String(on));
    pace.hidden = !on;
    if (!on) { speechSynthesis.cancel(); unspoken.clear(); }
    askForTouch();
  });
  askForTouch();
}
