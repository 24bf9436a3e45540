"""The card of a reported game: what was played, and what approval would do or did."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.render import american, riichi, words
from bot.render.moves import fill
from bot.render.names import safe_name, safe_text
from bot.texts import Texts
from ratings.ledger import AmericanOutcome, Matter, RiichiOutcome
from ratings.models import AmericanGame, CorrectionKind, GameState, RiichiGame
from ratings.queries.games import Card, GameRecord, Note, Ruling
from ratings.queries.records import Twin
from ratings.settings import ClubSettings

__all__ = ["COLOURS", "body", "decision", "game_card", "jump_url", "mark_of", "repeats", "title"]

COLOURS = {
    GameState.PENDING: 0xE0A526,
    GameState.APPROVED: 0x3BA55D,
    GameState.REJECTED: 0xC0392B,
    GameState.VOIDED: 0x7F8C8D,
    GameState.WITHDRAWN: 0x7F8C8D,
}
FIELD = 1024  # characters in a field

# Which corrections still matter to whoever looks at a game; the others are history.
_NOTED = {
    GameState.PENDING: (CorrectionKind.AMEND, CorrectionKind.REOPEN),
    GameState.APPROVED: (CorrectionKind.AMEND, CorrectionKind.RESTORE),
    GameState.REJECTED: (CorrectionKind.AMEND,),
    GameState.VOIDED: (CorrectionKind.VOID,),
    GameState.WITHDRAWN: (CorrectionKind.WITHDRAW,),
}


def mark_of(game: GameRecord, kind: str) -> str:
    """The footer by which a post about a game is found again: the same however often it is drawn."""
    return f"#{game.number} · {kind}"


def jump_url(card: Card) -> str:
    """A link that opens the message of a card."""
    return f"https://discord.com/channels/{card.guild_id}/{card.channel_id}/{card.message_id}"


def game_card(texts: Texts, matter: Matter, amended: Sequence[str] = ()) -> discord.Embed:
    """The card as the game stands now; `amended` tells, a line each, what it was reported as and is no more."""
    game, settings = matter.game, matter.settings
    reported = texts.gettext(
        "Reported by {name}, {moment}",
        name=safe_name(texts, game.reporter.name),
        moment=words.moment(game.reported_at, settings.zone),
    )
    embed = discord.Embed(
        title=title(texts, game),
        description="\n".join([*body(texts, matter), "", reported]),
        colour=COLOURS[game.state],
    )
    if isinstance(matter.outcome, RiichiOutcome) and (closed := riichi.closed_to(texts, game, matter.outcome)):
        embed.add_field(name=texts.gettext("Not open to everyone"), value=closed, inline=False)
    if game.twin is not None:
        twin = repeats(texts, game.facts, game.twin)
        embed.add_field(name=texts.gettext("Possible duplicate"), value=twin, inline=False)
    if game.state is GameState.PENDING:
        advice = texts.gettext("React ✅ to approve or ❌ to reject.")
        embed.add_field(name=texts.gettext("Admins"), value=advice, inline=False)
    for name, value in [*decision(texts, game, settings), *_note(texts, game, settings)]:
        embed.add_field(name=name, value=value, inline=False)
    fill(embed, texts.gettext("Amended since it was reported"), amended)
    return embed.set_footer(text=mark_of(game, "card"))


def body(texts: Texts, matter: Matter, *, steps: bool = True) -> list[str]:
    """The lines of a card that tell the game: what was played, by whom, and what it does. Without `steps` those
    of a riichi game are left out, for where they are told otherwise."""
    game, facts, outcome = matter.game, matter.game.facts, matter.outcome
    if isinstance(facts, AmericanGame) and isinstance(outcome, AmericanOutcome):
        return american.lines(texts, game, facts, outcome, matter.settings)
    assert isinstance(facts, RiichiGame)  # noqa: S101 - games and outcomes come in pairs
    assert isinstance(outcome, RiichiOutcome)  # noqa: S101
    return riichi.lines(texts, game, facts, outcome, matter.settings, steps=steps)


def title(texts: Texts, game: GameRecord) -> str:
    """A game's number and where it stands, as a sentence."""
    match game.state:
        case GameState.PENDING:
            return texts.gettext("Game #{number} is waiting for approval", number=game.number)
        case GameState.APPROVED:
            return texts.gettext("Game #{number} is approved", number=game.number)
        case GameState.REJECTED:
            return texts.gettext("Game #{number} is rejected", number=game.number)
        case GameState.VOIDED:
            return texts.gettext("Game #{number} is voided", number=game.number)
        case GameState.WITHDRAWN:
            return texts.gettext("Game #{number} is withdrawn", number=game.number)


def repeats(texts: Texts, facts: RiichiGame | AmericanGame, twin: Twin) -> str:
    """Which game tells the same, as a sentence with a link."""
    label = texts.gettext("game #{number}", number=twin.number)
    if twin.card is not None:
        label = f"[{label}]({jump_url(twin.card)})"
    if isinstance(facts, AmericanGame):
        return texts.gettext("The same player won with the same line at the same table in {game}.", game=label)
    return texts.gettext("The same players had the same scores in {game}.", game=label)


def decision(texts: Texts, game: GameRecord, settings: ClubSettings) -> list[tuple[str, str]]:
    """Fields with the decision under which a game stands, who took it, when, and perhaps why."""
    fields = []
    ruling = game.decision
    if ruling is not None and game.state in (GameState.APPROVED, GameState.VOIDED):
        fields.append((texts.gettext("Approved"), _signed(texts, ruling, settings)))
    if ruling is not None and game.state is GameState.REJECTED:
        fields.append((texts.gettext("Rejected"), _signed(texts, ruling, settings)))
        if ruling.reason:
            fields.append((texts.gettext("Reason"), safe_text(ruling.reason)))
    return fields


def _note(texts: Texts, game: GameRecord, settings: ClubSettings) -> list[tuple[str, str]]:
    """A field with the newest correction, if it still matters."""
    note = game.note
    if note is None or note.kind not in _NOTED[game.state]:
        return []
    told = _signed(texts, note, settings)
    if note.reason:
        told += f"\n{safe_text(note.reason)}"
    return [(_note_name(texts, note.kind), told[:FIELD])]


def _signed(texts: Texts, deed: Ruling | Note, settings: ClubSettings) -> str:
    when = words.moment(deed.at, settings.zone)
    return texts.gettext("By {name}, {moment}", name=safe_name(texts, deed.by), moment=when)


def _note_name(texts: Texts, kind: CorrectionKind) -> str:
    return {
        CorrectionKind.VOID: texts.gettext("Voided"),
        CorrectionKind.RESTORE: texts.gettext("Restored"),
        CorrectionKind.AMEND: texts.gettext("Amended"),
        CorrectionKind.WITHDRAW: texts.gettext("Withdrawn"),
        CorrectionKind.REOPEN: texts.gettext("Reopened"),
    }[kind]
