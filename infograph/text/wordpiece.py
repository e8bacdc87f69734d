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

from infograph.errors import REINSTALL, ModelError
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

_MOST_PIECES = 1 << 14
"""Words whose pieces are remembered."""

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
    """The tokenizer without truncation or padding. All callers share it, so it must not be changed. Takes 20 ms. Raises
    ModelError where its file cannot be read."""
    from tokenizers import Tokenizer  # `infograph --help` needs none

    data = _packaged()
    try:
        tokenizer = Tokenizer.from_buffer(data)
    except Exception as error:  # it raises no other class
        raise _unread(error) from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


@cache
def load_vocabulary() -> dict[str, int]:
    """The tokenizer's pieces, each with its number, without special tokens. Shared like the tokenizer. Takes 20 ms."""
    pieces: dict[str, int] = load_tokenizer().get_vocab(with_added_tokens=False)
    return pieces


class Pieces(dict[bytes, tuple[tuple[int, ...], int]]):
    """The pieces of words in UTF-8 that have no ASCII space and no ASCII punctuation: their numbers, and how many
    tokens they count as, see `unknown_tokens`. Last words are remembered: a text's tokens are counted, and then it is
    embedded."""

    def __init__(self) -> None:
        super().__init__()
        self._vocabulary = load_vocabulary()
        self._tokenizer = load_tokenizer()
        self._tokenize = self._tokenizer.model.tokenize
        self._unknown = self._tokenizer.token_to_id(UNKNOWN)

    def __missing__(self, word: bytes) -> tuple[tuple[int, ...], int]:
        if len(word) > LONGEST_WORD:
            return self._encoded(word)
        if len(self) >= _MOST_PIECES:
            self.clear()
        if word.isalnum():  # ASCII, as these are bytes: only the case needs to be normalised
            lower = word.lower().decode()
            whole = self._vocabulary.get(lower)
            ids = tuple([piece.id for piece in self._tokenize(lower)]) if whole is None else (whole,)
            found = ids, len(ids)
        else:
            found = self._encoded(word)
        self[word] = found
        return found

    def _encoded(self, word: bytes) -> tuple[tuple[int, ...], int]:
        found = self._tokenizer.encode(word.decode("utf-8", "surrogatepass"), add_special_tokens=False)
        ids, unknown = tuple(found.ids), self._unknown
        if unknown not in ids:
            return ids, len(ids)
        spans = [end - start for id_, (start, end) in zip(ids, found.offsets, strict=True) if id_ == unknown]
        return ids, len(ids) - len(spans) + sum(map(unknown_tokens, spans))


@cache
def pieces() -> Pieces:
    """Returns the pieces of words, which all callers share."""
    return Pieces()


def word_pieces() -> dict[str, int]:
    """The tokenizer's vocabulary, each piece with its number, perhaps without special tokens. Takes half of the time of
    loading the tokenizer, where that was not loaded. Raises ModelError where its file cannot be read."""
    if load_vocabulary.cache_info().currsize:
        return load_vocabulary()
    try:
        pieces: dict[str, int] = orjson.loads(_packaged())["model"]["vocab"]
    except (ValueError, KeyError, TypeError) as error:
        raise _unread(repr(error)) from error
    return pieces


def _packaged() -> bytes:
    try:
        return tokenizer_file().read_bytes()
    except OSError as error:
        raise _unread(error.strerror or error) from error


def _unread(reason: object) -> ModelError:
    return ModelError(str(tokenizer_file()), f"the packaged tokenizer cannot be read: {reason}", REINSTALL)
