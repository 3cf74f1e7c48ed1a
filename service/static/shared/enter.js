// The key behind "#" never leaves in an address: it is exchanged for a cookie of this site alone.
import { answerOf } from "./asking.js";
import { $ } from "./elements.js";
import { word } from "./words.js";
/** @import { AnswerAt, Asked } from "/static/routes" */

// Of "/#KEY", "/seat#KEY", or "/stream#key=KEY&...".
function keyOfAddress() {
  const said = location.hash.slice(1);
  return said.includes("=") ? new URLSearchParams(said).get("key") ?? "" : said;
}

// Null where there is no key or nobody answers; else whether the key opens this, and as whom. A wrong key has status 401.
/** @returns {Promise<{ ok: boolean, status: number, role?: string } | null>} */
export async function enter() {
  const key = keyOfAddress();
  if (!key) return null;
  const answer = await answerOf("/api/enter", { method: "POST", key });
  if (answer.status === 0) return null;
  const told = /** @type {{ role?: string } | null} */ (answer.told);
  return { ok: answer.ok, status: answer.status, role: told?.role };
}

let wrongChange = false; // what stands on the page is said of a change that somebody made

// What an address of the hall answers; what went wrong stands on the page. What is read beside it takes no refusal of a change away.
/**
 * @template {string} Path
 * @template {Asked} [How={}]
 * @param {Path} path @param {How} [how]
 * @returns {Promise<AnswerAt<`/api/v1/${Path}`, How> | null>}
 */
export async function toldBy(path, how) {
  const changes = (how?.method ?? (how?.body === undefined ? "GET" : "POST")) !== "GET";
  const answer = await answerOf(/** @type {const} */ (`/api/v1/${path}`), how);
  if (!answer.ok || changes || !wrongChange) {
    $("wrong").textContent = answer.ok ? "" : answer.told?.detail ?? word("page.again");
    wrongChange = changes && !answer.ok;
  }
  return answer.ok ? answer.told : null;
}
