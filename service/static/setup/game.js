// Who plays by which rules, and the start of the game.
import { toldOf } from "/static/shared/asking.js";
import { $, button, fill, find, findAll, made } from "/static/shared/elements.js";
import { showNetwork } from "/static/shared/network.js";
import { WORDS, language, listed, titleOf, word } from "/static/shared/words.js";
import { changesInWords, nameChosen, optionsChosen, showNamed, showOptions, startNamed, takeRules } from "./options.js";
import { EVENING_KEPT, ON_PHONE, STEPS, STEP_KEPT, answered, complain, complainOf, goTo, keep, kept, loadOffered, noComplaint, offered, setup, sourceTap } from "./steps.js";
/** @import { Side, Step } from "/static/page" */
/** @import { GameOfferedView, RulesOffered, StartRequest } from "/static/wire" */

export const SIDES = /** @type {Side[]} */ (["bottom", "right", "top", "left"]);
const PLAYED_KEPT = 5;
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

// Those used last, unless the program was started with others since.
function rulesFirst() {
  const { rules, rule_set } = offered();
  const again = kept.offered === rule_set && rules.some(({ id }) => id === kept.rules);
  return again && kept.rules !== undefined ? kept.rules : rule_set;
}

// From which payment on payouts are read twice: as it was chosen last, unless the program was started with another since.
const twiceOffered = () => String(offered().read_twice ?? "");
const twiceFirst = () => kept.twice_offered === twiceOffered() ? kept.twice ?? twiceOffered() : twiceOffered();

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
  for (const side of SIDES) nameField(side).value = names[seatOf(side)] ?? "";
  takeRules(rules, options);
  keepForm();
  showGame();
}

