// The key behind "#" never leaves in an address: it is exchanged for a cookie of this site alone.
"use strict";

// Of "/#KEY", "/seat#KEY", or "/stream#key=KEY&...".
function keyOfAddress() {
  const said = location.hash.slice(1);
  return said.includes("=") ? new URLSearchParams(said).get("key") ?? "" : said;
}

// Null where there is no key or nobody answers.
async function enter() {
  const key = keyOfAddress();
  if (!key) return null;
  const answer = await answerOf("/api/enter", { method: "POST", key });
  return answer.status === 0 ? null : answer;
}
