/** What a caller asks for: refused alike in the client in Python (infograph/client/options.py). Loaded when needed. */

import { InfographError, whole } from "./site.js";

const isText = (value) => typeof value === "string";
const ORDERS = ["conceptual", "technical"];
/** Bits of a question's hash. */
const BITS = 64;
const KINDS = {
  text: [isText, "a text"],
  count: [(value) => whole([value], 0, Infinity), "a whole number, 0 at the least"],
  bits: [(value) => whole([value], 0, BITS), `a whole number from 0 to ${BITS}`],
  share: [(value) => Number.isFinite(value) && value >= 0 && value <= 1, "a number from 0 to 1"],
  order: [(value) => ORDERS.includes(value), `one of ${ORDERS.join(", ")}`],
  fields: [(value) => typeof value === "object" && value && !Array.isArray(value), "fields with their values"],
  values: [
    (value) => [value].flat().every((own) => isText(own) || Number.isInteger(own)),
    "a text, a whole number or a list of these",
  ],
};

/**
 * Refuses options that are not of a kind.
 * @param {keyof typeof KINDS} kind
 * @param {Record<string, unknown>} options by name
 */
export function check(kind, options) {
  const [takes, wanted] = KINDS[kind];
  for (const [name, value] of Object.entries(options)) {
    if (!takes(value)) throw new InfographError("unknown", `${name}: has to be ${wanted}, not ${shown(value)}`);
  }
}

function shown(value) {
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, 80);
  } catch {
    return typeof value;
  }
}
