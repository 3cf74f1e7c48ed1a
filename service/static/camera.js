// A phone as the camera: its pictures are sent one after the other.
"use strict";

const EACH_MS = 180;
const RETRY_MS = 2000;
const QUALITY = 0.85;

addWords({
  en: {
    tapToStart: "Tap to use this phone as the camera.", useCamera: "Use this camera",
    placePhone: "Fix it above the table so that all of the felt is in the picture, plug it in, and leave this page open.",
    placeBehind: "Stand it behind your own tiles, a little above them, so that all their faces are in the picture; plug it in, and leave this page open.",
    sendingPictures: "Sending pictures, {width} × {height} pixels.", refusedCamera: "The camera may not be used: allow it for this page.",
    noCameraHere: "This browser offers no camera; open the address with https://.", lostServer: "The computer does not answer; trying again.",
    notAllowed: "Scan the code of the set-up page again.",
  },
  zh: {
    tapToStart: "点按即可用这部手机作为摄像头。", useCamera: "使用此摄像头",
    placePhone: "请固定在桌子上方，让整个桌面都在画面里，接上电源，并保持此页面打开。",
    placeBehind: "请放在自己的牌后面略高处，让所有牌面都在画面里，接上电源，并保持此页面打开。",
    sendingPictures: "正在发送画面，{width} × {height} 像素。", refusedCamera: "无法使用摄像头：请允许此页面使用。",
    noCameraHere: "此浏览器没有提供摄像头；请用 https:// 打开地址。", lostServer: "电脑没有回应，正在重试。",
    notAllowed: "请重新扫描设置页面上的二维码。",
  },
  ja: {
    tapToStart: "タップすると、このスマートフォンがカメラになります。", useCamera: "このカメラを使う",
    placePhone: "卓の上に固定し、卓面全体が映るようにして、充電しながらこのページを開いたままにしてください。",
    placeBehind: "自分の牌の後ろ、少し高い位置に立て、すべての牌の表が映るようにして、充電しながらこのページを開いたままにしてください。",
    sendingPictures: "映像を送信中、{width} × {height} ピクセル。", refusedCamera: "カメラを使えません。このページに許可してください。",
    noCameraHere: "このブラウザではカメラを使えません。https:// で開いてください。", lostServer: "パソコンが応答しません。再試行しています。",
    notAllowed: "準備ページのコードを読み直してください。",
  },
});

// A seat's own camera looks at one hand, not at the table.
if (location.search === "?hand") {
  document.querySelector('[data-word="placePhone"]').dataset.word = "placeBehind";
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
  if (answer === null) say("lostServer");
  else if (answer.status === 401) say("notAllowed");
  else if (answer.ok) say("sendingPictures", await answer.json());
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
    say("noCameraHere");
    return;
  }
  const wish = { facingMode: "environment", width: { ideal: 1920 }, height: { ideal: 1080 } };
  try {
    $("view").srcObject = await navigator.mediaDevices.getUserMedia({ video: wish, audio: false });
  } catch {
    say("refusedCamera");
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
