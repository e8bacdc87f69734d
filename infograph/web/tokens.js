/**
 * Estimates the tokens of texts without a tokenizer: the same as infograph's client in Python does
 * (infograph/client/token_estimate.py, which says how and why).
 */

/** Weight of a short word, and most letters of one; tokens of a syllable of Hangul. */
export const WEIGHT = 6;
const [SHORT, HANGUL] = [8, 3];
/** Percent by which a part is counted higher than its share; letters of a line that count as a token. */
const [MARGIN, LETTERS] = [12, 3];
const PARTS = /[A-Za-z0-9]+|[^A-Za-z0-9\s\x1c-\x1f\x85\u200b\ufeff]/gu;

/** Tokens of a line, seldom too few. */
export function lineTokens(line) {
  return sum(line, (run) => Math.ceil(run.length / LETTERS), 1);
}

/** How many tokens a text has in relation to others of its kind. */
export function weight(text) {
  return sum(text, runWeight, WEIGHT);
}

/** Tokens of a part of a text with `tokens` by the weights of both, rounded up, and no more than all. */
export function partTokens(part, tokens, whole) {
  return Math.min(tokens, Math.ceil((part * tokens * (100 + MARGIN)) / (100 * Math.max(1, whole))));
}

/** The greatest weight of a part that has no more than `room` tokens. */
export function partWeight(room, tokens, whole) {
  return tokens > room ? Math.floor((room * 100 * whole) / (tokens * (100 + MARGIN))) : whole;
}

/** The sum over runs of letters and digits, and over other characters, each `other` or, of Hangul, several times it. */
function sum(text, ofRun, other) {
  let total = 0;
  for (const part of text.match(PARTS) ?? []) {
    if (/^[A-Za-z0-9]/.test(part)) total += ofRun(part);
    else total += /^[\uac00-\ud7a3]/.test(part) ? HANGUL * other : other;
  }
  return total;
}

function runWeight(run) {
  if (/[0-9]/.test(run)) return Math.max(WEIGHT, 3 * run.length);
  const humps = run.match(/[a-z][A-Z]/g)?.length ?? 0;
  return Math.max(WEIGHT + Math.max(0, run.length - SHORT), WEIGHT * (1 + humps));
}
