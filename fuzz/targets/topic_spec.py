"""Fuzzes `topic-spec.md`: a specification is written and read back unchanged, or a FormatError names the file."""

from __future__ import annotations

from dataclasses import replace

from infograph.errors import FormatError
from infograph.formats.topic_spec import parse, render
from infograph.model import TopicSpec


def check(data: bytes) -> None:
    """Asserts what must hold for any input."""
    try:
        spec = parse("topic-spec.md", data)
    except FormatError as error:
        assert error.place.startswith("topic-spec.md"), error.place
        return
    try:
        written = render(spec)
    except FormatError as error:  # a file edited by hand may hold what no build writes: two documents of one stem, NUL
        assert error.reason
        return
    assert parse("topic-spec.md", written) == _rounded(spec)
    assert render(parse("topic-spec.md", written)) == written


def _rounded(spec: TopicSpec) -> TopicSpec:
    """A specification with its similarities rounded to six places, as a build writes them."""

    def six(value: float) -> float:
        return float(f"{value:.6f}")

    return replace(
        spec,
        related=tuple(replace(topic, similarity=six(topic.similarity)) for topic in spec.related),
        sources=tuple(
            replace(
                source,
                chunks=tuple(
                    replace(
                        chunk,
                        similarity_conceptual=six(chunk.similarity_conceptual),
                        similarity_technical=None
                        if chunk.similarity_technical is None
                        else six(chunk.similarity_technical),
                    )
                    for chunk in source.chunks
                ),
            )
            for source in spec.sources
        ),
    )
