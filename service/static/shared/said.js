// Announcements on any page: the newest ones large, payouts with what they consist of.
import { inWords } from "./asking.js";
import { $, findAll, made } from "./elements.js";
import { language, word, wordsOf } from "./words.js";
/** @import { AnnouncementView, EventView, StatusView } from "/static/wire" */

export const RETRY_MS = 1500;
const CROWDED = 4029;
/** @param {string} path */
export const address = (path) =>
  `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${inWords(path)}`;

// The word is kept on the element, so that it changes with the language. What is amiss stands in the slot, too.
/** @param {string} state @param {string} text @param {string} wordKey */
export function setStatus(state, text, wordKey = "") {
  for (const element of [$("status"), $("trouble")].filter(Boolean)) {
    Object.assign(element.dataset, { state, english: text, time: state === "catching" ? element.dataset.time : new Date().toTimeString().slice(0, 5) });
    if (wordKey) element.dataset.word = wordKey;
    else delete element.dataset.word;
    element.textContent = wordKey ? wordsOf(element) : text;
  }
  if ($("trouble") !== null) $("trouble").hidden = !["failed", "connecting"].includes(state);
}

// Who is turned away, because too many pages are open with one key, is told so; whose key opens nothing any more sees just that.
/** @param {{ code: number }} given */
export function showClosed({ code }) {
  fetch(location.pathname).then(({ status }) => { if ([401, 403].includes(status)) location.reload(); }, () => null);
  setStatus("connecting", "", code === CROWDED ? "page.crowded" : "page.offline");
}

/**
 * @typedef {object} Line
 * @property {WebSocket | null} socket @property {number | undefined} again @property {string} path
 * @property {(message: any) => void} heard @property {(socket: WebSocket) => void} opened @property {(event: CloseEvent) => unknown} closed
 */
/** @type {Line} */
let line = { socket: null, again: undefined, path: "", heard: () => {}, opened: () => {}, closed: () => false }; // over which this page hears

// What comes over a socket, again and again; "closed" is true for what ends it for good.
/**
 * @template Message
 * @param {string} path @param {(message: Message) => void} heard
 * @param {(socket: WebSocket) => void} opened @param {(event: CloseEvent) => unknown} closed
 */
export function listenTo(path, heard, opened = () => setStatus("watching", "", "page.hall.live"), closed = () => false) {
  const socket = new WebSocket(address(path));
  line = { socket, again: undefined, path, heard, opened, closed };
  socket.onopen = () => opened(socket);
  socket.onmessage = (event) => { if (line.socket === socket) line.heard(JSON.parse(event.data)); };
  socket.onclose = (event) => {
    if (line.socket !== socket || closed(event)) return;
    showClosed(event);
    line.again = setTimeout(listenTo, RETRY_MS, path, heard, opened, closed);
  };
}

// In another language all is told anew; done once its first message is shown.
export function listenAgain() {
  const { socket, again, path, heard, opened, closed } = line;
  if (path === "") return null;
  clearTimeout(again);
  line.socket = null;
  socket?.close();
  listenTo(path, heard, opened, closed);
  return new Promise((/** @type {(of?: undefined) => void} */ told) => {
    line.heard = (message) => { line.heard = heard; heard(message); told(); };
  });
}

/** @param {StatusView} status */
export function showStatus(status) {
  document.body.classList.toggle("over", status.ended);
  if ($("film-over") !== null) $("film-over").hidden = !status.ended;
  if (status.problem) {
    setStatus("failed", status.problem, status.trouble_kind ? `page.trouble.${status.trouble_kind}` : "");
  }
  else if (status.ended) setStatus("ended", "", "page.over");
  else setStatus("watching", "", "page.watching");
}

/** @param {number | null} seconds */
export function clock(seconds) {
  if (seconds === null) return "";
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

/** @param {AnnouncementView} one */
export function announcement(one) {
  const line = made("li", { class: one.kind, "data-of": one.of }, one.text);
  if (one.kind === "payout") {
    line.append(made("details", {}, made("summary", {}, word("page.why")), made("ul", {}, ...(one.rows ?? []).map((row) => made("li", {}, row)))));
  }
  return line;
}

/** @type {WeakMap<Element, string>} */
const saying = new WeakMap(); // what the line of a list says

// The newest row stands on top. What stays is left alone: no tap and no focus is lost, and nothing is read out twice.
/**
 * @template Row
 * @param {HTMLElement} list @param {Row[]} rows @param {(row: Row) => Element} make
 */
function showRows(list, rows, make) {
  const before = new Map([...list.children].map((line) => [saying.get(line), line]));
  const lines = rows.toReversed().map((row) => {
    const says = JSON.stringify([language, row]);
    const line = before.get(says) ?? make(row);
    before.delete(says); // two rows that say the same are two lines
    saying.set(line, says);
    return line;
  });
  for (const line of [...list.children]) if (!lines.includes(line)) line.remove();
  lines.forEach((line, at) => { if (list.children[at] !== line) list.insertBefore(line, list.children[at] ?? null); });
}

// All that the last event made known is large.
/** @param {AnnouncementView[]} announced */
export function showSaid(announced) {
  showRows($("said"), announced, announcement);
  for (const line of findAll($("said"), "li[data-of]")) line.classList.toggle("newest", line.dataset.of === String(announced.at(-1)?.of));
}

// In the list of events, announcements stand with the one that they follow from.
/** @param {{ happened: EventView[]; announced: AnnouncementView[] }} given @param {(event: EventView) => HTMLElement} make */
export function showEvents({ happened, announced }, make) {
  const last = new Map(happened.map((event, at) => [event.number, at]));
  const rows = happened.map((event, at) => ({ event, followed: last.get(event.number) === at ? announced.filter(({ of }) => of === event.number) : [] }));
  showRows($("events"), rows, ({ event, followed }) => {
    const line = make(event);
    if (followed.length > 0) line.append(made("ul", { class: "followed" }, ...followed.map(announcement)));
    return line;
  });
}
