"""In which language a request is answered."""

from __future__ import annotations

import pytest
from fastapi.requests import HTTPConnection
from starlette.applications import Starlette

from service.web.language import CHOSEN, language_of


def asked(own: str, query: str = "", cookie: str = "", accepted: str = "") -> str:
    app = Starlette()
    app.state.lang = own
    headers = [(b"cookie", f"{CHOSEN}={cookie}".encode()), (b"accept-language", accepted.encode())]
    scope = {"type": "http", "app": app, "query_string": query.encode(), "headers": headers}
    return language_of(HTTPConnection(scope))


@pytest.mark.parametrize(
    ("own", "query", "cookie", "accepted", "lang"),
    [
        ("en", "lang=ja", "zh", "zh-CN", "ja"),  # an address says it for itself
        ("en", "", "zh", "ja-JP", "zh"),  # a choice goes before what the browser is set to
        ("en", "", "", "ja-JP,ja;q=0.9", "ja"),
        ("en", "", "", "fr-FR,fr;q=0.9,zh-TW;q=0.8,en;q=0.7", "zh"),
        ("en", "", "", "zh;q=0.2,ja;q=0.8", "ja"),  # weights say what is most welcome
        ("zh", "", "", "en-US,en;q=0.9", "zh"),  # English is what browsers say unasked
        ("zh", "lang=en", "", "ja", "en"),
        ("zh", "", "", "", "zh"),
        ("en", "lang=xx", "yy", "tlh;q=oops", "en"),  # what nobody speaks is no wish
        ("ja", "lang=en-native", "", "", "en-native"),
    ],
)
def test_the_nearest_wish_counts(
    own: str, query: str, cookie: str, accepted: str, lang: str
) -> None:
    assert asked(own, query, cookie, accepted) == lang
