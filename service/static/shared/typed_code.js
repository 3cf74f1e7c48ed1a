// Four letters in place of a code to scan: where the camera of a phone cannot read it, or nobody can reach.
import { answerOf } from "./asking.js";
import { made, onSubmit } from "./elements.js";
import { word } from "./words.js";

const LETTERS = 4;

// Where the code leads is opened; what is wrong stands below.
/** @param {Element} before */
export function offerTypedCode(before) {
  if (document.getElementById("typed-code") !== null) return;
  const input = made("input", {
    id: "code", required: "", maxlength: 2 * LETTERS, autocomplete: "off", autocapitalize: "characters", spellcheck: "false", enterkeyhint: "go",
  });
  const label = made("label", { for: "code", "data-word": "page.code.type" }, word("page.code.type"));
  const tap = made("button", { type: "submit", class: "main", "data-word": "page.code.open" }, word("page.code.open"));
  const wrong = made("p", { id: "code-wrong", role: "status" });
  const form = made("form", { id: "typed-code" }, label, made("p", { class: "typed" }, input, tap), wrong);
  onSubmit(form, async () => {
    tap.disabled = true;
    const answer = await answerOf("/api/code", { body: { code: input.value } });
    tap.disabled = false;
    if (answer.ok) {
      location.replace(answer.told.page);
      if (location.pathname === answer.told.page.split("#")[0]) location.reload(); // only what follows "#" is another one
      return;
    }
    const why = { 0: "page.setup.unreachable", 429: "page.code.too_many" }[answer.status] ?? "page.code.wrong";
    if (answer.status === 429) delete wrong.dataset.word; // it names a time
    else wrong.dataset.word = why;
    wrong.textContent = word(why, { minutes: Math.ceil(answer.wait_s / 60) });
    input.select();
  });
  before.before(form);
}
