// Tiles as they are drawn beside words.
import { made, shape } from "./elements.js";
import { word } from "./words.js";
/** @import { TileView, TilesLeftView } from "/static/wire" */

/** @param {string} code */
export function tileDrawn(code) {
  const use = shape("use", { href: `#tile-${code === "?" ? "unknown" : code}` });
  return shape("svg", { class: "tile", viewBox: "0 0 30 40", role: "img", "aria-label": code }, use);
}

/** @param {string | TileView} part @returns {Node} */
export function drawnPart(part) {
  if (typeof part === "string") return document.createTextNode(part + " ");
  return tileDrawn(part.tile);
}

/** @param {string[]} codes @param {string} kind */
export function tileRow(codes, kind) {
  return made("span", { class: `laid ${kind}` }, ...codes.map(tileDrawn));
}

// A tile with the copies of it that may still come.
/** @param {TilesLeftView} given */
export function tileCounted({ tile, left }) {
  return made("span", { class: left > 0 ? "counted" : "counted gone" }, tileDrawn(tile), `×${left}`);
}

// The tiles of a question, turned upright and nothing drawn over them; absent where none is seen.
/** @param {string} src */
export function upright(src) {
  const image = made("img", { src, alt: word("page.questions.tiles") });
  const shown = made("div", { class: "upright" }, image);
  image.addEventListener("error", () => shown.remove());
  return shown;
}

export async function loadTiles() {
  const sprite = await (await fetch("/tiles.svg")).text();
  document.body.insertAdjacentHTML("afterbegin", sprite);
}
