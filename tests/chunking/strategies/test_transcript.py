"""Transcripts cut between cues. `cut` asserts that the pieces tile the file and that offsets, lines and tokens hold."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.chunking.chunker import chunk_document
from infograph.chunking.interface import StrategyTools
from infograph.chunking.registry import strategy
from infograph.chunking.strategies.transcript import Transcript
from infograph.chunking.subtitles import cues
from infograph.chunking.tokens import WordPieceCounter
from infograph.errors import ConfigError, Notice
from infograph.model import Chunk
from infograph.source.document import decode

Cut = Callable[..., tuple[Chunk, ...]]

COUNTER = WordPieceCounter()

TALK = """WEBVTT - How rivers bend
Kind: captions

STYLE
::cue(v[voice="Ann"]) { color: red }

REGION
id:left

NOTE
Checked by two people,
twice.

intro
00:00.000 --> 00:04.000 align:start position:10%
<v.loud Ann Lee>Welcome to the <i>show</i> &amp; <00:02.500>more.

00:00:03.500 --> 00:00:06.000
<v Bob>Thanks.</v> <v Ann Lee>Sure,
go on.

NOTE the answer

00:01:10.000 --> 01:00:12.250
Is 3 < 4?
"""

FILM = """1
00:00:01,000 --> 00:00:02,000
ANNA: Hello there.
How are you?

2
00:00:02,500 --> 00:00:04,000
Fine, I think.
3
00:00:04,000 --> 00:00:05,000
{\\an8}<font color="#fff">John O'Neil:</font> Good.

Not timed.

