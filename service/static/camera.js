// A phone as the camera: its pictures are sent one after the other.
"use strict";

const EACH_MS = 180;
const RETRY_MS = 2000;
const QUALITY = 0.85;

// A seat's own camera looks at one hand, not at the table.
if (location.search === "?hand") {
  document.querySelector('[data-word="page.camera.place_phone"]').dataset.word = "page.camera.place_behind";
}

function say(key, values = {}) {
  delete $("state").dataset.word;
  $("state").textContent = word(key, values);
}

const pictureOf = (canvas) => new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));

async function sendOne(canvas) {
  const view = $("view");
  canvas.width = view.videoWidth;
  canvas.height = view.videoHeight;
  canvas.getContext("2d").drawImage(view, 0, 0);
  const headers = { Authorization: `Bearer ${location.hash.slice(1)}`, "Content-Type": "image/jpeg" };
  const body = await pictureOf(canvas);
  const answer = await fetch("/frame", { method: "POST", headers, body }).catch(() => null);
  if (answer === null) say("page.camera.lost_server");
  else if (answer.status === 401) say("page.camera.not_allowed");
  else if (answer.ok) say("page.camera.sending_pictures", await answer.json());
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
  const wish = { facingMode: "environment", width: { ideal: 1920 }, height: { ideal: 1080 } };
  try {
    $("view").srcObject = await navigator.mediaDevices.getUserMedia({ video: wish, audio: false });
  } catch {
    say("page.camera.refused_camera");
    return;
  }
  await $("view").play();
  $("go").hidden = true;
  // A phone that goes to sleep sends nothing more.
  navigator.wakeLock?.request("screen").catch(() => {});
  keepSending();
}

offerLanguages(() => {});
$("go").addEventListener("click", useCamera);
ready();
