"""Bans from the ladder: who is kept out of which reports, until when, and what is kept of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from bot.sandbox import Interaction
from ratings import club, ledger
from ratings.ledger import tellings
from ratings.models import Length, Person, Refusal, Refused
from ratings.queries import accounts
from ratings.queries.games import GameRecord
from ratings.reading import UnreadableMoment, read_end
from ratings.store import Store, tables
from tests.club_evening import Evening, reply
from tests.correction_help import GAME, said
from tests.ledger_help import (
    ANN,
    BORIS,
    CHIAKI,
    DORA,
    EMI,
    GUILD,
    KAI,
    NEIGHBOURS,
    NOW,
    REI,
    approve,
    count,
    everything,
    hand,
    report,
    standing,
    submit,
    submit_hand,
)
from tests.test_accounts import merge

WEEK = 7 * 24 * 3600
TOKYO = ZoneInfo("Asia/Tokyo")


async def ban(
    store: Store,
    who: Person = ANN,
    reason: str = "shared an account",
    until: int | None = None,
    *,
    guild: int = GUILD,
    now: int = NOW,
) -> None:
    """Ban somebody, in Kai's name."""

    def work(connection: sa.Connection) -> None:
        record = ledger.record_of(connection, guild, who, now)
        ledger.ban(connection, guild, record, reason, until, KAI, now)

    await store.write(work)


async def unban(store: Store, who: Person = ANN, *, now: int = NOW) -> None:
    """Lift somebody's ban, in Rei's name."""

    def work(connection: sa.Connection) -> None:
        record = ledger.record_of(connection, GUILD, who, now)
        ledger.unban(connection, GUILD, record, REI, now)

    await store.write(work)


async def refused(store: Store, *, now: int = NOW, players: tuple[Person, ...] | None = None) -> Refused | None:
    """Why a ranked report is refused, if it is; then nothing may be kept of it."""
    before = await everything(store)
    try:
        await submit(store, report(players=players, played_at=now - 60), now=now)
    except Refused as error:
        assert await everything(store) == before
        return error
    return None


async def test_ranked_reports_that_name_the_banned_are_refused(store: Store, lines: dict[str, int]) -> None:
    await ban(store)
    error = await refused(store)
    assert error is not None
    assert (error.refusal, error.values) == (Refusal.BANNED, {"name": "Ann", "until": None})
    for told in (hand(lines["Three bends"], discarder=BORIS), hand(winner=None)):
        with pytest.raises(Refused) as american:
            await submit_hand(store, told)
        assert american.value.refusal is Refusal.BANNED
    assert await refused(store, players=(BORIS, CHIAKI, DORA, EMI)) is None


async def test_nobody_is_forgotten_while_a_ban_of_his_holds(store: Store) -> None:
    await approve(store, await submit(store))
    await ban(store, EMI, until=NOW + WEEK)
    await merge(store, EMI, ANN)
    record = (await store.write(club.player_ids, GUILD, [ANN]))[0]
    with pytest.raises(Refused) as held:
        await store.read(ledger.propose_forget, GUILD, record, NOW)
    assert (held.value.refusal, held.value.values["until"]) == (Refusal.STILL_BANNED, NOW + WEEK)
    proposal = await store.read(ledger.propose_forget, GUILD, record, NOW + WEEK)
    # The ban may be spoken while the question hangs.
    before = await everything(store)
    with pytest.raises(Refused) as later:
        await store.write(ledger.carry_out, GUILD, proposal, KAI, NOW + WEEK - 1)
    assert later.value.refusal is Refusal.STILL_BANNED
    assert await everything(store) == before
    await unban(store, EMI)
    proposal = await store.read(ledger.propose_forget, GUILD, record, NOW)
    await store.write(ledger.carry_out, GUILD, proposal, KAI, NOW)


async def test_unranked_games_are_for_everybody(store: Store) -> None:
    await ban(store)
    game = await approve(store, await submit(store, report(ranked=False)))
    assert ANN in game.people


async def test_the_reporter_may_be_banned_as_long_as_he_does_not_play(store: Store) -> None:
    await ban(store, EMI)
    game = await submit(store, report(reporter=EMI))
    assert game.reporter == EMI


async def test_history_and_standings_stay_as_they_are(store: Store) -> None:
    game = await approve(store, await submit(store))
    before = await standing(store, ANN), await everything(store)
    await ban(store)
    after = await everything(store)
    assert await standing(store, ANN) == before[0]
    changed = {name for name, rows in after.items() if rows != before[1][name]}
    assert changed <= {"ladder_bans", "players"}
    assert (await store.read(ledger.matter, GUILD, game.id)).game == game


