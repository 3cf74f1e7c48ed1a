// Putting the record right: one form for every event. What follows is shown before it is saved.
import { toldOf } from "/static/shared/asking.js";
import { $, button, choice, find, made } from "/static/shared/elements.js";
import { drawnPart, tileDrawn } from "/static/shared/tiles.js";
import { nameOf, word } from "/static/shared/words.js";
import { openDispute } from "./dispute.js";
import { mending, tableNow } from "./known.js";
import { ask, change, complain, openDialog, rulesOn, whoRules } from "./mend_dialog.js";
import { EVENT_FIELDS, eventForm, eventOfType, fieldWord, missingIn } from "./mend_fields.js";
import { typeTile } from "./palette.js";
/** @import { At, Child, Draft, FormEvent, Moment, Stands } from "/static/page" */
/** @import { Consequences, WayToCorrect, WaysToCorrect } from "/static/wire" */

/** @type {Record<string, string>} */
const REMOVED_WORDS = { hand_start: "page.mend.not_under_way", position: "page.mend.just_dealt" };
const FOLLOWING_SHOWN = 8;

// What Save would write, and what would follow from it.
/** @param {Draft} draft */
function propose(draft) {
  mending.draft = draft;
  complain("");
  $("mend-save").hidden = false;
  $("mend-save").disabled = false;
  showFollowing(draft);
}

/** @param {Draft} given */
const bodyOf = ({ at, how, events }) => (at === null ? { event: events[0], lines: mending.lines }
  : { ...at, do: how, events, leftovers: true });

async function save() {
  if (mending.draft === null) return;
  const { path, event } = mending.draft;
  const [missing] = event === null ? [] : missingIn(event);
  if (missing === undefined) await change(path, bodyOf(mending.draft));
  else complain(word("page.mend.fill_in", { field: fieldWord(missing) }));
}

/** @param {Draft} draft */
async function showFollowing(draft) {
  if (draft.event !== null && missingIn(draft.event).length > 0) {
    $("mend-follows").replaceChildren();
    return;
  }
  const body = bodyOf(draft);
  const told = await toldOf(`${draft.path}/preview`, { body });
  if (mending.draft !== draft || JSON.stringify(bodyOf(draft)) !== JSON.stringify(body)) return; // it has changed since
  $("mend-follows").replaceChildren(...(told === null ? [] : following(told)));
}

/** @param {Consequences} given */
function following({ said, unsaid, turn, removed }) {
  const lines = [
    ...removed.map((told) => made("li", {}, made("del", {}, ...told.map(drawnPart)))),
    ...unsaid.map((one) => made("li", {}, made("del", {}, one.text))),
    ...said.map((one) => made("li", { class: one.kind }, one.text)),
    ...(turn === null ? [] : [made("li", {}, word("page.mend.then_plays", { name: nameOf(tableNow().names, turn) }))]),
  ];
  if (lines.length === 0) return [made("p", {}, word("page.mend.nothing_follows"))];
  const more = lines.splice(FOLLOWING_SHOWN).length;
  if (more > 0) lines.push(made("li", {}, word("page.mend.more_follows", { count: more })));
  return [made("h3", {}, word("page.mend.follows")), made("ul", {}, ...lines)];
}

/** @param {string} chosen @param {(type: string) => void} choose */
function kindChoice(chosen, choose) {
  const flowers = mending.acts.tiles.some((code) => code.endsWith("f"));
  const types = Object.keys(EVENT_FIELDS).filter((type) => type !== "flower" || flowers || type === chosen);
  const type = choice(types, types.map((name) => word(`page.mend.type.${name}`)));
  type.id = "mend-type";
  type.value = chosen;
  type.addEventListener("change", () => choose(type.value));
  return made("div", { class: "fields" }, made("label", { for: "mend-type" }, word("page.mend.type")), type);
}

// The whole form: kind of event and its fields. `edited` is told of each change, and of each new kind.
/** @param {FormEvent} event @param {Stands} stands @param {(event: FormEvent) => void} edited */
function wholeForm(event, stands, edited) {
  const form = made("div", {});
  /** @param {FormEvent} now */
  const show = (now) => {
    const held = now === event ? stands : {};
    form.replaceChildren(kindChoice(now.type, (type) => {
      const other = eventOfType(type, now);
      show(other);
      edited(other);
    }), eventForm(now, held, () => edited(now)));
  };
  show(event);
  return form;
}

/** @param {At | null} at @param {FormEvent} event */
function openForm(at, event = eventOfType("discard")) {
  openDialog([word("page.mend.add")]);
  const path = at === null ? "/api/events" : "/api/corrections";
  /** @param {FormEvent} now */
  const edited = (now) => propose({ path, at, how: "insert", events: [now], event: now });
  $("mend-content").replaceChildren(wholeForm(event, {}, edited));
  edited(event);
}

// A reading that differs in its tile alone is shown as that tile.
/** @param {FormEvent} given */
const besideTile = ({ tile, ...rest }) => JSON.stringify(rest);
/** @param {WayToCorrect} way @param {FormEvent} event */
const otherTile = (way, event) => way.events.length === 1 && event.tile !== undefined
  && besideTile(entryEvent(way.events[0])) === besideTile(event);
const ENVELOPE = ["t", "confidence", "evidence", "source", "change", "again"];
/** @param {Record<string, unknown>} entry @returns {FormEvent} */
const entryEvent = (entry) => asForm(Object.fromEntries(Object.entries(entry).filter(([name]) => !ENVELOPE.includes(name))));
/** @param {Record<string, unknown>} event */
const asForm = (event) => /** @type {FormEvent} */ ({ ...event });

