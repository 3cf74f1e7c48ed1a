// A result as a picture to send: 1080x1350, dark in every light, in the language of the page.
import { toldOf } from "./asking.js";
import { $, button, contextOf, find, made, saveAs } from "./elements.js";
import { outcome } from "./result.js";
import { figure, language, namesOf, placeOf, signed, word } from "./words.js";
/** @import { Photo } from "/static/page" */
/** @import { AgreedChange, Agreement, HandView, Ledger, WinView } from "/static/wire" */

const SHARED = { width: 1080, height: 1350, margin: 64, page: "#14211d", felt: "#246650", card: "#1d2f29", ink: "#eef3f0", soft: "#a9bab2", mark: "#ffd166", gain: "#7fdca4", loss: "#ff9d8f" };
const TEXT_FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, Arial, "Noto Sans CJK SC", sans-serif';

/** @param {string} src */
function loaded(src) {
  const image = new Image();
  image.src = src;
  return image.decode().then(() => image);
}

// The tiles of a row as one picture; the winning one is framed.
/** @param {string[]} tiles @param {number} won @param {number} height */
function rowDrawn(tiles, won, height) {
  const width = height * 0.75;
  const wide = tiles.length * width + 2 * height / 10;
  const uses = tiles.map((code, at) => {
    const x = at * width + height / 10;
    const frame = at === won ? `<rect x="${x}" y="0" width="${width}" height="${height}" rx="6" fill="none" stroke="${SHARED.mark}" stroke-width="7"/>` : "";
    return `<use href="#tile-${code === "?" ? "unknown" : code}" x="${x}" y="0" width="${width}" height="${height}"/>${frame}`;
  });
  const sprite = find("svg:has(> #tile-1m)").innerHTML;
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${height}" viewBox="0 0 ${wide} ${height}">${sprite}${uses.join("")}</svg>`;
  return loaded(`data:image/svg+xml,${encodeURIComponent(drawn)}`);
}

// The hand as it is laid out, the winning tile last where no sets are known.
/** @param {WinView} win */
function tilesOf(win) {
  const own = win.laid === null ? [...(win.hand ?? []), win.tile] : win.laid.sets.flat();
  const won = win.laid === null ? own.length - 1
    : win.laid.sets.slice(0, win.laid.won[0]).flat().length + win.laid.won[1];
  return { own, won, melds: win.melds.map((meld) => meld.tiles) };
}

/** @param {HTMLCanvasElement} canvas */
function pen(canvas) {
  const context = contextOf(canvas);
  return {
    context,
    /** @param {string} colour @param {number} x @param {number} y @param {number} width @param {number} height */
    fill(colour, x, y, width, height, radius = 0) {
      context.fillStyle = colour;
      context.beginPath();
      context.roundRect(x, y, width, height, radius);
      context.fill();
    },
    // A text that is too wide becomes smaller.
    /**
     * @param {string} said @param {number} x @param {number} y @param {number} size
     * @param {{ colour?: string, weight?: number, align?: CanvasTextAlign, wide?: number }} how
     */
    text(said, x, y, size, { colour = SHARED.ink, weight = 400, align = "left", wide = SHARED.width - 2 * SHARED.margin } = {}) {
      context.fillStyle = colour;
      context.textAlign = align;
      context.font = `${weight} ${size}px ${TEXT_FONT}`;
      const scale = Math.min(1, wide / context.measureText(said).width);
      context.font = `${weight} ${size * scale}px ${TEXT_FONT}`;
      context.fillText(said, x, y);
    },
  };
}

/** @param {{ ledger?: Ledger }} given */
const patternsOf = ({ ledger }) => (ledger?.rows ?? []).map((row) => row.join(" "));

// The picture of the win and where its tiles lie in it; null where none was kept.
/** @param {WinView} win @returns {Promise<Photo | null>} */
async function photoOf(win) {
  const told = await toldOf("/api/reread", { body: { of: win.event } });
  const rings = told?.tiles.map(({ ring }) => ring) ?? [];
  if (told === null || rings.length === 0) return null;
  const image = await loaded(`/api/pictures/${told.picture}`).catch(() => null);
  return image === null ? null : { image, rings };
}

