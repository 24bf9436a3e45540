"""What people read, in their language: gettext catalogues for messages, and for the names of commands."""

from __future__ import annotations

import gettext
from functools import lru_cache
from pathlib import Path

import discord
from discord import app_commands

__all__ = ["CATALOGUES", "CommandTranslator", "Texts", "any_catalogue", "texts_for"]

CATALOGUES = Path(__file__).parent / "locale"
DOMAIN = "tenbou"

_LOCATION = app_commands.TranslationContextLocation
NAMES = (_LOCATION.command_name, _LOCATION.group_name, _LOCATION.parameter_name)


class Texts:
    """Messages in one language. A message keeps its particulars in braces, filled in after translation."""

    def __init__(self, translations: gettext.NullTranslations) -> None:
        self._translations = translations

    def gettext(self, message: str, /, **values: object) -> str:
        """`message` in this language, with `values` filled in."""
        return self.lookup(message).format(**values)

    def lookup(self, message: str, meaning: str | None = None) -> str:
        """`message` in this language, as it stands; `meaning` is the catalogue's context for a word of several."""
        if meaning is not None:
            return self._translations.pgettext(meaning, message)
        return self._translations.gettext(message)

    def ngettext(self, one: str, many: str, number: int, /, **values: object) -> str:
        """The form of the message that goes with `number`, which fills {number}."""
        return self._translations.ngettext(one, many, number).format(number=number, **values)


def texts_for(locale: discord.Locale | str | None) -> Texts:
    """The catalogue for a locale as Discord names it ("ja", "en-GB"); English where there is none."""
    return _load(str(locale or "en-US"))


@lru_cache(maxsize=64)
def _load(locale: str) -> Texts:
    wanted = [locale.replace("-", "_"), locale.split("-")[0]]
    return Texts(gettext.translation(DOMAIN, CATALOGUES, wanted, fallback=True))


def any_catalogue() -> bool:
    """Whether there is a language beside English."""
    return any(CATALOGUES.glob(f"*/LC_MESSAGES/{DOMAIN}.mo"))


class CommandTranslator(app_commands.Translator):
    """Gives Discord the names and descriptions of commands in each language that has a catalogue."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """The translated text, or None to let Discord show the English one."""
        # A name must keep to Discord's rules for names, so it is no ordinary text that happens to read alike.
        meaning = "command name" if context.location in NAMES else None
        translated = texts_for(locale).lookup(string.message, meaning)
        return None if translated == string.message else translated
