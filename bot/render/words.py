"""The field's terms and figures as people read them."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from bot.texts import Texts
from ratings.models import GameState, Length, Lobby, Standing, SystemName
from ratings.systems import tenhou

__all__ = [
    "final_points",
    "length_name",
    "lobby_name",
    "moment",
    "moves_ratings",
    "ordinal",
    "percent",
    "rank_in_full",
    "rank_name",
    "rating",
    "score",
    "signed",
    "standing_line",
    "system_name",
    "wind",
]

WINDS = "東南西北"


def rank_name(texts: Texts, rank: int) -> str:
    """The reader's name of a ladder rank: newcomer, 9-kyuu to 1-kyuu, 1-dan to 10-dan, Tenhoui."""
    rung = tenhou.RANKS[rank]
    if rung.id.endswith("kyu"):
        return texts.gettext("{number}-kyuu", number=rung.id.removesuffix("kyu"))
    if rung.id.endswith("dan"):
        return texts.gettext("{number}-dan", number=rung.id.removesuffix("dan"))
    return texts.gettext("newcomer") if rank == 0 else texts.gettext("Tenhoui")


def rank_in_full(texts: Texts, rank: int) -> str:
    """A rank in Japanese and in the reader's words: 三段 (3-dan)."""
    return f"{tenhou.RANKS[rank].name} ({rank_name(texts, rank)})"


def standing_line(texts: Texts, standing: Standing, system: SystemName) -> str:
    """Rank, rank points on the way to the next rank, and R."""
    target = tenhou.RANKS[standing.rank].target(4 if system is SystemName.TENHOU_4P else 3)
    points = "" if target is None else f" {standing.points}/{target}"
    return f"{rank_in_full(texts, standing.rank)}{points} · R{rating(standing.rating)}"


def lobby_name(texts: Texts, lobby: Lobby) -> str:
    """A lobby in the reader's words and in Japanese."""
    return {
        Lobby.IPPAN: texts.gettext("ippan (一般)"),
        Lobby.JOUKYUU: texts.gettext("joukyuu (上級)"),
        Lobby.TOKUJOU: texts.gettext("tokujou (特上)"),
        Lobby.HOUOU: texts.gettext("houou (鳳凰)"),
    }[lobby]


def length_name(texts: Texts, length: Length) -> str:
    """Hanchan or tonpuu."""
    return texts.gettext("hanchan") if length is Length.HANCHAN else texts.gettext("tonpuu")


def system_name(texts: Texts, system: SystemName) -> str:
    """A rating system: four or three players of riichi, or American mahjong."""
    return {
        SystemName.TENHOU_4P: texts.gettext("four players"),
        SystemName.TENHOU_3P: texts.gettext("three players"),
        SystemName.NMJL: texts.gettext("American mahjong"),
    }[system]


def ordinal(texts: Texts, place: int) -> str:
    """A place at the table, 1 to 4."""
    return [texts.gettext("1st"), texts.gettext("2nd"), texts.gettext("3rd"), texts.gettext("4th")][place - 1]


def wind(seat: int) -> str:
    """The wind of a seat at the start: 東 for the first dealer."""
    return WINDS[seat]


def score(points: int) -> str:
    """A raw score with thousands apart and a true minus sign: 25,000, −5,000."""
    return f"{points:,}".replace("-", "−")


def signed(number: int) -> str:
    """A whole number with its sign: +30, −45, ±0."""
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "±0"


def final_points(points: int) -> str:
    """Final points in thousands: +45.2. Points beyond the hundreds are shown when there are any."""
    if points == 0:
        return "±0.0"
    digits = f"{abs(points) / 1000:.1f}" if points % 100 == 0 else f"{abs(points) / 1000:.3f}"
    return f"{'+' if points > 0 else '−'}{digits}"


def rating(value: float, digits: int = 0) -> str:
    """An R for display; the store keeps it unrounded."""
    return f"{value:.{digits}f}"


def rating_change(value: float, digits: int = 1) -> str:
    """The change of an R with its sign and a decimal, or more."""
    text = f"{abs(value):.{digits}f}"
    return f"±{text}" if float(text) == 0 else f"{'+' if value > 0 else '−'}{text}"


def moves_ratings(state: GameState) -> bool:
    """Whether a game in this state moves ratings, or would if it was approved now."""
    return state in (GameState.PENDING, GameState.APPROVED)


def percent(part: int, whole: int) -> str:
    """A share with one decimal; a dash for 0 of 0."""
    return f"{100 * part / whole:.1f}%" if whole else "–"


def moment(seconds: int, zone: ZoneInfo) -> str:
    """A moment of the store (seconds since 1970 UTC) as the club's clock shows it."""
    return datetime.fromtimestamp(seconds, UTC).astimezone(zone).strftime("%Y-%m-%d %H:%M")
