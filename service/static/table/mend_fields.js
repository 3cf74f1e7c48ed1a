// The fields of every kind of event that people can enter; each changes the event itself.
import { button, choice, made } from "/static/shared/elements.js";
import { optionControl, optionsTold } from "/static/shared/option_controls.js";
import { nameOf, namesOf, titleOf, word } from "/static/shared/words.js";
import { tableNow } from "./known.js";
import { closePalette, tileSlots } from "./palette.js";
/** @import { FormEvent, SetField, Stands } from "/static/page" */
/** @import { RulesOffered } from "/static/wire" */

// "?" after a name: it may stay empty.
/** @type {Record<string, string[]>} */
export const EVENT_FIELDS = {
  discard: ["seat", "tile", "ready"], draw: ["seat", "tile?", "end"],
  chow: ["seat", "from", "tile", "own", "ready"], pung: ["seat", "from", "tile", "own", "ready"],
  kong: ["seat", "kong", "giver", "tile", "own?"], flower: ["seat", "tile", "drawn?"], win: ["seat", "from", "tile", "hand?", "claimed?"],
  reveal: ["seat", "tiles"], foul: ["seat", "offence", "tiles?"], indicator: ["indicator", "tile"],
  drawn_hand: ["reason"], dice: ["values"], hand_start: ["dealer", "round", "honba", "deposits", "staying"], hand_end: [],
  game_start: ["players", "rules", "first_dealer"], position: ["turn", "wall_left"], game_end: ["ending"],
};
/** @type {Record<string, string>} */
const KEYS = { end: "from", kong: "kind", indicator: "kind", ending: "reason", giver: "from" };
/** @type {Record<string, string[]>} */
const CHOICES = {
  kong: ["open", "closed", "added"],
  indicator: ["dora", "kan_dora", "ura_dora", "fortune", "treasure"],
  reason: ["exhausted", "nine_terminals", "four_winds", "four_kongs", "four_ready"],
  offence: ["false_win", "exposed_tile", "wrong_tile_count", "dead_hand", "chombo"],
  round: ["1z", "2z", "3z", "4z"],
  end: ["wall", "tail"],
  ending: ["finished", "time"],
};
/** @type {Record<string, (value: string) => string>} */
const CHOICE_WORDS = {
  kong: (value) => word(`page.mend.kong.${value}`), indicator: (value) => word(`indicator.${value}`),
  reason: (value) => word(`drawn.${value}`), offence: (value) => word(`offence.${value}`),
  round: (value) => word(`wind.${value}`), end: (value) => word(`page.mend.end.${value}`),
  ending: (value) => word(`page.mend.ending.${value}`),
};
/** @type {Record<string, string>} */
const DEFAULTS = { end: "wall", ending: "finished" };
// The least and the most tiles of a field, of hands of so many.
/** @type {Record<string, (hand: number) => [number, number]>} */
const TILES = { own: () => [2, 2], hand: (hand) => [0, hand], tiles: (hand) => [0, hand + 1], drawn: () => [0, 1] };
const SEATS_OF = ["seat", "from", "giver", "dealer", "turn", "first_dealer"];
const NUMBERS = ["honba", "deposits", "staying", "claimed", "wall_left"];
/** @type {Record<string, string>} */
const FIELD_WORDS = {
  seat: "seat", from: "from", giver: "from", tile: "tile", own: "own_tiles", ready: "ready_claim", kong: "kind", hand: "hand_tiles",
  tiles: "tiles", offence: "offence", indicator: "kind", reason: "reason", claimed: "claimed", values: "dice", end: "end",
  dealer: "dealer", round: "round", honba: "honba", deposits: "deposits", staying: "staying", players: "players",
  drawn: "drawn", first_dealer: "first_dealer", turn: "turn", wall_left: "wall_left", ending: "reason", rules: "rules",
};

/** @param {string} name */
export const fieldWord = (name) => word(`page.mend.${FIELD_WORDS[name]}`);

// Of the fields of an event, those that its game has.
/** @param {FormEvent} event @param {Stands} stands */
function fieldsOf(event, stands = {}) {
  const { shows } = tableNow();
  /** @type {Record<string, boolean>} */
  const has = { round: shows.round, honba: shows.honba, deposits: shows.honba, staying: !shows.round, giver: event.kind === "open", rules: "offered" in stands };
  return EVENT_FIELDS[event.type].map((each) => each.replace("?", "")).filter((name) => has[name] ?? true);
}

