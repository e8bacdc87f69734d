/** Stemmers of other languages than English. */

/** By ISO 639-1 code; their words have no inflection. */
const UNINFLECTED = ["ja", "ko", "th", "vi", "zh"];

/**
 * Gives a bundle the stemmer of its language, if there is one. A build puts it beside these modules. It is taken from
 * there alone, never from the site that is read: that may be anybody's, and a stemmer is code.
 * @param {import("./bundle.js").Bundle} bundle
 */
export async function giveStemmer(bundle) {
  const { language } = bundle.manifest;
  if (!UNINFLECTED.includes(language)) {
    const beside = await import("./stemmer.js").catch(() => ({})); // a copy of the client may be without
    if (beside.language !== language) return;
    bundle.language.stem = beside.stem;
  }
  bundle.stemless = false;
}
