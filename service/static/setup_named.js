// House rules saved under a name in this browser, and offered again.
"use strict";

const NAMED_KEPT = "tilesight-house-rules";

const namedRules = new Map(JSON.parse(localStorage.getItem(NAMED_KEPT) ?? "[]"));

const asChosen = () => JSON.stringify({ rules: rulesChosen().id, options: optionsChosen() });
const nameChosen = () => [...namedRules].find(([, saved]) => saved === asChosen())?.[0];

function takeNamed(name) {
  const { rules, options } = JSON.parse(namedRules.get(name));
  $("rule-set").value = rules;
  delete $("options").dataset.of; // nothing of what was chosen before stays
  keep({ rules, options });
  showOptions();
  $("house-name").value = name;
  keepForm();
  showRuleCards();
  showNamed();
}

// Those of a game that is not offered here wait until it is.
function showNamed() {
  const offered = [...namedRules.keys()].filter((name) => {
    const { rules } = JSON.parse(namedRules.get(name));
    return setup.offered.rules.some(({ id }) => id === rules);
  });
  const chosen = nameChosen();
  $("named").hidden = offered.length === 0;
  $("named").replaceChildren(...offered.map((name) => {
    const tap = button(name, () => takeNamed(name));
    tap.setAttribute("aria-pressed", `${name === chosen}`);
    return tap;
  }));
  const typed = $("house-name").value.trim();
  $("house-save").disabled = typed === "" || typed === chosen;
  $("house-forget").disabled = !namedRules.has(typed);
}

function keepNamed(change) {
  change($("house-name").value.trim());
  localStorage.setItem(NAMED_KEPT, JSON.stringify([...namedRules]));
  showNamed();
}

function startNamed() {
  $("house-save").addEventListener("click", () => keepNamed((name) => namedRules.set(name, asChosen())));
  $("house-forget").addEventListener("click", () => keepNamed((name) => namedRules.delete(name)));
  $("house-name").addEventListener("input", showNamed);
  $("players").addEventListener("change", showNamed);
}
