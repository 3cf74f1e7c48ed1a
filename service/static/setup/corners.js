// The four corners of the felt: found by the program, or dragged to where they are.
import { $, button, findAll, shape } from "/static/shared/elements.js";
import { word } from "/static/shared/words.js";
import { ask } from "./steps.js";
/** @import { FoundInPicture } from "/static/wire" */

const STEP_PX = 2; // of the picture, for an arrow key; ten times as much with the shift key
/** @type {{ places: number[][] | null, size: [number, number], dragged: number | null, keep: number }} */
export const corners = { places: null, size: [1, 1], dragged: null, keep: 0 };

export function drawCorners() {
  const { places, size } = corners;
  $("outline").replaceChildren();
  $("handles").hidden = places === null;
  if (places === null) return;
  const [width, height] = size;
  $("outline").setAttribute("viewBox", `0 0 ${width} ${height}`);
  $("outline").append(shape("polygon", { points: places.join(" ") }));
  findAll($("handles"), "button").forEach((handle, at) => {
    handle.style.left = `${(100 * places[at][0]) / width}%`;
    handle.style.top = `${(100 * places[at][1]) / height}%`;
    handle.setAttribute("aria-label", word(`page.setup.corner.${at}`));
  });
}

/** @param {number} at @param {number} x @param {number} y */
function moveCorner(at, x, y) {
  const [width, height] = corners.size;
  if (corners.places === null) return;
  corners.places[at] = [Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1)];
  drawCorners();
}

async function giveCorners() {
  corners.keep += 1;
  await ask("/api/setup/corners", { corners: corners.places }, $("again"));
  corners.keep -= 1;
}

/** @param {PointerEvent} event @returns {[number, number]} */
function pointOf(event) {
  const box = $("stage").getBoundingClientRect();
  const [width, height] = corners.size;
  return [((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height];
}

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {number} at */
function cornerHandle(at) {
  const handle = button("", () => {});
  handle.addEventListener("pointerdown", (event) => {
    corners.dragged = at;
    handle.setPointerCapture(event.pointerId);
    event.preventDefault();
    handle.focus();
  });
  handle.addEventListener("pointermove", (event) => {
    if (corners.dragged === at) moveCorner(at, ...pointOf(event));
  });
  const dropped = () => {
    if (corners.dragged !== at) return;
    corners.dragged = null;
    giveCorners();
  };
  handle.addEventListener("pointerup", dropped);
  handle.addEventListener("pointercancel", dropped);
  handle.addEventListener("keydown", (event) => {
    if (!(event.key in ARROWS) || corners.places === null) return;
    event.preventDefault();
    const step = STEP_PX * (event.shiftKey ? 10 : 1);
    const [x, y] = corners.places[at];
    moveCorner(at, x + step * ARROWS[event.key][0], y + step * ARROWS[event.key][1]);
    giveCorners();
  });
  return handle;
}

// Where no table was found, the handles lie ready to be dragged.
/** @param {[number, number]} given @returns {[number, number][]} */
function readyPlaces([width, height]) {
  const [x, y] = [width * 0.2, height * 0.15];
  return [[x, y], [width - x, y], [width - x, height - y], [x, height - y]];
}

/** @param {FoundInPicture} check */
export function showCorners(check) {
  if (corners.dragged !== null || corners.keep > 0) return;
  corners.size = [check.width, check.height];
  if (check.corners !== null) corners.places = check.corners;
  else if (corners.places === null) corners.places = readyPlaces(corners.size);
  const cut = check.findings.find((one) => one.name === "corners")?.corners ?? [];
  [...$("handles").children].forEach((handle, at) => handle.classList.toggle("cut", cut.includes(at)));
  drawCorners();
  $("again").disabled = !check.by_person;
}

export function startCorners() {
  for (const at of [0, 1, 2, 3]) $("handles").append(cornerHandle(at));
  drawCorners();
  $("again").addEventListener("click", () => {
    corners.places = null;
    ask("/api/setup/corners", { corners: null }, $("again"));
  });
}
