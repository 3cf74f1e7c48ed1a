// A big screen: looked at from afar and touched by nobody. Where nothing else is told stand the hand of the evening, and the code for late phones.
import { toldOf } from "/static/shared/asking.js";
import { $, made } from "/static/shared/elements.js";
import { BETWEEN_HANDS } from "/static/shared/felt.js";
import { bestOf, fetchHands } from "/static/shared/result.js";
import { language, word } from "/static/shared/words.js";
/** @import { PublicTable } from "/static/wire" */

export const ON_SCREEN = new URLSearchParams(location.search).has("tv");

// It stays awake, and nothing on it is a control.
export function wake() {
  document.body.classList.toggle("tv", ON_SCREEN);
  if (ON_SCREEN && !document.hidden) navigator.wakeLock?.request("screen").catch(() => {});
}

let toldOfHands = ""; // when the best one was looked for, in which words

// Asked for with each line: also what a correction changes of a hand that is over.
/** @param {number} lines */
export async function showBestTonight(lines) {
  const now = `${language} ${lines}`;
  if (!ON_SCREEN || now === toldOfHands) return;
  toldOfHands = now;
  const best = bestOf((await fetchHands())?.games ?? []);
  if (toldOfHands !== now) return;
  $("best").hidden = best === null;
  $("best").textContent = best?.said ?? "";
}

export const CODES_MS = 5000;

let isBetween = false; // whether no hand is played
let adminKey = ""; // of whoever runs the table
let drawn = ""; // the code that stands there

// Who takes a seat sees its tiles: the code for it stands here only between hands, and only while a seat is free.
async function showLateCode() {
  const seats = isBetween && adminKey !== "" ? await toldOf("/api/seats", { key: adminKey }) : null;
  const links = seats?.some(({ taken }) => !taken) ? await toldOf("/api/links", { key: adminKey }) : null;
  const guest = isBetween ? links?.guest : undefined; // a hand may have begun meanwhile
  $("scan").hidden = $("late-type").hidden = guest === undefined;
  if (guest !== undefined) {
    $("late-type").textContent = word("page.code.or_type", { address: guest.address.split("/seat#")[0] });
  }
  const now = guest === undefined ? "" : `${guest.address} ${guest.code}`;
  if (drawn === now) return;
  drawn = now;
  $("late").innerHTML = guest?.qr ?? "";
  $("late").append(made("b", { class: "letters" }, guest?.code ?? ""));
  const code = $("late").querySelector("svg");
  code?.setAttribute("viewBox", `0 0 ${code.getAttribute("width")} ${code.getAttribute("height")}`);
  code?.setAttribute("role", "img");
  code?.setAttribute("aria-label", drawn.split("#")[0]);
}

/** @param {PublicTable} table */
export function renewLateCode({ phase }) {
  const between = BETWEEN_HANDS.includes(phase);
  if (!ON_SCREEN || between === isBetween) return;
  isBetween = between;
  showLateCode();
}

/** @param {string} key */
export function offerLateCode(key) {
  if (!ON_SCREEN) return;
  adminKey = key;
  showLateCode();
  setInterval(showLateCode, CODES_MS);
}
