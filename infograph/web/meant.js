/** A query with its slips replaced by the words that were searched for. */
export function asMeant(query, { corrected }) {
  const meant = new Map(Object.entries(corrected));
  return query.replace(/[\p{L}\p{N}_]+/gu, (word) => meant.get(word.toLowerCase()) ?? word);
}
