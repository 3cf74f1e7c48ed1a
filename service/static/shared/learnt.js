// What this browser keeps of Learn and the lessons: it stays here, unless its player shares it with the teacher.
import { toldOf } from "./asking.js";

const READ_KEPT = "tilesight-learn";
const SOLVED_KEPT = "tilesight-lessons";
const WRONG_KEPT = "tilesight-lessons-wrong";
const MOST_WRONG = 5;
/** @typedef {{ rules: string, topic: string, tries: number, chosen: string }} Wrong */

/** @param {string} name @returns {Record<string, string[]>} */
export const kept = (name) => JSON.parse(localStorage.getItem(name) ?? "{}");
/** @param {string} name @param {string} rules @param {string[]} of */
export const keep = (name, rules, of) => localStorage.setItem(name, JSON.stringify({ ...kept(name), [rules]: of }));

/** @param {string} rules */
export const readOf = (rules) => kept(READ_KEPT)[rules] ?? [];
/** @param {string} rules */
export const solvedOf = (rules) => kept(SOLVED_KEPT)[rules] ?? [];
/** @param {string} rules @param {string} page */
export const keepRead = (rules, page) => keep(READ_KEPT, rules, [...new Set([...readOf(rules), page])]);
/** @param {string} rules @param {string} topic */
export const keepSolved = (rules, topic) => keep(SOLVED_KEPT, rules, [...new Set([...solvedOf(rules), topic])]);

/** @returns {Wrong[]} */
const wrongOnes = () => JSON.parse(localStorage.getItem(WRONG_KEPT) ?? "[]");
/** @param {Wrong} wrong */
export const keepWrong = (wrong) => localStorage.setItem(WRONG_KEPT, JSON.stringify([wrong, ...wrongOnes()].slice(0, MOST_WRONG)));

function progress() {
  const rules = [...new Set([...Object.keys(kept(READ_KEPT)), ...Object.keys(kept(SOLVED_KEPT))])];
  return { games: rules.map((each) => ({ rules: each, read: readOf(each), solved: solvedOf(each) })), wrong: wrongOnes() };
}

const key = () => location.hash.slice(1);
let shares = false; // nothing of it is sent before the server has said that this player shares

// What the player of this key says of sharing; by default nothing new.
/** @param {boolean | null} on */
export async function share(on = null) {
  const told = await toldOf("/api/sharing", { body: { on, progress: on === true || (on === null && shares) ? progress() : null }, key: key() });
  if (told !== null) shares = told.on;
  return shares;
}

// Whether the player of this key shares; nobody shares without a seat.
export async function sharesNow() {
  shares = key() !== "" && ((await toldOf("/api/sharing", { key: key() }))?.on ?? false);
  return shares;
}

// After something was learnt: the teacher hears of it, where the player still shares. Another page of the player may have
// ended it, or the table: so that is asked first, and nothing leaves this device before.
export async function tellTeacher() {
  if (shares && await sharesNow()) await share();
  return shares;
}