// Names of fields that are still to be filled in.
/** @param {FormEvent} event */
export function missingIn(event) {
  const needed = EVENT_FIELDS[event.type].filter((each) => !each.endsWith("?") && ["tile", "own", "tiles"].includes(each));
  return needed.filter((name) => {
    const value = event[name];
    return Array.isArray(value) ? value.length === 0 || value.includes(null) : !value;
  });
}

// One button a choice: what is chosen is seen at once, and takes one tap.
/**
 * @template Value
 * @param {string} name @param {Value[]} values @param {string[]} texts @param {unknown} chosen @param {(value: Value) => void} choose
 */
function chooser(name, values, texts, chosen, choose) {
  const group = made("div", { class: "chooser", role: "group", "aria-label": fieldWord(name) });
  values.forEach((value, at) => {
    const tap = button(texts[at], () => {
      for (const each of group.children) each.setAttribute("aria-pressed", String(each === tap));
      choose(value);
    });
    tap.setAttribute("aria-pressed", String(value === chosen));
    group.append(tap);
  });
  return group;
}

// A whole number with buttons; without one it is left out.
/** @param {string} name @param {number | undefined} value @param {number} least @param {number} most @param {(value: number | undefined) => void} set */
function stepper(name, value, least, most, set) {
  const input = made("input", { type: "number", min: least, max: most, inputmode: "numeric", "aria-label": fieldWord(name) });
  input.value = String(value ?? "");
  const take = () => set(input.value === "" || !input.validity.valid ? undefined : Number(input.value));
  /** @param {number} by */
  const step = (by) => () => {
    input.value = String(Math.min(most, Math.max(least, input.value === "" ? least : Number(input.value) + by)));
    take();
  };
  input.addEventListener("input", take);
  const [less, more] = [button("−", step(-1)), button("+", step(1))];
  less.setAttribute("aria-label", `${fieldWord(name)} −1`);
  more.setAttribute("aria-label", `${fieldWord(name)} +1`);
  return made("div", { class: "stepper" }, less, input, more);
}

/** @param {string} name @param {FormEvent} event @param {Stands} stands @param {SetField} set */
function seatField(name, event, stands, set) {
  const names = namesOf(tableNow().names);
  const key = KEYS[name] ?? name;
  // Who wins with a tile from the own seat has drawn it.
  if (event.type === "win" && name === "from") names[event.seat ?? 0] = word("page.mend.own_draw");
  const places = [0, 1, 2, 3].filter((seat) => name === "seat" || event.type === "win" || key !== "from" || seat !== event.seat);
  return chooser(name, places, places.map((seat) => names[seat]), event[key] ?? stands[key], (seat) => {
    if (name === "seat" && event.from === event.seat) event.from = seat;
    set(key, seat, name === "seat");
  });
}

/** @param {string} name @param {FormEvent} event @param {SetField} set */
function tilesField(name, event, set) {
  const [single, needed] = [["tile", "drawn"].includes(name), name === "tile"];
  const [least, most] = needed ? [1, 1] : event.type === "kong" ? [0, 4] : TILES[name](tableNow().shows.hand_size);
  const tiles = needed ? [event.tile ?? null] : /** @type {(string | null)[]} */ ([event[name] ?? []].flat());
  const alone = needed && !fieldsOf(event).some((each) => each in TILES);
  return tileSlots(tiles, { least, most, name: fieldWord(name), alone, changed: (now) => {
    if (needed && event.type === "pung" && (event.own ?? []).every((each) => each === null || each === event.tile)) {
      event.own = [now[0], now[0]];
      set("tile", now[0], true);
    } else set(name, single ? now[0] : now.length > 0 || least > 0 ? [...now] : undefined);
  } });
}

/** @param {FormEvent} event @param {SetField} set */
function namesField(event, set) {
  const names = [...event.players ?? tableNow().names];
  return made("div", { class: "names" }, ...names.map((name, seat) => {
    const input = made("input", { maxlength: 40, autocomplete: "off", "aria-label": nameOf([], seat) });
    input.value = name;
    input.addEventListener("input", () => { names[seat] = input.value.trim(); set("players", [...names]); });
    return input;
  }));
}

/** @param {FormEvent} event @param {SetField} set */
function diceField(event, set) {
  const values = event.values ?? [1, 1];
  event.values = values;
  return made("div", { class: "names" }, ...values.map((value, at) => stepper("values", value, 1, 6, (now) => {
    values[at] = now ?? 1;
    set("values", [...values]);
  })));
}

