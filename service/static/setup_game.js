// The rule set, its options, and who plays.
"use strict";

const SEATS = ["bottom", "right", "top", "left"];

const optionWord = (option) => word(`option.${option.name}`);

// A number, or a proper name, is the same in every language.
function valueWord(value) {
  const key = `option_value.${value}`;
  return key in WORDS.en ? word(key) : String(value);
}

function rulesChosen() {
  return setup.offered.rules.find((each) => each.id === $("rule-set").value);
}

// One control for each option; it knows what it stands for.
function optionControl(option, value) {
  const id = `option-${option.name}`;
  const label = made("label", { for: id }, optionWord(option));
  if (typeof option.default === "boolean") {
    const box = made("input", { type: "checkbox", id });
    box.checked = value;
    label.className = "tick";
    label.prepend(box);
    return { shown: label, read: () => box.checked };
  }
  if (Array.isArray(option.default) && option.values.length > 0) return severalOf(option, value);
  if (Array.isArray(option.default)) return numbersOf(option, value);
  if (option.values.length === 0 || option.numbers) return numberOf(option, value, id, label);
  const select = choice(option.values.map(String), option.values.map((each) => valueWord(each)));
  select.id = id;
  select.value = String(value);
  const read = () => option.values.find((each) => String(each) === select.value);
  return { shown: made("div", {}, label, select), read };
}

function severalOf(option, value) {
  const group = made("fieldset", {}, made("legend", {}, optionWord(option)));
  const boxes = option.values.map((each) => {
    const box = made("input", { type: "checkbox", value: each });
    box.checked = value.includes(each);
    group.append(made("label", { class: "tick" }, box, valueWord(each)));
    return box;
  });
  return { shown: group, read: () => boxes.filter((box) => box.checked).map((box) => box.value) };
}

function numbersOf(option, value) {
  const group = made("fieldset", {}, made("legend", {}, optionWord(option)));
  const inputs = value.map((each, at) => {
    const label = `${optionWord(option)} ${at + 1}`;
    const input = made("input", { type: "number", value: each, "aria-label": label });
    group.append(input);
    return input;
  });
  return { shown: group, read: () => inputs.map((input) => Number(input.value)) };
}

// A number, or one of a few words that stand for none.
function numberOf(option, value, id, label) {
  const none = option.values.find((each) => typeof each === "string");
  const placeholder = none === undefined ? "" : valueWord(none);
  const input = made("input", { type: "number", id, min: 1, placeholder });
  if (typeof value === "number") input.value = value;
  const read = () => (input.value === "" && none !== undefined ? none : Number(input.value));
  return { shown: made("div", {}, label, input), read };
}

let controls = [];

// In another language, what was chosen stays chosen; by other rules, it begins anew.
function showOptions() {
  const { id, options } = rulesChosen();
  const same = $("options").dataset.of === id;
  const values = options.map((option, at) => (same ? controls[at].read() : option.default));
  $("options").dataset.of = id;
  controls = options.map((option, at) => ({ option, ...optionControl(option, values[at]) }));
  $("options").replaceChildren(...controls.map((each) => each.shown));
  $("house").hidden = options.length === 0;
}

// Only what differs from the rules is told: the record stays short, and true if a default changes.
function optionsChosen() {
  const told = {};
  for (const { option, read } of controls) {
    const value = read();
    if (JSON.stringify(value) !== JSON.stringify(option.default)) told[option.name] = value;
  }
  return told;
}

function sideOf(seat) {
  return SEATS[(SEATS.indexOf($("seat0").value) + seat) % 4];
}

// Seats are called by their side of the picture, which another seat 0 changes.
function labelSeats() {
  const dealer = $("first-dealer").value;
  const options = [0, 1, 2, 3].map((seat) => made("option", { value: seat }, word(`page.setup.side.${sideOf(seat)}`)));
  $("first-dealer").replaceChildren(made("option", { value: "" }, word("page.setup.first_seen")), ...options);
  $("first-dealer").value = dealer;
  document.querySelectorAll("#names label").forEach((label, seat) => {
    label.firstElementChild.textContent = word(`page.setup.side.${sideOf(seat)}`);
  });
}

function showGame() {
  const { rules } = setup.offered;
  const kept = { rules: $("rule-set").value || setup.offered.rule_set, seat0: $("seat0").value || "bottom" };
  $("rule-set").replaceChildren(...rules.map(({ id, titles }) => made("option", { value: id }, inLanguage(titles))));
  $("rule-set").value = kept.rules;
  $("seat0").replaceChildren(...SEATS.map((side) => made("option", { value: side }, word(`page.setup.side.${side}`))));
  $("seat0").value = kept.seat0;
  showOptions();
  labelSeats();
}

async function begin(asked) {
  complain("");
  $("begin").disabled = $("sample").disabled = true;
  $("begin").textContent = word("page.setup.opening");
  const { chosen } = setup;
  setup.chosen = null; // once the table is open, whoever asks for pictures here needs its key
  const told = await ask("/api/setup/start", { lang: language ?? setup.offered.lang, ...asked });
  setup.chosen = told === null ? chosen : null;
  $("begin").disabled = $("sample").disabled = false;
  $("begin").textContent = word($("begin").dataset.word);
  if (told !== null) location.assign(told.page);
}

function beginChosen() {
  const names = [...document.querySelectorAll("#names input")].map((input) => input.value);
  const dealer = $("first-dealer").value;
  const first_dealer = dealer === "" ? null : Number(dealer);
  begin({ rules: $("rule-set").value, options: optionsChosen(), names, seat0: $("seat0").value, first_dealer, hurry: $("hurry").checked });
}

function startGame() {
  for (let seat = 0; seat < 4; seat += 1) {
    const input = made("input", { type: "text", maxlength: 40, autocomplete: "off" });
    $("names").append(made("label", {}, made("span"), input));
  }
  $("rule-set").addEventListener("change", showOptions);
  $("seat0").addEventListener("change", labelSeats);
  $("begin").addEventListener("click", beginChosen);
  $("sample").addEventListener("click", () => begin({ sample: true }));
}
