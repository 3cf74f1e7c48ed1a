// A seat's own camera: a phone behind the tiles, whose pictures go to this seat's reader alone.
"use strict";

function cameraWords(camera) {
  if (!camera.watching) return "";
  if (camera.problem === "gone") return word("page.seat_camera.camera_gone");
  if (camera.problem === "no_hand") return word("page.seat_camera.camera_no_hand");
  return camera.sees > 0 ? word("page.seat_camera.camera_sees", { count: camera.sees }) : word("page.seat_camera.camera_waits");
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
  caption.append(word("page.seat_camera.camera_open"), " ", link);
  $("camera-link").replaceChildren(caption);
  $("camera-link").insertAdjacentHTML("beforeend", told.qr);
  $("camera-link").hidden = false;
}

function offerCamera(send) {
  $("camera-on").addEventListener("click", () => send({ camera: "phone" }));
  $("camera-off").addEventListener("click", () => send({ camera: "stop" }));
}