export function showGame() {
  const { rules } = offered();
  const chosen = $("rule-set").value || rulesFirst();
  $("rule-set").value = rules.some(({ id }) => id === chosen) ? chosen : rules[0].id;
  fill($("seat0"), SIDES, SIDES.map(sideWord), kept.seat0);
  fill($("first-dealer"), ["", ...SIDES], [word("page.setup.first_seen"), ...SIDES.map(sideWord)], kept.dealer);
  for (const side of SIDES) find(`label[for="name-${side}"]`).textContent = sideWord(side);
  if ($("read-twice").value === "" && $("read-twice").validity.valid) $("read-twice").value = twiceFirst();
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

// What a game is called, whichever variant of it is played; one without a name of its own is called as its rules.
/** @param {RulesOffered[]} variants */
function gameTitle(variants) {
  const [{ id, game }] = variants;
  return `page.of_game.${game}` in WORDS ? word(`page.of_game.${game}`) : titleOf(id);
}

// Below its game, a variant is called by what its title says of it in brackets.
/** @param {string} rules */
const variantTitle = (rules) => titleOf(rules).match(/[(（](.+)[)）]$/)?.[1] ?? titleOf(rules);

/** @param {string} text @param {boolean} pressed @param {string} rules */
function ruleCard(text, pressed, rules) {
  const card = button(text, () => { $("rule-set").value = rules; showOptions(); keepForm(); showNamed(); showRuleCards(); showVariants(); });
  card.setAttribute("aria-pressed", String(pressed));
  return card;
}

// On a phone the variants stand below all games.
function showVariants() {
  if (!$("variants").hidden) $("variants").scrollIntoView({ block: "nearest" });
}

// Each game once, those that were played last before the others; then the variants of the one that is chosen.
export function showRuleCards() {
  const { rules } = offered();
  const chosen = rules.find(({ id }) => id === $("rule-set").value) ?? rules[0];
  const played = [...(kept.played ?? [])].reverse();
  /** @type {Map<string, RulesOffered[]>} */
  const games = new Map();
  for (const each of rules) games.set(each.game, [...games.get(each.game) ?? [], each]);
  /** @param {RulesOffered[]} variants */
  const last = (variants) => Math.max(...variants.map(({ id }) => played.indexOf(id)));
  const cards = [...games.values()].sort((one, other) => last(other) - last(one));
  $("games").replaceChildren(...cards.map((variants) => {
    const own = variants.reduce((best, each) => (played.indexOf(each.id) > played.indexOf(best.id) ? each : best));
    return ruleCard(gameTitle(variants), variants.includes(chosen), (variants.includes(chosen) ? chosen : own).id);
  }));
  const variants = games.get(chosen.game) ?? [];
  $("variants").hidden = variants.length < 2;
  $("variants").replaceChildren(...variants.map(({ id }) => ruleCard(variantTitle(id), id === chosen.id, id)));
}

export function keepForm() {
  if (setup.offered === null) return;
  const names = Object.fromEntries(SIDES.map((side) => [side, nameAt(side)]));
  const rules = $("rule-set").value;
  const dealer = $("first-dealer").value;
  keep({ rules, offered: offered().rule_set, options: optionsChosen(), names, seat0: $("seat0").value, dealer, twice: $("read-twice").value, twice_offered: twiceOffered() });
}

export function showSummary() {
  if (setup.offered === null) return;
  const names = SIDES.map(nameAt).filter((name) => name !== "");
  /** @type {[string, Step, string][]} */
  const rows = [
    ["camera", "camera", sourceTap(setup.chosen ?? "")?.textContent ?? (setup.chosen === null ? word("page.setup.no_source") : setup.sent ?? setup.chosen)],
    ["players", "players", names.length > 0 ? listed(names) : word("page.setup.no_names")],
    ["rules", "players", listed([titleOf($("rule-set").value), nameChosen() ?? changesInWords()].filter(Boolean))],
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

// The control that a refusal of the start is about.
/** @param {string} detail */
function blamed(detail) {
  const option = detail.match(/options\.(\w+)/)?.[1];
  // In other languages than English it names the house rule as the page does.
  const named = findAll($("options"), '[id^="option-"]').find(({ id }) =>
    id === `option-${option}` || detail.includes(word(id.replace("option-", "option."))));
  return named ?? $("begin");
}

// A long record takes seconds to open.
async function showOpening() {
  const opening = /** @type {{ of?: number } | null} */ (/** @type {unknown} */ (await toldOf("/health")));
  if ($("begin").disabled && opening !== null && (opening.of ?? 0) > 0) $("begin").textContent = word("page.setup.opening_record", opening);
}

/** @param {StartRequest} asked @param {HTMLElement} control */
export async function begin(asked, control) {
  noComplaint();
  $("begin").disabled = $("sample").disabled = $("rehearse").disabled = true;
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
  $("begin").disabled = $("rehearse").disabled = false;
  $("sample").disabled = !offered().sample;
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

/** @param {HTMLElement} control */
function beginChosen(control) {
  noComplaint();
  if (complainOf(STEPS)) return;
  if (!$("read-twice").reportValidity()) return;
  const read_twice = $("read-twice").value === "" ? null : $("read-twice").valueAsNumber;
  const names = ["", "", "", ""];
  for (const side of SIDES) names[seatOf(side)] = nameAt(side);
  const dealer = $("first-dealer").value;
  const first_dealer = dealer === "" ? null : seatOf(/** @type {Side} */ (dealer));
  const hurry = $("hurry").checked;
  keep({ people: [...new Set([...names.filter(Boolean), ...(kept.people ?? [])])].slice(0, PEOPLE_KEPT), played: [...new Set([$("rule-set").value, ...(kept.played ?? [])])].slice(0, PLAYED_KEPT) });
  begin({ rules: $("rule-set").value, options: optionsChosen(), names, seat0: firstSide(), first_dealer, read_twice, hurry, evening: sessionStorage.getItem(EVENING_KEPT), rehearse: control !== $("begin") }, control);
}

export function startGame() {
  for (const side of /** @type {Side[]} */ (["top", "left", "right", "bottom"])) {
    const input = made("input", { type: "text", id: `name-${side}`, maxlength: 40, autocomplete: "off" });
    input.value = kept.names?.[side] ?? "";
    input.addEventListener("focus", () => { setup.side = side; });
    $("names").append(made("div", { class: side }, made("label", { for: input.id }), input));
  }
  $("sample").addEventListener("click", () => begin({ sample: true }, $("sample")));
  for (const form of [$("players"), $("names")]) form.addEventListener("input", () => { keepForm(); showPeople(); });
  $("players").addEventListener("change", keepForm); // once other rules show their own options
  startNamed(() => { keepForm(); showRuleCards(); });
  for (const control of [$("begin"), $("rehearse")]) control.addEventListener("click", () => beginChosen(control));
  $("replace-no").addEventListener("click", () => $("replace").close());
}
