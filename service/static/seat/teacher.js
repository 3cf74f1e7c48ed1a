// One person follows four learners: what each shares from the own phone, the lessons for the evening, its report.
import { answerOf, toldOf } from "/static/shared/asking.js";
import { device } from "/static/shared/device.js";
import { $, button, made, ready } from "/static/shared/elements.js";
import { enter } from "/static/shared/enter.js";
import { loadTiles, tileCounted, tileDrawn } from "/static/shared/tiles.js";
import { nameOf, offerLanguages, showRules, word } from "/static/shared/words.js";
/** @import { Child } from "/static/page" */
/** @import { LearnerHand, LearnerReport, LearnerView, TeacherView, WrongView } from "/static/wire" */

const ASK_MS = 3000;
const TILE = /^[0-9][mpszf]$/;
const key = location.hash.slice(1);
/** @type {{ told: TeacherView | null, reports: LearnerReport[] | null, topics: string[], set: string[], asks: number, waits: number, drawn: string }} */
const view = { told: null, reports: null, topics: [], set: [], asks: 0, waits: 0, drawn: "" };

/** @param {string} text @returns {Child} */
const drawn = (text) => (TILE.test(text) ? tileDrawn(text) : text);

/** @param {string[]} texts @returns {Child[]} */
const listed = (texts) => texts.flatMap((text, at) => (at === 0 ? [drawn(text)] : [" / ", drawn(text)]));

function showTopics() {
  $("topics").replaceChildren(...view.topics.map((topic) => {
    const on = view.set.includes(topic);
    const tap = button(`${on ? "★ " : ""}${word(`page.lessons.topic.${topic}`)}`, () => setTopic(topic));
    tap.setAttribute("aria-pressed", String(on));
    return tap;
  }));
}

/** @param {string} topic */
async function setTopic(topic) {
  const topics = view.set.includes(topic) ? view.set.filter((each) => each !== topic) : [...view.set, topic];
  view.set = await toldOf("/api/lessons", { body: { topics }, key }) ?? view.set;
  showTopics();
}

/** @param {LearnerHand} given */
function handDrawn({ hand, apart, melds, waits, unseen, why }) {
  const tiles = [...hand];
  if (apart !== null && tiles.includes(apart) && tiles.length % 3 === 2) tiles.splice(tiles.lastIndexOf(apart), 1);
  else apart = null;
  const last = apart === null ? [] : [tileDrawn(apart)];
  for (const tile of last) tile.classList.add("apart");
  const sets = melds.map((meld) => made("span", { class: "laid" }, ...meld.map(tileDrawn)));
  return [
    ...(hand.length + sets.length > 0 ? [made("p", { class: "hand" }, ...tiles.map(tileDrawn), ...last, ...sets)] : []),
    ...(unseen ? [made("p", {}, word("page.teacher.hidden"))] : []),
    ...(waits.length > 0 ? [made("p", {}, word("page.seat.waits"), " ", ...waits.map(tileCounted))] : []),
    ...(why === null ? [] : [made("p", { class: "why" }, why)]),
  ];
}

/** @param {WrongView} given */
function wrongLine({ topic, chosen, right }) {
  return made("li", {}, `${word(`page.lessons.topic.${topic}`)}: `, drawn(chosen), ` ${word("page.teacher.right")} `, ...listed(right));
}

/** @param {LearnerView} learner @param {string} name */
function learnerCard({ shares, learnt, wrong, hand }, name) {
  if (!shares) return made("article", { class: "learner silent" }, made("h2", {}, name), made("p", {}, word("page.teacher.not_shared")));
  const far = learnt.map(({ title, read, pages, solved, of }) => made("li", {}, word("page.teacher.progress", { title, read, pages, solved: solved.length, of })));
  return made("article", { class: "learner" }, made("h2", {}, name),
    ...(hand === null ? [] : handDrawn(hand)),
    made("h3", {}, word("page.lessons")), made("ul", {}, ...(far.length > 0 ? far : [made("li", {}, word("page.teacher.nothing_yet"))])),
    ...(wrong.length > 0 ? [made("h3", {}, word("page.teacher.wrong")), made("ul", {}, ...wrong.map(wrongLine))] : []));
}

