// What fails behind the page, in a line for whoever runs the table.
import { toldOf } from "/static/shared/asking.js";
import { $ } from "/static/shared/elements.js";
import { wordsOf } from "/static/shared/words.js";
import { mending } from "./known.js";
/** @import { Health } from "/static/wire" */

const ASK_MS = 30000;

async function showFailing() {
  const told = mending.allowed ? /** @type {Health | null} */ (await toldOf("/health")) : null;
  const since = told?.background.map((job) => job.since).sort()[0];
  const line = $("failing");
  line.hidden = since === undefined;
  if (since === undefined) { line.replaceChildren(); return; }
  Object.assign(line.dataset, { word: "page.failing", time: new Date(since).toTimeString().slice(0, 5) });
  if (line.textContent !== wordsOf(line)) line.textContent = wordsOf(line);
}

export async function watchFailing() {
  if (!document.hidden) await showFailing();
  setTimeout(watchFailing, ASK_MS);
}
