"""What depends on the language of the text: stop words, stemmer, question words.

A language is named by its ISO 639-1 code. Adding stop words for one is adding an entry to `_STOP_WORDS`; without
an entry nothing is a stop word, and the rule that a keyword is in fewer than half of the topics does the work.
Stop words and turning words are part of the SimHash format (see `search.format.question_hash`): changing one changes
hashes, so clients must follow.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from functools import cache

from infograph.errors import ConfigError

STEMMERS = {
    "ar": "arabic",
    "ca": "catalan",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "ne": "nepali",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}
"""Snowball's algorithms by ISO 639-1 code."""
# Written without spaces or inflection that a stemmer could remove: valid languages, words are taken as they are.
_UNSTEMMED = frozenset({"ja", "ko", "th", "vi", "zh"})

_STOP_WORDS = {
    "en": """
        a able about above across actually add added additionally adds after again against all allow allowed
        allows almost along already also although always am among an and another any anyone anything anyway
        anywhere appear appears applies are aren't around as aside at automatically available away back based
        basically be became because become becomes been before behind being below beside besides between beyond
        both but by called came can can't cannot come comes common completely consider contain containing
        contains correctly could couldn't currently describe described describes did didn't different directly
        do does doesn't doing don't done down due during each easily effortlessly either else elsewhere enough
        ensure especially etc even ever every everyone everything everywhere exactly example examples except
        explicitly few finally first follow followed following follows for from further furthermore gave
        generally get gets getting give given gives go goes going gone got had hadn't happen happens has hasn't
        have haven't having he he's help helps hence her here here's hers herself him himself his how how's
        however i i'd i'll i'm i've if immediately in included includes including indeed indicate indicates
        inside instead into is isn't it it'd it'll it's its itself just keep keeps kept know known knows last
        later latter least less let let's lets like likely look looks made mainly make makes making many may
        maybe me mean means meanwhile might mine more moreover most mostly much must mustn't my myself near
        nearly necessary need needed needn't needs neither never nevertheless new next no nobody none
        nonetheless nor normally not note nothing notice now nowhere of off often on once one ones only onto or
        other others otherwise ought our ours ourselves out outside over own particularly per perhaps please
        possible possibly previously provide provided provides providing put puts quite rather really represent
        representing represents requires respectively said same saw say says seamlessly see seem seems seen
        several shall she she's should shouldn't shows simply since so some somehow someone something sometimes
        somewhere soon specifies still such sure take taken takes taking tell tells than that that'll that's the
        their theirs them themselves then there there's therefore these they they'd they'll they're they've
        thing things think this those though three through throughout thus time to together too toward towards
        two typically under unless unlike until up upon us use used useful uses using usually various very via
        want wants was wasn't way ways we we'd we'll we're we've well went were weren't what what's whatever
        when when's whenever where where's whereas whereby wherever whether which whichever while who who's
        whoever whole whom whose why why's will with within without won't work works would wouldn't yes yet you
        you'd you'll you're you've your yours yourself yourselves
    """,
    "de": """
        aber alle allem allen aller alles als also am an andere anderen anderer anderes auch auf aus bei beim bereits
        bin bis bist da dabei dadurch dafür daher damit danach dann daran darauf daraus darf das dass davon dazu dein
        deine dem den denn der deren des dessen desto die dies diese diesem diesen dieser dieses doch dort du durch
        dürfen eben ein eine einem einen einer eines einige einigen einmal er es etwa etwas euch euer eure falls für
        gegen gibt habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer
        in indem ins ist ja jede jedem jeden jeder jedes jedoch jener jetzt kann kannst kein keine keinem keinen
        keiner können könnte machen man mehr mein meine mit muss müssen nach nachdem neben nein nicht nichts noch nun
        nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so sobald sofern solche soll sollen
        sollte somit sondern sonst soweit sowie statt trotz über um und uns unser unsere unter viel viele vom von vor
        wann war waren warum was weder wegen weil welche welchem welchen welcher welches wenn wer werden wie wieder
        will wir wird wo wobei wodurch wollen wurde wurden während zu zum zur zwar zwischen
    """,
    "es": """
        a acerca ahora al algo alguna algunas alguno algunos algún allí ambos ante antes aquel aquella aquellos aquí
        así aunque bajo bien cada casi como con contra cual cuales cualquier cuando cuanto cuál cuáles cuándo cuánto
        cómo de debe deben del desde después donde dos durante dónde e el ella ellas ello ellos en entonces entre era
        eran eres es esa esas ese eso esos esta estaba estado estamos estar estas este esto estos está están fue
        fueron ha haber había hace hacen hacer hacia han hasta hay he incluso junto la las le les lo los luego me
        mediante mi mientras mis mismo mucho muchos muy más ni no nos nosotros nuestra nuestro o os otra otras otro
        otros para pero poco por porque pueda puede pueden puedo pues que quien quienes quién qué se sea sean según
        ser será si sido siempre sin sino sobre solo somos son su sus sí sólo también tan tanto te tener tengo ti
        tiene tienen toda todas todavía todo todos tras tu tus tú un una unas uno unos usted ustedes va vez y ya yo él
    """,
    "fr": """
        a afin ai ainsi alors après as assez au aucun aucune aujourd aussi autre autres aux avaient avait avant avec
        avez avoir avons beaucoup bien c car ce ceci cela celle celles celui cependant ces cet cette ceux chaque chez
        ci comme comment d dans de depuis des donc dont du dès elle elles en encore entre es est et eu eux faire fait
        faut font hors ici il ils j jamais je l la laquelle le lequel les lesquels leur leurs lors lorsque lui là m ma
        mais me mes même mêmes moi moins mon n ne ni non nos notre nous on ont ou où par parce pas pendant peu peut
        peuvent plus plusieurs pour pourquoi pouvez près puis qu quand que quel quelle quelles quelque quelques quels
        qui quoi s sa sans se selon sera seront ses si son sont sous sur t ta tandis te tes toi ton tous tout toute
        toutes très tu un une vers via voir vos votre vous y à été êtes être
    """,
}

