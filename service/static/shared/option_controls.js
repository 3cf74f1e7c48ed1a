// A control for each house rule; it knows what it stands for.
import { choice, made } from "./elements.js";
import { WORDS, listed, word } from "./words.js";
/** @import { OptionControl } from "/static/page" */
/** @import { OptionOffered } from "/static/wire" */

/** @param {OptionOffered} option */
const optionWord = (option) => word(`option.${option.name}`);

// A number, or a proper name, is the same in every language.
/** @param {unknown} value */
function valueWord(value) {
  const key = `option_value.${value}`;
  return key in WORDS ? word(key) : String(value);
}

// A value in words: on or off, several, or one.
/** @param {unknown} value */
export function valueWords(value) {
  if (typeof value === "boolean") return word(value ? "page.setup.yes" : "page.setup.no");
  if (Array.isArray(value)) return value.length === 0 ? word("page.setup.none") : listed(value.map(valueWord));
  return valueWord(value);
}

/** @param {OptionOffered} option @param {unknown} value @returns {OptionControl} */
export function optionControl(option, value) {
  const id = `option-${option.name}`;
  const label = made("label", { for: id }, optionWord(option));
  if (typeof option.default === "boolean") {
    const box = made("input", { type: "checkbox", id });
    box.checked = value === true;
    label.className = "tick";
    label.prepend(box);
    return { shown: label, read: () => box.checked };
  }
  if (Array.isArray(option.default) && option.values.length > 0) return severalOf(option, Array.isArray(value) ? value : []);
  if (Array.isArray(option.default)) return numbersOf(option, Array.isArray(value) ? value : []);
  if (option.values.length === 0 || option.numbers) return numberOf(option, value, id, label);
  const select = choice(option.values.map(String), option.values.map((each) => valueWord(each)));
  select.id = id;
  select.value = String(value);
  const read = () => option.values.find((each) => String(each) === select.value);
  return { shown: made("div", { class: "option" }, label, select), read };
}

const MANY = 6; // more than these wait behind a tap, which says what is chosen

/** @param {OptionOffered} option @param {unknown[]} value */
function severalOf(option, value) {
  const group = made("fieldset", { id: `option-${option.name}`, class: "option", tabindex: -1 });
  const boxes = option.values.map((each) => {
    const box = made("input", { type: "checkbox", value: String(each) });
    box.checked = value.includes(each);
    group.append(made("label", { class: "tick" }, box, valueWord(each)));
    return box;
  });
  const read = () => boxes.filter((box) => box.checked).map((box) => box.value);
  if (boxes.length <= MANY) {
    group.prepend(made("legend", {}, optionWord(option)));
    return { shown: group, read };
  }
  const chosen = made("b", {}, valueWords(read()));
  group.setAttribute("aria-label", optionWord(option));
  group.addEventListener("change", () => chosen.replaceChildren(valueWords(read())));
  return { shown: made("details", { class: "many" }, made("summary", {}, `${optionWord(option)}: `, chosen), group), read };
}

/** @param {OptionOffered} option @param {unknown[]} value */
function numbersOf(option, value) {
  const group = made("fieldset", { id: `option-${option.name}`, class: "option", tabindex: -1 }, made("legend", {}, optionWord(option)));
  const inputs = value.map((each, at) => {
    const label = `${optionWord(option)} ${at + 1}`;
    const input = made("input", { type: "number", required: "", value: String(each), "aria-label": label });
    group.append(input);
    return input;
  });
  return { shown: group, read: () => inputs.map((input) => Number(input.value)) };
}

// A number, or one of a few words that stand for none.
/** @param {OptionOffered} option @param {unknown} value @param {string} id @param {HTMLElement} label */
function numberOf(option, value, id, label) {
  const none = option.values.find((each) => typeof each === "string");
  const placeholder = none === undefined ? "" : valueWord(none);
  const input = made("input", { type: "number", id, min: 1, placeholder });
  if (typeof value === "number") input.value = String(value);
  input.required = none === undefined;
  const read = () => (input.value === "" && none !== undefined ? none : Number(input.value));
  return { shown: made("div", { class: "option" }, label, input), read };
}

// Only what differs from the rules is told: the record stays short, and true if a default changes.
/** @param {{ option: OptionOffered; read: () => unknown }[]} controls @returns {Record<string, unknown>} */
export function optionsTold(controls) {
  /** @type {Record<string, unknown>} */
  const told = {};
  for (const { option, read } of controls) {
    const value = read();
    if (JSON.stringify(value) !== JSON.stringify(option.default)) told[option.name] = value;
  }
  return told;
}
