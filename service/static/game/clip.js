// The clip of the evening: whoever runs the table has it made; whoever may see the pictures sees, saves and sends it.
import { answerOf, toldOf } from "/static/shared/asking.js";
import { $, button, made } from "/static/shared/elements.js";
import { agreed } from "/static/shared/share.js";
import { percent, word } from "/static/shared/words.js";
import { key } from "./downloads.js";
/** @import { ClipView } from "/static/wire" */

const AGAIN_MS = 1000;
const FILM = "/api/highlights/film";
const NAMES = { "video/mp4": "tilesight.mp4", "video/webm": "tilesight.webm" };
let due = 0;
let asks = 0; // the answer to an earlier question comes too late
let shown = ""; // which clip is there: it is not loaded anew while it plays

/** @param {string} kind */
const nameOf = (kind) => NAMES[/** @type {keyof typeof NAMES} */ (kind)];

/** @param {string} kind */
async function send(kind) {
  const answer = await fetch(FILM);
  if (!answer.ok) return showClip(); // somebody has said no since
  const blob = await answer.blob();
  await navigator.share({ files: [new File([blob], nameOf(kind), { type: kind })] }).catch(() => null);
}

/** @param {string} kind */
const canSend = (kind) => navigator.canShare?.({ files: [new File([], nameOf(kind), { type: kind })] }) ?? false;

/** @param {ClipView} told */
function tapsOf({ making, kind, may_make: mayMake, wins }) {
  const taps = [];
  if (kind !== null) taps.push(made("a", { href: FILM, download: nameOf(kind) }, word("page.clip.save")));
  if (kind !== null && canSend(kind)) taps.push(button(word("page.share.share"), () => send(kind)));
  if (making && mayMake) taps.push(button(word("page.clip.cancel"), () => change("DELETE")));
  if (!making && mayMake && wins > 0) taps.push(button(word(kind === null ? "page.clip.make" : "page.clip.again"), () => change("POST"), kind === null ? "main" : ""));
  return taps;
}

// While one is made nobody is asked; else everybody at the table agrees with one tap.
/** @param {ClipView} told */
async function offerToAgree({ making, may_make: mayMake, wins }) {
  const ask = asks;
  const now = making || !mayMake || wins === 0 ? null : await agreed();
  if (ask !== asks || now === null || now.clips || !now.may_agree) return;
  $("clip-taps").append(button(word("page.share.agree"), async () => { await agreed({ clips: true }); await showClip(); }));
}

/** @param {ClipView} told */
function showFilm({ seconds, kind, making }) {
  const now = kind === null ? "" : `${kind} ${seconds}`;
  if (making || now === shown) return;
  shown = now;
  if (kind === null) $("clip-shown").replaceChildren();
  else {
    const captions = made("track", { kind: "captions", src: "/api/highlights/captions" });
    $("clip-shown").replaceChildren(made("video", { src: FILM, controls: "", playsinline: "", preload: "metadata", "aria-label": word("page.clip.clip") }, captions));
  }
}

/** @param {"POST" | "DELETE"} method */
async function change(method) {
  clearTimeout(due);
  if (method === "POST") shown = ""; // the next one may last as long
  const how = { method, key, ...(method === "POST" ? { body: {} } : {}) };
  const answer = await answerOf("/api/highlights", how);
  await showClip();
  if (!answer.ok && answer.told !== null) $("clip-said").textContent = /** @type {{ detail?: string }} */ (answer.told).detail ?? "";
}

export async function showClip() {
  clearTimeout(due);
  const ask = asks += 1;
  const told = await toldOf("/api/highlights", { key });
  if (told === null || ask !== asks) return;
  $("clip").hidden = told.kind === null && !told.making && !(told.may_make && told.wins > 0);
  $("clip-said").textContent = told.making ? word("page.clip.making", { percent: percent(told.done) }) : told.problem ?? "";
  $("clip-done").hidden = !told.making;
  $("clip-done").value = told.done;
  $("clip-taps").replaceChildren(...tapsOf(told));
  showFilm(told);
  if (told.making) due = setTimeout(showClip, AGAIN_MS);
  await offerToAgree(told);
}

// It is asked for where the files are.
export function startClip() {
  const tap = document.querySelector("#rooms [data-room=files]");
  tap?.addEventListener("click", showClip);
}
