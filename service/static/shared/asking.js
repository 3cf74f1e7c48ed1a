// What is asked of the server, and what it answers.
import { language } from "./words.js";

/** @import { Answered, AnswerAt, Asked } from "/static/routes" */

// The address of what the server words in the language of the page.
/** @param {string} path */
export const inWords = (path) => `${path}${path.includes("?") ? "&" : "?"}lang=${language}`;

// What an address answers; nobody answers with status 0. A body is sent as JSON, a key as whoever has it.
/**
 * @template {string} Path
 * @template {Asked} [How={}]
 * @param {Path} path @param {How} [how]
 * @returns {Promise<Answered<AnswerAt<Path, How>>>}
 */
export async function answerOf(path, how) {
  const { body, method = body === undefined ? "GET" : "POST", key = "" } = how ?? {};
  const headers = new Headers();
  if (key) headers.set("Authorization", `Bearer ${key}`);
  if (body !== undefined) headers.set("Content-Type", "application/json");
  const answer = await fetch(inWords(path), { method, headers, body: JSON.stringify(body) }).catch(() => null);
  const told = await answer?.json().catch(() => null) ?? null; // of that type, as the server's own tests say
  return { ok: answer?.ok ?? false, status: answer?.status ?? 0, told, wait_s: Number(answer?.headers.get("Retry-After") ?? 0) };
}

// Null for what is refused, and where nobody answers.
/**
 * @template {string} Path
 * @template {Asked} [How={}]
 * @param {Path} path @param {How} [how]
 * @returns {Promise<AnswerAt<Path, How> | null>}
 */
export async function toldOf(path, how) {
  const answer = await answerOf(path, how);
  return answer.ok ? answer.told : null;
}