// The winner's tiles, turned upright to whoever looks: they face the middle of the table.
/** @param {CanvasRenderingContext2D} context @param {Photo} given */
function drawPhoto(context, { image, rings }) {
  const xs = rings.flatMap(({ x, radius }) => [x - radius, x + radius]).map((x) => x * image.width);
  const ys = rings.flatMap(({ y, radius }) => [y - radius * image.width / image.height, y + radius * image.width / image.height]).map((y) => y * image.height);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const upright = right - left >= bottom - top;
  const angle = upright ? (y < image.height / 2 ? Math.PI : 0) : (x > image.width / 2 ? 1 : -1) * Math.PI / 2;
  const [long, short] = upright ? [right - left, bottom - top] : [bottom - top, right - left];
  const scale = Math.min(SHARED.width / long, 380 / short);
  context.save();
  context.beginPath();
  context.rect(0, 0, SHARED.width, 380);
  context.clip();
  context.translate(SHARED.width / 2, 190);
  context.rotate(angle);
  context.scale(scale, scale);
  context.drawImage(image, -x, -y);
  context.restore();
}

/** @param {HTMLCanvasElement} canvas @param {HandView} hand @param {{ photo: Photo | null; names: boolean }} given */
async function drawShared(canvas, hand, { photo, names }) {
  const { width, height, margin } = SHARED;
  Object.assign(canvas, { width, height });
  const { context, fill, text } = pen(canvas);
  const called = names ? namesOf(hand.names) : namesOf(["", "", "", ""]);
  const [win] = hand.wins;
  const { own, won, melds } = tilesOf(win);
  const payout = hand.payouts.find((one) => one.seat === win.seat && patternsOf(one).length > 1) ?? hand.payouts.at(-1);
  fill(SHARED.page, 0, 0, width, height);
  fill(SHARED.felt, 0, 0, width, 380);
  const row = await rowDrawn(own, won, 85);
  if (photo !== null) {
    drawPhoto(context, photo);
  } else {
    const large = Math.min((width - 2 * margin) / row.width, 2);
    context.drawImage(row, (width - row.width * large) / 2, 190 - 42 * large, row.width * large, 85 * large);
  }
  const self = win.seat === win.from;
  text(word("page.share.wins", { winner: called[win.seat] }), margin, 478, 88, { weight: 700 });
  const from = self ? word("page.share.self") : word("page.share.from", { loser: called[win.from] });
  const begun = document.body.dataset.record?.match(/^game-(\d{4})(\d\d)(\d\d)-/)?.slice(1).map(Number);
  const date = begun === undefined ? new Date() : new Date(begun[0], begun[1] - 1, begun[2]);
  const day = date.toLocaleDateString(language.slice(0, 2), { day: "numeric", month: "short", year: "numeric" });
  text(`${from} · ${placeOf(hand, hand.shows)} · ${day}`, margin, 540, 36, { colour: SHARED.soft });
  const fits = Math.min(1, (width - 2 * margin) / row.width);
  context.drawImage(row, margin - 8, 576, row.width * fits, 85 * fits);
  let top = 716;
  if (melds.length > 0) {
    const sets = await Promise.all(melds.map((tiles) => rowDrawn(tiles, -1, 64)));
    let x = margin - 6;
    for (const set of sets) { context.drawImage(set, x, 676); x += set.width + 8; }
    top = 780;
  }
  const patterns = payout === undefined ? [] : patternsOf(payout);
  const columns = patterns.length > 5 ? 2 : 1;
  const room = Math.floor((990 - top) / 46) * columns;
  const listed = patterns.length > room ? [...patterns.slice(0, room - 1), word("page.share.more", { count: patterns.length - room + 1 })] : patterns;
  const perColumn = Math.ceil(listed.length / columns);
  listed.forEach((said, at) => {
    const x = margin + Math.floor(at / perColumn) * 484;
    text(said, x, top + 34 + (at % perColumn) * 46, columns === 1 ? 36 : 30, { wide: columns === 1 ? 950 : 460 });
  });
  const sum = payout?.why?.[0] ?? "";
  text(sum, margin, 1086, 44, { wide: 600, colour: SHARED.soft });
  text(signed(hand.deltas[win.seat]), width - margin, 1096, 96, { weight: 700, colour: SHARED.mark, align: "right", wide: 340 });
  called.forEach((name, seat) => {
    const x = margin + seat * 242;
    const delta = hand.deltas[seat];
    fill(SHARED.card, x, 1136, 226, 132, 14);
    text(name, x + 16, 1172, 30, { colour: SHARED.soft, wide: 194 });
    text(signed(delta), x + 16, 1222, 46, { weight: 700, colour: delta > 0 ? SHARED.gain : delta < 0 ? SHARED.loss : SHARED.ink, wide: 194 });
    text(figure(hand.points[seat]), x + 16, 1256, 26, { colour: SHARED.soft, wide: 194 });
  });
  text("tilesight", margin, 1316, 26, { colour: SHARED.soft });
  text($("rules").textContent, width - margin, 1316, 26, { colour: SHARED.soft, align: "right", wide: 700 });
}

