/** Which hits a search is for: below a folder, with values in fields. Loaded when it is asked for. */

import { checkValues } from "./options.js";
import { InfographError } from "./site.js";

const FIELDS = [
  "page",
  "page_title",
  "page_url",
  "index",
  "title",
  "section_path",
  "anchor",
  "tokens",
  "href",
  "sha256",
];

/** What a hit must be like; null where it may be anything. */
export function filter(path, filters) {
  const parts = path.split("/").filter((part) => part && part !== "."); // people write `./guide/`
  const folder = parts.join("/");
  const rules = Object.entries(filters).map(([field, value]) => {
    if (!FIELDS.includes(field)) {
      throw new InfographError("unknown", `hits have no field ${JSON.stringify(field)}: ${FIELDS.join(", ")}`);
    }
    checkValues(field, value);
    const wanted = [value].flat();
    return (hit) => [hit[field]].flat().some((own) => wanted.includes(own));
  });
  if (folder) rules.push(({ page }) => page === folder || page.startsWith(`${folder}/`));
  return rules.length ? (hit) => rules.every((rule) => rule(hit)) : null;
}
