// The codes of a table, on the admin page: to scan, or four letters to type; of the seats, of guests and of whoever watches.
import { answerOf, toldOf } from "/static/shared/asking.js";
import { $, button, find, findAll, made } from "/static/shared/elements.js";
import { enter } from "/static/shared/enter.js";
import { showNetwork } from "/static/shared/network.js";
import { agreed } from "/static/shared/share.js";
import { nameOf, word } from "/static/shared/words.js";
import { CODES_MS, ON_SCREEN, offerLateCode } from "./big_screen.js";
import { known } from "./known.js";
/** @import { CodeToType, SeatAddress } from "/static/wire" */

// On the admin page: the address of the stream page, as the streamer wants it. It opens with the key for watching, where one is needed.
/** @param {Record<string, CodeToType>} links */
function offerStream(links) {
  const [base, key] = links.viewer === undefined ? [`${location.origin}/`] : links.viewer.address.split("#");
  const show = () => {
    const wish = new URLSearchParams({ lang: $("language").value, ...($("stream-table").checked && { table: "1" }), ...(key && { key }) });
    $("stream-link").href = `${base}stream#${wish}`;
  };
  $("stream-table").addEventListener("input", show);
  $("language").addEventListener("change", show);
  show();
}

// A code to scan, the same as a link, and the letters to type in its place.
/** @param {string} target @param {string} qr @param {string} text @param {string | null} letters */
function codeOf(target, qr, text, letters) {
  const figure = made("figure");
  figure.insertAdjacentHTML("afterbegin", qr);
  const link = made("a", { href: target, target: "_blank", rel: "noreferrer" }, text);
  figure.append(made("figcaption", {}, link, " ", made("b", { class: "letters" }, letters ?? "")));
  const code = find("svg", figure);
  code.setAttribute("viewBox", `0 0 ${code.getAttribute("width")} ${code.getAttribute("height")}`);
  code.setAttribute("role", "img");
  code.setAttribute("aria-label", text);
  return figure;
}

