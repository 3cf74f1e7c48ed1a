// Light or dark: as the system says, until a person chooses. Also says so where a page cannot be loaded whole. Loaded before the page is drawn. A module would come too late for that: this is a script of its own.
"use strict";

{
  const THEME_KEPT = "tilesight-theme";
  /** @type {Record<string, string>} */
  const PAGE_COLOUR = { dark: "#14211d", light: "#f1f5f2" };
  const lightWished = matchMedia("(prefers-color-scheme: light)");

  function showTheme() {
    const root = document.documentElement;
    const theme = root.dataset.only ?? (new URLSearchParams(location.search).has("tv") ? "dark" : null) ?? localStorage.getItem(THEME_KEPT) ?? (lightWished.matches ? "light" : "dark");
    root.dataset.theme = theme;
    document.querySelector('meta[name="theme-color"]')?.setAttribute("content", PAGE_COLOUR[theme]);
    document.getElementById("theme")?.setAttribute("aria-pressed", String(theme === "light"));
  }

  function switchTheme() {
    localStorage.setItem(THEME_KEPT, document.documentElement.dataset.theme === "light" ? "dark" : "light");
    showTheme();
  }

  // Without one of its modules a page would stand still without a word.
  const { failed = "", again = "" } = document.currentScript?.dataset ?? {};

  function sayNotLoaded() {
    const told = document.createElement("p");
    told.setAttribute("role", "alert");
    told.textContent = failed;
    const tap = document.createElement("button");
    tap.type = "button";
    tap.className = "main";
    tap.textContent = again;
    tap.addEventListener("click", () => location.reload());
    const shown = document.createElement("main");
    shown.append(told, tap);
    document.body.replaceChildren(shown);
    document.body.inert = false;
  }

  // Files are told of while the event is on its way down; the browser itself tells of what stands in them.
  addEventListener("error", ({ target }) => {
    if (target instanceof HTMLScriptElement || (target === window && document.body?.inert)) sayNotLoaded();
  }, true);
  addEventListener("unhandledrejection", () => {
    if (document.body?.inert) sayNotLoaded();
  });

  showTheme();
  lightWished.addEventListener("change", showTheme);
  addEventListener("storage", showTheme);
  document.addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme")?.addEventListener("click", switchTheme);
    showTheme();
  });
}