// What everybody at the table agreed to; with a change, what they agree to now.
/** @param {AgreedChange} [changed] */
export const agreed = (changed) => toldOf("/api/agreed", { body: changed });

// The same of those who sat there at one event.
/** @param {number} of @param {number} place @param {boolean} [clips] */
const agreedAt = (of, place, clips) => clips === undefined ? toldOf(`/api/agreed?of=${of}&place=${place}`) : agreed({ clips, of, place });

// The clip of a moment once everybody agreed, else the tap with which they do.
/** @param {number} number @param {number} place */
export async function clipOffer(number, place = 0) {
  const offer = made("span");
  /** @param {Agreement | null} told */
  const show = (told) => {
    if (told?.clips) offer.replaceChildren(made("a", { href: `/api/events/${number}/clip?place=${place}`, download: "tilesight.webp" }, word("page.share.clip")));
    else if (told?.may_agree) offer.replaceChildren(button(word("page.share.agree"), async () => show(await agreedAt(number, place, true))));
  };
  const told = await toldOf(`/api/events/${number}/pictures?place=${place}`);
  if (told !== null && told.pictures.length > 0) show(await agreedAt(number, place));
  return offer;
}

// A link into the clipboard; where the browser has none, it is there to be copied.
/** @param {HTMLElement} said @param {string} link */
export async function copyInto(said, link) {
  const copied = await navigator.clipboard?.writeText(link).then(() => true, () => false) ?? false;
  said.replaceChildren(...(copied ? [word("page.game.link_copied"), " "] : []), made("a", { href: link }, link.split("#")[0]));
}

// The picture is made at once; the phone's own sheet sends it, and where there is none it is saved.
/** @param {HandView} hand */
export async function openShare(hand) {
  const canvas = made("canvas", { role: "img", "aria-label": outcome(hand) });
  const { event } = hand.wins[0];
  /** @type {Photo | null} */
  let taken = null;
  /** @type {string | null} */
  let link = null; // to the moment, where spectators may watch
  /** @param {string} key */
  const tick = (key) => {
    const box = made("input", { type: "checkbox", checked: "" });
    box.addEventListener("change", () => draw());
    return { box, label: made("label", {}, box, " ", word(key)) };
  };
  const [photo, names] = [tick("page.share.photo"), tick("page.share.names")];
  photo.label.hidden = true;
  const draw = () => drawShared(canvas, hand, { photo: photo.box.checked ? taken : null, names: names.box.checked });
  const send = async () => {
    const blob = await new Promise((/** @type {BlobCallback} */ done) => canvas.toBlob(done, "image/png"));
    if (blob === null) return;
    const file = new File([blob], "tilesight.png", { type: "image/png" });
    const ways = [...(link === null ? [] : [{ files: [file], url: link }]), { files: [file] }];
    const way = ways.find((one) => navigator.canShare?.(one));
    if (way === undefined) saveAs(blob, file.name);
    else await navigator.share(way).catch(() => null);
  };
  /** @type {() => void} */
  const close = () => dialog.remove();
  const linked = made("p", { class: "choices", hidden: "" });
  const dialog = made("dialog", { class: "share", "aria-label": word("page.share.share") }, canvas,
    made("footer", { class: "choices" }, button(word("page.share.share"), send, "main"), photo.label, names.label, button(word("page.mend.close"), close)), linked);
  dialog.addEventListener("close", close);
  document.body.append(dialog);
  await draw();
  dialog.showModal();
  const told = await agreed();
  if (told?.link) {
    const moment = told.link.replace("#", `?event=${event}#`);
    link = moment;
    const said = made("span", { role: "status" });
    linked.append(button(word("page.game.link"), () => copyInto(said, moment)), said);
    linked.hidden = false;
  }
  if (event !== null) photo.label.before(await clipOffer(event));
  // Where the tiles lie is read anew, which takes a while.
  taken = await photoOf(hand.wins[0]);
  photo.label.hidden = taken === null;
  if (taken !== null && dialog.isConnected) await draw();
}
