/**
 * What kind of question a question is, and what that means for a context: the table of both clients, which Python reads
 * here, too (infograph/client/question_class.py). What follows the equals sign is JSON.
 *
 *     ways     by class the level, the most characters of a piece, the least share of the best score of a hit
 *     name     what a question names: a run of words with a capital or a digit in front
 *     asking   words that questions begin with, which are no name
 *     rules    the first pattern that is found in the lower-cased question names its class; `ask` is why
 *
 * Patterns mean the same in both languages: they have no dot, and no class that takes other characters there.
 */
export const TABLE = {
  "ways": {
    "factoid": ["passages", 600, 0.3],
    "analytical": ["passages", 600, 0.3],
    "comparative": ["chunks", 600, 0.3],
    "exploratory": ["passages", 900, 0.3],
    "multi-hop": ["chunks", 600, 0]
  },
  "name": "[A-Z0-9][A-Za-z0-9'.&-]*(?: (?:(?:of|the|de|von|du|van|la) )*[A-Z0-9][A-Za-z0-9'.&-]*)*",
  "asking": [
    "a", "according", "an", "and", "are", "as", "at", "between", "both", "by", "can", "compare", "did", "do", "does", "explain",
    "for", "from", "had", "has", "have", "how", "if", "in", "is", "of", "on", "or", "the", "to", "under", "was",
    "were", "what", "when", "where", "which", "who", "whom", "whose", "why", "with"
  ],
  "rules": [
    { "class": "comparative", "ask": "sets things side by side",
      "pattern": "\\b(compar(e|es|ed|ing|ison)|differ|differs|difference|differences|versus|vs|in common|between [^?]+ and)\\b|\\b(than|unlike) (the |a |an )?[a-z0-9]" },
    { "class": "comparative", "ask": "asks of two things",
      "pattern": "^(are|is|do|does|did|was|were|have|has) (both\\b|[^?]+ and [^?]+ (both|same|either)\\b)" },
    { "class": "comparative", "ask": "asks which of two",
      "pattern": "^(which|who|what)\\b[^?]*\\b(first|last|most|more|less|best|worst|[a-z]+er|[a-z]+est)\\b[^?]* or " },
    { "class": "multi-hop", "ask": "names a thing by another one",
      "pattern": "\\b(whose|whom)\\b|\\b(author|writer|director|producer|composer|performers?|singer|founder|spouse|wife|husband|father|mother|birthplace|creator|stars?|predecessor|successor|capital|headquarters) (and [a-z ]+)?of (the )?[a-z0-9\"]" },
    { "class": "multi-hop", "ask": "names a thing by a clause",
      "pattern": "\\b(in|of|by|from|for|with|to|at|on|is|does|did) the (same )?[a-z]+ (where|that|which|who|in which|whose|used|located|[a-z'. -]+ is from)\\b|\\b(city|country|state|county|continent|territory|band|film|book|team|company|region)( that| which| who| where|,)? [^?,]*\\b(was|is|were|are) (born|from|located|formed|based|founded|situated|used)\\b" },
    { "class": "multi-hop", "ask": "asks at the end of a statement",
      "pattern": "^(?!who|what|when|where|which|how|why|in what|in which|on what|on which|according|as of)[^?]*[a-z0-9\"] (of|by|with|from|during|in|to|on|was|were|is|first developed|written by|released in) (what|which|who|whom|when)\\b|, (which|who|he|she|it) (is|was|has|had|previously)\\b[^?]*\\b(which|what|who|when)\\b" },
    { "class": "factoid", "ask": "is one identifier",
      "pattern": "^[^ ]*[a-z0-9][_.:/(=-]+[a-z0-9)][^ ]*$|^--?[a-z0-9-]+$" },
    { "class": "exploratory", "ask": "asks for a survey",
      "pattern": "\\b(overview|summari[sz]e|summary|outline|introduc(e|tion)|tell me about|everything|explain|describe)\\b|^what (are|were) (some|all|the (key|main|major|primary|different|various|general))\\b|^(which|what) [a-z]+ (are|is) there\\b" },
    { "class": "factoid", "ask": "asks for a number, a time, a name or a place",
      "pattern": "^(who|when|where)\\b|\\b(how (many|much|long|old|often|quickly|fast|far|large|big|soon|high)|(what|which) (is |was |were |are )?(the )?([a-z-]+ ){0,2}(year|date|day|percentage|percent|amount|number|name|time|size|version|limit|price|cost|costs|value|rate|total|maximum|minimum|lifespan|default|cap|budget|high))\\b" },
    { "class": "factoid", "ask": "can be answered with yes or no",
      "pattern": "^(is|are|am|can|could|does|do|did|was|were|has|have|had|will|would|may|must)\\b" },
    { "class": "factoid", "ask": "asks which",
      "pattern": "^(which|in what|in which|on what|on which|at what)\\b" },
    { "class": "analytical", "ask": "asks how, why or what",
      "pattern": "^(how|why|what|should)\\b|\\b(how|why|what|which|when) (is|are|was|were|do|does|did|can|could|should|to)\\b" },
    { "class": "exploratory", "ask": "is a few words",
      "pattern": "^[^ ?]+( [^ ?]+){0,2}$" },
    { "class": "analytical", "ask": "is none of the others",
      "pattern": "^" }
  ]
};
