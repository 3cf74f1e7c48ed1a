// The sign that stands as long as a player shares with the teacher, and the one tap that ends it.
import { $ } from "./elements.js";
import { share, sharesNow } from "./learnt.js";

/** @param {boolean} on */
export function showShared(on) {
  $("taught").hidden = !on;
}

// On pages of a seat; "after" hears what the server says.
export function offerSharing(after = showShared) {
  $("stop-sharing").addEventListener("click", async () => after(await share(false)));
}

// On pages beside the table, which are told nothing when another page of the player ends it.
export async function lookShared() {
  offerSharing();
  showShared(await sharesNow());
}
