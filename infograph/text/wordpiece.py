"""The packaged WordPiece tokenizer (BERT, uncased), called once for each distinct word.

BERT's pre-tokenizer splits at white space and makes each punctuation character a token of its own, and its
normalizer turns tabs and line ends into spaces. So between ASCII spaces and ASCII punctuation there are words
whose tokens do not depend on each other. A tree has few distinct words (33 MB of documentation: 50,000), so
what follows from a word's tokens is worked out once, which is 20 times as fast as encoding whole texts.
White space and punctuation beyond ASCII stay inside of a "word" and are left to the tokenizer.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import orjson

from infograph.files.packaged import tokenizer_file

if TYPE_CHECKING:
    from tokenizers import Tokenizer

NAME = "wordpiece-bert-uncased-2"
"""Name of the tokenizer and of the way its tokens are counted; a change of either needs another name."""

UNKNOWN = "[UNK]"
"""The token for a word that cannot be put together from the vocabulary."""

PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
"""Characters that are a token of their own wherever they stand."""

LONGEST_WORD = 64
"""Most characters of a word whose tokens are remembered. Longer ones (keys, data) seldom occur twice."""

_SPACES = bytes.maketrans((PUNCTUATION + "\t\r\n\v\f").encode(), b" " * (len(PUNCTUATION) + 3) + b"\0\0")
_NOT_PUNCTUATION = bytes(code for code in range(256) if chr(code) not in PUNCTUATION)

# Bytes are split at many times the speed of text with a character beyond ASCII in it. In UTF-8 no such character has
# a byte that is an ASCII character's. A lone surrogate (in a question, not in a document) must not fail here.


def parted(text: str) -> tuple[bytes, bytes]:
    """The words of a text in UTF-8, separated by white space, and its ASCII punctuation.

    Vertical tabs and form feeds, which the normalizer drops and which would be white space, come as NUL, which it drops
    as well.
    """
    data = text.encode("utf-8", "surrogatepass")
    return data.translate(_SPACES), data.translate(None, _NOT_PUNCTUATION)


def unknown_tokens(characters: int) -> int:
    """Tokens that a word unknown to the tokenizer counts as, by its number of characters: one for two characters.

    BERT has one `[UNK]` for a word with any letter that is not in its vocabulary (Thai, Khmer, Burmese, Lao, where a
    paragraph may be one word), and for every word above 100 characters. Counted as one token, no limit and no budget
    would hold. Two characters: so are words of 32 to 64 characters taken apart where they are known (2.05 each), keys
    and data into pieces of 1.5; models of many languages have 1 to 3 for these scripts. A lone emoji is one, as ever.
    """
    return -(-characters // 2)


@cache
def load_tokenizer() -> Tokenizer:
    """The tokenizer without truncation or padding. All callers share it, so it must not be changed. Takes 20 ms."""
    from tokenizers import Tokenizer  # `infograph --help` needs none

    tokenizer = Tokenizer.from_file(str(tokenizer_file()))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


@cache
def load_vocabulary() -> dict[str, int]:
    """The tokenizer's pieces, each with its number, without special tokens. Shared like the tokenizer. Takes 20 ms."""
    pieces: dict[str, int] = load_tokenizer().get_vocab(with_added_tokens=False)
    return pieces


def word_pieces() -> dict[str, int]:
    """The tokenizer's vocabulary, each piece with its number, perhaps without special tokens. Takes half of the time of
    loading the tokenizer, where that was not loaded."""
    if load_vocabulary.cache_info().currsize:
        return load_vocabulary()
    pieces: dict[str, int] = orjson.loads(tokenizer_file().read_bytes())["model"]["vocab"]
    return pieces
