/** Stands where a build puts the stemmer of its site's language; for English, english.js is there. */

/** ISO 639-1 code; null: this is no stemmer. */
export const language = null;
/** Of Snowball. */
export const release = null;
/** The stem of a word in lower case. */
export const stem = (word) => word;
