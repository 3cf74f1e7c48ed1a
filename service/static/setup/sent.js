// Recordings, records and logs that are sent from this browser, chosen or dropped on the page.
import { $, find, made } from "/static/shared/elements.js";
import { word } from "/static/shared/words.js";
import { begin } from "./game.js";
import { loadOffered, opening, openingFailed } from "./source.js";
import { complain, noComplaint, setup } from "./steps.js";

// A request of the old kind, because it tells how much has been sent.
/** @param {File} file @param {HTMLElement} control */
function send(file, control) {
  opening("file");
  setup.sent = file.name;
  const request = new XMLHttpRequest();
  request.open("PUT", `/api/setup/recordings/${encodeURIComponent(file.name)}`);
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
  const answer = await fetch(`/api/setup/records/${encodeURIComponent(file.name)}`, options).catch(() => null);
  const told = await answer?.json().catch(() => null);
  if (!answer?.ok) { complain(told?.detail ?? word("page.setup.unreachable"), control); return; }
  await loadOffered();
  begin({ open: told }, find(`[data-record="${CSS.escape(told)}"]`, $("others")));
}

/** @param {string} says @param {string} accept @param {(file: File, input: HTMLInputElement) => void} taken */
function fileLabel(says, accept, taken) {
  const input = made("input", { type: "file", accept, "aria-label": says });
  input.addEventListener("change", () => { if (input.files?.length) taken(input.files[0], input); });
  return made("label", { class: "file" }, says, input);
}

export const fileInput = () => fileLabel(word("page.setup.send_file"), "video/*", send);
export const recordInput = () => fileLabel(word("page.setup.send_record"), ".jsonl,.json,.mjson,.mjlog,.xml,.gz,.txt", sendRecord);

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
