// The choice of a camera: plugged in, in the network, a phone, or a recording.
import { answerOf } from "/static/shared/asking.js";
import { $, button, made, onSubmit } from "/static/shared/elements.js";
import { networkNote } from "/static/shared/network.js";
import { word } from "/static/shared/words.js";
import { forgetPicture } from "./check.js";
import { SIDES, begin, fillFor, nameAt, recallLast } from "./game.js";
import { fileInput, recordInput } from "./sent.js";
import { BEGUN, ON_PHONE, complain, goTo, keep, kept, noComplaint, setup } from "./steps.js";

// Whatever goes wrong has words.
export async function answered(path, body, method) {
  const { ok, status, told } = await answerOf(path, { body, method });
  return { ok, status, told: told ?? { detail: word("page.setup.unreachable") } };
}

export async function ask(path, body, control, method) {
  const { ok, told } = await answered(path, body, method);
  if (ok) return told;
  complain(told.detail, control);
  return null;
}

export const sourceTap = (key) => document.querySelector(`.sources [data-key="${CSS.escape(key)}"]`);

export function opening(key) {
  setup.chosen = key;
  noComplaint();
  fillFor(key);
  forgetPicture();
  showPhone(null);
  $("hurry-line").hidden = !/^(sample|file|recording-)/.test(key);
  $("hurry").checked = false;
  for (const each of document.querySelectorAll(".sources button[data-key]")) {
    each.setAttribute("aria-pressed", String(each.dataset.key === key));
  }
  document.querySelector("main").classList.add("chosen");
  $("empty").textContent = word("page.setup.opening");
}

export function openingFailed(text, control) {
  setup.chosen = null;
  for (const each of document.querySelectorAll(".sources [aria-pressed]")) each.setAttribute("aria-pressed", "false");
  $("empty").textContent = word("page.setup.no_source");
  complain(text, control);
}

async function choose(key, asked, control) {
  opening(key);
  $("stage").scrollIntoView({ block: "nearest" });
  const { ok, told } = await answered("/api/setup/source", asked);
  if (setup.chosen !== key) return;
  if (!ok) {
    openingFailed(told.detail, control);
    return;
  }
  showPhone(told);
  // A password in an address is not kept.
  if (asked.kind === "camera" || (asked.kind === "stream" && !asked.address.includes("@"))) keep({ source: { key, asked } });
}

// Who comes back sees the same camera, people and rules as last time, and starts with one tap.
export async function lastTime() {
  const { source } = kept;
  const { cameras, running, tried } = setup.offered;
  const there = source?.asked.kind === "stream" || cameras.some(({ number }) => number === source?.asked.number);
  if (BEGUN !== null || ON_PHONE || running !== null || tried !== null || !there || SIDES.every((side) => nameAt(side) === "")) return;
  await choose(source.key, source.asked, document.querySelector(".sources button"));
  if (setup.chosen !== source.key) return;
  setup.again = true;
  goTo("start");
}

// The code stands below the button that asked for it.
function showPhone(told) {
  document.getElementById("phone")?.remove();
  setup.phone = told;
  if (!told?.qr) return;
  const code = made("div", { id: "phone-code" });
  code.innerHTML = told.qr;
  code.firstElementChild.setAttribute("role", "img");
  code.firstElementChild.setAttribute("aria-label", told.address);
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
function keyOf(asked) {
  if (asked === null) return "file";
  if (asked.kind === "camera") return `camera-${asked.number}`;
  return asked.kind === "recording" ? `recording-${asked.name}` : asked.kind;
}

function sourceButton(text, key, asked) {
  const tap = button(text, () => choose(key, asked, tap));
  tap.dataset.key = key;
  tap.setAttribute("aria-pressed", String(setup.chosen === key));
  return tap;
}

// A camera is known by what it sees now.
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

export function showSources() {
  const { cameras, recordings, records, sample } = setup.offered;
  const none = cameras.length === 0;
  const play = made("div", { class: "offer" }, button(word("page.setup.play_sample"), () => begin({ sample: true }, $("sample")), none ? "main" : ""), made("span", {}, word("page.setup.sample_says")));
  play.firstChild.id = "sample";
  play.firstChild.disabled = !sample;
  const opened = records.map((name) => {
    const tap = button(name, () => begin({ open: name }, tap));
    tap.dataset.record = name;
    return tap;
  });
  $("sources").replaceChildren(...(none ? [play, made("p", {}, word("page.setup.no_camera"))] : cameras.map(cameraButton)),
    sourceButton(word("page.setup.phone_camera"), "phone", { kind: "phone" }), button(word("page.setup.look_again"), loadOffered));
  $("others").replaceChildren(...(none ? [] : [play]), made("h3", {}, word("page.setup.network")), addressForm(), made("h3", {}, word("page.setup.recordings")),
    ...(sample ? [sourceButton(word("page.setup.sample"), "sample", { kind: "sample" })] : []),
    ...recordings.map((name) => sourceButton(name, `recording-${name}`, { kind: "recording", name })), fileInput(),
    made("h3", {}, word("page.setup.records")), recordInput(), ...opened);
  $("other-sources").open ||= none;
  if (setup.chosen === "phone" && setup.phone) showPhone(setup.phone);
}

// After a reload, the source that is tried out is still there.
export function goOnWith(tried) {
  if (tried === null) return;
  setup.sent = tried.name;
  opening(keyOf(tried.asked));
  showPhone(tried);
}

export function showRunning() {
  const { running } = setup.offered;
  $("running").hidden = running === null;
  if (running !== null) $("running-says").textContent = word("page.setup.running", running);
}

export async function loadOffered() {
  const { ok, told: offered } = await answered("/api/setup");
  if (!ok) {
    complain(offered.detail, $("camera-title"));
    return;
  }
  setup.offered = offered;
  recallLast();
  showSources();
  showRunning();
}
