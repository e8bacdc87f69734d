/**
 * How a budget is filled for a question, by its class: the same as in Python (infograph/client/plan.py and
 * question_class.py, which say why).
 */

import { TABLE } from "./classes.js";
import { check } from "./options.js";

const LEVELS = ["passages", "chunks"];
const GREEDY = "greedy";
/** Most hits that are considered; and the fewest, where there is one for so many tokens of the budget. */
export const MOST_CANDIDATES = 40;
const [TOKENS_EACH, FEWEST_CANDIDATES] = [125, 8];
/** Characters of a question that are looked at; names of it that are searched for. */
const [MOST_CHARACTERS, MOST_NAMES] = [1000, 4];
/** How to fill a budget for a question; what is not said of it is what its class says. */
export function planned(query, max_tokens, options) {
  const { question_class = null, level = null, packing = null, split = false } = options;
  check({ question_class, level, packing, split });
  const [name, reason] = question_class ? [question_class] : classify(query);
  const [usual, characters, share] = TABLE.ways[name];
  const own = level ?? usual;
  const chosen = packing && own === LEVELS[0] ? packing : GREEDY;
  const reasons = [reason ? `${name}: it ${reason}` : `${name}: asked for`];
  for (const value of [level, packing]) if (value && [own, chosen].includes(value)) reasons.push(`${value}: asked for`);
  const fitting = Math.min(MOST_CANDIDATES, Math.max(FEWEST_CANDIDATES, Math.floor(max_tokens / TOKENS_EACH)));
  return {
    question_class: name,
    reasons,
    level: own,
    packing: chosen,
    names: split && (name === "comparative" || name === "multi-hop") ? namesIn(query) : [],
    candidates: own === "chunks" ? MOST_CANDIDATES : fitting,
    characters,
    share,
  };
}

/** The class of a question, and why it is that one: by the first rule that holds. */
export function classify(question) {
  const text = beginning(question).replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "").toLowerCase();
  const { class: name, ask } = TABLE.rules.find(({ pattern }) => new RegExp(pattern).test(text));
  return [name, ask];
}

/** What a question names: its runs of words with a capital or a digit in front. */
export function namesIn(question) {
  const found = new Set();
  for (const { 0: own, index } of beginning(question).matchAll(new RegExp(TABLE.name, "g"))) {
    const words = own.split(" ");
    while (index === 0 && words.length && TABLE.asking.includes(words[0].toLowerCase())) words.shift();
    const name = words.join(" ").replace(/[?.,']+$/, "");
    if (name.length > 2) found.add(name);
  }
  return [...found].slice(0, MOST_NAMES);
}

function beginning(question) {
  return question.length > MOST_CHARACTERS ? Array.from(question).slice(0, MOST_CHARACTERS).join("") : question;
}
