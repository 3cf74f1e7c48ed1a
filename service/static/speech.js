// Announcements are spoken in the chosen language, each once: also after a reconnect or a reload.
"use strict";

const HEARD_KEPT = "tilesight-heard";
const SPEECH_KEPT = "tilesight-speech";
const REMEMBERED_KEYS = 500;
const MISSED_SPOKEN = 5; // of what was missed while away; older news would only hold up the new

let heard = null; // keys of what this page was told, of one record
let heardOf = null;

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
  speechSynthesis.speak(words);
}

// Everything there is when a page first comes is old; what it has not heard later is news.
function hear(announced) {
  const first = heard === null;
  if (first) heard = new Set();
  const fresh = announced.filter((one) => !heard.has(one.key));
  for (const one of fresh) heard.add(one.key);
  sessionStorage.setItem(
    HEARD_KEPT, JSON.stringify({ record: heardOf, keys: [...heard].slice(-REMEMBERED_KEYS) }),
  );
  if (first || !wantsSpeech()) return;
  for (const one of fresh.slice(-MISSED_SPOKEN)) utter(one.texts[language ?? "en"]);
}

// What a correction has taken back is news if it is said again.
function unsay(before, { of, announced }) {
  const kept = new Set(announced.map((one) => one.key));
  for (const one of before) if (one.of >= of && !kept.has(one.key)) heard?.delete(one.key);
}

// Browsers let a page speak only after a person has touched it, so speaking is a button.
function offerSpeech() {
  if (!("speechSynthesis" in window)) return;
  const button = document.getElementById("speak");
  button.hidden = false;
  button.setAttribute("aria-pressed", String(localStorage.getItem(SPEECH_KEPT) === "true"));
  button.addEventListener("click", () => {
    const on = !wantsSpeech();
    button.setAttribute("aria-pressed", String(on));
    localStorage.setItem(SPEECH_KEPT, String(on));
    if (!on) speechSynthesis.cancel();
  });
}
