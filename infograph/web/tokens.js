/**
 * Estimates the tokens of texts without a tokenizer: the same as infograph's client in Python does
 * (infograph/client/token_estimate.py, which says how and why).
 */

/** Weight of a short word, and most letters of one; tokens of a syllable of Hangul; weights of one, and of Thai and such. */
export const WEIGHT = 6;
const [SHORT, HANGUL, HANGUL_WEIGHT, UNSPACED_WEIGHT] = [8, 3, 15, 3];
const [LONG, MIXED] = [24, 4];
/** Letters of a word that is surely one token; how far an estimate of one token may be off; letters of a line that are one. */
const [SHORTEST, SPREAD, LETTERS] = [3, 2, 3];
const PARTS = /[A-Za-z0-9]+|[^A-Za-z0-9\s\x1c-\x1f\x85\u200b\ufeff]/gu;

/** Tokens of a line, seldom too few. */
export function lineTokens(line) {
  return sum(line, (run) => Math.ceil(run.length / LETTERS), [1, HANGUL, 1]);
}

/**
 * How many tokens a text has in relation to others of its kind, and its letters of words beyond the first ones.
 * @returns {[number, number]}
 */
export function weight(text) {
  return [sum(text, runWeight, [WEIGHT, HANGUL_WEIGHT, UNSPACED_WEIGHT]), sum(text, lettersBeyond, [0, 0, 0])];
}

/** Tokens of a part of a text with `tokens` by the weights of both, rounded up, and no more than all. */
export function partTokens([part, letters], tokens, [whole, all]) {
  const more = tokens * WEIGHT - whole;
  if (more <= 0) return Math.min(tokens, Math.ceil(part / WEIGHT));
  const byWeight = Math.ceil((part * tokens) / Math.max(1, whole));
  const byLetters = all && Math.ceil((part * all + letters * more) / (WEIGHT * all));
  return Math.min(tokens, Math.max(byWeight, byLetters));
}

/** By how many tokens parts of texts may have more than they are estimated to have together. */
export function margin(tokens) {
  return Math.floor(Math.sqrt(SPREAD * SPREAD * Math.max(0, tokens)));
}

/** The sum over runs of letters and digits, and over other characters: what one counts, one of Hangul, one of Thai. */
function sum(text, ofRun, [other, hangul, unspaced]) {
  let total = 0;
  for (const part of text.match(PARTS) ?? []) {
    if (/^[A-Za-z0-9]/.test(part)) total += ofRun(part);
    else if (/^[\uac00-\ud7a3]/.test(part)) total += hangul;
    else total += /^[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]/.test(part) ? unspaced : other;
  }
  return total;
}

function lettersBeyond(run) {
  return /[0-9]/.test(run) ? 0 : Math.max(0, Math.min(run.length, LONG) - SHORTEST);
}

function runWeight(run) {
  if (/[0-9]/.test(run)) return Math.max(WEIGHT, (/[A-Za-z]/.test(run) ? MIXED : 3) * run.length);
  const humps = run.match(/[a-z][A-Z]/g)?.length ?? 0;
  const letters = WEIGHT + Math.max(0, run.length - SHORT) + 2 * Math.max(0, run.length - LONG);
  return Math.max(letters, WEIGHT * (1 + humps));
}
