// What a person says about the record: one dialog, its request and refusal, whose ruling it is, and what followed.
import { answerOf } from "/static/shared/asking.js";
import { $, button, made } from "/static/shared/elements.js";
import { drawnPart } from "/static/shared/tiles.js";
import { word, worded } from "/static/shared/words.js";
import { mending } from "./known.js";
/** @import { AnswerAt } from "/static/routes" */
/** @import { Child, Moment } from "/static/page" */
/** @import { RereadView, TileView } from "/static/wire" */

const REFEREE_KEPT = "tilesight-referee";
const SAVED_MS = 10000;
/** @type {Moment | null} */
let disputed = null; // the event that a ruling is about

/** @param {Moment | null} at */
export function rulesOn(at) {
  disputed = at;
}

/** @param {string} text */
export function complain(text) {
  $("mend-problem").textContent = text;
}

/**
 * @template {string} Path
 * @template {object} [Body=never]
 * @param {Path} path @param {Body} [body]
 * @returns {Promise<AnswerAt<Path, [Body] extends [never] ? {} : { body: Body }> | null>}
 */
export async function ask(path, body) {
  const how = /** @type {[Body] extends [never] ? {} : { body: Body }} */ ({ body });
  const answer = await answerOf(path, how);
  if (answer.ok) return answer.told;
  const { status, told } = answer;
  refuse(status === 0 ? word("page.mend.unreachable") : told?.detail ?? "");
  return null;
}

// Said in the dialog that asked, else in one of its own: what the last one was about is no matter of this.
/** @param {string} text */
function refuse(text) {
  if (!$("mend").open) openDialog([word("page.mend.refused")]);
  complain(text);
}

/** @param {string[]} names */
const calledTwice = (names) => names.find((name, seat) =>
  name !== "" && names.slice(0, seat).some((other) => other.toLowerCase() === name.toLowerCase()));

/** @param {string} path @param {{ lines: number, names?: string[], [field: string]: unknown }} body */
export async function change(path, body) {
  showAlso([]);
  const name = calledTwice(body.names ?? []);
  if (name !== undefined) { refuse(word("page.mend.same_name", { name })); return; }
  if (await ask(path, { ...body, ...ruling() }) === null) return;
  $("mend").close();
  askWhoRuled();
}

/** @param {Child[]} title @param {...Child} content */
export function openDialog(title, ...content) {
  mending.draft = null;
  rulesOn(null);
  $("mend").classList.remove("dispute");
  document.querySelector("#mend .ruling")?.remove();
  $("mend-title").replaceChildren(...title);
  $("mend-content").replaceChildren(...content);
  $("mend-follows").replaceChildren();
  $("mend-save").hidden = true;
  complain("");
  if (!$("mend").open) $("mend").showModal();
  $("mend-content").scrollTop = 0;
}

// Whose ruling a change is; the name stays for the next one.
export function whoRules() {
  const name = made("input", { id: "ruled-by", maxlength: 60, autocomplete: "name", value: localStorage.getItem(REFEREE_KEPT) ?? "" });
  name.addEventListener("input", () => localStorage.setItem(REFEREE_KEPT, name.value.trim()));
  return made("label", { class: "who-rules" }, worded("page.game.who_rules"), " ", name);
}

const referee = () => /** @type {HTMLInputElement | null} */ (document.getElementById("ruled-by"));

// What goes with a change in a list where its ruling is asked for.
function ruling() {
  const name = $("mend").open ? referee()?.value.trim() : "";
  return name ? { ruled_by: name } : {};
}

// Who ruled is asked once the ruling is written.
function askWhoRuled() {
  const at = disputed;
  disputed = null;
  if (at !== null) showSaved(whoRules(), button(worded("page.mend.save"), () =>
    change("/api/corrections", { ...at, do: "confirm", lines: mending.lines, ruled_by: referee()?.value.trim() })));
}

// What was said can be taken back for a moment where it was said; who types there is not hurried.
/** @param {...Child} more */
export function showSaved(...more) {
  const undo = button(worded("page.mend.undo"), () => { $("saved").hidden = true; $("undo").click(); });
  $("saved").replaceChildren(worded("page.questions.saved"), " ", undo, ...more);
  $("saved").hidden = false;
  $("saved").scrollIntoView({ block: "nearest" });
  const end = () => setTimeout(() => {
    if ($("saved").contains(document.activeElement)) end();
    else if (undo.isConnected) $("saved").hidden = true;
  }, SAVED_MS);
  end();
}

// What else has changed because of what a person said: each line as it was, and as it is now.
/** @type {RereadView[]} */
let also = [];

/** @param {(string | TileView)[][]} events @returns {Child[]} */
const eventsDrawn = (events) => events.flatMap((told) => told.map(drawnPart));

/** @param {RereadView[]} changed */
export function showAlso(changed = also) {
  also = changed;
  $("also").hidden = also.length === 0;
  const lines = also.map(({ was, now }) => made("li", {}, made("del", {}, ...eventsDrawn(was)), " → ",
    ...(now.length > 0 ? eventsDrawn(now) : [word("page.mend.phantom")])));
  const close = button(word("page.mend.close"), () => showAlso([]));
  $("also").replaceChildren(made("h3", {}, word("page.mend.also")), made("ul", {}, ...lines), close);
}
