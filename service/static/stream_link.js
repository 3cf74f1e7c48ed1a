// On the control page: the address of the stream page, as the streamer wants it.
"use strict";

async function offerStream(control) {
  const told = await toldOf("/api/stream", { key: control });
  if (told === null) return;
  const { address: target, watching } = told;
  const [page, own] = target.split("#");
  const show = () => {
    const wish = new URLSearchParams({ delay: $("stream-delay").value || "0", lang: language ?? "en" });
    if ($("stream-table").checked) wish.set("table", "1");
    // Without hands and waits, the page needs no key but that for watching.
    if ($("stream-waits").checked) { wish.set("waits", "1"); wish.set("key", own); }
    else if (watching) wish.set("key", watching);
    $("stream-link").href = `${page}#${wish}`;
  };
  for (const id of ["stream-delay", "stream-waits", "stream-table"]) $(id).addEventListener("input", show);
  $("language").addEventListener("change", show);
  show();
}
