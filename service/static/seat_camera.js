// A seat's own camera: a phone behind the tiles, whose pictures go to this seat's reader alone.
"use strict";

addWords({
  en: {
    ownCamera: "A camera for my hand", cameraOn: "Use a phone", cameraOff: "Stop it",
    ownCameraWhy: "A phone that stands behind your tiles reads your hand. Nobody else is told what it sees.",
    cameraSees: "It sees {count} tiles.", cameraWaits: "Waiting for its pictures.",
    cameraNoHand: "It sees no standing hand: point it at the faces of your own tiles, from behind them and a little above.",
    cameraGone: "It sends no pictures any more.", cameraOpen: "Open this on the phone, or scan it:",
    cameraNone: "This table takes no cameras for single seats.",
  },
  zh: {
    ownCamera: "拍我手牌的摄像头", cameraOn: "使用手机", cameraOff: "停止",
    ownCameraWhy: "把手机放在自己的牌后面，它会读出你的手牌。看到的内容不会告诉任何其他人。",
    cameraSees: "看到 {count} 张牌。", cameraWaits: "正在等待画面。",
    cameraNoHand: "没有看到立着的手牌：请从牌的后上方对准自己的牌面。",
    cameraGone: "不再收到画面。", cameraOpen: "在手机上打开，或扫描：",
    cameraNone: "此牌桌不接受单个座位的摄像头。",
  },
  ja: {
    ownCamera: "自分の手牌のカメラ", cameraOn: "スマホを使う", cameraOff: "停止",
    ownCameraWhy: "自分の牌の後ろに立てたスマホが手牌を読み取ります。見えた内容は他の誰にも伝わりません。",
    cameraSees: "{count}枚見えています。", cameraWaits: "映像を待っています。",
    cameraNoHand: "立っている手牌が見えません。牌の後ろの少し上から、自分の牌の表に向けてください。",
    cameraGone: "映像が届かなくなりました。", cameraOpen: "スマホで開くか、読み取ってください：",
    cameraNone: "この卓では席ごとのカメラは使えません。",
  },
});

function cameraWords(camera) {
  if (!camera.watching) return "";
  if (camera.problem === "gone") return word("cameraGone");
  if (camera.problem === "no_hand") return word("cameraNoHand");
  return camera.sees > 0 ? word("cameraSees", { count: camera.sees }) : word("cameraWaits");
}

// What the camera is doing; a link that was given stays until the camera sees tiles.
function showCamera(camera) {
  $("own-camera").hidden = camera === null || camera === undefined;
  if ($("own-camera").hidden) return;
  const said = cameraWords(camera);
  if ($("camera-state").textContent !== said) $("camera-state").textContent = said;
  $("camera-on").hidden = camera.watching;
  $("camera-off").hidden = !camera.watching;
  if (!camera.watching || camera.sees > 0) $("camera-link").hidden = true;
}

function showCameraLink(told) {
  const caption = document.createElement("figcaption");
  const link = document.createElement("a");
  link.href = told.address;
  link.target = "_blank";
  link.rel = "noopener";
  link.textContent = told.address.split("#")[0];
  caption.append(word("cameraOpen"), " ", link);
  $("camera-link").replaceChildren(caption);
  $("camera-link").insertAdjacentHTML("beforeend", told.qr);
  $("camera-link").hidden = false;
}

function offerCamera(send) {
  $("camera-on").addEventListener("click", () => send({ camera: "phone" }));
  $("camera-off").addEventListener("click", () => send({ camera: "stop" }));
}
