"""Texts come from catalogues: all of them are collected, and each reader gets his own language."""

from __future__ import annotations

import ast
import io
from collections.abc import Iterator
from pathlib import Path

import discord
import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from bot import permissions, texts
from tests import catalogue_help
from tests.club_evening import Evening, reply

ROOT = Path(__file__).resolve().parents[1]
GAME = {"Ann": "45200", "Борис": "30100", "千秋": "15700", "Dora": "9000"}
KEYWORDS = {"gettext": None, "ngettext": (1, 2), "locale_str": None}


def collected() -> set[str | tuple[str, ...]]:
    """Every translatable text of the program, as it stands in the code."""
    found: set[str | tuple[str, ...]] = set()
    for folder in ("bot", "cogs"):
        for _, _, message, _, _ in extract_from_dir(ROOT / folder, keywords=KEYWORDS):
            found.add(message if isinstance(message, str) else tuple(message))
    return found


def template() -> Catalog:
    """The template that translators start from."""
    return read_po(io.StringIO((texts.CATALOGUES / "tenbou.pot").read_text(encoding="utf-8")))


def test_the_template_holds_every_text_and_no_other() -> None:
    kept = {tuple(each.id) if isinstance(each.id, (tuple, list)) else each.id for each in template() if each.id}
    assert kept == collected()


def test_no_text_hides_in_an_f_string() -> None:
    """There the collector finds it in some versions of Python only."""
    hidden = [
        f"{path.name}:{call.lineno}"
        for folder in ("bot", "cogs")
        for path in (ROOT / folder).rglob("*.py")
        for string in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(string, ast.JoinedStr)
        for call in ast.walk(string)
        if isinstance(call, ast.Call) and getattr(call.func, "attr", "") in ("gettext", "ngettext")
    ]
    assert hidden == []


@pytest.fixture
def brackets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A made-up Japanese catalogue in which every text stands in brackets."""
    catalogue = Catalog(locale="ja")
    for each in template():
        if isinstance(each.id, (tuple, list)):
            catalogue.add(each.id, (f"⟦{each.id[1]}⟧",))
        elif each.id:
            catalogue.add(each.id, f"⟦{each.id}⟧")
    with catalogue_help.in_use(catalogue, tmp_path, monkeypatch):
        yield


async def test_private_answers_speak_the_readers_language_and_cards_the_clubs(
    brackets: None, evening: Evening
) -> None:
    evening.users["Ann"]["locale"] = "ja"
    receipt = reply(await evening.report(GAME))["embeds"][0]
    assert receipt["title"] == "⟦Game #1 is reported⟧"
    assert "⟦hanchan⟧" in receipt["description"].lower()
    card = await evening.card_ready(1)
    assert card["embeds"][0]["title"] == "Game #1 is waiting for approval"
    wrong = await evening.report({**GAME, "Dora": "8000"})
    assert reply(wrong)["content"].startswith("⟦The scores add up to 99,000")


async def test_commands_are_described_in_each_language_that_has_a_catalogue(
    brackets: None, evening: Evening
) -> None:
    (command,) = [each for each in evening.bot.tree.get_commands() if each.name == "profile"]
    translator = evening.bot.tree.translator
    assert translator is not None
    payload = await command.get_translated_payload(evening.bot.tree, translator)
    assert payload["description_localizations"]["ja"] == f"⟦{payload['description']}⟧"
    assert "ru" not in payload["description_localizations"]


def test_the_invitation_asks_for_the_permissions_the_bot_checks() -> None:
    needed = discord.Permissions(**dict.fromkeys(permissions.APPROVALS, True))
    assert f"permissions={needed.value}" in (ROOT / "README.md").read_text(encoding="utf-8")
