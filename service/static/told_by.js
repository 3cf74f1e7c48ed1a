// What an address of the hall answers; what went wrong stands on the page.
"use strict";

async function toldBy(path, body, method) {
  const { ok, told } = await answerOf(`/api/v1/${path}`, { body, method });
  $("wrong").textContent = ok ? "" : told?.detail ?? word("page.again");
  return ok ? told : null;
}