async def test_a_report_from_before_the_ban_is_decided_all_the_same(store: Store) -> None:
    game = await submit(store)
    await ban(store)
    await approve(store, game)
    assert await standing(store, ANN) is not None


async def test_a_report_cannot_be_amended_to_name_the_banned(store: Store) -> None:
    ranked = await submit(store, report(players=(EMI, BORIS, CHIAKI, DORA)))
    unranked = await submit(store, report(ranked=False))
    named = await submit(store)
    await ban(store)

    def amend(connection: sa.Connection, game: GameRecord, /, **changes: Any) -> ledger.Proposal:
        told = replace(tellings.read(connection, game.id), **changes)
        return ledger.propose_amend(connection, GUILD, game.id, told, NOW)

    for game, changes in ((ranked, {"players": named.records}), (unranked, {"ranked": True})):
        with pytest.raises(Refused) as error:
            await store.read(amend, game, **changes)
        assert error.value.refusal is Refusal.BANNED
    # What was reported before the ban can be put right, and so can what is unranked.
    await store.read(amend, named, length=Length.TONPUU)
    await store.read(amend, unranked, length=Length.TONPUU)
    await store.read(amend, ranked, players=named.records, ranked=False)


async def test_a_ban_ends_at_its_moment_and_not_before(store: Store) -> None:
    await ban(store, until=NOW + WEEK)
    error = await refused(store, now=NOW + WEEK - 1)
    assert error is not None
    assert error.values["until"] == NOW + WEEK
    assert await refused(store, now=NOW + WEEK) is None
    with pytest.raises(Refused) as over:
        await unban(store, now=NOW + WEEK)
    assert over.value.refusal is Refusal.NOT_BANNED
    await ban(store, now=NOW + WEEK)
    assert await refused(store, now=NOW + WEEK + 1) is not None


async def test_a_ban_holds_until_it_is_lifted_and_is_spoken_once(store: Store) -> None:
    await ban(store)
    for until in (None, NOW + WEEK):
        with pytest.raises(Refused) as again:
            await ban(store, until=until)
        assert again.value.refusal is Refusal.ALREADY_BANNED
    await unban(store)
    assert await refused(store) is None
    with pytest.raises(Refused) as lifted:
        await unban(store)
    assert lifted.value.refusal is Refusal.NOT_BANNED
    assert await count(store, tables.ladder_bans) == 1


@pytest.mark.parametrize(("reason", "why"), [("  ", Refusal.EMPTY_REASON), ("x" * 501, Refusal.LONG_REASON)])
async def test_a_ban_needs_a_reason(store: Store, reason: str, why: Refusal) -> None:
    with pytest.raises(Refused) as bad:
        await ban(store, reason=reason)
    assert bad.value.refusal is why
    assert await count(store, tables.ladder_bans) == 0


async def test_all_that_was_done_about_bans_is_kept(store: Store) -> None:
    await ban(store, ANN, "first", now=NOW)
    await ban(store, BORIS, "second", NOW + WEEK, now=NOW + 1)
    await ban(store, CHIAKI, "third", NOW + 50, now=NOW + 2)
    await unban(store, ANN, now=NOW + 3)
    page = await store.read(accounts.bans, GUILD, 0, 10, NOW + 60)
    assert (page.total, page.holding, page.pages) == (3, 1, 1)
    told = [(each.person.name, each.reason, each.by, each.at, each.until, each.lifted_by) for each in page.bans]
    assert told == [
        ("Борис", "second", "Kai", NOW + 1, NOW + WEEK, None),
        ("千秋", "third", "Kai", NOW + 2, NOW + 50, None),
        ("Ann", "first", "Kai", NOW, None, "Rei"),
    ]
    assert [each.in_force(NOW + 60) for each in page.bans] == [True, False, False]
    assert page.bans[2].lifted_at == NOW + 3
    second = await store.read(accounts.bans, GUILD, 9, 2, NOW + 60)
    assert (second.number, second.pages, len(second.bans)) == (1, 2, 1)


async def test_bans_are_each_clubs_own(store: Store) -> None:
    await ban(store, guild=NEIGHBOURS)
    assert await refused(store) is None
    with pytest.raises(Refused):
        await submit(store, report(), guild=NEIGHBOURS)
    assert (await store.read(accounts.bans, GUILD, 0, 10, NOW)).total == 0


