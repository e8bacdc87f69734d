"""Texts as YAML has them."""

from __future__ import annotations

import yaml
from hypothesis import given
from hypothesis import strategies as st

from infograph.formats.yaml_scalars import is_other_type, read_scalar, scalar, scalars_of

_SOME = st.lists(
    st.sampled_from([*'aA yN0_.?":é\\\n\x7f\u2028', "no", "true", "inf", "nan", "0x1f", "title"]), max_size=3
)


@given(st.lists(st.one_of(_SOME.map("".join), st.text(max_size=4)), max_size=5))
def test_texts_that_are_looked_at_together_are_written_like_each_alone(texts: list[str]) -> None:
    assert scalars_of(texts) == list(map(scalar, texts))
    for text, written in zip(texts, scalars_of(texts), strict=True):
        assert read_scalar(written) == text
        assert written == text or written.startswith('"')


@given(_SOME.map("".join))
def test_every_reader_takes_it_for_the_text(text: str) -> None:
    assert yaml.safe_load(f"[{scalar(text)}]") == [text]
    assert not is_other_type(text) or scalar(text).startswith('"')