/** @param {string} name @param {FormEvent} event @param {Stands} stands @param {SetField} set */
function fieldControl(name, event, stands, set) {
  const key = KEYS[name] ?? name;
  if (SEATS_OF.includes(name)) return seatField(name, event, stands, set);
  if (name === "tile" || name in TILES) return tilesField(name, event, set);
  if (name === "players") return namesField(event, set);
  if (name === "rules") return rulesField(event, stands.offered ?? [], set);
  if (name === "values") return diceField(event, set);
  if (name === "ready") {
    return chooser(name, [false, true], [word("page.mend.no"), word("page.mend.yes")], event.ready ?? false, (on) => set(key, on || undefined));
  }
  if (NUMBERS.includes(name)) {
    return stepper(name, /** @type {number | undefined} */ (event[key] ?? stands[key]), name === "staying" || name === "claimed" ? 1 : 0, 9999, (value) => set(key, value));
  }
  const texts = CHOICES[name].map(CHOICE_WORDS[name]);
  const chosen = event[key] ?? stands[key] ?? DEFAULTS[name];
  return chooser(name, CHOICES[name], texts, chosen, (value) => set(key, value === DEFAULTS[name] ? undefined : value, name === "kong"));
}

// `stands` is what holds where the event leaves a field out; `changed` is told after each change.
/** @param {FormEvent} event @param {Stands} stands @param {() => void} changed */
export function eventForm(event, stands, changed) {
  const form = made("div", { class: "fields" });
  const show = () => {
    closePalette();
    form.replaceChildren(...fieldsOf(event, stands).flatMap((name) =>
      [made("span", { class: "field" }, fieldWord(name)), fieldControl(name, event, stands, set)]));
  };
  /** @type {SetField} */
  const set = (key, value, again = false) => {
    if (value === undefined) delete event[key];
    else event[key] = value;
    if (event.type === "kong" && event.kind !== "open") delete event.from;
    if (again) show();
    changed();
  };
  show();
  return form;
}

// An event of another kind keeps what both have; the last discard is the likeliest to be claimed.
/** @param {string} type @param {Partial<FormEvent>} before @returns {FormEvent} */
export function eventOfType(type, before = {}) {
  const names = EVENT_FIELDS[type].map((each) => each.replace("?", ""));
  const table = tableNow();
  const last = table.last_discard;
  /** @type {FormEvent} */
  const event = { type };
  /** @type {{ [field: string]: unknown, tile?: string | null, from: number }} */
  const likely = { seat: before.seat ?? table.turn ?? 0, from: before.from ?? last?.seat ?? 0, tile: before.tile };
  if (names.includes("from")) likely.tile ??= last?.tile;
  for (const name of names) {
    if (name in likely && likely[name] !== undefined) event[name] = likely[name];
    if (["kong", "indicator", "reason", "offence"].includes(name)) [event[KEYS[name] ?? name]] = CHOICES[name];
  }
  if (names.includes("giver")) Object.assign(event, { from: likely.from, tile: last?.tile });
  if (type === "draw") event.tile ??= "?";
  if (type === "dice") event.values = [1, 1];
  if (type === "game_start") event.rules = table.rules;
  if (type === "pung" && event.tile) event.own = [event.tile, event.tile];
  return event;
}

// The rule set and its house rules; other rules begin with their own.
/** @param {FormEvent} event @param {RulesOffered[]} offered @param {SetField} set */
function rulesField(event, offered, set) {
  const house = made("div", { class: "house" });
  const showOptions = () => {
    const options = offered.find(({ id }) => id === event.rules)?.options ?? [];
    const controls = options.map((option) => ({ option, ...optionControl(option, event.options?.[option.name] ?? option.default) }));
    house.replaceChildren(...controls.map((each) => each.shown));
    house.onchange = () => set("options", optionsTold(controls));
  };
  const rules = choice(offered.map(({ id }) => id), offered.map(({ id }) => titleOf(id)));
  rules.setAttribute("aria-label", fieldWord("rules"));
  rules.value = event.rules ?? "";
  rules.addEventListener("change", () => {
    delete event.options;
    set("rules", rules.value);
    showOptions();
  });
  showOptions();
  return made("div", {}, rules, made("details", {}, made("summary", {}, word("page.setup.house_rules")), house));
}
