// A big screen: looked at from afar and touched by nobody. Where nothing else is told stand the hand of the evening, and the code for late phones.
import { $ } from "/static/shared/elements.js";
import { BETWEEN_HANDS } from "/static/shared/felt.js";
import { bestOf, fetchHands } from "/static/shared/result.js";
import { language } from "/static/shared/words.js";
/** @import { CodeView, PublicTable } from "/static/wire" */

export const ON_SCREEN = new URLSearchParams(location.search).has("tv");

// It stays awake, and nothing on it is a control.
export function wake() {
  document.body.classList.toggle("tv", ON_SCREEN);
  if (ON_SCREEN && !document.hidden) navigator.wakeLock?.request("screen").catch(() => {});
}

let toldOfHands = ""; // when the best one was looked for, in which words

// Asked for when another hand begins or is over.
/** @param {PublicTable} table */
export async function showBestTonight({ hand, phase }) {
  const now = `${language} ${hand} ${BETWEEN_HANDS.includes(phase)}`;
  if (!ON_SCREEN || now === toldOfHands) return;
  toldOfHands = now;
  const best = bestOf((await fetchHands())?.games ?? []);
  if (toldOfHands !== now) return;
  $("best").hidden = best === null;
  $("best").textContent = best?.said ?? "";
}

/** @param {CodeView | undefined} guest */
export function showLateCode(guest) {
  $("scan").hidden = guest === undefined;
  if (guest === undefined || !ON_SCREEN) return;
  $("late").innerHTML = guest.qr;
  const code = $("late").querySelector("svg");
  code?.setAttribute("viewBox", `0 0 ${code.getAttribute("width")} ${code.getAttribute("height")}`);
  code?.setAttribute("role", "img");
  code?.setAttribute("aria-label", guest.address.split("#")[0]);
}
