"""What a club can choose, with the defaults it starts from."""

from __future__ import annotations

from typing import Annotated, Literal, Self
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from ratings.models import Length, TenhouRules
from ratings.resultsfile.countries import alpha_2
from ratings.systems.nmjl import NmjlRules
from ratings.systems.russian import RankingRules

__all__ = ["ClubSettings"]

Score = Annotated[int, Field(ge=0, le=1_000_000, multiple_of=100)]
Uma = Annotated[int, Field(ge=-1000, le=1000)]


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ValueError(f"{name} is not a time zone") from None
    return name


def _known_country(code: str) -> str:
    if alpha_2(code) != code:
        raise ValueError(f"{code} is not a country code")
    return code


class ClubSettings(BaseModel):
    """A club's settings at one moment. Scores are in points, uma in thousands."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    approvals_channel: int | None = None
    announcements_channel: int | None = None
    admin_role: int | None = None
    time_zone: Annotated[str, AfterValidator(_known_zone)] = "UTC"
    usual_players: Literal[3, 4] = 4
    usual_length: Length = Length.HANCHAN
    tenhou_rules: TenhouRules = TenhouRules.SEED
    shared_places: bool = False
    sticks_to_first: bool = True
    start_4p: Score = 25_000
    return_4p: Score = 30_000
    uma_4p: tuple[Uma, Uma, Uma, Uma] = (20, 10, -10, -20)
    start_3p: Score = 35_000
    return_3p: Score = 40_000
    uma_3p: tuple[Uma, Uma, Uma] = (20, 0, -20)
    chips: bool = False
    chip_value: Annotated[int, Field(ge=0, le=100_000, multiple_of=100)] = 2_000
    stake: Annotated[float, Field(ge=0, le=1_000_000)] = 0.0
    starting_rating: Annotated[float, Field(ge=-10_000, le=10_000)] = 1000.0
    k_factor: Annotated[float, Field(ge=0, le=1000)] = 16.0
    jokerless_bonus: Annotated[int, Field(ge=0, le=1000)] = 5
    concealed_bonus_multiplier: Annotated[float, Field(ge=0, le=10)] = 0.2
    discard_penalty_multiplier: Annotated[float, Field(ge=0, le=100)] = 2.0
    base_win_points: Annotated[int, Field(ge=0, le=1000)] = 25
    section_multipliers: bool = False
    jokerless_doubles: bool = False
    penalties: bool = False
    card_year: Annotated[int, Field(ge=1937, le=2100)] | None = None
    home_country: Annotated[str, AfterValidator(_known_country)] = "RU"
    home_players_only: bool = True
    ranking_posts: bool = False
    ranking_post_hour: Annotated[int, Field(ge=0, le=23)] = 9
    rank_roles: Literal["tenhou-4p", "tenhou-3p"] | None = None

    @model_validator(mode="after")
    def _scoring_adds_up(self) -> Self:
        for players in (4, 3):
            if sum(self.uma(players)):
                raise ValueError(f"the {players}-player uma must add up to zero")
            if self.return_score(players) < self.start_score(players):
                raise ValueError(f"the {players}-player return score is below the starting score")
        return self

    def start_score(self, players: int) -> int:
        """The score each of `players` starts with, in points."""
        return self.start_4p if players == 4 else self.start_3p

    def return_score(self, players: int) -> int:
        """The score that counts as zero when final points are worked out, in points."""
        return self.return_4p if players == 4 else self.return_3p

    def uma(self, players: int) -> tuple[int, ...]:
        """The uma from first place to last, in thousands."""
        return self.uma_4p if players == 4 else self.uma_3p

    @property
    def nmjl_rules(self) -> NmjlRules:
        """The knobs of the American rating."""
        return NmjlRules(
            starting_rating=self.starting_rating,
            k_factor=self.k_factor,
            jokerless_bonus=self.jokerless_bonus,
            concealed_bonus_multiplier=self.concealed_bonus_multiplier,
            discard_penalty_multiplier=self.discard_penalty_multiplier,
            base_win_points=self.base_win_points,
            section_multipliers=self.section_multipliers,
            jokerless_doubles=self.jokerless_doubles,
            penalties=self.penalties,
        )

    @property
    def ranking_rules(self) -> RankingRules:
        """Whose tournament ratings the club keeps."""
        return RankingRules(self.home_country, self.home_players_only)

    @property
    def zone(self) -> ZoneInfo:
        """The club's time zone."""
        return ZoneInfo(self.time_zone)
