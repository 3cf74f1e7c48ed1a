// Who plays by which rules, and the start of the game.
import { toldOf } from "/static/shared/asking.js";
import { $, button, fill, find, made } from "/static/shared/elements.js";
import { showNetwork } from "/static/shared/network.js";
import { language, titleOf, word } from "/static/shared/words.js";
import { nameChosen, optionsChosen, showNamed, showOptions, startNamed, takeRules } from "./options.js";
import { EVENING_KEPT, ON_PHONE, STEPS, STEP_KEPT, answered, complain, complainOf, goTo, keep, kept, loadOffered, noComplaint, offered, setup, sourceTap } from "./steps.js";
/** @import { Side, Step } from "/static/page" */
/** @import { GameOfferedView, StartRequest } from "/static/wire" */

export const SIDES = /** @type {Side[]} */ (["bottom", "right", "top", "left"]);
const RULE_CARDS = 5;
const PEOPLE_KEPT = 16;
const OPENING_MS = 500;

/** @param {string} side */
const sideWord = (side) => word(`page.setup.side.${side}`);

const firstSide = () => /** @type {Side} */ ($("seat0").value);
/** @param {Side} side */
const nameField = (side) => /** @type {HTMLInputElement} */ (find(`#name-${side}`));

// Names and the dealer are told by side; seats are counted from the side of seat 0.
/** @param {Side} side */
const seatOf = (side) => (SIDES.indexOf(side) - SIDES.indexOf(firstSide()) + 4) % 4;
/** @param {Side} side */
export const nameAt = (side) => nameField(side).value.trim();

// Those of the sample, or those used last, unless the program was started with others since.
function rulesFirst() {
  const { rules, rule_set, sample } = offered();
  if (setup.sampled && sample !== null) return sample.rules;
  const again = kept.offered === rule_set && rules.some(({ id }) => id === kept.rules);
  return again && kept.rules !== undefined ? kept.rules : rule_set;
}

// In a browser that has set up no game, the people and rules are those of the newest record.
export function recallLast() {
  const { last, rule_set } = offered();
  if (last === null || kept.names !== undefined || SIDES.some((side) => nameAt(side) !== "")) return;
  SIDES.forEach((side, at) => { nameField(side).value = last.names[at]; });
  keep({ ...last, offered: rule_set, names: Object.fromEntries(SIDES.map((side, at) => [side, last.names[at]])) });
}

// A game that is gone on with has its own people and rules, whatever this browser kept.
/** @param {GameOfferedView} game */
export function takeGame({ rules, options, names }) {
  setup.sampled = false;
  for (const side of SIDES) nameField(side).value = names[seatOf(side)] ?? "";
  takeRules(rules, options);
  keepForm();
  showGame();
}

export function showGame() {
  const { rules } = offered();
  const chosen = $("rule-set").value || rulesFirst();
  fill($("rule-set"), rules.map(({ id }) => id), rules.map(({ id }) => titleOf(id)), chosen);
  fill($("seat0"), SIDES, SIDES.map(sideWord), setup.sampled ? SIDES[0] : kept.seat0);
  fill($("first-dealer"), ["", ...SIDES], [word("page.setup.first_seen"), ...SIDES.map(sideWord)], kept.dealer);
  for (const side of SIDES) find(`label[for="name-${side}"]`).textContent = sideWord(side);
  showOptions();
  showNamed();
  showPeople();
  showRuleCards();
  showPhones();
  if (setup.step === "start") showSummary();
}

// People who have played here before: a tap puts a name where it is typed, else at the first side without one.
function showPeople() {
  const sitting = SIDES.map(nameAt);
  const known = [...new Set([...(kept.people ?? []), ...(offered().last?.names ?? [])])].filter((name) => name !== "" && !sitting.includes(name));
  $("people").replaceChildren(...known.map((name) => button(name, () => {
    const free = SIDES.find((side) => nameAt(side) === "") ?? setup.side;
    if (free === undefined) return;
    nameField(free).value = name;
    keepForm();
    showPeople();
  })));
}

// The games that were played last, and the first of the others.
export function showRuleCards() {
  const { rules } = offered();
  const ids = [...new Set([...(kept.played ?? []), ...rules.map(({ id }) => id)])].slice(0, RULE_CARDS);
  $("rule-cards").replaceChildren(...rules.filter(({ id }) => ids.includes(id)).map(({ id }) => {
    const card = button(titleOf(id), () => { $("rule-set").value = id; showOptions(); keepForm(); showNamed(); showRuleCards(); });
    card.setAttribute("aria-pressed", String($("rule-set").value === id));
    return card;
  }));
}

// The sample has rules and players of its own; any other source has those that were used last.
/** @param {string} key */
export function fillFor(key) {
  const own = key === "sample" ? offered().sample : null;
  if (own === null && !setup.sampled) return;
  setup.sampled = own !== null;
  for (const [at, side] of SIDES.entries()) nameField(side).value = own?.names[at] ?? kept.names?.[side] ?? "";
  $("rule-set").value = "";
  showGame();
}

export function keepForm() {
  if (setup.offered === null) return;
  const names = Object.fromEntries(SIDES.map((side) => [side, nameAt(side)]));
  const rules = $("rule-set").value;
  const dealer = $("first-dealer").value;
  keep({ rules, offered: offered().rule_set, options: optionsChosen(), names, seat0: $("seat0").value, dealer });
}

