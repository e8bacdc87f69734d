/**
 * Light or dark as one chose it before, and whether the first page is to be shown. Runs before anything is painted, so
 * it is no module.
 */

(() => {
  const MEDIA = { light: "not all", dark: "all" };
  const key = "infograph-theme";
  const read = () => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null; // storage is closed to this page
    }
  };
  const isDark = () => matchMedia(document.getElementById("dark").media).matches;
  const apply = (theme) => {
    if (MEDIA[theme]) document.getElementById("dark").media = MEDIA[theme];
  };
  apply(read());
  document.documentElement.classList.toggle("deep", location.hash.length > 1);
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const show = () => button.setAttribute("aria-pressed", String(isDark()));
    show();
    button.addEventListener("click", () => {
      const theme = isDark() ? "light" : "dark";
      apply(theme);
      try {
        localStorage.setItem(key, theme);
      } catch {
        // It holds until the page is left.
      }
      show();
      dispatchEvent(new Event("theme"));
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      show();
      dispatchEvent(new Event("theme"));
    });
  });
})();
