// What is asked of the server, and what it answers.
import { language } from "./words.js";

// The address of what the server words in the language of the page.
export const inWords = (path) => `${path}${path.includes("?") ? "&" : "?"}lang=${language}`;

// What an address answers; nobody answers with status 0. A body is sent as JSON, a key as whoever has it.
export async function answerOf(path, { body, method = body === undefined ? "GET" : "POST", key = "" } = {}) {
  const headers = { ...(key && { Authorization: `Bearer ${key}` }), ...(body !== undefined && { "Content-Type": "application/json" }) };
  const answer = await fetch(inWords(path), { method, headers, body: JSON.stringify(body) }).catch(() => null);
  return { ok: answer?.ok ?? false, status: answer?.status ?? 0, told: await answer?.json().catch(() => null) ?? null };
}

// Null for what is refused, and where nobody answers.
export async function toldOf(path, asked) {
  const { ok, told } = await answerOf(path, asked);
  return ok ? told : null;
}
