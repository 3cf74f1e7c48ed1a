// A quarrel is ended in front of four people: the moment again, what is claimed, what is read now, and a person's ruling.
import { $, button, made } from "/static/shared/elements.js";
import { clock } from "/static/shared/said.js";
import { clipOffer } from "/static/shared/share.js";
import { tileDrawn } from "/static/shared/tiles.js";
import { percent, word } from "/static/shared/words.js";
import { mending } from "./known.js";
import { ask, change, openDialog, rulesOn } from "./mend_dialog.js";
/** @import { Child } from "/static/page" */
/** @import { EventPictures, RingView, TileRead } from "/static/wire" */

const LONGEST_STEP_MS = 1000;
const SLOW = 4; // times as long
const CLOSEST = 3.5; // times as large
// The picture of the moment lies a little before the end of the clip.
/** @param {EventPictures} given */
function startOf({ t, pictures }) {
  const at = pictures.findIndex((one) => one.t >= (t ?? 0) - 0.05);
  return at < 0 ? pictures.length - 1 : at;
}

/** @param {Element} tap */
const pressed = (tap) => tap.getAttribute("aria-pressed") === "true";
/** @param {string} key @param {() => void} changed */
function toggle(key, changed) {
  const tap = button(word(key), () => { tap.setAttribute("aria-pressed", String(!pressed(tap))); changed(); });
  tap.setAttribute("aria-pressed", "false");
  return tap;
}

// Stills with a slider; "Play" steps through them in their own time, or slowly.
/** @param {EventPictures} told */
function clipOf(told) {
  const { pictures } = told;
  const image = made("img", { class: "clip", alt: word("page.seen") });
  const whole = made("div", {}, image);
  const still = made("div", { class: "still", tabindex: 0 }, whole);
  const label = made("span", {});
  const slider = made("input", { type: "range", min: 0, max: pictures.length - 1, "aria-label": word("page.game.pictures") });
  /** @type {number | null} */
  let due = null;
  let around = { x: 0.5, y: 0.5, scale: 1 };
  const show = () => {
    const { number, t } = pictures[Number(slider.value)];
    image.src = `/api/pictures/${number}`;
    label.textContent = clock(t);
  };
  const stop = () => {
    clearTimeout(due ?? undefined);
    due = null;
    play.textContent = word("page.game.play_clip");
  };
  const step = () => {
    const at = Number(slider.value);
    if (at >= pictures.length - 1 || !image.isConnected) { stop(); return; }
    due = setTimeout(() => { slider.value = String(at + 1); show(); step(); },
      Math.min(1000 * (pictures[at + 1].t - pictures[at].t), LONGEST_STEP_MS) * (pressed(slow) ? SLOW : 1));
  };
  const play = button(word("page.game.play_clip"), () => {
    if (due !== null) { stop(); return; }
    for (const { number } of pictures) new Image().src = `/api/pictures/${number}`;
    if (Number(slider.value) >= pictures.length - 1) slider.value = "0";
    play.textContent = word("page.game.pause_clip");
    show();
    step();
  }, "play");
  const slow = toggle("page.game.slow", () => {});
  play.disabled = pictures.length < 2;
  slider.value = String(startOf(told));
  slider.addEventListener("input", () => { stop(); show(); });
  show();
  // What is pointed at comes to the middle; fingers move the picture and pull it larger.
  const look = () => {
    whole.style.aspectRatio = `${image.naturalWidth} / ${image.naturalHeight}`;
    whole.style.height = `${100 * (pressed(closer) ? around.scale : 1)}%`;
    still.scrollTo(around.x * whole.offsetWidth - still.clientWidth / 2, around.y * whole.offsetHeight - still.clientHeight / 2);
  };
  image.addEventListener("load", look, { once: true });
  const closer = toggle("page.game.closer", look);
  closer.hidden = true;
  /** @param {RingView[]} rings @param {number} picture */
  const point = (rings, picture) => {
    const at = pictures.findIndex(({ number }) => number === picture);
    if (due === null && at >= 0) { slider.value = String(at); show(); }
    whole.append(...rings.map(ringAround));
    around = closeUp(rings);
    closer.hidden = around.scale === 1;
    closer.setAttribute("aria-pressed", String(!closer.hidden));
    look();
  };
  return { point, shown: [still, made("div", { class: "slide" }, play, slow, slider, label, closer)] };
}

const AXES = /** @type {const} */ (["x", "y"]);

