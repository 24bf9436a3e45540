"""A club's settings: what can be chosen, what is refused, and what is written down."""

from __future__ import annotations

from typing import Any

import pytest

from ratings import club
from ratings.models import Length, TenhouRules
from ratings.settings import ClubSettings
from ratings.store import Store
from ratings.store.outbox import Kind
from ratings.store.tables import settings_changes
from ratings.systems.nmjl import NmjlRules
from tests.ledger_help import (
    ANN,
    GUILD,
    KAI,
    NEIGHBOURS,
    NOW,
    REI,
    approve,
    count,
    everything,
    letters,
    report,
    submit,
)


async def _change(store: Store, *, guild: int = GUILD, **wishes: Any) -> dict[str, tuple[Any, Any]]:
    _, changed = await store.write(club.change_settings, guild, wishes, KAI, NOW)
    return changed


async def test_a_new_club_has_the_usual_settings(store: Store) -> None:
    assert await store.read(club.settings, GUILD) == ClubSettings()
    assert (await store.read(club.settings_in_force, GUILD))[1] == 0
    usual = ClubSettings()
    assert (usual.start_score(4), usual.return_score(4), usual.uma(4)) == (25000, 30000, (20, 10, -10, -20))
    assert (usual.start_score(3), usual.return_score(3), usual.uma(3)) == (35000, 40000, (20, 0, -20))
    assert (usual.usual_players, usual.usual_length, usual.tenhou_rules) == (4, Length.HANCHAN, TenhouRules.SEED)
    assert str(usual.zone) == "UTC"
    assert (usual.nmjl_rules, usual.card_year) == (NmjlRules(), None)


async def test_every_setting_can_be_changed_and_is_read_back(store: Store) -> None:
    wishes = {
        "approvals_channel": 10**18 + 1,
        "announcements_channel": 10**18 + 2,
        "admin_role": 10**18 + 3,
        "time_zone": "Asia/Tokyo",
        "usual_players": 3,
        "usual_length": "tonpuu",
        "tenhou_rules": "live",
        "shared_places": True,
        "sticks_to_first": False,
        "start_4p": 30000,
        "return_4p": 30000,
        "uma_4p": [15, 5, -5, -15],
        "start_3p": 40000,
        "return_3p": 50000,
        "uma_3p": [30, -10, -20],
        "starting_rating": 1200.5,
        "k_factor": 24.0,
        "jokerless_bonus": 10,
        "concealed_bonus_multiplier": 0.25,
        "discard_penalty_multiplier": 3.0,
        "base_win_points": 30,
        "section_multipliers": True,
        "jokerless_doubles": True,
        "penalties": True,
        "card_year": 2026,
        "chips": True,
        "chip_value": 5000,
        "stake": 100.0,
        "home_country": "JP",
        "home_players_only": False,
        "ranking_posts": True,
        "ranking_post_hour": 21,
        "rank_roles": "tenhou-3p",
    }
    assert wishes.keys() == ClubSettings.model_fields.keys()
    after, changed = await store.write(club.change_settings, GUILD, wishes, KAI, NOW)
    assert await store.read(club.settings, GUILD) == after
    assert after.model_dump(mode="json") == wishes
    # The return score of four players was wished as it already was.
    assert changed.keys() == wishes.keys() - {"return_4p"}
    assert changed["time_zone"] == ("UTC", "Asia/Tokyo")
    assert changed["uma_4p"] == ([20, 10, -10, -20], [15, 5, -5, -15])
    assert changed["k_factor"] == (16.0, 24.0)
    assert changed["card_year"] == (None, 2026)
    assert after.nmjl_rules == NmjlRules(1200.5, 24.0, 10, 0.25, 3.0, 30, True, True, True)
    assert await store.read(club.settings, NEIGHBOURS) == ClubSettings()


async def test_only_what_really_changes_is_written_down(store: Store) -> None:
    assert await _change(store, time_zone="UTC", start_4p=25000) == {}
    assert await count(store, settings_changes) == 0
    assert await _change(store, time_zone="Europe/Berlin", start_4p=25000) == {
        "time_zone": ("UTC", "Europe/Berlin")
    }
    version = (await store.read(club.settings_in_force, GUILD))[1]
    assert await _change(store, time_zone="Europe/Berlin") == {}
    assert (await store.read(club.settings_in_force, GUILD))[1] == version
    assert await count(store, settings_changes) == 1


async def test_a_setting_can_be_taken_back(store: Store) -> None:
    await _change(store, admin_role=5)
    assert await _change(store, admin_role=None) == {"admin_role": (5, None)}
    assert await store.read(club.settings, GUILD) == ClubSettings()


