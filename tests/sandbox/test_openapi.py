"""The check against Discord's API description finds what is wrong, and nothing in what discord.py sends."""

from __future__ import annotations

import pytest

from tests.openapi import checker

JSON = "application/json"


def check(method: str, path: str, body: object) -> list[tuple[str, str]]:
    found = checker()
    if found is None:
        pytest.skip("Discord's API description does not lie beside this checkout.")
    return found(method, path, body, JSON)


def test_good_requests_pass() -> None:
    assert check("POST", "/channels/1/messages", {"content": "x", "embeds": [{"title": "t"}]}) == []
    assert check("GET", "/users/@me", None) == []
    assert check("POST", "/users/@me/channels", {"recipient_id": 123}) == []
    assert check("PUT", "/channels/1/messages/2/reactions/%E2%9C%85/@me", None) == []


def test_bad_requests_are_named() -> None:
    assert check("GET", "/nothing", None)
    assert check("GET", "/users/@me", {"surprise": True})
    ((where, what),) = check("POST", "/channels/1/messages", {"embeds": [{"title": "x" * 257}]})
    assert where == "embeds.0.title"
    assert "too long" in what
    assert check("POST", "/interactions/1/t/callback", {"type": 99})


def test_links_need_a_scheme() -> None:
    assert check("POST", "/channels/1/messages", {"embeds": [{"url": "chart"}]})
    assert check("POST", "/channels/1/messages", {"embeds": [{"url": "https://example.org"}]}) == []
