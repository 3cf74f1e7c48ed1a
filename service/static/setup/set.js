// The owner's set of tiles, laid out before the camera: pictures, doubts, and what was learnt.
import { $, choice, made } from "/static/shared/elements.js";
import { listed, word } from "/static/shared/words.js";
import { answered, setup } from "./steps.js";
/** @import { Said } from "/static/page" */
/** @import { LaidPicture, LaidTile } from "/static/wire" */

/** @type {{ faces: Record<string, string>, pictures: LaidPicture[], told: Map<string, string>, busy: boolean, says: Said | null }} */
export const ownSet = { faces: {}, pictures: [], told: new Map(), busy: false, says: null };
const NO_TILE = "none";

export function showSeen() {
  $("set-seen").textContent = setup.check === null ? "" : word("page.set.seen", { faces: setup.check.faces });
  $("set-take").disabled = ownSet.busy || setup.check === null;
}

/** @param {number} picture @param {LaidTile} tile */
function faceChoice(picture, tile) {
  const key = `${picture}:${tile.number}`;
  const faces = Object.keys(ownSet.faces);
  const select = choice([...faces, NO_TILE], [...faces.map((face) => ownSet.faces[face]), word("page.set.no_tile")]);
  select.value = ownSet.told.get(key) ?? tile.face ?? NO_TILE;
  select.setAttribute("aria-label", word("page.set.tile", { number: tile.number }));
  select.addEventListener("change", () => {
    ownSet.told.set(key, select.value);
    select.parentElement?.classList.remove("asked");
  });
  return select;
}

// What is asked stands first.
/** @param {LaidPicture} given */
function pictureShown({ picture, tiles, missing }) {
  const inOrder = [...tiles].sort((one, other) => Number(other.asked) - Number(one.asked));
  const cells = inOrder.map((tile) => {
    const asked = tile.asked && !ownSet.told.has(`${picture}:${tile.number}`);
    return made("li", asked ? { class: "asked" } : {}, made("img", { src: tile.crop, alt: "" }), faceChoice(picture, tile));
  });
  const asked = tiles.filter((tile) => tile.asked).length;
  const line = word(asked ? "page.set.asks" : "page.set.no_doubt", { picture, tiles: tiles.length, asked });
  const names = listed(missing.map((kind) => ownSet.faces[kind]));
  const lacks = missing.length ? [made("p", {}, word("page.set.missing", { tiles: names }))] : [];
  return [made("h3", {}, line), made("ul", { class: "set-tiles" }, ...cells), ...lacks];
}

export function showSet() {
  const last = ownSet.pictures.length - 1;
  const shown = ownSet.pictures.map((one, at) => (at === last ? one : { ...one, missing: [] }));
  $("set-pictures").replaceChildren(...shown.flatMap(pictureShown));
  $("set-told").textContent = ownSet.says === null ? "" : word(...ownSet.says);
  $("set-use").disabled = $("set-forget").disabled = ownSet.busy || ownSet.pictures.length === 0;
  showSeen();
}

/** @param {Said} says @param {() => Promise<Said | null>} act */
async function busily(says, act) {
  ownSet.busy = true;
  ownSet.says = says;
  showSet();
  ownSet.says = await act();
  ownSet.busy = false;
  showSet();
}

async function takePicture() {
  await busily(["page.set.reading"], async () => {
    const answer = await answered("/api/setup/set/pictures", { body: {} });
    if (!answer.ok) return ["page.set.refused", { text: answer.told.detail }];
    ownSet.pictures.push(answer.told);
    return ["page.set.taken"];
  });
}

async function useSet() {
  await busily(["page.set.learning"], async () => {
    const names = [...ownSet.told].map(([key, face]) => {
      const [picture, tile] = key.split(":").map(Number);
      return { picture, tile, face: face === NO_TILE ? null : face };
    });
    const answer = await answered("/api/setup/set", { body: { names } });
    if (!answer.ok) return ["page.set.refused", { text: answer.told.detail }];
    const gain = answer.told;
    ownSet.pictures = [];
    ownSet.told.clear();
    /** @param {number} share */
    const percent = (share) => (100 * share).toFixed(1);
    const values = { kinds: gain.kinds, before: percent(gain.before.right), after: percent(gain.after.right), file: gain.file };
    return [gain.uses_profile ? "page.set.used" : "page.set.not_better", values];
  });
}

async function forgetSet() {
  await busily(["page.set.reading"], async () => {
    await answered("/api/setup/set/pictures", { method: "DELETE", body: {} });
    ownSet.pictures = [];
    ownSet.told.clear();
    return null;
  });
}

export function startSet() {
  $("set-take").addEventListener("click", takePicture);
  $("set-use").addEventListener("click", useSet);
  $("set-forget").addEventListener("click", forgetSet);
  $("own-set").addEventListener("toggle", async () => {
    if (Object.keys(ownSet.faces).length === 0) await nameFaces();
    showSet();
  });
}

export async function nameFaces() {
  const answer = await answered("/api/setup/set");
  if (answer.ok) ownSet.faces = answer.told;
}
