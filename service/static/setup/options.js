// The house rules of the rule set that is chosen: what differs from them stands as a list, all others wait in groups.
import { $, button, made } from "/static/shared/elements.js";
import { optionControl, optionsTold, valueWords } from "/static/shared/option_controls.js";
import { labelled, language, word } from "/static/shared/words.js";
import { keep, kept, offered } from "./steps.js";
/** @import { OptionOffered } from "/static/wire" */

function rulesChosen() {
  const { rules } = offered();
  return rules.find((each) => each.id === $("rule-set").value) ?? rules[0];
}

/** @type {{ option: OptionOffered, shown: HTMLElement, read: () => unknown }[]} */
let controls = [];

// What was chosen last with the same rules, where the rules still have it.
/** @param {string} id @param {OptionOffered} given @returns {unknown} */
function keptValue(id, { name, default: usual, values, numbers }) {
  const value = kept.rules === id ? kept.options?.[name] : undefined;
  const fits = typeof value === "number" ? typeof usual === "number" || numbers
    : typeof value === typeof usual && Array.isArray(value) === Array.isArray(usual);
  const known = Array.isArray(value) || values.length === 0 || values.includes(value) || (numbers && typeof value === "number");
  return fits && known ? value : usual;
}

// In another language, what was chosen stays chosen; by other rules, it begins anew.
export function showOptions() {
  const { id, options } = rulesChosen();
  const same = $("options").dataset.of === id;
  draw(options, options.map((option, at) => (same ? controls[at].read() : keptValue(id, option))));
}

/** @param {OptionOffered[]} options @param {unknown[]} values */
function draw(options, values) {
  const open = $("options").querySelector("details[open]")?.getAttribute("data-group");
  $("options").dataset.of = rulesChosen().id;
  controls = options.map((option, at) => ({ option, ...optionControl(option, values[at]) }));
  const groups = [...new Set(options.map(({ group }) => group))];
  $("options").replaceChildren(...groups.map((group) => {
    const own = controls.filter(({ option }) => option.group === group).map(({ shown }) => shown);
    const details = made("details", { name: "house", "data-group": group }, made("summary", {}, word(`page.setup.group.${group}`)), made("div", { class: "of-group" }, ...own));
    details.open = group === open;
    return details;
  }));
  $("house").hidden = options.length === 0;
  showChanges();
}

let shownChanges = "";

// What differs from the rules, each with a tap that takes it back.
export function showChanges() {
  const changed = controls.filter(({ option, read }) => JSON.stringify(read()) !== JSON.stringify(option.default));
  $("changed").hidden = changed.length === 0;
  const says = JSON.stringify([language, changed.map(({ option, read }) => [option.name, read()])]);
  if (says === shownChanges) return; // a tap on the list ends the typing in a field: what is tapped stays
  shownChanges = says;
  $("changes").replaceChildren(...changed.map(({ option, read }) => {
    const back = button("↶", () => takeBack(option.name));
    back.setAttribute("aria-label", word("page.setup.take_back", { rule: word(`option.${option.name}`) }));
    return made("li", {}, made("span", {}, labelled(word(`option.${option.name}`), ""), made("b", {}, valueWords(read()))), " ", back);
  }));
}

// One house rule is as the rules have it again, or all of them.
/** @param {string | null} name */
function takeBack(name) {
  draw(rulesChosen().options, controls.map(({ option, read }) => (name === null || option.name === name ? option.default : read())));
  $("players").dispatchEvent(new Event("change")); // it is kept, and told as a change by hand is
}

export function changesInWords() {
  const count = Object.keys(optionsChosen()).length;
  return count === 0 ? "" : word("page.setup.changes", { count });
}

export const optionsChosen = () => optionsTold(controls);

// House rules saved under a name in this browser, and offered again.
const NAMED_KEPT = "tilesight-house-rules";

const namedRules = /** @type {Map<string, string>} */ (new Map(JSON.parse(localStorage.getItem(NAMED_KEPT) ?? "[]")));

const asChosen = () => JSON.stringify({ rules: rulesChosen().id, options: optionsChosen() });
export const nameChosen = () => [...namedRules].find(([, saved]) => saved === asChosen())?.[0];

let taken = () => {}; // is told that rules were chosen by their name

/** @param {string} rules @param {Record<string, unknown>} options */
export function takeRules(rules, options) {
  $("rule-set").value = rules;
  delete $("options").dataset.of; // nothing of what was chosen before stays
  keep({ rules, options });
  showOptions();
}

/** @param {string} name */
function takeNamed(name) {
  const { rules, options } = JSON.parse(namedRules.get(name) ?? "{}");
  takeRules(rules, options);
  $("house-name").value = name;
  taken();
  showNamed();
}

// Those of a game that is not offered here wait until it is.
export function showNamed() {
  const names = [...namedRules.keys()].filter((name) => {
    const { rules } = JSON.parse(namedRules.get(name) ?? "{}");
    return offered().rules.some(({ id }) => id === rules);
  });
  const chosen = nameChosen();
  $("named").hidden = names.length === 0;
  $("named").replaceChildren(...names.map((name) => {
    const tap = button(name, () => takeNamed(name));
    tap.setAttribute("aria-pressed", `${name === chosen}`);
    return tap;
  }));
  const typed = $("house-name").value.trim();
  $("house-save").disabled = typed === "" || typed === chosen;
  $("house-forget").disabled = !namedRules.has(typed);
}

/** @param {(name: string) => void} change */
function keepNamed(change) {
  change($("house-name").value.trim());
  localStorage.setItem(NAMED_KEPT, JSON.stringify([...namedRules]));
  showNamed();
}

/** @param {() => void} chosen */
export function startNamed(chosen) {
  taken = chosen;
  $("house-save").addEventListener("click", () => keepNamed((name) => namedRules.set(name, asChosen())));
  $("house-forget").addEventListener("click", () => keepNamed((name) => namedRules.delete(name)));
  $("house-name").addEventListener("input", showNamed);
  $("as-preset").addEventListener("click", () => takeBack(null));
  $("players").addEventListener("change", () => { showChanges(); showNamed(); });
  $("options").addEventListener("input", showChanges);
}