@pytest.mark.parametrize("banned", [ANN, EMI])
async def test_a_ban_is_of_the_person_under_whichever_record(store: Store, banned: Person) -> None:
    await ban(store, banned)
    await merge(store, EMI, ANN)
    for name, table in (("Ann", (ANN, BORIS, CHIAKI, DORA)), ("Emi", (EMI, BORIS, CHIAKI, DORA))):
        error = await refused(store, players=table)
        assert error is not None
        assert (error.refusal, error.values["name"]) == (Refusal.BANNED, name)
    with pytest.raises(Refused) as again:
        await ban(store, EMI)
    assert again.value.values["name"] == "Emi"
    await unban(store, EMI)
    assert await refused(store) is None


# When a ban ends


def at(text: str, zone: ZoneInfo = TOKYO) -> datetime:
    """A moment on a club's clock."""
    return datetime.fromisoformat(text).replace(tzinfo=zone)


WEDNESDAY = at("2026-11-25 15:00")


@pytest.mark.parametrize(
    ("written", "end"),
    [
        ("2026-12-31", "2027-01-01 00:00"),
        ("31.12.2026", "2027-01-01 00:00"),
        ("31.12.", "2027-01-01 00:00"),
        ("12月31日", "2027-01-01 00:00"),
        ("1.3.", "2027-03-02 00:00"),
        ("25.11.", "2026-11-26 00:00"),
        ("24.11.", "2027-11-25 00:00"),
        ("29.2.", "2028-03-01 00:00"),
        ("today", "2026-11-26 00:00"),
        ("明日", "2026-11-27 00:00"),
        ("завтра 18:00", "2026-11-26 18:00"),
        ("tomorrow 9:30", "2026-11-26 09:30"),
        ("18:00", "2026-11-25 18:00"),
        ("15:00", "2026-11-26 15:00"),
        ("14:59", "2026-11-26 14:59"),
        ("2026-11-26 00:00", "2026-11-26 00:00"),
        ("2026-11-25 14:00", "2026-11-25 14:00"),
        ("2026-11-24", "2026-11-25 00:00"),
        ("2026-12-01T00:00Z", "2026-12-01 09:00"),
    ],
)
def test_an_end_is_read_on_the_clubs_clock(written: str, end: str) -> None:
    assert read_end(written, TOKYO, WEDNESDAY) == at(end)


@pytest.mark.parametrize(
    "written", ["yesterday", "soon", "31.2.", "11/29", "", "9999-12-31", "x" * 41, "30.2.2027"]
)
def test_what_is_no_end_is_refused(written: str) -> None:
    with pytest.raises(UnreadableMoment):
        read_end(written, TOKYO, WEDNESDAY)


@given(st.datetimes(datetime(2020, 1, 1), datetime(2090, 1, 1)), st.integers(1, 12), st.integers(1, 28))  # noqa: DTZ001
def test_a_day_of_the_year_is_the_next_one_to_its_end(now: datetime, month: int, day: int) -> None:
    zone = ZoneInfo("Europe/Berlin")
    moment = now.replace(tzinfo=UTC)
    end = read_end(f"{day}.{month}.", zone, moment).astimezone(zone)
    assert (end.hour, end.minute) == (0, 0)
    assert moment < end <= moment + timedelta(days=367)
    last = end - timedelta(seconds=1)
    assert (last.astimezone(zone).month, last.astimezone(zone).day) == (month, day)


def test_the_clock_that_is_put_forward_ends_a_day_all_the_same() -> None:
    # In Beirut midnight itself is skipped on the last Sunday of March.
    beirut = ZoneInfo("Asia/Beirut")
    end = read_end("2027-03-27", beirut, WEDNESDAY)
    assert end == datetime(2027, 3, 27, 22, tzinfo=UTC)


# Stories


async def ladder(evening: Evening, command: str, by: str = "Kai", /, **options: Any) -> Interaction:
    """Give a command of /ladder in private."""
    interaction = await evening.as_(by).slash(f"ladder {command}", evening.channels["mahjong"], **options)
    assert interaction.ephemeral
    return interaction


async def told(evening: Evening, command: str, by: str = "Kai", /, **options: Any) -> str:
    """What a command of /ladder answers."""
    return said(reply(await ladder(evening, command, by, **options)))


