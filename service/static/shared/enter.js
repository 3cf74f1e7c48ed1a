// The key behind "#" never leaves in an address: it is exchanged for a cookie of this site alone.
import { answerOf } from "./asking.js";
import { $ } from "./elements.js";
import { word } from "./words.js";

// Of "/#KEY", "/seat#KEY", or "/stream#key=KEY&...".
function keyOfAddress() {
  const said = location.hash.slice(1);
  return said.includes("=") ? new URLSearchParams(said).get("key") ?? "" : said;
}

// Null where there is no key or nobody answers.
export async function enter() {
  const key = keyOfAddress();
  if (!key) return null;
  const answer = await answerOf("/api/enter", { method: "POST", key });
  return answer.status === 0 ? null : answer;
}

// What an address of the hall answers; what went wrong stands on the page.
export async function toldBy(path, body, method) {
  const { ok, told } = await answerOf(`/api/v1/${path}`, { body, method });
  $("wrong").textContent = ok ? "" : told?.detail ?? word("page.again");
  return ok ? told : null;
}
