// A hand as a strip of pictures: asked for once it is opened, and remembered.
import { toldOf } from "/static/shared/asking.js";
import { made } from "/static/shared/elements.js";
import { drawTable } from "/static/shared/felt.js";
import { drawnPart } from "/static/shared/tiles.js";
import { language, word } from "/static/shared/words.js";
/** @import { HandView, PublicTable, StoryMoment } from "/static/wire" */

let isOpen = false; // whoever has opened one sees that of the next hand, too
/** @type {Map<string, StoryMoment[]>} */
const told = new Map();

/** @param {PublicTable | null} table */
const feltOf = (table) => (table === null ? [] : [drawTable(table)]);

// The picture, or where none is kept or it is gone the table as it was drawn.
/** @param {StoryMoment} moment @param {((step: number) => unknown) | null} open */
function momentOf({ time, told: sentence, said, picture, table, step }, open) {
  const shown = made("div", { class: "shown" });
  if (picture === null) shown.append(...feltOf(table));
  else {
    const image = made("img", { src: picture, alt: "", loading: "lazy" });
    image.addEventListener("error", () => shown.replaceChildren(...feltOf(table)));
    shown.append(image);
  }
  const place = open === null ? shown : made("button", { type: "button", onclick: () => open(step) }, shown);
  if (open !== null) place.setAttribute("aria-label", word("page.game.replay"));
  return made("li", {}, place, made("p", {}, made("span", { class: "soft" }, time ? `${time} ` : ""), ...sentence.map(drawnPart)),
    ...said.map((text) => made("p", { class: "soft" }, text)));
}

/** @param {StoryMoment[]} moments @param {((step: number) => unknown) | null} open */
export const stripOf = (moments, open) => made("ol", { class: "strip" }, ...moments.map((moment) => momentOf(moment, open)));

// Of which hand as it was when the record had so many lines, in which words.
/** @param {HandView} hand @param {string} of */
async function momentsOf({ first }, of) {
  const key = `${of} ${first} ${language}`;
  const known = told.get(key) ?? (await toldOf(`/api/hands/${first}/story`))?.moments ?? null;
  if (known !== null) told.set(key, known);
  return known;
}

// Forgets what was told of an earlier record.
export function forgetStories() {
  told.clear();
}

// "ask" brings its moments once it is open; "open" is what a tap on one does.
/** @param {() => Promise<StoryMoment[] | null>} ask @param {((step: number) => unknown) | null} open */
export function storyOf(ask, open) {
  const story = made("details", { class: "story" }, made("summary", {}, word("page.story.story")));
  let shown = false;
  const show = async () => {
    if (!story.open || shown) return;
    shown = true;
    const moments = await ask();
    if (moments === null) shown = false; // it is asked for again
    else story.append(stripOf(moments, open));
  };
  story.addEventListener("toggle", show);
  return story;
}

/** @param {HandView} hand @param {string} of @param {(step: number) => unknown} open */
export function handStory(hand, of, open) {
  const story = storyOf(() => momentsOf(hand, of), open);
  story.open = isOpen;
  story.addEventListener("toggle", () => { if (story.isConnected) isOpen = story.open; });
  return story;
}

// The next one that is shown is open.
export function openStories() {
  isOpen = true;
}
