"""The rankings' day: once a day, in its own time zone, a club that wants it is told how the rankings moved."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime

import sqlalchemy as sa

from ratings import club
from ratings.settings import ClubSettings
from ratings.store import outbox
from ratings.store.tables import outbox as letters
from ratings.store.tables import ranking_days, tournaments
from ratings.store.upsert import insert_new
from ratings.tournaments import rankings
from ratings.tournaments.facts import newest_change

__all__ = ["RankingDay", "RankingNews", "due", "look", "news", "take_note"]


@dataclass(frozen=True, slots=True)
class RankingDay:
    """A day on which a club is to be told; `since` is the last day it was, None the first time.

    `since_change` and `until_change` name the newest change of a tournament then and now."""

    day: date
    since: date | None
    since_change: int
    until_change: int


@dataclass(frozen=True, slots=True)
class RankingNews:
    """What a club is told on a day: the rankings that moved since the last one."""

    day: date
    since: date
    views: tuple[rankings.ChangesView, ...]
    settings: ClubSettings


_OF_GUILD = letters.c.guild_id == sa.bindparam("guild")
_POSTS = (_OF_GUILD, letters.c.kind == outbox.Kind.RANKING)
_OPEN = letters.c.done_at.is_(None)
# A letter that was put back after a failure keeps the error until somebody takes it again.
_PUT_BACK = (*_POSTS, _OPEN, letters.c.error.is_not(None))
_IN_HAND = sa.select(letters.c.id).where(*_POSTS, _OPEN, letters.c.error.is_(None)).limit(1)
_LAST_SAID = sa.select(sa.func.max(letters.c.done_at)).where(*_POSTS)
_OLDEST_UNSAID = (
    sa.select(ranking_days.c.since_day, ranking_days.c.since_change)
    .join(letters, letters.c.ranking_day_id == ranking_days.c.id)
    .where(*_PUT_BACK)
    .order_by(ranking_days.c.day)
    .limit(1)
)
_LAST_DAY = (
    sa.select(ranking_days.c.day, ranking_days.c.until_change)
    .where(ranking_days.c.guild_id == sa.bindparam("guild"))
    .order_by(ranking_days.c.day.desc())
    .limit(1)
)


def due(connection: sa.Connection, now: int) -> list[int]:
    """The clubs whose rankings are to be looked at: it is the hour, and it has not been done today."""
    clubs = connection.execute(sa.select(tournaments.c.guild_id).distinct()).scalars().all()
    return [guild_id for guild_id in clubs if _is_due(connection, guild_id, now)]


def look(connection: sa.Connection, guild_id: int, now: int) -> tuple[RankingDay, bool]:
    """The day to be noted for a club, and whether any of its rankings moved since the last one.

    What could not be posted on earlier days is told with this one.
    """
    today = _local(club.settings(connection, guild_id), now).date()
    newest = newest_change(connection, guild_id)
    told = _told(connection, guild_id)
    if told is None:
        return RankingDay(today, None, newest, newest), False
    noted = RankingDay(today, *told, newest)
    views = rankings.changes_of_all(connection, guild_id, told[0], today, told[1], newest)
    return noted, any(view.changes for view in views)


def take_note(connection: sa.Connection, guild_id: int, noted: RankingDay, moved: bool, now: int) -> bool:
    """Note a day as looked at, and ask for the post if something moved; it stands for those that could not be
    posted. False if the day was noted already, or if something happened meanwhile; then nothing is written."""
    club.lock(connection, guild_id, now)
    told = _told(connection, guild_id)
    seen = None if noted.since is None else (noted.since, noted.since_change)
    if told != seen or newest_change(connection, guild_id) != noted.until_change:
        return False
    row = {
        "guild_id": guild_id,
        "day": noted.day.isoformat(),
        "since_day": (noted.since or noted.day).isoformat(),
        "since_change": noted.since_change,
        "until_change": noted.until_change,
    }
    if not insert_new(connection, ranking_days, row):
        return False
    connection.execute(sa.update(letters).where(*_PUT_BACK).values(done_at=now), {"guild": guild_id})
    if moved:
        mine = (ranking_days.c.guild_id == guild_id, ranking_days.c.day == row["day"])
        day_id = connection.execute(sa.select(ranking_days.c.id).where(*mine)).scalar_one()
        outbox.enqueue_about(connection, guild_id, outbox.Kind.RANKING, now, ranking_day_id=day_id)
    return True


def news(connection: sa.Connection, guild_id: int, ranking_day_id: int) -> RankingNews:
    """What is to be posted about a noted day."""
    row = connection.execute(
        sa.select(ranking_days).where(ranking_days.c.guild_id == guild_id, ranking_days.c.id == ranking_day_id)
    ).one()
    since, day = date.fromisoformat(row.since_day), date.fromisoformat(row.day)
    views = rankings.changes_of_all(connection, guild_id, since, day, row.since_change, row.until_change)
    moved = tuple(view for view in views if view.changes)
    return RankingNews(day, since, moved, club.settings(connection, guild_id))


def _is_due(connection: sa.Connection, guild_id: int, now: int) -> bool:
    settings = club.settings(connection, guild_id)
    local, guild = _local(settings, now), {"guild": guild_id}
    if not settings.ranking_posts or local.hour < settings.ranking_post_hour:
        return False
    last = connection.execute(_LAST_DAY, guild).one_or_none()
    if last is None:
        return True
    if last.day >= local.date().isoformat() or connection.execute(_IN_HAND, guild).first() is not None:
        return False
    # A post that was late may have come today.
    said = connection.execute(_LAST_SAID, guild).scalar()
    return said is None or _local(settings, said).date() != local.date()


def _told(connection: sa.Connection, guild_id: int) -> tuple[date, int] | None:
    """The day and the change up to which the club has been told how its rankings moved; None before the first."""
    guild = {"guild": guild_id}
    unsaid = connection.execute(_OLDEST_UNSAID, guild).one_or_none()
    if unsaid is not None:
        return date.fromisoformat(unsaid.since_day), unsaid.since_change
    last = connection.execute(_LAST_DAY, guild).one_or_none()
    return None if last is None else (date.fromisoformat(last.day), last.until_change)


def _local(settings: ClubSettings, moment: int) -> datetime:
    return datetime.fromtimestamp(moment, UTC).astimezone(settings.zone)
