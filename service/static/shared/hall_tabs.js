// The parts of a hall beside each other: tables, leagues, players, and for whoever runs it the archive.
import { toldOf } from "./asking.js";
import { $, findAll } from "./elements.js";

// Which part this page belongs to; true for whoever runs the hall: keys are listed for nobody else.
export async function showTabs() {
  for (const tab of findAll($("parts"), "a")) {
    const path = tab.getAttribute("href") ?? "";
    if (location.pathname === path) tab.ariaCurrent = "page";
    else if (path !== "/" && location.pathname.startsWith(`${path}/`)) tab.ariaCurrent = "true";
  }
  const runs = await toldOf("/api/v1/keys") !== null;
  $("to-archive").hidden = !runs && location.pathname !== "/archive";
  return runs;
}
