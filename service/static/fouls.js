// Fouls and other irregular events with what they cost, and people's rulings on them.
"use strict";

async function openFouls() {
  openDialog([word("page.mend.fouls")]);
  const told = await ask("/api/fouls");
  if (told === null) return;
  const list = made("ul", { class: "fouls" });
  for (const one of told.fouls) {
    const at = { of: one.number, place: one.place, lines: told.lines };
    const line = made("li", {}, made("span", {}, ...inLanguage(one.told).map(drawnPart)));
    for (const text of inLanguage(one.said)) line.append(made("p", {}, text));
    if (one.confirmed) line.append(made("em", {}, word("page.mend.confirmed")));
    if (!mending.allowed) {
      list.append(line);
      continue;
    }
    if (!one.confirmed) line.append(button(word("page.mend.confirm"), () => change("/api/fouls", { ...at, do: "confirm" })));
    if (one.foul) {
      line.append(button(word("page.mend.cancel"), () => change("/api/fouls", { ...at, do: "cancel" })));
    } else line.append(button(word("page.mend.correct"), () => openEvent(one.number, one.place)));
    list.append(line);
  }
  const found = told.fouls.length ? [...(mending.allowed ? [whoRules()] : []), list] : [made("p", {}, word("page.mend.no_fouls"))];
  $("mend-content").replaceChildren(...found);
}
