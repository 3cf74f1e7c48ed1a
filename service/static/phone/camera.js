// A phone as the camera: its pictures are sent one after the other.
import { answerOf, toldOf } from "/static/shared/asking.js";
import { $, contextOf, find, made, ready, shape } from "/static/shared/elements.js";
import { figure, loadWords, namesOf, offerLanguages, translatePage, word } from "/static/shared/words.js";
/** @import { SentPicture, Values } from "/static/page" */

const EACH_MS = 180;
const RETRY_MS = 2000;
const QUALITY = 0.85;
const LOW_BATTERY = 0.2;
const FLAT_DEG = 60; // farther from lying on its back, a phone films no table
const SETS_UP = new URLSearchParams(location.search).has("setup");

// A seat's own camera looks at one hand, not at the table.
if (location.search === "?hand") {
  find('[data-word="page.camera.place_phone"]').dataset.word = "page.camera.place_behind";
}

/** @param {string} key @param {Values} values */
function say(key, values = {}) {
  delete $("state").dataset.word;
  $("state").textContent = word(key, values);
}

// The corners of the table as they are found, what its picture lacks most, and how the players stand.
/** @param {SentPicture} given */
function showTold({ width, height, found, names, points }) {
  $("outline").setAttribute("viewBox", `0 0 ${width} ${height}`);
  $("outline").replaceChildren(shape("polygon", { points: (found?.corners ?? []).join(" ") }));
  const worst = ["bad", "poor"].map((grade) => found?.findings.find((one) => one.grade === grade)).find((one) => one !== undefined);
  if (!found) $("found").textContent = "";
  else if (found.corners === null) $("found").textContent = word("page.setup.no_table");
  else if (worst === undefined) $("found").textContent = word("page.setup.good");
  else $("found").textContent = word(`page.setup.${worst.name}.${worst.grade}`, { value: worst.shown, corners: "", faces: found.faces, doubtful: found.doubtful });
  $("score").replaceChildren(...namesOf(names ?? []).map((name, seat) => made("li", {}, name, made("strong", {}, figure(points?.[seat] ?? 0)))));
}

// A phone that goes to sleep sends nothing more; whoever comes back to the page wakes it again.
function keepAwake() {
  if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => {});
}

/**
 * What only some browsers have.
 * @typedef {EventTarget & { charging: boolean, level: number }} Battery
 * @typedef {Navigator & { getBattery?: () => Promise<Battery> }} WithBattery
 * @typedef {{ observe: (what: string, how: object) => Promise<void> }} Observer
 * @typedef {new (told: (records: { state: string }[]) => void) => Observer} MakeObserver
 * @typedef {Window & { PressureObserver?: MakeObserver }} WithPressure
 * @typedef {typeof DeviceOrientationEvent & { requestPermission?: () => Promise<string> }} Asking
 */

async function watchBattery() {
  const { getBattery } = /** @type {WithBattery} */ (navigator);
  const battery = await getBattery?.call(navigator).catch(() => null);
  if (!battery) return;
  const show = () => { $("battery").hidden = battery.charging || battery.level > LOW_BATTERY; };
  for (const event of ["levelchange", "chargingchange"]) battery.addEventListener(event, show);
  show();
}

// A phone that works too hard gets warm, and ends its camera in the end.
function watchWarmth() {
  const { PressureObserver } = /** @type {WithPressure} */ (window);
  if (PressureObserver === undefined) return;
  const observer = new PressureObserver((records) => { $("warm").hidden = records.at(-1)?.state !== "critical"; });
  observer.observe("cpu", { sampleInterval: 2000 }).catch(() => {});
}

// Turned over, with its screen to the players, it shows how they stand.
async function watchTurn() {
  const asking = /** @type {Asking | undefined} */ (window.DeviceOrientationEvent);
  await asking?.requestPermission?.().catch(() => {});
  addEventListener("deviceorientation", ({ beta, gamma }) => {
    document.body.classList.toggle("turned", Math.abs(beta ?? 0) > FLAT_DEG || Math.abs(gamma ?? 0) > FLAT_DEG);
  });
}

const troubles = () => /** @type {const} */ (["battery", "warm"]).filter((each) => !$(each).hidden).join(" ");

// The set-up pages on this phone itself, until a game runs.
async function setUpHere() {
  await answerOf("/enter", { method: "POST", key: location.hash.slice(1) });
  const offered = await toldOf("/api/setup");
  if (offered === null || offered.running !== null) return;
  document.body.classList.add("setting-up");
  $("own-set-up").hidden = false;
  $("own-set-up").src = "/setup";
}

// What the set-up page says when the game has begun: the table's page, with the key of whoever runs it.
/** @param {MessageEvent} given */
async function gameBegan({ origin, data }) {
  if (origin !== location.origin || typeof data?.page !== "string") return;
  document.body.classList.remove("setting-up");
  await loadWords(); // another language may have been chosen there
  translatePage();
  $("own-set-up").hidden = true;
  $("own-set-up").removeAttribute("src");
  const network = (await toldOf("/api/setup"))?.network;
  if (!network?.address) return;
  $("to-table").href = network.address + data.page;
  $("to-table").hidden = false;
}

/** @param {HTMLCanvasElement} canvas @returns {Promise<Blob | null>} */
const pictureOf = (canvas) => new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));

/** @param {HTMLCanvasElement} canvas */
async function sendOne(canvas) {
  const view = $("view");
  canvas.width = view.videoWidth;
  canvas.height = view.videoHeight;
  contextOf(canvas).drawImage(view, 0, 0);
  const headers = { Authorization: `Bearer ${location.hash.slice(1)}`, "Content-Type": "image/jpeg", Phone: troubles() };
  const body = await pictureOf(canvas);
  const answer = await fetch("/frame", { method: "POST", headers, body }).catch(() => null);
  if (answer === null) say("page.camera.lost_server");
  else if (answer.status === 401) say("page.camera.not_allowed");
  else if (answer.ok) {
    const told = await answer.json();
    say("page.camera.sending_pictures", told);
    showTold(told);
  }
  return answer?.ok === true;
}

async function keepSending() {
  const canvas = document.createElement("canvas");
  for (;;) {
    const begun = performance.now();
    const sent = await sendOne(canvas);
    const wait = sent ? EACH_MS - (performance.now() - begun) : RETRY_MS;
    await new Promise((done) => setTimeout(done, Math.max(wait, 0)));
  }
}

async function useCamera() {
  if (navigator.mediaDevices === undefined) {
    say("page.camera.no_camera_here");
    return;
  }
  await watchTurn(); // before anything else is waited for: it may ask, and only at a tap
  const wish = { facingMode: "environment", width: { ideal: 1920 }, height: { ideal: 1080 } };
  try {
    $("view").srcObject = await navigator.mediaDevices.getUserMedia({ video: wish, audio: false });
  } catch {
    say("page.camera.refused_camera");
    return;
  }
  await $("view").play();
  $("go").hidden = true;
  keepAwake();
  document.addEventListener("visibilitychange", keepAwake);
  watchBattery();
  watchWarmth();
  keepSending();
  if (SETS_UP) await setUpHere();
}

offerLanguages(() => {});
$("go").addEventListener("click", useCamera);
addEventListener("message", gameBegan);
ready();
