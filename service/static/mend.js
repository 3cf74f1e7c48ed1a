// Putting the record right: tap an event or a tile, and one more tap mends it.
"use strict";

const mending = { acts: { lines: 0, undo: false, redo: false, rivers: [], sets: [], tiles: [] }, allowed: false };

// What a person fills in for each kind of event; "?" after a field: it may stay empty.
const EVENT_FIELDS = {
  discard: ["seat", "tile", "ready"], draw: ["seat", "tile"],
  chow: ["seat", "from", "tile", "own", "ready"], pung: ["seat", "from", "tile", "own", "ready"],
  kong: ["seat", "kong", "from", "tile"], win: ["seat", "from", "tile", "hand"],
  reveal: ["seat", "tiles"], foul: ["seat", "offence"], indicator: ["tile", "indicator"],
  drawn_hand: ["reason"], hand_end: [], hand_start: [], game_end: [],
};
const CHOICES = {
  kong: ["open", "closed", "added"],
  indicator: ["dora", "kan_dora", "ura_dora", "fortune", "treasure"],
  reason: ["exhausted", "nine_terminals", "four_winds", "four_kongs", "four_ready"],
  offence: ["false_win", "exposed_tile", "wrong_tile_count", "dead_hand", "chombo"],
};
const CHOICE_WORDS = {
  kong: (value) => word(`page.mend.kong.${value}`), indicator: (value) => word(`indicator.${value}`),
  reason: (value) => word(`drawn.${value}`), offence: (value) => word(`offence.${value}`),
};
const NO_ROOM = 507;
const FIELD_WORDS = {
  seat: "seat", from: "from", tile: "tile", own: "own_tiles", ready: "ready_claim", kong: "kind",
  hand: "hand_tiles", tiles: "tile", offence: "offence", indicator: "kind", reason: "reason",
};

function complain(text) {
  $("mend-problem").textContent = text;
}

async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  };
  try {
    const answer = await fetch(path, options);
    const told = await answer.json();
    if (answer.ok) return told;
    const unwritten = answer.status === NO_ROOM && (language ?? "en") !== "en";
    complain(unwritten ? word("page.mend.unwritten") : told.detail);
  } catch {
    complain(word("page.mend.unreachable"));
  }
  if (!$("mend").open) $("mend").showModal();
  return null;
}

async function change(path, body) {
  showAlso([]);
  if (await ask(path, { ...body, ...ruling() }) !== null) $("mend").close();
}

function openDialog(title, ...content) {
  $("mend-title").replaceChildren(...title);
  $("mend-content").replaceChildren(...content);
  complain("");
  if (!$("mend").open) $("mend").showModal();
}

async function openEvent(number, place, title = [], disputed = false) {
  openDialog(title.length ? title : [word(mending.allowed ? "page.mend.mend" : "page.log")]);
  if (!mending.allowed) {
    $("mend-content").replaceChildren(evidenceOf(number, place, true));
    return;
  }
  const told = await ask(`/api/events/${number}/ways?place=${place}`);
  if (told === null) return;
  const at = { of: number, place, lines: told.lines };
  const ways = made("div", { class: "ways" });
  for (const way of told.ways) {
    const parts = way.told.map(inLanguage).flatMap((each, place) =>
      [...(place ? [made("span", { class: "then" }, "→ ")] : []), ...each.map(drawnPart)]);
    if (way.do === "remove") parts.push(word("page.mend.phantom"));
    const tapped = () =>
      change("/api/corrections", { ...at, do: way.do, events: way.do === "remove" ? [] : way.events });
    const choice = button("", tapped, "way");
    choice.append(made("span", {}, ...parts));
    if (way.problems !== null && way.problems < told.problems) {
      choice.append(made("em", {}, word("page.mend.solves")));
    }
    ways.append(choice);
  }
  const insert = button(word("page.mend.insert"), () =>
    openForm((event) => change("/api/corrections", { ...at, do: "insert", events: [event] })), "other");
  $("mend-content").replaceChildren(evidenceOf(number, place, disputed), ways, insert);
  ways.querySelector("button").focus();
}

function seatChoice() {
  return choice([0, 1, 2, 3], namesOf(known.table.names));
}

// "123m 0p" as one tile after the other.
function typedTiles(text) {
  const tiles = [];
  for (const group of text.match(/[0-9]+[mpszf]|\?/g) ?? []) {
    if (group === "?") tiles.push("?");
    else for (const rank of group.slice(0, -1)) tiles.push(rank + group.at(-1));
  }
  return tiles;
}

function tilePicker(one) {
  const input = made("input", { type: "text", autocomplete: "off", size: one ? 4 : 24 });
  const palette = made("div", { class: "palette" });
  for (const code of [...mending.acts.tiles, "?"]) {
    const pick = button("", () => { input.value = one ? code : `${input.value} ${code}`.trim(); }, "pick");
    pick.setAttribute("aria-label", code);
    pick.append(tileDrawn(code));
    palette.append(pick);
  }
  return { input, shown: made("div", {}, input, palette) };
}

