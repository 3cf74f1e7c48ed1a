// The pictures of an event, what the detector reads when it looks again, and a person's ruling.
"use strict";

const REFEREE_KEPT = "tilesight-referee";
const LONGEST_STEP_MS = 1000;
const CLOSEST = 3.5; // times as large

// The picture of the moment lies a little before the end of the clip.
function startOf({ t, pictures }) {
  const at = pictures.findIndex((one) => one.t >= t - 0.05);
  return at < 0 ? pictures.length - 1 : at;
}

// Stills with a slider; "Play" steps through them in their own time.
function clipOf(told) {
  const { pictures } = told;
  const image = made("img", { class: "clip", alt: word("page.seen") });
  const whole = made("div", {}, image);
  const still = made("div", { class: "still" }, whole);
  const label = made("span", {});
  const slider = made("input", { type: "range", min: 0, max: pictures.length - 1, "aria-label": word("page.game.pictures") });
  let due = null;
  const show = () => {
    const { number, t } = pictures[slider.value];
    image.src = `/api/pictures/${number}`;
    label.textContent = word("page.game.picture_at", { time: clock(t) });
  };
  const stop = () => {
    clearTimeout(due);
    due = null;
    play.textContent = word("page.game.play_clip");
  };
  const step = () => {
    const at = Number(slider.value);
    if (at >= pictures.length - 1 || !image.isConnected) { stop(); return; }
    due = setTimeout(() => { slider.value = at + 1; show(); step(); },
      Math.min(1000 * (pictures[at + 1].t - pictures[at].t), LONGEST_STEP_MS));
  };
  const play = button(word("page.game.play_clip"), () => {
    if (due !== null) { stop(); return; }
    for (const { number } of pictures) new Image().src = `/api/pictures/${number}`;
    if (Number(slider.value) >= pictures.length - 1) slider.value = 0;
    play.textContent = word("page.game.pause_clip");
    show();
    step();
  }, "play");
  play.disabled = pictures.length < 2;
  slider.value = startOf(told);
  slider.addEventListener("input", () => { stop(); show(); });
  show();
  const closer = button(word("page.game.closer"), () => lookCloser(closer.getAttribute("aria-pressed") === "false"));
  closer.hidden = true;
  const lookCloser = (on) => {
    closer.setAttribute("aria-pressed", String(on));
    whole.style.setProperty("--closer", on ? closer.dataset.scale : 1);
  };
  const point = (rings, picture) => {
    const at = pictures.findIndex(({ number }) => number === picture);
    if (due === null && at >= 0) { slider.value = at; show(); }
    whole.append(...rings.map(ringAround));
    const { scale, x, y } = closeUp(rings);
    whole.style.transformOrigin = `${100 * x}% ${100 * y}%`;
    closer.dataset.scale = scale;
    closer.hidden = scale === 1;
    lookCloser(true);
  };
  return { point, shown: [still, made("div", { class: "slide" }, play, slider, label, closer)] };
}

// How far a picture can be enlarged, and about which point, with all rings in it.
function closeUp(rings) {
  const [left, top] = ["x", "y"].map((axis) => Math.min(...rings.map((ring) => ring[axis])));
  const [right, bottom] = ["x", "y"].map((axis) => Math.max(...rings.map((ring) => ring[axis])));
  const reach = Math.max(right - left, bottom - top) + 8 * Math.max(...rings.map((ring) => ring.radius));
  return { scale: Math.min(Math.max(1 / reach, 1), CLOSEST), x: (left + right) / 2, y: (top + bottom) / 2 };
}

// A camera stands still, so a tile is ringed in all pictures where it was found in one.
function ringAround({ x, y, radius }, at, rings) {
  const number = rings.length > 1 ? [made("span", {}, String(at + 1))] : [];
  const ring = made("span", { class: "ring", "aria-hidden": "true" }, ...number);
  ring.style.left = `${100 * x}%`;
  ring.style.top = `${100 * y}%`;
  ring.style.width = `${200 * radius}%`;
  return ring;
}

// A tile's own picture, and what it may be.
function tileRead({ likely, part }, at) {
  const name = String(at + 1);
  const readings = likely.filter(({ share }) => share >= 0.005).map(({ tile, share }) =>
    made("span", { class: "likely" }, tileDrawn(tile), `${Math.round(100 * share)} %`));
  return made("li", {}, made("span", { class: "number" }, name),
    made("img", { src: part, alt: word("page.game.tile_ringed", { name }) }), made("span", {}, word("page.game.read_now"), " ", ...readings));
}

async function readAgain(point, into, number, place) {
  into.replaceChildren(made("p", { role: "status" }, word("page.game.reading_again")));
  const read = await ask("/api/reread", { of: number, place });
  if (read === null) { into.replaceChildren(); return; }
  if (read.tiles.length === 0) {
    into.replaceChildren(made("p", { role: "status" }, word("page.game.not_seen_again")),
      made("img", { class: "clip", src: read.part, alt: word("page.seen") }));
    return;
  }
  point(read.tiles.map(({ ring }) => ring), read.picture);
  into.replaceChildren(made("ol", { class: "read" }, ...read.tiles.map(tileRead)));
}

// Whose ruling a change is; the name stays for the next one.
function whoRules() {
  const name = made("input", { id: "ruled-by", maxlength: 60, autocomplete: "name", value: localStorage.getItem(REFEREE_KEPT) ?? "" });
  name.addEventListener("input", () => localStorage.setItem(REFEREE_KEPT, name.value.trim()));
  return made("label", { class: "who-rules" }, word("page.game.who_rules"), " ", name);
}

// What goes with a change while a ruling is open.
function ruling() {
  const name = $("mend").open ? $("ruled-by")?.value.trim() : "";
  return name ? { ruled_by: name } : {};
}

function rulingOn(at, ruled_by) {
  const stands = button(word("page.game.it_stands"), () =>
    change("/api/corrections", { ...at, do: "confirm" }), "stands");
  const earlier = ruled_by.map((name) => made("p", { class: "ruled" }, word("page.game.ruled", { name })));
  return made("div", { class: "ruling" }, ...earlier, whoRules(), stands);
}

async function showPictures(into, number, place) {
  const told = await ask(`/api/events/${number}/pictures?place=${place}`);
  if (told === null) return;
  const read = made("div", {});
  const { point, shown } = told.pictures.length > 0 ? clipOf(told)
    : { point: null, shown: [made("p", {}, word("page.game.no_pictures"))] };
  const at = { of: number, place, lines: mending.acts.lines };
  if (point !== null) shown.push(await clipOffer(number, place));
  into.replaceChildren(...shown, read, ...(mending.allowed ? [rulingOn(at, told.ruled_by)] : []));
  if (mending.allowed && point !== null) await readAgain(point, read, number, place);
}

// What stands above the likely readings: the pictures, at once where the event is disputed.
function evidenceOf(number, place, at_once) {
  const section = made("div", { class: "evidence" });
  if (at_once) showPictures(section, number, place);
  else section.append(button(word("page.game.pictures"), () => showPictures(section, number, place), "other"));
  return section;
}
