"""The rules under which a club's games count: its settings, made ready for many games."""

from __future__ import annotations

import sqlalchemy as sa

from ratings import club
from ratings.models import Standing, SystemName
from ratings.settings import ClubSettings
from ratings.systems import nmjl, riichi, tenhou

__all__ = ["Rulebook", "Rules"]


class Rules:
    """One version of a club's settings."""

    def __init__(self, settings: ClubSettings) -> None:
        self.scoring = {players: riichi.Scoring(settings, players) for players in (3, 4)}
        self.tenhou = settings.tenhou_rules
        self.nmjl = settings.nmjl_rules
        self._newcomer = nmjl.initial(self.nmjl)

    def initial(self, system: SystemName) -> Standing:
        """The standing of somebody who has not played in this system yet."""
        return self._newcomer if system is SystemName.NMJL else tenhou.INITIAL


class Rulebook:
    """All versions of a club's settings, each read once."""

    def __init__(self, connection: sa.Connection, guild_id: int) -> None:
        self._connection = connection
        self._guild_id = guild_id
        self._known: dict[int, Rules] = {}

    def at(self, version: int) -> Rules:
        """The rules in force at a version of the settings."""
        rules = self._known.get(version)
        if rules is None:
            rules = self._known[version] = Rules(club.settings(self._connection, self._guild_id, version))
        return rules
