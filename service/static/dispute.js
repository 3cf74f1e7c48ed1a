// The pictures of an event, and what the detector reads when it looks again.
"use strict";

// The picture of the moment lies a little before the end of the clip.
function startOf({ t, pictures }) {
  const at = pictures.findIndex((one) => one.t >= t - 0.05);
  return at < 0 ? pictures.length - 1 : at;
}

function clipOf(told) {
  const image = made("img", { class: "clip", alt: word("page.seen") });
  const label = made("span", {});
  const slider = made("input", {
    type: "range", min: 0, max: told.pictures.length - 1, "aria-label": word("page.game.pictures"),
  });
  const show = () => {
    const { number, t } = told.pictures[slider.value];
    image.src = `/api/pictures/${number}`;
    label.textContent = word("page.game.picture_at", { time: clock(t) });
  };
  slider.value = startOf(told);
  slider.addEventListener("input", show);
  show();
  return [image, made("div", { class: "slide" }, slider, label)];
}

function readNow(told) {
  const shown = [made("img", { class: "clip", src: told.part, alt: word("page.seen") })];
  if (told.tiles.length === 0) shown.push(made("p", {}, word("page.game.not_seen_again")));
  for (const { likely } of told.tiles) {
    const line = made("p", {}, word("page.game.read_now"), " ");
    for (const { tile, share } of likely) {
      line.append(tileDrawn(tile), `${Math.round(100 * share)} % `);
    }
    shown.push(line);
  }
  return shown;
}

async function showPictures(into, number, place) {
  const told = await ask(`/api/events/${number}/pictures?place=${place}`);
  if (told === null) return;
  if (told.pictures.length === 0) {
    into.replaceChildren(made("p", {}, word("page.game.no_pictures")));
    return;
  }
  const again = made("div", {});
  const reread = button(word("page.game.reread"), async () => {
    again.replaceChildren(made("p", { role: "status" }, word("page.game.reading_again")));
    const read = await ask("/api/reread", { of: number, place });
    again.replaceChildren(...(read === null ? [] : readNow(read)));
  });
  into.replaceChildren(...clipOf(told), ...(mending.allowed ? [reread, again] : []));
}

// What stands below the likely readings: the pictures, at once where the event is disputed.
function evidenceOf(number, place, at_once) {
  const section = made("div", { class: "evidence" });
  if (at_once) showPictures(section, number, place);
  else section.append(button(word("page.game.pictures"), () => showPictures(section, number, place), "other"));
  return section;
}
