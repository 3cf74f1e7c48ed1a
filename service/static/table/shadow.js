// The score pad of a table in the shadow: a row for each hand; afterwards what was read, beside it.
import { answerOf } from "/static/shared/asking.js";
import { $, button, findAll, made, onSubmit, ready } from "/static/shared/elements.js";
import { namesOf, offerLanguages, signed, word } from "/static/shared/words.js";
/** @import { PadChange, ShadowHand, ShadowView, ShareView } from "/static/wire" */

const ASK_MS = 5000; // the camera may go away, and another device may write
const RIGHT = /** @type {const} */ (["read", "written", "neither"]);
/** @type {{ view: ShadowView | null, drawn: string, fields: string, moments: Set<string> }} */
const shown = { view: null, drawn: "", fields: "", moments: new Set() };

const names = () => namesOf(shown.view?.names ?? ["", "", "", ""]);

/** @param {string | null} text */
function problem(text) {
  $("problem").hidden = text === null;
  $("problem").textContent = text ?? "";
}

/** @param {ShadowView} view */
function troubleOf({ problem: why, trouble_kind: kind, ended }) {
  if (kind !== null) return word(`page.trouble.${kind}`);
  return why !== null ? word("page.shadow.stopped") : ended ? word("page.shadow.ended") : null;
}

/** @param {{ ok: boolean, status: number, told: ShadowView | { detail?: string } | null }} answer */
function take(answer) {
  if (!answer.ok) {
    problem(answer.told !== null && "detail" in answer.told && answer.told.detail !== undefined ? answer.told.detail : word("page.first.offline"));
    return false;
  }
  shown.view = /** @type {ShadowView} */ (answer.told);
  draw();
  return true;
}

/** @param {PadChange} body */
const change = async (body) => take(await answerOf("/api/shadow", { body }));

// One field a player, and what the four add up to: most games move points between players alone.
function fields() {
  return names().map((name, seat) => made("label", {}, made("span", { class: `s${seat}`, title: name }, name),
    made("input", { type: "number", step: "1", "data-seat": seat, placeholder: "0" }))); // a keyboard of digits alone may lack the minus
}

// Other fields only for other names: whoever is typing must not lose the focus to another's row.
function drawFields() {
  const called = JSON.stringify(names());
  if (called === shown.fields) return;
  const kept = inputs().map(({ value }) => value);
  $("players").replaceChildren(...fields());
  for (const [seat, input] of inputs().entries()) input.value = kept[seat] ?? "";
  shown.fields = called;
}

/** @returns {HTMLInputElement[]} */
const inputs = () => /** @type {HTMLInputElement[]} */ (findAll($("players"), "input"));
const typed = () => inputs().map(({ value }) => Number(value || 0));

function showSum() {
  const sum = typed().reduce((one, other) => one + other, 0);
  $("sum").textContent = sum === 0 ? "" : word("page.shadow.sum", { sum: signed(sum) });
}

/** @param {number[]} row */
const told = (row) => names().map((name, seat) => ({ name, moved: row[seat] })).filter(({ moved }) => moved !== 0)
  .map(({ name, moved }) => `${name} ${signed(moved)}`).join(" · ") || word("report.nothing_moved");

/** @param {number[]} row @param {number} at */
function rowDrawn(row, at) {
  const remove = button("✕", () => change({ removed: at, was: row }));
  remove.setAttribute("aria-label", word("page.shadow.remove", { row: at + 1 }));
  return made("li", { value: at + 1 }, made("span", {}, `${at + 1}. ${told(row)}`), remove);
}

/** @param {ShadowHand} hand */
function judging(hand) {
  const asks = word("page.shadow.who");
  return made("p", { class: "choices", role: "group", "aria-label": asks }, made("span", {}, asks), ...RIGHT.map((who) => {
    const chosen = hand.judged === who;
    const tap = button(word(`page.shadow.right.${who}`), () => change({ hand: hand.name, right: chosen ? null : who }));
    tap.setAttribute("aria-pressed", String(chosen));
    return tap;
  }));
}

// The moment at which the hand ended, as a clip; it is made when somebody asks.
/** @param {ShadowHand} hand */
function moment(hand) {
  if (hand.event === null) return [];
  if (!shown.moments.has(hand.name)) {
    return [made("p", {}, button(word("page.shadow.moment"), () => { shown.moments.add(hand.name); draw(true); }))];
  }
  const clip = made("img", { src: `/api/events/${hand.event}/clip?place=0`, alt: "" });
  clip.addEventListener("error", () => clip.replaceWith(word("page.shadow.no_moment")));
  return [made("p", {}, clip)];
}

/** @param {ShadowHand} hand */
function differenceDrawn(hand) {
  const { read, written } = hand;
  const title = hand.hand === null ? word("page.shadow.not_read") : word("page.shadow.hand", { game: hand.game ?? 0, hand: hand.hand });
  const lines = names().map((name, seat) => {
    const [here, there] = [read?.[seat], written?.[seat]];
    const kind = here === there ? "" : "other";
    return made("tr", {}, made("td", { class: `s${seat}` }, name), made("td", { class: kind }, here === undefined ? "–" : signed(here)),
      made("td", { class: kind }, there === undefined ? "–" : signed(there)));
  });
  const head = made("tr", {}, made("th", {}, ""), made("th", {}, word("page.shadow.read")), made("th", {}, word("page.shadow.written")));
  return made("li", {}, made("h2", {}, title), made("table", {}, head, ...lines), ...moment(hand), judging(hand));
}

/** @param {string} key @param {ShareView | null} share */
function shareTold(key, share) {
  if (share === null || share.of === 0) return "";
  const least = word("page.percent", { value: Math.floor(100 * share.at_least) }); // rounded down: nothing more is claimed than is known
  return word(key, { right: share.right, of: share.of, least });
}

function draw(anew = false) {
  const { view } = shown;
  if (view === null) return;
  problem(troubleOf(view));
  const now = JSON.stringify(view);
  if (now === shown.drawn && !anew) return;
  shown.drawn = now;
  $("pad").hidden = view.over;
  $("beside").hidden = !view.over;
  if (!view.over) {
    drawFields();
    $("rows").replaceChildren(...view.rows.map(rowDrawn).reverse());
    showSum();
    return;
  }
  if (location.pathname !== "/shadow") history.replaceState(null, "", `/shadow${location.hash}`); // "/" is the table again
  const differ = view.hands.filter(({ agree }) => !agree);
  $("read-tonight").textContent = shareTold("page.shadow.tonight", view.tonight) || word("page.shadow.nothing");
  $("read-evenings").textContent = view.evenings?.of === view.tonight?.of ? "" : shareTold("page.shadow.evenings", view.evenings);
  $("differ").replaceChildren(...differ.map(differenceDrawn));
  $("alike").textContent = word("page.shadow.alike", { count: view.hands.length - differ.length });
}

async function ask() {
  if (document.hidden) return;
  take(await answerOf("/api/shadow"));
}

onSubmit($("row"), async () => {
  if (await change({ moved: typed() })) {
    for (const input of inputs()) input.value = "";
    showSum();
    inputs()[0].focus();
  }
});
$("players").addEventListener("input", showSum);
$("over").addEventListener("click", () => { if (confirm(word("page.shadow.end_sure"))) change({ over: true }); });
offerLanguages(() => draw(true));
ready();
await ask();
setInterval(ask, ASK_MS);