export function showSummary() {
  if (setup.offered === null) return;
  const names = SIDES.map(nameAt).filter((name) => name !== "");
  /** @type {[string, Step, string][]} */
  const rows = [
    ["camera", "camera", sourceTap(setup.chosen ?? "")?.textContent ?? (setup.chosen === null ? word("page.setup.no_source") : setup.sent ?? setup.chosen)],
    ["players", "players", names.length > 0 ? names.join(", ") : word("page.setup.no_names")],
    ["rules", "players", [$("rule-set").selectedOptions[0].textContent, nameChosen()].filter(Boolean).join(", ")],
  ];
  $("before-deal").dataset.word = offered().goes_on ? "page.setup.goes_on" : "page.setup.before_deal";
  $("before-deal").textContent = word($("before-deal").dataset.word ?? "");
  $("summary").replaceChildren(...rows.filter(([, step]) => STEPS.includes(step)).flatMap(([what, step, says]) => [
    made("dt", {}, word(`page.setup.step.${what}`)), made("dd", {}, says, " ", button(word("page.setup.change"), () => goTo(step))),
  ]));
}

function showPhones() {
  showNetwork($("network"), offered().network, async () => {
    const answer = await answered("/api/setup/network", { body: { serve: true } });
    if (!answer.ok) return answer.told.detail;
    setup.offered = { ...offered(), network: answer.told };
    showPhones();
    return null;
  });
}

const sampleTap = () => /** @type {HTMLButtonElement} */ (find("#sample"));

// The control that a refusal of the start is about.
/** @param {string} detail */
function blamed(detail) {
  const name = detail.match(/options\.(\w+)/)?.[1];
  return (name && document.getElementById(`option-${name}`)) || $("begin");
}

// A long record takes seconds to open.
async function showOpening() {
  const opening = /** @type {{ of?: number } | null} */ (/** @type {unknown} */ (await toldOf("/health")));
  if ($("begin").disabled && opening !== null && (opening.of ?? 0) > 0) $("begin").textContent = word("page.setup.opening_record", opening);
}

/** @param {StartRequest} asked @param {HTMLElement} control */
export async function begin(asked, control) {
  noComplaint();
  $("begin").disabled = sampleTap().disabled = true;
  $("begin").textContent = word("page.setup.opening");
  const { chosen } = setup;
  setup.chosen = null; // once the table is open, whoever asks for pictures here needs its key
  const watching = setInterval(showOpening, OPENING_MS);
  const answer = await answered("/api/setup/start", { body: { lang: language, ...asked } });
  clearInterval(watching);
  if (answer.ok) {
    const { page } = answer.told;
    sessionStorage.removeItem(STEP_KEPT);
    sessionStorage.removeItem(EVENING_KEPT);
    if (ON_PHONE) parent.postMessage({ page }, location.origin);
    else location.assign(page);
    return;
  }
  setup.chosen = chosen;
  $("begin").disabled = false;
  sampleTap().disabled = !offered().sample;
  $("begin").textContent = word($("begin").dataset.word ?? "");
  const { detail } = answer.told;
  if (answer.status === 409) askToReplace(asked, control);
  else complain(detail, control === $("begin") ? blamed(detail) : control);
}

export function showRunning() {
  const { running } = offered();
  $("running").hidden = running === null;
  if (running !== null) $("running-says").textContent = word("page.setup.running", running);
}

// A running game is never ended without asking; its record stays.
/** @param {StartRequest} asked @param {HTMLElement} control */
async function askToReplace(asked, control) {
  if (await loadOffered()) showRunning();
  if (offered().running === null) {
    begin(asked, control);
    return;
  }
  $("replace-says").textContent = word("page.setup.replace_says", offered().running ?? {});
  $("replace-yes").onclick = () => {
    $("replace").close();
    begin({ ...asked, replace: true }, control);
  };
  $("replace").showModal();
}

function beginChosen() {
  noComplaint();
  if (complainOf(STEPS)) return;
  const names = ["", "", "", ""];
  for (const side of SIDES) names[seatOf(side)] = nameAt(side);
  const dealer = $("first-dealer").value;
  const first_dealer = dealer === "" ? null : seatOf(/** @type {Side} */ (dealer));
  const hurry = $("hurry").checked;
  keep({ people: [...new Set([...names.filter(Boolean), ...(kept.people ?? [])])].slice(0, PEOPLE_KEPT), played: [...new Set([$("rule-set").value, ...(kept.played ?? [])])].slice(0, RULE_CARDS) });
  begin({ rules: $("rule-set").value, options: optionsChosen(), names, seat0: firstSide(), first_dealer, hurry, evening: sessionStorage.getItem(EVENING_KEPT) }, $("begin"));
}

export function startGame() {
  for (const side of /** @type {Side[]} */ (["top", "left", "right", "bottom"])) {
    const input = made("input", { type: "text", id: `name-${side}`, maxlength: 40, autocomplete: "off" });
    input.value = kept.names?.[side] ?? "";
    input.addEventListener("focus", () => { setup.side = side; });
    $("names").append(made("div", { class: side }, made("label", { for: input.id }), input));
  }
  $("rule-set").addEventListener("change", () => { showOptions(); showRuleCards(); });
  for (const form of [$("players"), $("names")]) form.addEventListener("input", () => { keepForm(); showPeople(); });
  $("players").addEventListener("change", keepForm); // once other rules show their own options
  startNamed(() => { keepForm(); showRuleCards(); });
  $("begin").addEventListener("click", beginChosen);
  $("replace-no").addEventListener("click", () => $("replace").close());
}