// Where letters are typed: the top of the site that a code leads to.
/** @param {string} target */
export const siteOf = (target) => target.split(/\/(?:seat|teacher)?#/)[0];

/** @param {string} target */
const howToType = (target) => made("p", { class: "how-to-type", "data-word": "page.code.or_type", "data-address": siteOf(target) },
  word("page.code.or_type", { address: siteOf(target) }));

// Whoever started the server has the key of the admin page: there the seats find their codes.
export async function showSeats() {
  const key = location.hash.slice(1);
  if (!key) return;
  for (const link of [$("to-game"), $("see-game"), $("to-screen"), $("to-shadow"), $("to-teacher")]) link.hash = key;
  if ((await enter())?.role !== "admin") return;
  const askSeats = () => toldOf("/api/seats", { key });
  const seats = await askSeats();
  if (seats === null) return;
  $("all-codes").hidden = seats.some(({ qr }) => qr === null);
  offerLateCode(key);
  if ($("all-codes").hidden) {
    offerNetwork();
    // Nobody touches a big screen: it looks by itself whether phones can open the codes now.
    if (ON_SCREEN) setInterval(async () => { if ((await askSeats())?.every(({ qr }) => qr !== null)) location.reload(); }, CODES_MS);
  } else {
    /** @param {SeatAddress[]} own */
    const draw = (own) => own.map(({ seat, address: target, qr, code }) => {
      const figure = codeOf(target, qr ?? "", String(seat), code);
      find("a", figure).dataset.seat = String(seat);
      return figure;
    });
    // A code ends when somebody else sits there. Before the deal, those not scanned yet stand in the slot.
    let shown = "";
    /** @param {SeatAddress[] | null} own */
    const show = (own) => {
      if (own === null || JSON.stringify(own) === shown) return;
      shown = JSON.stringify(own);
      const free = own.filter(({ taken }) => !taken);
      $("codes").replaceChildren(...draw(own), howToType(own[0].address));
      $("deal-codes").replaceChildren(...draw(free), ...(free.length > 0 ? [howToType(own[0].address)] : []));
      $("new-phones").replaceChildren(...own.map(({ seat }) => newPhoneTap(seat, key, show)));
      showNewPhone(own);
      nameSeats();
    };
    show(seats);
    $("all-codes").addEventListener("toggle", async () => show(await askSeats()));
    setInterval(async () => { if (!$("deal").hidden || $("all-codes").open || $("new-phone").open) show(await askSeats()); }, CODES_MS);
  }
  offerStream(await showLinks(key));
  nameSeats();
  $("renew").onclick = renewKeys;
  $("new-phone-close").onclick = () => $("new-phone").close();
  $("new-phone").onclose = () => { renewed = -1; }; // by the button, by Esc, or as the new phone is in
  // Letters change: those for watching are asked for while they are looked at.
  setInterval(async () => {
    if (!$("links").checkVisibility()) return;
    const links = await toldOf("/api/links", { key });
    for (const figure of findAll($("links"), "figure")) find(".letters", figure).textContent = links?.[/** @type {"viewer"} */ (figure.dataset.role)]?.code ?? "";
  }, CODES_MS);
  $("seats").hidden = false;
}

const PLAYING = ["to_draw", "to_discard", "settled"];
let renewed = -1; // the seat whose player lost the phone

// One tap: the old phone's page ends, and what the new one scans stands there.
/** @param {number} seat @param {string} key @param {(own: SeatAddress[] | null) => void} show */
function newPhoneTap(seat, key, show) {
  const tap = button("", async () => {
    if (PLAYING.includes(known.table?.phase ?? "") && !confirm(word("page.new_phone.sure"))) return;
    if (await toldOf("/api/keys", { body: { renew: true, seat }, key }) === null) return;
    renewed = seat;
    show(await toldOf("/api/seats", { key }));
  });
  tap.dataset.newPhone = String(seat);
  return tap;
}

/** @param {SeatAddress[]} own */
function showNewPhone(own) {
  const it = own.find(({ seat }) => seat === renewed);
  if (it === undefined) return;
  if (it.taken) { // the new phone is in
    $("new-phone").close();
    return;
  }
  const name = nameOf(known.table?.names ?? [], it.seat);
  $("new-phone-title").textContent = word("page.new_phone", { name });
  $("new-phone-code").replaceChildren(...codeOf(it.address, it.qr ?? "", name, it.code).childNodes, howToType(it.address));
  if (!$("new-phone").open) $("new-phone").showModal();
}

// A code that no phone can open is not shown: first the pages are served to the network.
function offerNetwork() {
  showNetwork($("network"), { address: null, name: null, trusted: false }, async () => {
    const answer = await answerOf("/api/network", { body: { serve: true }, key: location.hash.slice(1) });
    if (!answer.ok) return answer.told?.detail ?? word("page.setup.unreachable");
    location.reload();
    return null;
  });
}

// The links that were shown; none where nobody needs a key.
/** @param {string} key */
async function showLinks(key) {
  const links = await toldOf("/api/links", { key }) ?? {};
  const given = Object.entries(links);
  $("shared").hidden = given.length === 0;
  if (given.length > 0) $("spectators").checked = (await agreed())?.spectators ?? false;
  $("spectators").onchange = async () => { $("spectators").checked = (await agreed({ spectators: $("spectators").checked }))?.spectators ?? false; };
  for (const [role, { address: target, qr, code }] of given) {
    if (role === "guest") {
      offerCard(key);
      continue;
    }
    const figure = codeOf(target, qr, word(`page.for.${role}`), code);
    figure.dataset.role = role;
    find("a", figure).dataset.word = `page.for.${role}`;
    find("svg", figure).dataset.label = `page.for.${role}`;
    $("links").append(figure);
  }
  return links;
}

// One page to print or to show: scan, choose a seat, and what may be tapped then.
/** @param {string} key */
function offerCard(key) {
  const draw = async () => {
    const guest = (await toldOf("/api/links", { key }))?.guest;
    if (guest === undefined) return false;
    const code = codeOf(guest.address, guest.qr, siteOf(guest.address), guest.code);
    $("card-code").replaceChildren(...code.childNodes, howToType(guest.address));
    return true;
  };
  $("show-card").hidden = false;
  $("show-card").onclick = async () => { if (await draw()) $("card").showModal(); };
  setInterval(() => { if ($("card").open) draw(); }, CODES_MS);
  $("card-print").onclick = () => print();
  $("card-close").onclick = () => $("card").close();
}

// What was scanned before opens nothing any more; this page itself goes on with the new key.
async function renewKeys() {
  if (!confirm(word("page.renew_sure"))) return;
  const told = /** @type {{ key: string } | null} */ (await toldOf("/api/keys", { body: { renew: true }, key: location.hash.slice(1) }));
  if (told === null) return;
  location.hash = told.key;
  location.reload();
}

export function nameSeats() {
  for (const tap of findAll($("new-phones"), "button")) tap.textContent = word("page.new_phone", { name: nameOf(known.table?.names ?? [], Number(tap.dataset.newPhone)) });
  for (const link of findAll(document, ":is(#codes, #deal-codes) a")) {
    const seat = link.dataset.seat ?? "";
    const name = known.table === null ? seat : nameOf(known.table.names, Number(seat));
    link.textContent = name;
    link.closest("figure")?.querySelector("svg")?.setAttribute("aria-label", name);
  }
}