function formField(name) {
  if (name === "seat" || name === "from") {
    const select = seatChoice();
    return { shown: select, control: select, read: () => Number(select.value) };
  }
  if (name === "ready") {
    const box = made("input", { type: "checkbox" });
    return { shown: box, control: box, read: () => box.checked };
  }
  if (name in CHOICES) {
    const texts = CHOICES[name].map(CHOICE_WORDS[name]);
    const select = choice(CHOICES[name], texts);
    return { shown: select, control: select, read: () => select.value };
  }
  const one = name === "tile";
  const { input, shown } = tilePicker(one);
  return { shown, control: input, read: () => one ? input.value.trim() : typedTiles(input.value) };
}

function eventOf(type, read) {
  const event = { type };
  for (const [name, value] of Object.entries(read)) {
    if (name === "kong" || name === "indicator") event.kind = value;
    else if (name === "ready") { if (value) event.ready = true; }
    else if (name === "hand") { if (value.length) event.hand = value; }
    else event[name] = value;
  }
  if (type === "kong" && event.kind !== "open") delete event.from;
  if (type === "draw" && !event.tile) event.tile = "?";
  return event;
}

function openForm(submit) {
  const types = Object.keys(EVENT_FIELDS);
  const type = choice(types, types.map((name) => word(`page.mend.type.${name}`)));
  type.id = "mend-type";
  const fields = made("div", { class: "fields" });
  let readers = {};
  const show = () => {
    readers = {};
    fields.replaceChildren();
    for (const name of EVENT_FIELDS[type.value]) {
      const { shown, control, read } = formField(name);
      control.id = `mend-${name}`;
      fields.append(made("label", { for: control.id }, word(`page.mend.${FIELD_WORDS[name]}`)), shown);
      readers[name] = read;
    }
  };
  type.addEventListener("change", show);
  show();
  const save = button(word("page.mend.save"), () => {
    const read = Object.fromEntries(Object.entries(readers).map(([name, each]) => [name, each()]));
    submit(eventOf(type.value, read));
  }, "save");
  const kind = made("div", { class: "fields" }, made("label", { for: "mend-type" }, word("page.mend.type")), type);
  openDialog([word("page.mend.add")], kind, fields, save);
}

async function openFouls() {
  openDialog([word("page.mend.fouls")]);
  const told = await ask("/api/fouls");
  if (told === null) return;
  const list = made("ul", { class: "fouls" });
  for (const one of told.fouls) {
    const at = { of: one.number, place: one.place, lines: told.lines };
    const line = made("li", {}, made("span", {}, ...inLanguage(one.told).map(drawnPart)));
    for (const text of inLanguage(one.said)) line.append(made("p", {}, text));
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

// An event in the list is a button: what it says is what may be wrong.
function eventButton(message) {
  const parts = inLanguage(message.told).map(drawnPart);
  const open = () =>
    openEvent(message.number, message.place, inLanguage(message.told).map(drawnPart));
  const tap = button("", open, "event");
  tap.dataset.number = message.number;
  tap.append(...parts);
  if (message.by_person) tap.classList.add("by-person");
  for (const name of message.ruled_by) tap.append(made("em", {}, word("page.game.ruled", { name })));
  return tap;
}

function mendable(element, [number, place], code) {
  element.setAttribute("tabindex", "0");
  element.setAttribute("role", "button");
  element.setAttribute("aria-label", word("page.mend.mend_label") + code);
  element.classList.add("mendable");
  const open = () => openEvent(number, place);
  element.addEventListener("click", open);
  element.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); open(); }
  });
}

// A tile of the drawn table, by the event that brought it.
function knownBy(tile, at) {
  const [number, place] = at;
  const event = known.happened.find((one) => one.number === number && one.place === place);
  tile.classList.toggle("doubtful", event !== undefined && isDoubtful(event));
  if (mending.allowed) mendable(tile, at, tile.textContent);
}

// Tiles of rivers and sets know the event that brought them; both are counted from the last.
function offerMending() {
  // A picture has no parts for a screen reader, a group has.
  if (mending.allowed) document.querySelector("#table svg").setAttribute("role", "group");
  for (const [which, selector] of [["rivers", ".river"], ["sets", ".melds"]]) {
    document.querySelectorAll(`#table ${selector}`).forEach((group, seat) => {
      const events = mending.acts[which][seat] ?? [];
      const tiles = [...group.querySelectorAll("use")];
      if (which === "rivers") {
        tiles.slice(-events.length || tiles.length).forEach((tile, at) =>
          events[at] && knownBy(tile, events[at]));
        return;
      }
      let from = 0;
      const { melds } = known.table.players[seat];
      melds.forEach((meld, place) => {
        const those = tiles.slice(from, from += meld.tiles.length);
        const at = place - melds.length + events.length;
        if (events[at]) those.forEach((tile) => knownBy(tile, events[at]));
      });
    });
  }
  $("add").disabled = false;  // before, nobody's name is known
  $("undo").disabled = !mending.acts.undo;
  $("redo").disabled = !mending.acts.redo;
}

function startMending() {
  $("undo").addEventListener("click", () => change("/api/undo", { lines: mending.acts.lines }));
  $("redo").addEventListener("click", () => change("/api/redo", { lines: mending.acts.lines }));
  $("add").addEventListener("click", () =>
    openForm((event) => change("/api/events", { event, lines: mending.acts.lines })));
  $("fouls").addEventListener("click", openFouls);
  $("mend-close").addEventListener("click", () => $("mend").close());
}