4
0:0:6,5 --> 0:0:7
>> Someone else.
- And another: one.
"""


def notices(text: str, path: str = "t.vtt") -> tuple[Notice, ...]:
    return chunk_document(decode(path, text.encode()), (), Transcript(), StrategyTools(COUNTER)).notices


def embedded(chunk: Chunk) -> str:
    """The embedded text: a file without a title has no breadcrumb."""
    return chunk.embed_text


def said(text: str) -> list[tuple[float, float, tuple[tuple[str, str], ...]]]:
    return [(cue.begins, cue.ends, cue.turns) for cue in cues(text.splitlines())]


def timed(number: int, begins: float, words: str, seconds: float = 2.0) -> str:
    def stamp(at: float) -> str:
        return f"{int(at // 3600):02}:{int(at // 60) % 60:02}:{at % 60:06.3f}"

    return f"{number}\n{stamp(begins)} --> {stamp(begins + seconds)}\n{words}\n\n"


def test_times_speakers_and_words_of_a_webvtt_file(cut: Cut) -> None:
    assert said(TALK) == [
        (0, 0, ()),  # what stands before the first cue
        (0, 4, (("Ann Lee", "Welcome to the show & more."),)),
        (3.5, 6, (("Bob", "Thanks."), ("Ann Lee", "Sure,"), ("Ann Lee", "go on."))),
        (70, 3612.25, (("", "Is 3 < 4?"),)),
    ]
    (chunk,) = cut(TALK, Transcript(), "talks/t.vtt")
    assert embedded(chunk) == ("Ann Lee: Welcome to the show & more.\nBob: Thanks.\nAnn Lee: Sure, go on.\nIs 3 < 4?\n")
    assert chunk.facts == (("end", 3612.25), ("speakers", ("Ann Lee", "Bob")), ("start", 0))
    assert chunk.chunk_type == "transcript" and chunk.title == "t.vtt" and not chunk.is_code
    assert notices(TALK) == ()


def test_blank_lines_at_the_end_say_nothing_of_the_first_cue() -> None:
    talk = "intro\n00:00.000 --> 00:01.000\nHello.\n"
    assert [cue.start for cue in cues(talk.splitlines())] == [cue.start for cue in cues([*talk.splitlines(), ""])]


def test_a_subrip_file_with_missing_blank_lines_and_names_with_colons(cut: Cut) -> None:
    assert said(FILM) == [
        (1, 2, (("ANNA", "Hello there."), ("ANNA", "How are you?"))),
        (2.5, 4, (("ANNA", "Fine, I think."),)),
        (4, 5, (("John O'Neil", "Good."), ("John O'Neil", "Not timed."))),
        (6.5, 7, (("", "Someone else."), ("", "And another: one."))),
    ]
    assert notices(FILM, "t.srt") == ()
    assert set(Transcript.extensions) == {".vtt", ".srt"}


@pytest.mark.parametrize("source", [TALK, FILM])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_byte_order_marks_change_nothing(source: str, end: str, mark: str, cut: Cut) -> None:
    options = Transcript(minimum=20, maximum=60)
    path = "t.vtt" if source == TALK else "t.srt"
    plain, other = cut(source, options, path), cut(mark + source.replace("\n", end), options, path)
    assert [chunk.embed_text for chunk in other] == [chunk.embed_text for chunk in plain]
    assert [chunk.facts for chunk in other] == [chunk.facts for chunk in plain]


def test_a_pause_counts_for_more_than_a_turn_and_that_for_more_than_a_sentence(cut: Cut) -> None:
    cues = ["A: one", "A: two.", "A: three", "B: four", "B: five", "B: six", "B: seven"]
    at = [0, 2, 4, 6, 8, 10, 12]

    def first(pause_before: int | None, until: int) -> str:
        shifted = [time + 9 * (pause_before is not None and number >= pause_before) for number, time in enumerate(at)]
        text = "".join(
            timed(n, time, words) for n, (time, words) in enumerate(zip(shifted, cues[:until], strict=False))
        )
        limit = Transcript(minimum=1, maximum=COUNTER.count([text])[0] - 1)
        return embedded(cut(text, limit, "t.srt")[0])

    assert first(None, until=3) == "A: one two.\n"
    assert first(None, until=5) == "A: one two. three\n"
    assert first(5, until=7) == "A: one two. three\nB: four five\n"


def test_no_piece_is_longer_and_none_but_the_last_is_shorter(cut: Cut) -> None:
    words = "so the river bends and bends"
    text = "".join(timed(n, 3.0 * n, words + "." * (n % 7 == 0)) for n in range(300))
    chunks = cut(text, Transcript(minimum=150, maximum=400), "t.srt")
    assert all(150 <= chunk.tokens <= 400 for chunk in chunks[:-1])
    assert all(chunk.embed_text.endswith(".\n") for chunk in chunks[:-1])
    assert [dict(chunk.facts)["start"] for chunk in chunks] == sorted(dict(chunk.facts)["start"] for chunk in chunks)  # type: ignore[type-var]


def test_cues_that_overlap_or_go_back(cut: Cut) -> None:
    text = (
        "WEBVTT\n\n"
        + "00:10.000 --> 00:20.000\none\n\n00:05.000 --> 00:30.000\ntwo\n\n00:12.000 --> 00:13.000\nthree\n"
    )
    (chunk,) = cut(text, Transcript(), "t.vtt")
    assert chunk.facts == (("end", 30), ("start", 5))
    assert embedded(chunk) == "one two three\n" and notices(text) == ()


def test_lines_that_roll_are_embedded_once(cut: Cut) -> None:
    text = (
        "WEBVTT\n\n00:00.000 --> 00:02.000\nthe river\n\n00:02.000 --> 00:02.010\nthe river\n\n"
        "00:02.010 --> 00:04.000\nthe river\nbends<00:03.000><c> here</c>\n\n00:05.000 --> 00:06.000\nbends here\n"
    )
    assert embedded(cut(text, Transcript(), "t.vtt")[0]) == "the river bends here bends here\n"


@pytest.mark.parametrize(
    "times", ["00:0x --> 00:03.000", "--> 00:03.000", "00:99.000 --> 00:03", "00:05.000 --> 00:02.000", "-->"]
)
def test_a_malformed_time_costs_no_word_and_is_told_of(times: str, cut: Cut) -> None:
    text = f"WEBVTT\n\n00:00.000 --> 00:01.000\none\n\n{times}\ntwo\n\n00:04.000 --> 00:05.000\nthree\n"
    (chunk,) = cut(text, Transcript(), "t.vtt")
    assert embedded(chunk) == "one two three\n"
    assert dict(chunk.facts)["end"] == 5
    (notice,) = notices(text)
    assert (notice.kind, notice.count) == ("time-stamp", 1) and "line 6" in notice.message


@pytest.mark.parametrize("line", ["File --> Save and press the zebra key", "2 --> 3", "At 5:00 --> home", "a-->b"])
def test_an_arrow_in_what_is_said_is_no_times(line: str, cut: Cut) -> None:
    text = f"1\n00:01.000 --> 00:02.000\none\n{line}\n\n2\n00:04.000 --> 00:05.000\ntwo\n"
    (chunk,) = cut(text, Transcript(), "t.srt")
    assert embedded(chunk) == f"one {line} two\n"
    assert notices(text) == ()
    alone = f"{line}\nno times\n"
    assert [notice.kind for notice in notices(alone)] == ["cues"]


def test_an_arrow_in_a_long_cue_is_embedded(cut: Cut) -> None:
    text = "00:00.000 --> 00:09.000\n" + "many words.\nFile --> Save\n" * 60
    chunks = cut(text, Transcript(minimum=10, maximum=60), "t.vtt")
    assert sum(chunk.embed_text.count("File --> Save") for chunk in chunks) == 60
    assert not any("00:" in chunk.embed_text for chunk in chunks)


def test_a_cue_that_ends_before_it_begins_is_told_apart_from_times_that_cannot_be_read() -> None:
    times = ["00:05.000 --> 00:02.000", "00:0x --> 00:07.000", "00:08.000 --> 00:07.000"]
    text = "WEBVTT\n\n" + "".join(f"{time}\nwords\n\n" for time in times)
    assert [(notice.kind, notice.message, notice.count) for notice in notices(text)] == [
        ("time-stamp", "times that cannot be read, words kept: line 6", 1),
        ("time-stamp", "ends before it begins, words kept: lines 3, 9", 2),
    ]


def test_an_abbreviation_ends_no_sentence(cut: Cut) -> None:
    text = "".join(timed(n, 2 * n, words) for n, words in enumerate(("It ends.", "So says Dr.", "Who")))
    limit = Transcript(minimum=1, maximum=COUNTER.count([text])[0] - 1)
    assert embedded(cut(text, limit, "t.srt")[0]) == "It ends.\n"


def test_a_file_without_times_is_cut_between_lines_and_says_so(cut: Cut) -> None:
    text = "just some words\n" * 200
    assert all(chunk.embed_text.endswith(chunk.text) for chunk in cut(text, Transcript(10, 60), "t.srt"))
    assert [notice.kind for notice in notices(text)] == ["cues"]


def test_a_cue_longer_than_a_piece_is_cut_and_its_times_are_not_embedded(cut: Cut) -> None:
    text = "WEBVTT\n\n00:00.000 --> 00:09.000\n<v Ann>" + "many words.\n" * 60
    chunks = cut(text, Transcript(minimum=10, maximum=60), "t.vtt")
    assert len(chunks) > 2 and all(chunk.tokens <= 60 for chunk in chunks)
    for chunk in chunks[1:]:
        assert "-->" not in chunk.embed_text and "<v" not in chunk.embed_text
        assert dict(chunk.facts)["end"] == 9


LINE = st.sampled_from(
    [
        "WEBVTT",
        "",
        "1",
        "00:01.000 --> 00:02.000",
        "00:0 --> x",
        "x --> 00:07",
        "-->",
        "<v Ann>Hello",
        "Bob: yes.",
        "NOTE x",
        "STYLE",
        "é 漢",
        "{\\an8}",
        "<",
    ]
)


@given(lines=st.lists(LINE, max_size=30), end=st.sampled_from(["\n", "\r\n", "\r"]))
@settings(max_examples=80, deadline=None)
def test_any_text_is_tiled(lines: list[str], end: str, cut: Cut) -> None:
    chunks = cut(end.join(lines), Transcript(minimum=5, maximum=20), "t.vtt")
    assert all(chunk.tokens <= 20 for chunk in chunks)


@pytest.mark.parametrize(
    "options", [{"minimum": 0}, {"maximum": 9}, {"pause": 0.0}, {"pause": 86_400.0}, {"pause": float("nan")}]
)
def test_impossible_options_are_errors(options: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match=r"strategies\.transcript"):
        strategy("transcript", options)


def test_what_the_chunks_depend_on_is_in_the_key() -> None:
    assert Transcript().key == "transcript-250-750"
    assert Transcript(pause=1.5).key == "transcript-1.5s-250-750"


def test_a_cue_too_large_is_embedded_in_parts(cut: Cut) -> None:
    chunks = cut(timed(1, 0, "so the river bends " * 40), Transcript(minimum=10, maximum=50), "t.srt")
    assert len(chunks) > 3
    assert all("river" in chunk.embed_text for chunk in chunks[1:])


@pytest.mark.parametrize(
    ("time", "seconds"),
    [
        ("00:01.500", 1.5),
        ("1:02:03.004", 3723.004),
        ("0100:00:00.000", 360_000),
        ("59:59.999", 3599.999),
        ("00:00:07,25", 7.25),
        ("00:07.5", 7.5),
        ("00:07", 7),
        ("00:60.000", None),
        ("60:00.000", None),
        ("7.5", None),
        ("00:07.5000", None),
    ],
)
def test_times(time: str, seconds: float | None) -> None:
    """Times have hours, minutes and seconds in either format; an unreadable time becomes the end of the previous
    cue."""
    (_, before, cue) = cues(["WEBVTT", "00:00.000 --> 00:00.900", "a", "", f"{time} --> 200:00:00.000", "b"])
    assert cue.begins == (before.ends if seconds is None else seconds)
    assert cue.ends == (cue.begins if seconds is None else 720_000)
    (cue,) = cues([f"00:00.000 --> {time} align:start", "b"])
    assert cue.ends == (seconds or 0) and bool(cue.fault) == (seconds is None)


A, B = "00:01.000 --> 00:02.000", "00:03.000 --> 00:04.000"


@pytest.mark.parametrize(
    ("text", "spans", "said"),
    [
        ([A, "one", "", B, "two"], [(0, 3), (3, 5)], ["one", "two"]),
        ([A, "one", "", "name", B, "two"], [(0, 3), (3, 6)], ["one", "two"]),  # a line that stands alone is a name,
        ([A, "one", "name", B, "two"], [(0, 3), (3, 5)], ["one name", "two"]),  # another is text,
        ([A, "one", "2", B, "two"], [(0, 2), (2, 5)], ["one", "two"]),  # but for a number
        ([A, "2", B, "two"], [(0, 1), (1, 4)], ["", "two"]),
        ([A, B, "two"], [(0, 1), (1, 3)], ["", "two"]),
        ([A, "", "name", B, "two"], [(0, 2), (2, 5)], ["", "two"]),
        (["1", A, "one"], [(0, 3)], ["one"]),
        (["", "name", A, "one"], [(0, 1), (1, 4)], ["", "one"]),
        (["WEBVTT", "", "NOTE x", "y", "", "name", A, "one"], [(0, 5), (5, 8)], ["", "one"]),
        # a comment belongs to the cue after it, other text to the one before, the end to the last
        (["WEBVTT", "", A, "one", "", "NOTE x", "", B, "two"], [(0, 2), (2, 5), (5, 9)], ["", "one", "two"]),
        (
            ["WEBVTT", "", A, "one", "", "NOTE", "x", "", "more", "", B],
            [(0, 2), (2, 10), (10, 11)],
            ["", "one more", ""],
        ),
        (["WEBVTT", "", A, "one", "NOTE x"], [(0, 2), (2, 5)], ["", "one NOTE x"]),
        (["WEBVTT", "", A, "one", "", "NOTE x", "", ""], [(0, 2), (2, 8)], ["", "one"]),
        (["WEBVTT", "", A, "one", "", "NOTES", ""], [(0, 2), (2, 7)], ["", "one NOTES"]),
        ([A, "one", "", "NOTE x", "", B], [(0, 5), (5, 6)], ["one NOTE x", ""]),  # SubRip has none
    ],
)
def test_what_belongs_to_a_cue(text: list[str], spans: list[tuple[int, int]], said: list[str]) -> None:
    found = cues(text)
    assert [(cue.start, cue.end) for cue in found] == spans
    assert [" ".join(words for _, words in cue.turns) for cue in found] == said
    assert [text[cue.line] in (A, B) for cue in found] == [True] * len(found)


@pytest.mark.parametrize(
    ("payload", "turns"),
    [
        (["<v Ann>one", "two", "<v Bob>three"], [("Ann", "one"), ("Ann", "two"), ("Bob", "three")]),
        (["zero <v.loud.x Ann Lee>one</v>"], [("", "zero"), ("Ann Lee", "one")]),
        (["Ann: one", "two", "- three"], [("Ann", "one"), ("Ann", "two"), ("", "three")]),
        (["Ann: one", "<v Bob>two"], [("Ann", "one"), ("Bob", "two")]),
        ([">> Ann Mary Lee Doe: one"], [("Ann Mary Lee Doe", "one")]),
        (["Ann Mary Lee Doe Roe: one"], [("", "Ann Mary Lee Doe Roe: one")]),
        (["note: one", "At 10:30 it rains"], [("", "note: one"), ("", "At 10:30 it rains")]),
        (["<v Ann></v>", "<i></i>"], []),
    ],
)
def test_who_speaks(payload: list[str], turns: list[tuple[str, str]]) -> None:
    (cue,) = cues([A, *payload])
    assert list(cue.turns) == turns


def test_a_voice_holds_to_the_end_of_its_cue_and_a_name_until_the_next_one() -> None:
    cue_after_voice = cues([A, "<v Ann>one", "", B, "two"])[1]
    assert cue_after_voice.turns == (("", "two"),)
    cue_after_name = cues([A, "Ann: one", "", B, "two"])[1]
    assert cue_after_name.turns == (("Ann", "two"),)


@pytest.mark.parametrize(
    ("seconds", "payload", "said"),
    [
        ("03.099", ["one"], []),  # shown for an instant: it rolls
        ("03.100", ["one"], ["one"]),  # said again
        ("04.000", ["one", "two"], ["two"]),
        ("03.050", ["two"], ["two"]),
        ("03.050", [], []),
    ],
)
def test_a_line_that_rolls_was_there_already(seconds: str, payload: list[str], said: list[str]) -> None:
    second = cues([A, "zero", "one", "", f"00:03.000 --> 00:{seconds}", *payload])[1]
    assert [words for _, words in second.turns] == said


@pytest.mark.parametrize("count", [1, 2, 3])
def test_as_many_cues_as_fit_exactly(count: int, cut: Cut) -> None:
    text = "".join(timed(n, 2 * n, "so it goes") for n in range(1, 8))
    tokens = COUNTER.count([timed(1, 2, "so it goes")])[0]
    for maximum, found in ((count * tokens, count), ((count + 1) * tokens - 1, count)):
        first, *_ = cut(text, Transcript(minimum=1, maximum=maximum), "t.srt")
        assert first.text.count("goes") == found
    (whole,) = cut(text, Transcript(minimum=1, maximum=7 * tokens), "t.srt")
    assert whole.text == text


@pytest.mark.parametrize(("gap", "cues_"), [(1.999, 3), (2.0, 2)])
def test_a_pause_of_exactly_its_length_parts(gap: float, cues_: int, cut: Cut) -> None:
    begins = [0, 2, 4 + gap, 6 + gap]
    text = "".join(timed(n, at, "so it goes") for n, at in enumerate(begins))
    first, _ = cut(text, Transcript(minimum=1, maximum=COUNTER.count([text])[0] - 1), "t.srt")
    assert first.text.count("goes") == cues_


def test_before_the_minimum_nothing_parts(cut: Cut) -> None:
    """A sentence ends after the first cue and after the second; where the first is too small, the second is enough."""
    text = "".join(timed(n, 2 * n, words) for n, words in enumerate(["It goes.", "so it goes", "so it goes", "and on"]))
    first, tokens = timed(0, 0, "It goes."), COUNTER.count([text])[0] - 1
    enough = COUNTER.count([first])[0]
    assert cut(text, Transcript(enough, tokens), "t.srt")[0].text == first
    assert cut(text, Transcript(enough + 1, tokens), "t.srt")[0].text.count("goes") == 3


def test_times_are_facts_to_the_millisecond(cut: Cut) -> None:
    text = timed(1, 1.2345, "one", 2.1111) + timed(2, 0.5, "two", 9.0015)
    (chunk,) = cut(text, Transcript(), "t.srt")
    assert dict(chunk.facts) == {"start": 0.5, "end": 9.502}
    assert dict(cut(timed(1, 1.234, "one", 2.111), Transcript(), "t.srt")[0].facts) == {"start": 1.234, "end": 3.345}


def test_a_pause_is_one_only_where_nothing_is_shown(cut: Cut) -> None:
    """A cue that stays on covers shorter cues."""
    text = timed(1, 0, "one two three", 20) + timed(2, 1, "one two three", 1) + timed(3, 9, "one two three") * 2
    limit = Transcript(minimum=1, maximum=COUNTER.count([text])[0] - 1)
    assert cut(text, limit, "t.srt")[0].text.count("three") == 3


@pytest.mark.parametrize("options", [{"minimum": 1, "maximum": 1}, {"pause": 0.001}, {"pause": 86_399.9}])
def test_options_at_their_limits(options: dict[str, float]) -> None:
    assert strategy("transcript", options)


def test_a_cue_may_end_as_it_begins_and_the_first_begins_at_nothing_where_its_time_is_none() -> None:
    (cue,) = cues(["00:01.000 --> 00:01.000", "b"])
    assert (cue.begins, cue.ends, cue.fault) == (1, 1, "")
    first, second = cues(["00:99 --> 00:98", "a", "", "z --> 00:02.000", "b"])
    assert [(cue.begins, cue.ends) for cue in (first, second)] == [(0, 0), (0, 0)]
    assert first.fault == second.fault == "times that cannot be read"
