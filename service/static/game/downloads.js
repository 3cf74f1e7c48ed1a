// Files of the game. What holds hands is for whoever has the admin page's key.
import { $, button, saveAs } from "/static/shared/elements.js";
import { inWords } from "/static/shared/asking.js";
import { word } from "/static/shared/words.js";

const FORMS = ["csv", "html", "public"];
const FORMS_WITH_HANDS = ["record"];
export const key = location.hash.slice(1);

/** @param {string} form */
async function download(form) {
  $("complaint").textContent = "";
  const headers = new Headers(key ? { Authorization: `Bearer ${key}` } : undefined);
  const answer = await fetch(inWords(`/api/download/${form}`), { headers }).catch(() => null);
  if (answer === null) return;
  if (!answer.ok) {
    $("complaint").textContent = (await answer.json()).detail;
    return;
  }
  const named = (answer.headers.get("Content-Disposition") ?? "").split("UTF-8''")[1] ?? form;
  saveAs(await answer.blob(), decodeURIComponent(named));
}

/** @param {string[]} exports */
export function showDownloads(exports) {
  const forms = [...FORMS];
  if (key) forms.push(...FORMS_WITH_HANDS, ...exports);
  $("forms").replaceChildren(...forms.map((form) => {
    const tap = button(word(`page.game.get.${form}`), () => download(form));
    tap.dataset.form = form;
    return tap;
  }));
}
