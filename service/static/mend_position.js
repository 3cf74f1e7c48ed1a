// How the game and the hand began: players, dealer, round and counters, wherever they stand in the list.
"use strict";

const BEGINNINGS = ["game_start", "hand_start", "position"];

async function openPosition() {
  openDialog([word("page.mend.position")]);
  const told = await ask("/api/events");
  if (told === null) return;
  const last = BEGINNINGS.map((type) => told.events.filter(({ event }) => event.type === type).at(-1));
  const [game, hand, position] = last;
  const of = [game, hand, position !== undefined && position.number > (hand?.number ?? 0) ? position : undefined];
  const shown = of.filter((each) => each !== undefined).map((each) =>
    made("li", {}, made("b", {}, word(`page.mend.type.${each.event.type}`)), " ", eventButton(each)));
  $("mend-content").replaceChildren(shown.length > 0 ? made("ul", { class: "beginnings" }, ...shown)
    : made("p", {}, word("page.mend.no_game")));
}

// The rule set and its house rules; other rules begin with their own.
function rulesField(event, offered, set) {
  const house = made("div", { class: "house" });
  const showOptions = () => {
    const { options } = offered.find(({ id }) => id === event.rules);
    const controls = options.map((option) => ({ option, ...optionControl(option, event.options?.[option.name] ?? option.default) }));
    house.replaceChildren(...controls.map((each) => each.shown));
    house.onchange = () => set("options", optionsTold(controls));
  };
  const rules = choice(offered.map(({ id }) => id), offered.map(({ titles }) => inLanguage(titles)));
  rules.setAttribute("aria-label", fieldWord("rules"));
  rules.value = event.rules;
  rules.addEventListener("change", () => {
    delete event.options;
    set("rules", rules.value);
    showOptions();
  });
  showOptions();
  return made("div", {}, rules, made("details", {}, made("summary", {}, word("page.setup.house_rules")), house));
}
