"""`topic-spec.md`: a specification that is written and read back as it is, or a FormatError that names the file."""

from __future__ import annotations

from dataclasses import replace

from infograph.errors import FormatError
from infograph.formats.topic_spec import parse, render
from infograph.model import TopicSpec


def check(data: bytes) -> None:
    try:
        spec = parse("topic-spec.md", data)
    except FormatError as error:
        assert error.place.startswith("topic-spec.md"), error.place
        return
    try:
        written = render(spec)
    except FormatError as error:  # a person may write what no build does: two documents of one stem, NUL
        assert error.reason
        return
    assert parse("topic-spec.md", written) == _rounded(spec)
    assert render(parse("topic-spec.md", written)) == written


def _rounded(spec: TopicSpec) -> TopicSpec:
    """Similarities as a build has them, with six places; a person may write more."""

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
