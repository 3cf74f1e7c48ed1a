// On the control page: the address of the stream page, as the streamer wants it.
"use strict";

addWords({
  en: {
    streamPage: "Page for a stream", streamDelay: "Delay in seconds", streamWaits: "with hands and waits",
    streamTable: "with the drawn table", streamOpen: "Open it, or add it to OBS as a browser source",
  },
  zh: {
    streamPage: "直播页面", streamDelay: "延迟（秒）", streamWaits: "显示手牌和听牌",
    streamTable: "显示牌桌", streamOpen: "打开，或作为浏览器源加入 OBS",
  },
  ja: {
    streamPage: "配信用ページ", streamDelay: "遅延（秒）", streamWaits: "手牌と待ちを表示",
    streamTable: "卓を表示", streamOpen: "開く、または OBS のブラウザソースに追加",
  },
});

async function offerStream(control) {
  const answer = await fetch("/api/stream", { headers: { Authorization: `Bearer ${control}` } });
  if (!answer.ok) return;
  const { address: target, watching } = await answer.json();
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
