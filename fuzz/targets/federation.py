"""Fuzzes the manifest of a federation: one error that names it, or sites that lie where a federation may lead to.

A manifest is read as that of a federation on the web and as that of one in a folder.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from infograph.client.errors import ClientError
from infograph.client.federation import FederatedPlace, is_private
from infograph.client.place import FOLDER_BASE, Place, web_place
from infograph.errors import FormatError
from infograph.formats.names import FEDERATION
from infograph.search.format.federation import MOST_SITES, read_federation

OWN = "https://example.org/search/"


def check(data: bytes) -> None:
    """Asserts what must hold for any input."""
    try:
        found = read_federation(data)
    except FormatError as error:
        assert error.place == FEDERATION and error.reason and error.hint, error
        assert "\n" not in str(error), error
        return
    assert 0 < len({site.id.casefold() for site in found.sites}) == len(found.sites) <= MOST_SITES
    for place in (FederatedPlace(web_place(OWN), of_web=True), FederatedPlace(Place(FOLDER_BASE, "."), of_web=False)):
        try:
            place.take(found.sites)
        except ClientError as error:
            assert error.code in ("outside", "broken") and "\n" not in str(error), error
            continue
        for id, site in place.sites.items():
            below = site.base.startswith(place.base)
            parts = urlsplit(site.base)
            assert site.base.endswith("/") and parts.username is None and not parts.query, site.base
            if place.base == OWN:
                assert below or (parts.scheme == "https" and not is_private(parts.hostname or "")), site.base
            assert below or parts.scheme in ("http", "https"), site.base
            assert place.resolve(f"{id}/_search/manifest.json") == f"{site.base}_search/manifest.json"
