/** What stands in place of an answer, or beside it: errors, parts that are missing, nothing found. */

import { count, h } from "./dom.js";

const ADVICE = {
  missing: "The server has no such file, or does not answer. If the site was built again just now, try once more.",
  broken: "The file is not the one that the build wrote. If the site is being published just now, try once more.",
  timeout: "The server takes too long. Try once more.",
  version: "The page and the search index are of different versions of infograph. Build the site again.",
  outside: "What lies outside of this site is not read.",
  unknown: "It may have been moved or deleted since the link was made.",
};

/** @param {() => void} retry */
export function failure(error, retry) {
  return h(
    "section",
    { class: "message error", role: "alert" },
    h("h1", { tabindex: -1 }, error.code === "unknown" ? "This is not here" : "This could not be read"),
    h("p", {}, ADVICE[error.code] ?? "Something went wrong in this page."),
    h("p", { class: "reason" }, error.message),
    h(
      "p",
      { class: "actions" },
      h("button", { type: "button", class: "button", onclick: retry }, "Try again"),
      h("a", { href: "#topic=", class: "button" }, "To the beginning"),
    ),
  );
}

/** What an answer of the search bundle goes without; nothing where it is whole. */
export function remarks({ missing, notes }, retry) {
  const files = Object.entries(missing);
  return [
    files.length > 0 &&
      h(
        "div",
        { class: "message warning", role: "status" },
        h(
          "p",
          {},
          h("strong", {}, "The answer may be incomplete: "),
          `${count(files.length, "file")} of the index could not be read.`,
        ),
        h(
          "details",
          {},
          h("summary", {}, "Which"),
          h(
            "ul",
            {},
            files.map(([name, reason]) => h("li", {}, h("code", {}, name), ` – ${reason}`)),
          ),
        ),
        h("button", { type: "button", class: "button", onclick: retry }, "Try again"),
      ),
    notes.map((note) => h("p", { class: "note" }, `${note[0].toUpperCase()}${note.slice(1)}.`)),
  ];
}
