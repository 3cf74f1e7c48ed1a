// The newest picture, and whether it is good enough: asked for again and again.
import { toldOf } from "/static/shared/asking.js";
import { $, find, made } from "/static/shared/elements.js";
import { listed, word } from "/static/shared/words.js";
import { corners, drawCorners, showCorners } from "./corners.js";
import { showSeen } from "./set.js";
import { ask, setup, showSteps, sourceTap } from "./steps.js";
/** @import { CheckView, FoundInPicture } from "/static/wire" */

const PICTURE_MS = 250;
const CHECK_MS = 1000;
const WORST_FIRST = ["bad", "poor", "good"];

export function forgetPicture() {
  setup.check = null;
  corners.places = null;
  $("shown").removeAttribute("src");
  $("empty").hidden = false;
  $("verdict").textContent = "";
  showFindings([]);
  $("mirrored").checked = false;
  $("mirrored").disabled = true;
  drawCorners();
}

// What was seen before belongs to the other way round.
export async function turnRound() {
  const mirrored = $("mirrored").checked;
  forgetPicture();
  $("mirrored").checked = mirrored;
  await ask("/api/setup/mirrored", { mirrored }, $("mirrored"));
}

export async function showPicture() {
  if (setup.chosen !== null && !document.hidden) {
    const answer = await fetch("/api/setup/picture").catch(() => null);
    if (answer !== null && answer.status === 200) {
      const before = $("shown").src;
      $("shown").src = URL.createObjectURL(await answer.blob());
      const thumbnail = sourceTap(setup.chosen ?? "")?.querySelector("img");
      if (thumbnail) thumbnail.src = $("shown").src;
      if (before) URL.revokeObjectURL(before);
      $("empty").hidden = true;
    }
  }
  setTimeout(showPicture, PICTURE_MS);
}

/** @param {CheckView} given @param {FoundInPicture} check */
function saidOf({ name, shown, grade, corners: cut }, check) {
  const named = listed(cut.map((at) => word(`page.setup.corner.${at}`)));
  const values = { value: shown, corners: named, faces: check.faces, doubtful: check.doubtful };
  const line = made("li", { "data-grade": grade, "data-name": name });
  const says = name === "tile_px" || grade === "good" ? "is" : grade;
  line.append(word(`page.setup.${name}.${says}`, values));
  if (name === "tile_px" && grade !== "good") line.append(made("p", {}, word(`page.setup.${name}.${grade}`)));
  return line;
}

// Advice where it is needed; what is good enough is told behind a tap.
/** @param {HTMLElement[]} lines */
function showFindings(lines) {
  /** @param {HTMLElement} line */
  const good = (line) => line.dataset.grade === "good";
  $("findings").replaceChildren(...lines.filter((line) => !good(line)));
  $("findings-good").replaceChildren(...lines.filter(good));
  find(":has(> #findings-good)").hidden = !lines.some(good);
  $("light-none").hidden = setup.chosen !== null;
}

/** @param {FoundInPicture} check */
export function showCheck(check) {
  setup.check = check;
  $("mirrored").disabled = false;
  /** @param {CheckView} one */
  const order = (one) => WORST_FIRST.indexOf(one.grade);
  const findings = [...check.findings].sort((one, other) => order(one) - order(other));
  const worst = check.corners === null ? "bad" : findings[0]?.grade ?? "good";
  const looking = check.corners === null && !check.read;
  $("verdict").dataset.grade = looking ? "" : worst;
  const verdict = looking ? word("page.setup.looking") : word(check.corners === null ? "page.setup.no_table" : `page.setup.${worst}`);
  if ($("verdict").textContent !== verdict) $("verdict").textContent = verdict;
  showFindings(findings.map((one) => saidOf(one, check)));
  showSteps();
  $("begin").dataset.word = worst === "bad" ? "page.setup.begin_anyway" : setup.again ? "page.setup.as_last_time" : "page.setup.begin";
  $("begin").textContent = word($("begin").dataset.word ?? "");
  showSeen();
}

export async function checkPicture() {
  if (setup.chosen !== null && !document.hidden) {
    const chosen = setup.chosen;
    const told = await toldOf("/api/setup/check");
    $("problem").textContent = told?.problem ?? "";
    // What was asked before the box was ticked is about the other way round.
    const asShown = chosen === setup.chosen && told?.found?.mirrored === $("mirrored").checked;
    if (told?.found && asShown) {
      showCheck(told.found);
      showCorners(told.found);
    }
  }
  setTimeout(checkPicture, CHECK_MS);
}
