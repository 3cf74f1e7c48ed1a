// Light or dark: as the system says, until a person chooses. Loaded before the page is drawn. A module would come too late for that: this is a script of its own.
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

  showTheme();
  lightWished.addEventListener("change", showTheme);
  addEventListener("storage", showTheme);
  document.addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme")?.addEventListener("click", switchTheme);
    showTheme();
  });
}
