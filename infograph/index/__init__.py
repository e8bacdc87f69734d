"""IndexTool: what topic specifications say, as HAL+JSON that any web server can serve."""

from infograph.index.hal import ChildTopic, IndexOptions, summarise, topic_index
from infograph.index.llms import llms_txt
from infograph.index.paging import IndexPage
from infograph.index.stripes import stripe_factor, stripe_order

__all__ = [
    "ChildTopic",
    "IndexOptions",
    "IndexPage",
    "llms_txt",
    "stripe_factor",
    "stripe_order",
    "summarise",
    "topic_index",
]