async def test_an_admin_bans_and_lifts(evening_on_each_engine: Evening) -> None:
    evening = evening_on_each_engine
    ann = evening.users["Ann"]
    answer = await told(evening, "ban", member=ann, reason="two people, *one* account")
    assert "\u2068Ann\u2069 is banned from the ladder until somebody lifts" in answer
    refusal = said(reply(await evening.report(GAME, by="Emi")))
    assert "\u2068Ann\u2069 is banned from the ladder, so only unranked games" in refusal
    assert (await evening.page()).total == 0
    assert "#1 is reported" in said(reply(await evening.report(GAME, by="Emi", ranked=False)))
    assert "banned from the ladder already" in await told(evening, "ban", member=ann, reason="again")
    assert "is lifted" in await told(evening, "unban", "Rei", member=ann)
    assert "No ban" in await told(evening, "unban", member=ann)
    assert "#2 is reported" in said(reply(await evening.report(GAME, by="Emi")))
    bans = await told(evening, "bans")
    assert f"▫️ **\u2068Ann\u2069** (<@{ann['id']}>) · banned by \u2068Kai\u2069" in bans
    assert "lifted by \u2068Rei\u2069" in bans
    assert "> two people, \\*one\\* account" in bans
    assert "0 of 1 in force" in bans


async def test_a_ban_until_a_day_says_when_it_ends(evening: Evening) -> None:
    await evening.as_("Owner").slash("setup", evening.channels["mahjong"], time_zone="Asia/Tokyo")
    end = int(at("2100-01-01 00:00").timestamp())
    answer = await told(evening, "ban", member=evening.users["Ann"], reason="shared", until="31.12.2099")
    assert f"until <t:{end}:f>" in answer
    assert f"until <t:{end}:f>" in said(reply(await evening.report(GAME)))
    assert "until 2100-01-01 00:00" in await told(evening, "bans")
    assert f"already, until <t:{end}:f>" in await told(evening, "ban", member=evening.users["Ann"], reason="again")


async def test_an_end_that_cannot_be_is_answered_in_a_sentence(evening: Evening) -> None:
    wish = {"member": evening.users["Ann"], "reason": "shared"}
    assert "as a date" in await told(evening, "ban", **wish, until="some day")
    assert "is over already" in await told(evening, "ban", **wish, until="2020-01-01")
    assert "The reason is empty" in await told(evening, "ban", member=wish["member"], reason=" ")
    assert "Nobody was ever banned" in await told(evening, "bans")


async def test_only_admins_ban_lift_and_look(evening: Evening) -> None:
    ann = evening.users["Ann"]
    assert "Only admins" in await told(evening, "ban", "Борис", member=ann, reason="no")
    assert "Only admins" in await told(evening, "unban", "Борис", member=ann)
    assert "Only admins" in await told(evening, "bans", "Борис")
    robot = evening.discord.world.add_user("robot", bot=True)
    evening.discord.world.add_member(evening.guild, robot)
    assert "is a bot" in await told(evening, "ban", member=robot, reason="no")


async def test_somebody_who_has_left_can_be_banned_and_the_ban_lifted(evening: Evening) -> None:
    ann = evening.users["Ann"]
    evening.discord.world.remove_member(evening.guild, ann)
    assert "is banned" in await told(evening, "ban", member=ann, reason="left in a hurry")
    assert "is lifted" in await told(evening, "unban", member=ann)


async def test_no_board_shows_a_ban_and_no_game_is_lost(evening: Evening) -> None:
    await evening.report(GAME)
    await evening.approve(1)
    channel, kai = evening.channels["mahjong"], evening.as_("Kai")
    before = reply(await kai.slash("leaderboard", channel))["embeds"]
    await told(evening, "ban", member=evening.users["Ann"], reason="shared")
    after = reply(await kai.slash("leaderboard", channel))["embeds"]
    assert after == before
    assert "Ann" in said(reply(await kai.slash("games list", channel)))


async def test_many_bans_are_listed_in_pages(evening: Evening) -> None:
    for number in range(7):
        await ban(evening.store, Person(900 + number, f"Nr {number}"), f"reason {number}", guild=evening.id)
    first = reply(await ladder(evening, "bans"))
    assert "7 of 7 in force · page 1 of 2" in said(first)
    await evening.as_("Kai").click(first, label="▶")
    await evening.discord.until(lambda: "page 2 of 2" in said(first))
    assert "reason 0" in said(first)