@pytest.mark.parametrize(
    ("wishes", "name", "problem"),
    [
        ({"uma_4p": [20, 10, -10, -10]}, None, "the 4-player uma must add up to zero"),
        ({"uma_3p": [20, 5, -20]}, None, "the 3-player uma must add up to zero"),
        ({"return_4p": 20000}, None, "the 4-player return score is below the starting score"),
        ({"start_3p": 45000}, None, "the 3-player return score is below the starting score"),
        ({"time_zone": "Mars/Olympus"}, "time_zone", "Mars/Olympus is not a time zone"),
        ({"time_zone": "../etc/passwd"}, "time_zone", "../etc/passwd is not a time zone"),
        ({"start_4p": 25050}, "start_4p", "Input should be a multiple of 100"),
        ({"start_4p": -100}, "start_4p", "Input should be greater than or equal to 0"),
        ({"uma_4p": [20, -20]}, "uma_4p", "Field required"),
        ({"usual_players": 5}, "usual_players", "Input should be 3 or 4"),
        ({"tenhou_rules": "mine"}, "tenhou_rules", "Input should be 'seed' or 'live'"),
        ({"k_factor": -1}, "k_factor", "Input should be greater than or equal to 0"),
        ({"k_factor": float("nan")}, "k_factor", "Input should be less than or equal to 1000"),
        ({"starting_rating": float("inf")}, "starting_rating", "Input should be less than or equal to 10000"),
        (
            {"jokerless_bonus": 2.5},
            "jokerless_bonus",
            "Input should be a valid integer, got a number with a fractional part",
        ),
        (
            {"discard_penalty_multiplier": 101},
            "discard_penalty_multiplier",
            "Input should be less than or equal to 100",
        ),
        ({"card_year": 1936}, "card_year", "Input should be greater than or equal to 1937"),
        ({"colour": "red"}, "colour", "Extra inputs are not permitted"),
    ],
)
async def test_a_setting_that_cannot_be_is_refused_and_nothing_is_kept(
    store: Store, wishes: dict[str, Any], name: str | None, problem: str
) -> None:
    await submit(store)
    before = await everything(store)
    with pytest.raises(club.BadSetting) as refused:
        await _change(store, shared_places=True, admin_role=5, **wishes)
    assert (refused.value.name, refused.value.problem) == (name, problem)
    assert await everything(store) == before


async def test_settings_that_fit_only_together_can_be_changed_together(store: Store) -> None:
    await _change(store, start_4p=35000, return_4p=35000)
    assert (await store.read(club.settings, GUILD)).start_score(4) == 35000


async def test_past_settings_are_found_by_their_version(store: Store) -> None:
    versions = []
    for uma in ([15, 5, -5, -15], [30, 10, -10, -30]):
        await _change(store, uma_4p=uma, shared_places=uma[0] == 15)
        versions.append((await store.read(club.settings_in_force, GUILD))[1])
        await _change(store, guild=NEIGHBOURS, uma_4p=[10 * uma[0], 0, 0, -10 * uma[0]])
    early, late = [await store.read(club.settings, GUILD, version) for version in versions]
    assert (early.uma(4), early.shared_places) == ((15, 5, -5, -15), True)
    assert (late.uma(4), late.shared_places) == ((30, 10, -10, -30), False)
    assert late == await store.read(club.settings, GUILD)
    assert await store.read(club.settings, GUILD, 0) == ClubSettings()


async def test_open_cards_are_drawn_again_under_the_new_settings(store: Store) -> None:
    decided = await approve(store, await submit(store))
    waiting = await submit(store, report((50000, 35000, 20000)))
    elsewhere = await submit(store, guild=NEIGHBOURS)
    before = {game.id: await letters(store, game) for game in (decided, waiting, elsewhere)}
    await _change(store, shared_places=True)
    assert await letters(store, waiting) == [*before[waiting.id], Kind.CARD]
    assert await letters(store, decided) == before[decided.id]
    assert await letters(store, elsewhere) == before[elsewhere.id]


async def test_who_changed_what_is_kept(store: Store) -> None:
    await store.write(club.change_settings, GUILD, {"admin_role": 5}, REI, NOW)
    assert await store.read(club.known_person, GUILD, REI.discord_id) == REI
    assert await store.read(club.known_person, GUILD, ANN.discord_id) is None
    assert [row[1:4] for row in (await everything(store))["settings_changes"]] == [(GUILD, "admin_role", "5")]
