// What pages say: WORDS, of catalogue.js, has the texts of one language by key; "language" is which.
"use strict";

const LANGUAGE_KEPT = "tilesight-language"; // a cookie: the server words what it sends in this language
const KEPT_S = 365 * 24 * 3600;

// A game may have words of its own: "VOCABULARY:KEY" takes the place of "KEY".
let vocabulary = "";

function speakAs(shows) {
  if (vocabulary === shows.vocabulary) return;
  ({ vocabulary } = shows);
  translatePage();
}

function word(key, values = {}) {
  const said = WORDS[`${vocabulary}:${key}`] ?? WORDS[key] ?? key;
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
  return (language === "en" && english) || word(key, element.dataset);
}

const inLanguage = (texts) => texts[language];

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

// The texts of another language take the place of those that are there: by default, of the one that was chosen.
function loadWords(lang = "") {
  return new Promise((done, failed) => {
    const script = document.createElement("script");
    Object.assign(script, { async: false, src: `/static/words/catalogue.js?lang=${lang}`, onload: done, onerror: failed });
    document.head.append(script);
  });
}

// "changed" asks anew for what the server words, and draws it.
async function speakIn(lang, changed) {
  document.cookie = `${LANGUAGE_KEPT}=${lang}; path=/; max-age=${KEPT_S}; samesite=lax`;
  await loadWords(lang);
  translatePage();
  await changed();
  document.documentElement.dataset.language = language;
}

function offerLanguages(changed) {
  const choice = document.getElementById("language");
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
