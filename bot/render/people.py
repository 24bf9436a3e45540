"""People as somebody chooses them from the club's records."""

from __future__ import annotations

from bot.render.names import plain_name, safe_text
from bot.texts import Texts
from ratings.queries.people import PLAYER_VALUE, Meant, PlayerRecord

__all__ = ["choice", "unclear"]


def choice(texts: Texts, record: PlayerRecord) -> str:
    """Somebody within the 100 characters of a choice: name, account, games that count, and as whom he counts."""
    account = texts.gettext("not on Discord")
    if record.discord_id:
        account = texts.gettext("ID {id}", id=record.discord_id)
    parts = [plain_name(texts, record.name, 24), account]
    parts.append(texts.ngettext("{number} game", "{number} games", record.games))
    if record.counts_as is not None:
        parts.append(texts.gettext("counts as {name}", name=plain_name(texts, record.counts_as, 20)))
    return " · ".join(parts)[:100]


def unclear(texts: Texts, typed: str, found: Meant, most: int) -> str:
    """Nobody, or more than one, is meant by what somebody typed; at most so many are named."""
    typed = safe_text(plain_name(texts, typed, 40))
    advice = texts.gettext("Choose one of those offered while you type. Nothing was changed.")
    if found.exactly:
        told = texts.gettext("“{typed}” is the name of several people:", typed=typed)
        return "\n".join([told, *_lines(texts, found.exactly, most), advice])
    if typed.startswith(safe_text(PLAYER_VALUE)):
        told = texts.gettext("That record is not known any more.")
    else:
        told = texts.gettext("I know nobody called “{typed}” in this club.", typed=typed)
    if not found.near:
        return f"{told} {advice}"
    return "\n".join([told, texts.gettext("Is one of these meant?"), *_lines(texts, found.near, most), advice])


def _lines(texts: Texts, records: tuple[PlayerRecord, ...], most: int) -> list[str]:
    lines = [f"- {safe_text(choice(texts, each))}" for each in records[:most]]
    return [*lines, "…"] if len(records) > most else lines
