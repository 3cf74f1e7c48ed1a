// The steps of setting up, one in view at a time; what is wrong stands beside its control.
import { answerOf } from "/static/shared/asking.js";
import { $, find, findAll, made } from "/static/shared/elements.js";
import { word } from "/static/shared/words.js";
/** @import { Asked } from "/static/routes" */
/** @import { FoundInPicture, SetUpOffered, TriedSource } from "/static/wire" */
/** @import { Kept, Side, Step } from "/static/page" */

// On the phone that films, inside its camera page, the camera is chosen already.
export const ON_PHONE = parent !== window;
export const STEPS = /** @type {Step[]} */ (["camera", "corners", "players", "start"]).slice(ON_PHONE ? 1 : 0);
export const STEP_KEPT = "tilesight-setup-step";
export const EVENING_KEPT = "tilesight-setup-evening"; // the record of the evening that is gone on with
const FORM_KEPT = "tilesight-setup";

export const BEGUN = sessionStorage.getItem(STEP_KEPT);
/**
 * What is offered and chosen: the source by its key, the newest check of its picture, and the side whose name is typed.
 * @type {{
 *   offered: SetUpOffered | null, chosen: string | null, check: FoundInPicture | null, step: Step, again: boolean,
 *   failed?: string | null, phone?: TriedSource | null, sent?: string, side?: Side,
 * }}
 */
export const setup = { offered: null, chosen: null, check: null, step: STEPS[0], again: false };

export const offered = () => /** @type {SetUpOffered} */ (setup.offered); // asked for once it is there

// What was entered: the rules and names stay for the next evening, the dealer for this one.
/** @type {Kept} */
export const kept = { ...JSON.parse(localStorage.getItem(FORM_KEPT) ?? "{}"), dealer: sessionStorage.getItem(`${FORM_KEPT}-dealer`) ?? "" };

/** @param {Partial<Kept>} changed */
export function keep(changed) {
  Object.assign(kept, changed);
  const { dealer, ...form } = kept;
  localStorage.setItem(FORM_KEPT, JSON.stringify(form));
  sessionStorage.setItem(`${FORM_KEPT}-dealer`, dealer);
}

/** @param {Element} control */
const stepOf = (control) => /** @type {Step | undefined} */ (control.closest(".step, #names")?.id.replace("names", "players")) ?? setup.step;

export function noComplaint() {
  const shown = $("complaint");
  if (shown === null) return;
  const about = document.querySelector('[aria-describedby~="complaint"]');
  about?.removeAttribute("aria-describedby");
  about?.removeAttribute("aria-invalid");
  shown.remove();
}

// The control of a complaint comes into view and is focused, whatever step is shown.
/** @param {string} text @param {HTMLElement} control */
export function complain(text, control) {
  noComplaint();
  goTo(stepOf(control), false);
  for (let inside = control.closest("details"); inside; inside = inside.parentElement?.closest("details") ?? null) inside.open = true;
  const line = made("p", { id: "complaint", role: "alert" }, text);
  (control.closest("label, form, .option") ?? control).after(line);
  control.setAttribute("aria-describedby", "complaint");
  if (control.matches("input, select")) control.setAttribute("aria-invalid", "true");
  control.focus({ preventScroll: true });
  line.scrollIntoView({ block: "center" });
}

// Whatever goes wrong has words.
/**
 * @template {string} Path
 * @template {Asked} [How={}]
 * @param {Path} path @param {How} [how]
 */
export async function answered(path, how) {
  const answer = await answerOf(path, how);
  return answer.ok ? answer : { ...answer, told: answer.told ?? { detail: word("page.setup.unreachable") } };
}

/** @param {string} path @param {object} body @param {HTMLElement} control */
export async function ask(path, body, control) {
  const answer = await answered(path, { body });
  if (answer.ok) return answer.told;
  complain(answer.told.detail, control);
  return null;
}

// What is there to choose from, asked for anew; whether it is known now.
export async function loadOffered() {
  const answer = await answered("/api/setup");
  if (answer.ok) setup.offered = answer.told;
  else complain(answer.told.detail, $("camera-title"));
  return answer.ok;
}

/** @param {string} key @returns {HTMLElement | null} */
export const sourceTap = (key) => document.querySelector(`.sources [data-key="${CSS.escape(key)}"]`);

let showLast = () => {}; // draws the last step: a summary of those before

/** @param {Step} step @param {boolean} focused */
export function goTo(step, focused = true) {
  const at = STEPS.indexOf(step);
  if (at === -1) return;
  setup.step = step;
  if (step !== "start") setup.again = false;
  sessionStorage.setItem(STEP_KEPT, step);
  for (const each of STEPS) $(each).hidden = each !== step;
  $("step").setAttribute("aria-labelledby", `${step}-title`);
  find("main").dataset.step = step;
  $("back").hidden = at === 0;
  $("next").hidden = at === STEPS.length - 1;
  $("begin").hidden = !$("next").hidden;
  showSteps();
  if (step === "start") showLast();
  if (!focused) return;
  $(`${step}-title`).focus({ preventScroll: true });
  scrollTo({ top: 0 });
}

// What is still missing in a step: the control to look at, and what to say.
/** @param {Step} step @returns {[HTMLElement, string] | null} */
function missingIn(step) {
  if (step === "camera" && setup.chosen === null) return [find(".sources button"), word("page.setup.no_source")];
  // While the first picture is looked at, nothing is known to be missing.
  if (step === "corners" && setup.chosen !== null && setup.check !== null && setup.check.corners === null) {
    return [$("again").disabled ? $("mirrored").disabled ? $("corners-title") : $("mirrored") : $("again"), word("page.setup.no_table")];
  }
  const inputs = /** @type {HTMLInputElement[]} */ (findAll($(step), "input"));
  const wrong = inputs.find((input) => !input.checkValidity());
  return wrong === undefined ? null : [wrong, wrong.validationMessage];
}

/** @param {Step[]} steps */
export function complainOf(steps) {
  for (const step of steps) {
    const missing = missingIn(step);
    if (missing === null) continue;
    complain(missing[1], missing[0]);
    return true;
  }
  return false;
}

export function showSteps() {
  const at = STEPS.indexOf(setup.step);
  findAll($("steps"), "button").forEach((tap, place) => {
    if (place === at) tap.setAttribute("aria-current", "step");
    else tap.removeAttribute("aria-current");
    tap.classList.toggle("done", setup.offered !== null && place < at && missingIn(STEPS[place]) === null
      && (STEPS[place] !== "corners" || setup.check !== null));
    tap.setAttribute("aria-label", `${place + 1} ${word(`page.setup.step.${STEPS[place]}`)}`);
    find("span", tap).textContent = word(`page.setup.step.${STEPS[place]}`);
  });
}

/** @param {() => void} showSummary */
export function startSteps(showSummary) {
  showLast = showSummary;
  $("camera").hidden = ON_PHONE;
  find("#steps > ol").replaceChildren(...STEPS.map((step, place) => made("li", {},
    made("button", { type: "button", onclick: () => goTo(step) }, made("b", {}, `${place + 1}`), " ", made("span")))));
  $("back").addEventListener("click", () => goTo(STEPS[STEPS.indexOf(setup.step) - 1]));
  $("next").addEventListener("click", () => {
    noComplaint();
    if (!complainOf([setup.step])) goTo(STEPS[STEPS.indexOf(setup.step) + 1]);
  });
  goTo(STEPS.find((step) => step === BEGUN) ?? STEPS[0], false);
}
