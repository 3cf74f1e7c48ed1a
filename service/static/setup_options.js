// The house rules of the rule set that is chosen.
"use strict";

function rulesChosen() {
  return setup.offered.rules.find((each) => each.id === $("rule-set").value);
}

let controls = [];

// What was chosen last with the same rules, where the rules still have it.
function keptValue(id, { name, default: usual, values, numbers }) {
  const value = kept.rules === id ? kept.options?.[name] : undefined;
  const fits = typeof value === "number" ? typeof usual === "number" || numbers
    : typeof value === typeof usual && Array.isArray(value) === Array.isArray(usual);
  const known = Array.isArray(value) || values.length === 0 || values.includes(value) || (numbers && typeof value === "number");
  return fits && known ? value : usual;
}

// In another language, what was chosen stays chosen; by other rules, it begins anew.
function showOptions() {
  const { id, options } = rulesChosen();
  const same = $("options").dataset.of === id;
  const values = options.map((option, at) => (same ? controls[at].read() : keptValue(id, option)));
  $("options").dataset.of = id;
  controls = options.map((option, at) => ({ option, ...optionControl(option, values[at]) }));
  $("options").replaceChildren(...controls.map((each) => each.shown));
  $("house").hidden = options.length === 0;
}

const optionsChosen = () => optionsTold(controls);
