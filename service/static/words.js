// What pages say: WORDS, of catalogue.js, has the texts of every language by key.
"use strict";

const LANGUAGE_KEPT = "tilesight-language";

// English is what browsers ask for when nobody has set them: it is no choice, and the table's language goes before it.
function languageOfBrowser() {
  const known = navigator.languages.map((tag) => tag.split("-")[0]).find((lang) => lang in WORDS);
  return known === undefined || known === "en" ? null : known;
}

let language = localStorage.getItem(LANGUAGE_KEPT);
if (!(language in WORDS)) language = languageOfBrowser();

// A game may have words of its own: "VOCABULARY:KEY" takes the place of "KEY".
let vocabulary = "";

function speakAs(shows) {
  if (vocabulary === shows.vocabulary) return;
  ({ vocabulary } = shows);
  translatePage();
}

function word(key, values = {}) {
  const words = WORDS[language ?? "en"];
  const said = words[`${vocabulary}:${key}`] ?? words[key] ?? key;
  // "{count:1 film|% films}" is the first form of 1, the second of every other number.
  return said.replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (_, name, single, many) =>
    many === undefined ? values[name] : (Number(values[name]) === 1 ? single : many).replaceAll("%", values[name]));
}

// Who has no name is called by the seat; the server does so in English.
function nameOf(names, seat) {
  return [`Seat ${seat}`, ""].includes(names[seat]) ? word("seat.title", { seat }) : names[seat];
}

// A figure with the sign that is as wide as "+".
const figure = (value) => String(value).replace("-", "−");
const signed = (value) => (value > 0 ? "+" : "") + figure(value);

const isShared = (place, among) => among.filter((one) => one === place).length > 1;
// "2.", or "=2." where several share the place.
const placeAmong = (place, among) => word(isShared(place, among) ? "place.shared" : "place", { place });
const shortPlaceAmong = (place, among) => `${isShared(place, among) ? "=" : ""}${word("place.short", { place })}`;

// "East 2, 3 honba", or the number of the hand where a game has no rounds; a table and a finished hand are asked alike.
function placeOf(hand, shows) {
  if (!shows.round) return word("page.hand", { count: hand.hand ?? hand.number });
  const number = ((hand.dealer - hand.first_dealer + 4) % 4) + 1;
  const place = word("page.round_hand", { wind: word(`wind.${hand.round}`), number });
  return shows.honba && hand.honba > 0 ? place + word("page.and_honba", { count: hand.honba }) : place;
}

const namesOf = (names) => names.map((_, seat) => nameOf(names, seat));

// What has more to say in English than it has words for, such as a figure, says it there.
function wordsOf(element) {
  const { word: key, english } = element.dataset;
  return ((language ?? "en") === "en" && english) || word(key, element.dataset);
}

const inLanguage = (texts) => texts[language ?? "en"];

// What the server says in every language is kept on the element, so that it changes with the language.
function showTexts(element, texts) {
  element.dataset.texts = JSON.stringify(texts);
  element.textContent = inLanguage(texts);
}

// "data-word" is what an element says, "data-label" what a screen reader calls it.
function translatePage() {
  document.documentElement.lang = word("language.tag");
  for (const each of document.querySelectorAll("[data-word]")) {
    each.textContent = wordsOf(each);
  }
  for (const each of document.querySelectorAll("[data-texts]")) {
    each.textContent = inLanguage(JSON.parse(each.dataset.texts));
  }
  for (const each of document.querySelectorAll("[data-label]")) {
    each.setAttribute("aria-label", word(each.dataset.label));
  }
}

// Where neither a person nor the browser chooses, the page speaks the language that the table was started with.
function proposeLanguage(lang) {
  if (language !== null || !(lang in WORDS)) return;
  language = lang;
  document.getElementById("language").value = lang;
  translatePage();
}

function offerLanguages(changed) {
  const choice = document.getElementById("language");
  for (const [lang, words] of Object.entries(WORDS)) {
    const option = new Option(words["language.name"], lang);
    option.lang = words["language.tag"];
    choice.add(option);
  }
  if (language !== null) choice.value = language;
  choice.addEventListener("change", () => {
    language = choice.value;
    localStorage.setItem(LANGUAGE_KEPT, language);
    translatePage();
    changed();
  });
  translatePage();
}

translatePage();
