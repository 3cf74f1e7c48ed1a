// What pages say: WORDS has the texts of one language by key; "language" is which.
import * as catalogue from "/static/words/catalogue.js";
import { $, findAll, made } from "./elements.js";
/** @import { Place, Values } from "/static/page" */
/** @import { Shows } from "/static/wire" */

const LANGUAGE_KEPT = "tilesight-language"; // a cookie: the server words what it sends in this language
const KEPT_S = 365 * 24 * 3600;

export let { language, LANGUAGES, WORDS, TERMS } = catalogue;

// A game may have words of its own: "VOCABULARY:KEY" takes the place of "KEY".
let vocabulary = "";

/** @param {Shows} shows */
export function speakAs(shows) {
  if (vocabulary === shows.vocabulary) return;
  ({ vocabulary } = shows);
  translatePage();
}

/** @param {string} key @param {Values} values */
export function word(key, values = {}) {
  const of = /** @type {Record<string, unknown>} */ (values);
  const said = WORDS[`${vocabulary}:${key}`] ?? WORDS[key] ?? key;
  // "{count:1 film|% films}" is the first form of 1, the second of every other number.
  return said.replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (/** @type {string} */ _, /** @type {string} */ name, /** @type {string} */ single, /** @type {string | undefined} */ many) =>
    many === undefined ? String(of[name]) : (Number(of[name]) === 1 ? single : many).replaceAll("%", String(of[name])));
}

// Who has no name is called by the colour of the seat; the server says "Seat" to programs.
/** @param {string[]} names @param {number} seat */
export function nameOf(names, seat) {
  const name = names[seat] ?? "";
  return [`Seat ${seat}`, ""].includes(name) ? word(`seat.colour.${seat}`) : name;
}

// Parts of a list, and what something is beside its name, with the punctuation of the language.
/** @param {readonly unknown[]} parts */
export const listed = (parts) => parts.join(word("page.between"));
/** @param {unknown} label @param {unknown} value */
export const labelled = (label, value) => word("page.labelled", { label, value });

// One sentence after the other: only some languages put a space between them.
/** @param {string[]} told */
export const sentences = (...told) => told.filter(Boolean).reduce((one, other) => (one === "" ? other : word("page.sentences", { one, other })), "");

// A figure with the sign that is as wide as "+".
/** @param {number | string} value */
export const figure = (value) => String(value).replace("-", "−");
/** @param {number} share */
export const percent = (share) => word("page.percent", { value: Math.round(100 * share) });
/** @param {number} value */
export const signed = (value) => (value > 0 ? "+" : "") + figure(value);

/** @param {unknown} place @param {unknown[]} among */
export const isShared = (place, among) => among.filter((one) => one === place).length > 1;
// "2.", or "=2." where several share the place.
/** @param {number} place @param {number[]} among */
export const placeAmong = (place, among) => word(isShared(place, among) ? "place.shared" : "place", { place });
/** @param {number} place @param {number[]} among */
export const shortPlaceAmong = (place, among) => `${isShared(place, among) ? "=" : ""}${word("place.short", { place })}`;

// "East 2, 3 honba", or the number of the hand where a game has no rounds; a table and a finished hand are asked alike.
/** @param {Place} hand @param {Shows} shows */
export function placeOf(hand, shows) {
  if (!shows.round) return word("page.hand", { count: hand.hand ?? hand.number });
  const number = ((hand.dealer - hand.first_dealer + 4) % 4) + 1;
  const place = word("page.round_hand", { wind: word(`wind.${hand.round}`), number });
  return shows.honba && hand.honba > 0 ? place + word("page.and_honba", { count: hand.honba }) : place;
}

/** @param {string[]} names */
export const namesOf = (names) => names.map((_, seat) => nameOf(names, seat));

// What has more to say in English than it has words for, such as a figure, says it there.
/** @param {HTMLElement} element */
export function wordsOf(element) {
  const { word: key, english } = element.dataset;
  return (language === "en" && english) || word(key ?? "", element.dataset);
}

// A word that is said anew where another language is chosen while it stands there.
/** @param {string} key */
export const worded = (key) => made("span", { "data-word": key }, word(key));

// What a rule set is called: by its id where nobody knows it.
/** @param {string} rules */
export const titleOf = (rules) => (`rules.${rules}.title` in WORDS ? word(`rules.${rules}.title`) : rules);

/** @param {string} rules */
export function showRules(rules) {
  $("rules").dataset.rules = rules;
  $("rules").textContent = titleOf(rules);
}

// "data-word" is what an element says, "data-label" what a screen reader calls it.
export function translatePage() {
  document.documentElement.lang = word("language.tag");
  for (const each of findAll(document, "[data-word]")) {
    each.textContent = wordsOf(each);
  }
  for (const each of findAll(document, "[data-rules]")) {
    each.textContent = titleOf(each.dataset.rules ?? "");
  }
  for (const each of findAll(document, "[data-label]")) {
    each.setAttribute("aria-label", word(each.dataset.label ?? ""));
  }
}

const chosenLanguage = () => document.cookie.match(`${LANGUAGE_KEPT}=(\\w+)`)?.[1] ?? "";

let asks = 0;

// The texts of another language take the place of those that are there: by default, of the one that was chosen. False where another one was asked for meanwhile.
export async function loadWords(lang = chosenLanguage()) {
  const ask = asks += 1;
  try {
    const texts = /** @type {typeof catalogue} */ (await import(`/static/words/catalogue.js?lang=${lang}`));
    if (ask !== asks) return false;
    ({ language, LANGUAGES, WORDS, TERMS } = texts);
    return true;
  } catch (error) {
    if (ask !== asks) return false;
    throw error;
  }
}

/** @param {string} lang */
function keepLanguage(lang) {
  document.cookie = `${LANGUAGE_KEPT}=${lang}; path=/; max-age=${KEPT_S}; samesite=lax`;
}

// "changed" asks anew for what the server words, and draws it.
/** @param {string} lang @param {() => unknown} changed */
async function speakIn(lang, changed) {
  keepLanguage(lang); // at once: whoever goes on to another page meanwhile has chosen it
  try {
    if (!await loadWords(lang)) return;
  } catch (error) {
    keepLanguage(language);
    throw error;
  }
  translatePage();
  await changed();
  if (language === lang) document.documentElement.dataset.language = lang;
}

/** @param {() => unknown} changed */
export function offerLanguages(changed) {
  const choice = $("language");
  for (const [lang, { name, tag }] of Object.entries(LANGUAGES)) {
    const option = new Option(name, lang);
    option.lang = tag;
    choice.add(option);
  }
  choice.value = language;
  choice.addEventListener("change", () => speakIn(choice.value, changed).catch(() => { choice.value = language; }));
}

document.documentElement.dataset.language = language;
translatePage();