// What stands is drawn anew only where it has changed: no tap is lost, and nothing is read out twice.
function showLearners() {
  const { told } = view;
  $("learners").hidden = told === null;
  $("evening").hidden = told === null || told.plays;
  if (told === null) return;
  const now = JSON.stringify([told.learners, told.names, document.documentElement.lang]);
  if (now === view.drawn) return;
  view.drawn = now;
  showRules(told.rules);
  $("learners").replaceChildren(...told.learners.map((learner) => learnerCard(learner, nameOf(told.names, learner.seat))));
}

/** @param {LearnerReport} report @param {string[]} names */
function reportDrawn({ seat, kinds, well, cost, practise, rules, topic }, names) {
  const lesson = topic === null ? practise : made("a", { href: `/lessons?${new URLSearchParams({ rules, topic })}${location.hash}` }, practise);
  const said = kinds.map(({ kind, count, hand }) => word("page.teacher.kinds", { kind: word(`page.teacher.kind.${kind}`), count, hand }));
  return made("article", {}, made("h3", {}, nameOf(names, seat)),
    made("ol", {}, made("li", {}, well), made("li", {}, cost), made("li", {}, lesson)),
    ...(said.length > 0 ? [made("p", { class: "kinds" }, said.join(" · "))] : []));
}

function showReports() {
  const { reports, told } = view;
  $("print").hidden = !reports?.length;
  if (reports === null || told === null) return;
  $("making").textContent = reports.length > 0 ? "" : word("page.teacher.nobody");
  $("reports").replaceChildren(...reports.map((report) => reportDrawn(report, told.names)));
}

async function makeReports() {
  $("make").disabled = true;
  $("making").textContent = word("page.teacher.making");
  const answer = await answerOf("/api/teacher/report", { body: { device: device() }, key });
  $("make").disabled = false;
  $("making").textContent = answer.ok ? "" : answer.told?.detail ?? word("page.offline");
  if (answer.ok) view.reports = answer.told;
  showReports();
}

/** @param {string} said */
function say(said) {
  if ($("problem").textContent === said) return; // it is not read out again
  $("problem").hidden = said === "";
  $("problem").textContent = said;
}

// Before a table is open, lessons are set and nobody is there yet; at a table, the teacher's key is needed.
/** @param {boolean} before */
async function askBefore(before) {
  const told = before ? await toldOf("/api/lessons", { key }) : { topics: [], set: [] };
  if (told === null) { say(word("page.offline")); return; }
  Object.assign(view, { told: null, topics: told.topics, set: told.set });
  say(word(before ? "page.teacher.before" : "page.refused.teacher"));
  $("set").hidden = !before;
  showTopics();
  showLearners();
}

async function ask() {
  const mine = ++view.asks;
  view.waits += 1;
  const answer = await answerOf("/api/teacher", { body: { device: device() }, key });
  view.waits -= 1;
  if (mine !== view.asks) return;
  if (answer.status === 0) { say(word("page.offline")); return; }
  if (!answer.ok) {
    Object.assign(view, { told: null, drawn: "" });
    showLearners();
    await askBefore(answer.status === 404 || answer.status === 405);
    return;
  }
  const { told } = answer;
  const changed = JSON.stringify([view.topics, view.set]) !== JSON.stringify([told.topics, told.set]);
  Object.assign(view, { told, topics: told.topics, set: told.set });
  $("set").hidden = false;
  say(told.plays ? word("page.teacher.plays") : "");
  if (changed) showTopics();
  showLearners();
}

async function tellAgain() {
  showTopics();
  showLearners();
  await ask();
  if (view.reports !== null) await makeReports();
}

async function start() {
  for (const link of [$("to-table"), $("to-learn")]) link.hash = key;
  await loadTiles();
  offerLanguages(tellAgain);
  $("make").addEventListener("click", makeReports);
  $("print").addEventListener("click", () => print());
  addEventListener("hashchange", () => location.reload());
  await enter();
  ready();
  await ask();
  setInterval(() => { if (!document.hidden && view.waits === 0) ask(); }, ASK_MS);
}

start();
