// The choice of a camera: plugged in, in the network, a phone, or a recording, also one that is sent from this browser.
import { inWords } from "/static/shared/asking.js";
import { $, button, find, findAll, made, onSubmit } from "/static/shared/elements.js";
import { networkNote } from "/static/shared/network.js";
import { listed, titleOf, word } from "/static/shared/words.js";
import { forgetPicture } from "./check.js";
import { SIDES, begin, nameAt, recallLast, showRunning, takeGame } from "./game.js";
import { BEGUN, EVENING_KEPT, ON_PHONE, answered, complain, goTo, keep, kept, loadOffered, noComplaint, offered, setup, sourceTap } from "./steps.js";
/** @import { SourceAsked } from "/static/page" */
/** @import { AskedSource, FoundCamera, TriedSource } from "/static/wire" */

/** @param {string} key */
const isFilm = (key) => /^(sample|file|recording-)/.test(key);

/** @param {string} key */
function opening(key) {
  setup.chosen = key;
  noComplaint();
  forgetPicture();
  showPhone(null);
  $("hurry-line").hidden = !isFilm(key);
  $("hurry").checked = false;
  for (const each of findAll(document, ".sources button[data-key]")) {
    each.setAttribute("aria-pressed", String(each.dataset.key === key));
  }
  find("main").classList.add("chosen");
  $("sample").classList.remove("main");
  $("empty").textContent = word("page.setup.opening");
  showEvening();
}

/** @param {string} text @param {HTMLElement} control */
function openingFailed(text, control) {
  setup.failed = setup.chosen;
  setup.chosen = null;
  showEvening();
  for (const each of document.querySelectorAll(".sources [aria-pressed]")) each.setAttribute("aria-pressed", "false");
  $("empty").textContent = word("page.setup.no_source");
  complain(text, control);
}

/** @param {string} key @param {SourceAsked} asked @param {HTMLElement} control */
async function choose(key, asked, control) {
  if (isFilm(key)) sessionStorage.removeItem(EVENING_KEPT); // a film is an evening of its own
  opening(key);
  $("stage").scrollIntoView({ block: "nearest" });
  const answer = await answered("/api/setup/source", { body: asked });
  if (setup.chosen !== key) return;
  if (!answer.ok) {
    openingFailed(answer.told.detail, control);
    return;
  }
  showPhone(answer.told);
  // A password in an address is not kept.
  if (asked.kind === "camera" || (asked.kind === "stream" && !asked.address.includes("@"))) keep({ source: { key, asked } });
}

// The camera of last time, where it may still be there.
function keptCamera() {
  const { source } = kept;
  const asked = source?.asked;
  const there = asked?.kind === "stream" || (asked?.kind === "camera" && offered().cameras.some(({ number }) => number === asked.number));
  return there ? source : undefined;
}

// Who comes back sees the same camera, people and rules as last time, and starts with one tap; what was played this evening comes first.
export async function lastTime() {
  const source = keptCamera();
  const { evening, running, tried } = offered();
  if (BEGUN !== null || ON_PHONE || running !== null || tried !== null || evening !== null || source === undefined || SIDES.every((side) => nameAt(side) === "")) return;
  await choose(source.key, source.asked, find(".sources button"));
  if (setup.chosen !== source.key) return;
  setup.again = true;
  goTo("start");
}

// The code stands below the button that asked for it.
/** @param {TriedSource | null} told */
function showPhone(told) {
  document.getElementById("phone")?.remove();
  setup.phone = told;
  if (!told?.qr || told.address === undefined) return;
  const code = made("div", { id: "phone-code" });
  code.innerHTML = told.qr;
  find("svg", code).setAttribute("role", "img");
  find("svg", code).setAttribute("aria-label", told.address);
  const link = made("a", { id: "phone-address", href: told.address, target: "_blank", rel: "noreferrer" }, told.address.split("#")[0]);
  const shown = made("div", { id: "phone" }, networkNote("page.setup.scan_phone"), code, link);
  if (!told.trusted) {
    shown.append(networkNote("page.setup.phone_warns"), networkNote("page.setup.own_certificate"),
      made("code", {}, "tilesight serve --cert FILE --cert-key FILE"));
  }
  sourceTap("phone")?.after(shown);
  shown.scrollIntoView({ block: "nearest" });
}

