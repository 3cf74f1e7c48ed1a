// What an address of the hall answers; what went wrong stands on the page.
"use strict";

async function toldBy(path, body = null, method = "POST") {
  const sent = body === null ? {} : {
    method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  };
  const answer = await fetch(`/api/v1/${path}`, sent).catch(() => null);
  const told = await answer?.json().catch(() => null);
  $("wrong").textContent = answer?.ok ? "" : told?.detail ?? word("page.again");
  return answer?.ok ? told : null;
}