// How far a picture can be enlarged, and about which point, with all rings in it.
/** @param {RingView[]} rings */
function closeUp(rings) {
  const [left, top] = AXES.map((axis) => Math.min(...rings.map((ring) => ring[axis])));
  const [right, bottom] = AXES.map((axis) => Math.max(...rings.map((ring) => ring[axis])));
  const reach = Math.max(right - left, bottom - top) + 8 * Math.max(...rings.map((ring) => ring.radius));
  return { scale: Math.min(Math.max(1 / reach, 1), CLOSEST), x: (left + right) / 2, y: (top + bottom) / 2 };
}

// A camera stands still, so a tile is marked in all pictures where it was found in one: by a ring, those of a row by numbers beside it.
/** @param {RingView} given @param {number} at @param {RingView[]} rings */
function ringAround({ x, y, radius }, at, rings) {
  const number = rings.length > 1 ? [made("span", {}, String(at + 1))] : [];
  /** @param {"x" | "y"} axis */
  const spread = (axis) => Math.max(...rings.map((ring) => ring[axis])) - Math.min(...rings.map((ring) => ring[axis]));
  const ring = made("span", { class: `ring${rings.length > 4 ? " of-row" : ""}${spread("y") > spread("x") ? " upright-row" : ""}`, "aria-hidden": "true" }, ...number);
  ring.style.left = `${100 * x}%`;
  ring.style.top = `${100 * y}%`;
  ring.style.width = `${200 * radius}%`;
  return ring;
}

// A tile's own picture, and what it may be.
/** @param {TileRead} given @param {number} at */
function tileRead({ likely, part }, at) {
  const name = String(at + 1);
  const readings = likely.filter(({ share }) => share >= 0.005).map(({ tile, share }) =>
    made("span", { class: "likely" }, tileDrawn(tile), ...(share < 0.995 ? [percent(share)] : [])));
  return made("li", {}, made("img", { src: part, alt: word("page.game.tile_ringed", { name }) }),
    made("span", {}, made("span", { class: "number" }, `${name} `), ...readings));
}

/** @param {(rings: RingView[], picture: number) => void} point @param {HTMLElement} into @param {number} number @param {number} place */
async function readAgain(point, into, number, place) {
  into.replaceChildren(made("p", { role: "status" }, word("page.game.reading_again")));
  const read = await ask("/api/reread", { of: number, place });
  if (read === null) { into.replaceChildren(); return; }
  if (read.tiles.length === 0) {
    into.replaceChildren(made("p", { role: "status" }, word("page.game.not_seen_again")));
    return;
  }
  point(read.tiles.map(({ ring }) => ring), read.picture);
  /** @param {TileRead} tile */
  const surest = (tile) => Math.max(...tile.likely.map(({ share }) => share));
  const doubtfulFirst = read.tiles.map((tile, at) => ({ tile, at })).sort((one, other) => surest(one.tile) - surest(other.tile));
  into.replaceChildren(made("p", { class: "unseen" }, word("page.game.read_now")), made("ol", { class: "read", tabindex: 0 }, ...doubtfulFirst.map(({ tile, at }) => tileRead(tile, at))));
}

/** @param {number} number @param {number} place @param {Child[]} title @param {() => void} otherwise */
export async function openDispute(number, place, title, otherwise) {
  openDialog(title.length ? title : [word("page.log")]);
  $("mend").classList.add("dispute");
  const told = await ask(`/api/events/${number}/pictures?place=${place}`);
  if (told === null) return;
  const read = made("div", {});
  const seen = told.pictures.length > 0;
  const { point, shown } = seen ? clipOf(told) : { point: null, shown: [made("p", {}, word("page.game.no_pictures"))] };
  const earlier = told.ruled_by.map((name) => made("p", { class: "ruled" }, word("page.game.ruled", { name })));
  const offer = seen ? [await clipOffer(number, place)] : [];
  $("mend-content").replaceChildren(...shown, read, ...earlier, ...offer);
  if (!mending.allowed) return;
  const disputed = { of: number, place };
  rulesOn(disputed);
  $("mend-close").before(made("div", { class: "ruling" },
    button(word("page.game.it_stands"), () => change("/api/corrections", { ...disputed, do: "confirm", lines: mending.lines }), "main"),
    button(word("page.game.it_was"), otherwise)));
  if (point !== null) await readAgain(point, read, number, place);
}
