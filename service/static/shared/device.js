// The word by which this browser is known: it has one seat at a time, and no teacher's page beside it.
const DEVICE_KEPT = "tilesight-device";

export function device() {
  const kept = localStorage.getItem(DEVICE_KEPT) ?? crypto.getRandomValues(new Uint32Array(4)).join("-");
  localStorage.setItem(DEVICE_KEPT, kept);
  return kept;
}