// How a source that is tried out is called on the page; what was sent from a browser is a file.
/** @param {AskedSource | null} asked */
function keyOf(asked) {
  if (asked === null) return "file";
  if (asked.kind === "camera") return `camera-${asked.number}`;
  return asked.kind === "recording" ? `recording-${asked.name}` : asked.kind;
}

/** @param {string} text @param {string} key @param {SourceAsked} asked */
function sourceButton(text, key, asked) {
  const tap = button(text, () => choose(key, asked, tap));
  tap.dataset.key = key;
  tap.setAttribute("aria-pressed", String(setup.chosen === key));
  return tap;
}

// A camera is known by what it sees now.
/** @param {FoundCamera} given */
function cameraButton({ number, name }) {
  const tap = sourceButton(name, `camera-${number}`, { kind: "camera", number });
  const image = made("img", { alt: "", src: setup.chosen === null ? `/api/setup/cameras/${number}/picture` : "" });
  image.addEventListener("error", () => image.removeAttribute("src"));
  tap.prepend(image);
  return tap;
}

function addressForm() {
  const input = made("input", { type: "text", "aria-label": word("page.setup.rtsp"), placeholder: word("page.setup.rtsp") });
  const form = made("form", {}, input, made("button", { type: "submit" }, word("page.setup.connect")));
  onSubmit(form, () => choose("stream", { kind: "stream", address: input.value.trim() }, input));
  return form;
}

// A request of the old kind, because it tells how much has been sent.
/** @param {File} file @param {HTMLElement} control */
function send(file, control) {
  sessionStorage.removeItem(EVENING_KEPT);
  opening("file");
  setup.sent = file.name;
  const request = new XMLHttpRequest();
  request.open("PUT", inWords(`/api/setup/recordings/${encodeURIComponent(file.name)}`));
  request.setRequestHeader("Content-Type", "application/octet-stream");
  request.upload.onprogress = ({ loaded, total }) => {
    $("empty").textContent = word("page.setup.sending", { percent: Math.floor((100 * loaded) / total) });
  };
  request.onload = () => {
    if (request.status !== 200) openingFailed(JSON.parse(request.responseText).detail, control);
  };
  request.onerror = () => openingFailed(word("page.setup.unreachable"), control);
  request.send(file);
}

// A record or public log is kept in the games' folder, and opened.
/** @param {File} file @param {HTMLElement} control */
async function sendRecord(file, control) {
  noComplaint();
  const headers = { "Content-Type": "application/octet-stream" };
  const options = { method: "PUT", headers, body: file };
  const answer = await fetch(inWords(`/api/setup/records/${encodeURIComponent(file.name)}`), options).catch(() => null);
  const told = await answer?.json().catch(() => null);
  if (!answer?.ok) { complain(told?.detail ?? word("page.setup.unreachable"), control); return; }
  await lookAgain();
  begin({ open: told }, find(`[data-record="${CSS.escape(told)}"]`, $("others")));
}

/** @param {string} says @param {string} accept @param {(file: File, input: HTMLInputElement) => void} taken */
function fileLabel(says, accept, taken) {
  const input = made("input", { type: "file", accept, "aria-label": says });
  input.addEventListener("change", () => { if (input.files?.length) taken(input.files[0], input); });
  return made("label", { class: "file" }, made("b", {}, says), input);
}

const fileInput = () => fileLabel(word("page.setup.send_file"), "video/*", send);
const recordInput = () => fileLabel(word("page.setup.send_record"), ".jsonl,.json,.mjson,.mjlog,.xml,.gz,.txt", sendRecord);