_TURNING_WORDS = {
    "en": {
        "not": """
            aren't can't cannot couldn't didn't doesn't don't except hadn't hasn't haven't isn't mustn't needn't neither
            never no nobody none nor not nothing nowhere shouldn't unless wasn't weren't without won't wouldn't
        """,
        "always": "always",
        "only": "only",
        "before": "before",
        "after": "after",
        "off": "off",
        "less": "few fewer least less",
    },
    "de": {
        "not": """
            außer kein keine keinem keinen keiner keines nein nicht nichts nie niemals niemand nirgends ohne weder
        """,
        "always": "immer stets",
        "only": "nur",
        "before": "bevor davor vorher",
        "after": "danach nachdem nachher",
        "less": "wenig wenige weniger wenigsten",
    },
    "es": {
        "not": "excepto jamás nada nadie ni ninguna ninguno ningún no nunca salvo sin tampoco",
        "always": "siempre",
        "only": "solamente solo sólo",
        "before": "antes",
        "after": "después",
        "less": "menos poco pocos",
    },
    "fr": {
        "not": "aucun aucune jamais ne ni non pas personne rien sans sauf",
        "always": "toujours",
        "only": "seulement uniquement",
        "before": "avant",
        "after": "après",
        "less": "moins peu",
    },
}
"""Words that turn a question around, by what they do: those of one group stand for each other."""
_QUESTION_WORDS = {
    "en": "how what when where which who whom whose why",
    "de": "wann warum was welche welcher welches wer wie wieso wo wofür womit",
    "es": "cuál cuáles cuándo cuánto cómo dónde qué quién quiénes",
    "fr": "combien comment où pourquoi quand quel quelle quelles quels qui quoi",
}


def is_known(language: str) -> bool:
    """Whether a text is the ISO 639-1 code of a language that is known here."""
    return language in STEMMERS or language in _UNSTEMMED


def check_language(language: str) -> str:
    """Returns the language when its code is known; raises ConfigError otherwise."""
    known = sorted(_UNSTEMMED | STEMMERS.keys())
    if language in known:
        return language
    near = difflib.get_close_matches(language, known, n=1, cutoff=0.5) or [
        code for code, name in STEMMERS.items() if name == language.lower()
    ]
    hint = f"Did you mean {near[0]!r}?" if near else f"Known: {', '.join(known)}."
    raise ConfigError("keywords.language", f"{language!r} is not a known ISO 639-1 code", hint)


@cache
def stop_words(language: str) -> frozenset[str]:
    """Words of a language that carry no content, in lower case, with straight apostrophes."""
    return frozenset(_STOP_WORDS.get(check_language(language), "").split())


@cache
def turning_words(language: str) -> Mapping[str, frozenset[str]]:
    """Words that turn a question around, by what they do, in lower case, with straight apostrophes: none where the
    language has no table."""
    groups = _TURNING_WORDS.get(check_language(language), {})
    return {name: frozenset(words.split()) for name, words in groups.items()}


@cache
def question_words(language: str) -> frozenset[str]:
    """Words that a heading which is a question begins with, in lower case; a heading may end with `?` instead."""
    return frozenset(_QUESTION_WORDS.get(check_language(language), "").split())


def algorithm(language: str) -> str | None:
    """Snowball's name for the stemmer of a language; None where words are taken as they are."""
    return STEMMERS.get(check_language(language))


@cache
def stemmer(language: str) -> Callable[[str], str]:
    """The function from a word in lower case to its stem, by Snowball; the identity where the language has none."""
    name = algorithm(language)
    if name is None:
        return str
    from Stemmer import Stemmer

    # Without its own cache, whose upkeep takes four times as long as stemming does.
    stem: Callable[[str], str] = Stemmer(name, 0).stemWord
    return stem
