"""The index of each topic: HAL+JSON that any web server can serve, and `llms.txt`.

In:  topic specifications and what is known of the topics below them.
Out: the bytes of `index.json` and its further pages, stripe orders, `llms.txt`. All functions are pure.

`infograph.formats.index_json` defines the keys. Never import another stage or read or write a file here.
"""

from infograph.index.hal import ChildTopic, IndexOptions, index_version, spec_version, summarise, topic_index
from infograph.index.llms import PageLink, TreeListing, llms_files
from infograph.index.paging import IndexPage
from infograph.index.stripes import stripe_factor, stripe_order

__all__ = [
    "ChildTopic",
    "IndexOptions",
    "IndexPage",
    "PageLink",
    "TreeListing",
    "index_version",
    "llms_files",
    "spec_version",
    "stripe_factor",
    "stripe_order",
    "summarise",
    "topic_index",
]