export function showSources() {
  const { cameras, evening, recordings, records, sample } = offered();
  const none = cameras.length === 0;
  $("sample").disabled = !sample;
  $("sample").classList.toggle("main", none && evening === null && setup.chosen === null);
  const opened = records.map((name) => {
    const tap = button(name, () => begin({ open: name }, tap));
    tap.dataset.record = name;
    return tap;
  });
  const again = made("p", { class: "none" }, none ? word("page.setup.no_camera") : "", " ", button(word("page.setup.look_again"), lookAgain));
  $("sources").replaceChildren(...cameras.map(cameraButton), sourceButton(word("page.setup.phone_camera"), "phone", { kind: "phone" }), again);
  $("others").replaceChildren(made("h3", {}, word("page.setup.network")), addressForm(), made("h3", {}, word("page.setup.recordings")),
    ...recordings.map((name) => sourceButton(name, `recording-${name}`, { kind: "recording", name })), fileInput(),
    made("h3", {}, word("page.setup.records")), recordInput(), ...opened);
  showEvening();
  if (setup.chosen === "phone" && setup.phone) showPhone(setup.phone);
}

// Where the pictures of an evening that goes on come from: what is tried out, the camera of last time, or one that is plugged in.
/** @returns {{ key: string, asked?: SourceAsked } | undefined} */
function sourceOfEvening() {
  const { chosen, failed } = setup;
  if (chosen !== null) return { key: chosen };
  const plugged = offered().cameras.map(({ number }) => ({ key: `camera-${number}`, asked: /** @type {SourceAsked} */ ({ kind: "camera", number }) }));
  return [keptCamera(), ...plugged].find((source) => source !== undefined && source.key !== failed);
}

// What was played this evening, and one tap to go on.
export function showEvening() {
  if (setup.offered === null) return;
  const { evening, running } = offered();
  $("evening").hidden = evening === null || running !== null;
  if (evening === null) return;
  $("evening-games").replaceChildren(...evening.games.map((game) => made("li", {}, made("b", {}, listed(game.names.filter(Boolean))),
    " ", made("span", {}, [titleOf(game.rules), ...(game.hands === 0 ? [] : [word("page.setup.evening_hands", { count: game.hands })]), ...(game.over ? [] : [word("page.setup.evening_open")])].join(" · ")))));
  const source = sourceOfEvening();
  $("go-on").dataset.word = source === undefined ? "page.setup.go_on_without" : "page.setup.go_on";
  $("go-on").textContent = word($("go-on").dataset.word ?? "");
  $("go-on").onclick = async () => {
    if (source === undefined) {
      begin({ open: evening.record }, $("go-on"));
      return;
    }
    takeGame(evening.games[evening.games.length - 1]);
    sessionStorage.setItem(EVENING_KEPT, evening.record);
    if (source.asked !== undefined) await choose(source.key, source.asked, $("go-on"));
    if (setup.chosen === source.key) goTo("start");
  };
}

// After a reload, the source that is tried out is still there.
/** @param {TriedSource | null} tried */
export function goOnWith(tried) {
  if (tried === null) return;
  setup.sent = tried.name;
  opening(keyOf(tried.asked));
  showPhone(tried);
}

export async function lookAgain() {
  if (!await loadOffered()) return;
  recallLast();
  showSources();
  showRunning();
}

// What is dropped anywhere on the page is a video, or else a record.
/** @param {DragEvent} event */
function onDrop(event) {
  document.body.classList.remove("dropping");
  const [file] = event.dataTransfer?.files ?? [];
  if (file === undefined) return;
  event.preventDefault();
  const video = file.type.startsWith("video/") || /\.(mp4|mkv|mov|avi|webm|m4v|mpg|ts)$/i.test(file.name);
  (video ? send : sendRecord)(file, $("camera-title"));
}

export function takeDropped() {
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => { if (event.relatedTarget === null) document.body.classList.remove("dropping"); });
  addEventListener("drop", onDrop);
}
