// Shown in the place of a page that needs a key: it opens by itself where the address has one.
import { $, find, ready } from "./elements.js";
import { enter } from "./enter.js";
import { offerTypedCode } from "./typed_code.js";
import { translatePage } from "./words.js";

const TRIED = "tilesight-entered";

async function openPage() {
  const answer = await enter();
  if (answer === null) return;
  if (!answer.ok) {
    if (answer.status !== 401) return; // nothing is said of the key: the page says already what keeps it shut
    find("#told").dataset.word = "page.refused.wrong_key";
    translatePage();
    return;
  }
  // A key that opens something else, or a browser that keeps no cookies: no use in asking again.
  const address = location.href;
  if (sessionStorage.getItem(TRIED) === address) return;
  sessionStorage.setItem(TRIED, address);
  location.reload();
}

$("again").addEventListener("click", () => { sessionStorage.removeItem(TRIED); location.reload(); });
const ASKS_A_KEY = ["page.refused.no_key", "page.refused.wrong_key"]; // at a table; a hall has no codes
if (ASKS_A_KEY.includes(find("#told").dataset.word ?? "")) offerTypedCode($("again"));
ready();
addEventListener("hashchange", () => location.reload());
openPage();