/** @param {WayToCorrect} way @param {WaysToCorrect} told @param {(way: WayToCorrect) => void} choose */
function wayButton(way, told, choose) {
  const parts = way.told.flatMap((each, place) =>
    [...(place ? [made("span", { class: "then" }, "→ ")] : []), ...each.map(drawnPart)]);
  const tap = button("", (tapped) => {
    for (const each of tap.parentElement?.children ?? []) each.setAttribute("aria-pressed", String(each === tap));
    choose(way);
    if (tapped.detail === 0) $("mend-save").focus(); // chosen with the keyboard
  }, "way");
  tap.setAttribute("aria-pressed", "false");
  if (way.do === "remove") tap.append(word(REMOVED_WORDS[asForm(told.event).type] ?? "page.mend.phantom"));
  else if (otherTile(way, asForm(told.event))) tap.append(tileDrawn(entryEvent(way.events[0]).tile ?? "?"));
  else tap.append(made("span", {}, ...parts));
  if (way.problems !== null && way.problems < told.problems) tap.append(made("em", {}, word("page.mend.solves")));
  return tap;
}

// The fields offer every seat: only what they do not, or what solves a problem, is a way of its own.
/** @param {WayToCorrect} way @param {WaysToCorrect} told */
const worthATap = (way, told) =>
  way.do === "remove" || otherTile(way, asForm(told.event)) || (way.problems !== null && way.problems < told.problems);

/** @param {number} number @param {number} place */
function cropOf(number, place) {
  const image = made("img", { class: "crop", src: `/api/events/${number}/crop?place=${place}`, alt: word("page.seen") });
  image.addEventListener("error", () => image.remove());
  return image;
}

// "ruled": the event that this is a ruling on, where it is one.
/** @param {number} number @param {number} place @param {Child[]} title @param {Moment | null} ruled */
export async function openEvent(number, place, title = [], ruled = null) {
  if (!mending.allowed) { openMoment(number, place, title); return; }
  openDialog(title.length ? title : [word("page.mend.mend")]);
  rulesOn(ruled);
  const told = await ask(`/api/events/${number}/ways?place=${place}`);
  if (told !== null) showEvent({ of: number, place, lines: told.lines }, told, title);
}

// The pictures of an event's moment; who rules that it was otherwise is shown the event.
/** @param {number} number @param {number} place @param {Child[]} title */
export function openMoment(number, place, title) {
  openDispute(number, place, title, () => openEvent(number, place, title, { of: number, place }));
}

/** @param {At} at @param {WaysToCorrect} told @param {Child[]} title */
function showEvent(at, told, title) {
  const path = "/api/corrections";
  const form = made("div", {});
  /** @param {FormEvent} event */
  const showForm = (event) => {
    if (!(event.type in EVENT_FIELDS)) return;
    form.replaceChildren(wholeForm(event, { ...told.stands }, (now) => {
      for (const each of ways.children) each.setAttribute("aria-pressed", "false");
      propose({ path, at, how: "replace", events: [now], event: now });
    }));
  };
  /** @param {WayToCorrect} way */
  const choose = (way) => {
    const events = way.do === "remove" ? [] : way.events.map(entryEvent);
    const event = events.length === 1 ? { ...events[0] } : null;
    form.hidden = event === null;
    if (event !== null) showForm(event);
    propose({ path, at, how: way.do, events: event === null ? events : [event], event: null });
  };
  const ways = made("div", { class: "ways", role: "group", "aria-label": word("page.mend.likely") },
    ...told.ways.filter((way) => worthATap(way, told)).map((way) => wayButton(way, told, choose)));
  const insert = button(word("page.mend.insert"), () => openForm(at), "other");
  showForm(asForm(told.event));
  const pictures = button(word("page.game.pictures"), () => openMoment(at.of, at.place, title), "other");
  $("mend-content").replaceChildren(cropOf(at.of, at.place), ways, form, made("div", { class: "others" }, insert, pictures));
  $("mend-save").hidden = false;
  $("mend-save").disabled = true;
  find("button", ways).focus({ preventScroll: true });
}

export function startMending() {
  $("undo").addEventListener("click", () => change("/api/undo", { lines: mending.lines }));
  $("redo").addEventListener("click", () => change("/api/redo", { lines: mending.lines }));
  $("add").addEventListener("click", () => openForm(null));
  $("fouls").addEventListener("click", openFouls);
  $("mend-save").addEventListener("click", save);
  $("mend-close").addEventListener("click", () => $("mend").close());
  $("mend").addEventListener("close", () => rulesOn(null)); // what was looked at and left is no ruling
  $("mend").addEventListener("keydown", typeTile);
}

// Fouls and other irregular events with what they cost, and people's rulings on them.
async function openFouls() {
  openDialog([word("page.mend.fouls")]);
  const told = await ask("/api/fouls");
  if (told === null) return;
  const list = made("ul", { class: "fouls" });
  for (const one of told.fouls) {
    const at = { of: one.number, place: one.place, lines: told.lines };
    const line = made("li", {}, made("span", {}, ...one.told.map(drawnPart)));
    for (const text of one.texts) line.append(made("p", {}, text));
    if (one.confirmed) line.append(made("em", {}, word("page.mend.confirmed")));
    if (!mending.allowed) {
      list.append(line);
      continue;
    }
    if (!one.confirmed) line.append(button(word("page.mend.confirm"), () => change("/api/fouls", { ...at, do: "confirm" })));
    if (one.foul) {
      line.append(button(word("page.mend.cancel"), () => change("/api/fouls", { ...at, do: "cancel" })));
    } else line.append(button(word("page.mend.correct"), () => openEvent(one.number, one.place)));
    list.append(line);
  }
  const found = told.fouls.length ? [...(mending.allowed ? [whoRules()] : []), list] : [made("p", {}, word("page.mend.no_fouls"))];
  $("mend-content").replaceChildren(...found);
}
