// After the camera was moved and the table was not found again, a person taps its four corners in the picture.
import { answerOf } from "/static/shared/asking.js";
import { $, contextOf } from "/static/shared/elements.js";
import { word } from "/static/shared/words.js";
/** @import { StatusView } from "/static/wire" */

const DOT_SHARE = 0.012; // of the picture's width

/** @param {StatusView} status */
export function showFix(status) {
  $("fix").hidden = status.trouble_kind !== "moved";
  $("fix").onclick = fixCorners;
}

function fixCorners() {
  const [canvas, seen] = [$("corners-picture"), $("picture")];
  const context = contextOf(canvas);
  /** @type {[number, number][]} */
  let places = [];
  const begin = () => {
    places = [];
    Object.assign(canvas, { width: seen.width, height: seen.height });
    context.drawImage(seen, 0, 0);
  };
  canvas.onclick = async (event) => {
    const box = canvas.getBoundingClientRect();
    /** @type {[number, number]} */
    const place = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    places.push(place);
    context.fillStyle = getComputedStyle(canvas).color;
    context.beginPath();
    context.arc(place[0] * canvas.width, place[1] * canvas.height, DOT_SHARE * canvas.width, 0, 2 * Math.PI);
    context.fill();
    if (places.length < 4) return;
    const answer = await answerOf("/api/corners", { body: { corners: places }, key: location.hash.slice(1) });
    if (answer.ok) $("corners-dialog").close();
    else {
      $("corners-problem").textContent = answer.status === 0 ? word("page.mend.unreachable") : answer.told?.detail ?? word("page.again");
      begin();
    }
  };
  $("corners-problem").textContent = "";
  $("corners-close").onclick = () => $("corners-dialog").close();
  begin();
  $("corners-dialog").showModal();
}
