"""Accounts on other sites: bound to one member each, and what happens when somebody else claims one."""

from __future__ import annotations

import asyncio

import pytest

from ratings import club
from ratings.ledger import AccountFault, BadAccount, Claim
from ratings.models import Person, Refusal, Refused, Site
from ratings.queries import accounts
from ratings.queries.accounts import Account
from ratings.store import Store, tables
from ratings.store.outbox import Kind
from tests.account_help import command, link, link_within, told, unlink
from tests.club_evening import JSON, Evening, reply
from tests.correction_help import said
from tests.ledger_help import (
    ANN,
    BORIS,
    CHIAKI,
    GUILD,
    KAI,
    NEIGHBOURS,
    NOW,
    Gate,
    another,
    at_gate,
    count,
    everything,
    paused,
)
from tests.people_help import merge


async def names(store: Store, who: Person, guild: int = GUILD) -> list[str]:
    """The names of somebody's accounts."""
    return [each.name for each in await store.read(accounts.accounts_of, guild, who.discord_id)]


async def claim_letters(store: Store) -> int:
    """How many letters about claims are open or said."""
    return sum(Kind.CLAIM in row for row in (await everything(store))["outbox"])


async def test_an_account_is_bound_found_again_and_given_up(store: Store) -> None:
    assert await link(store, ANN, "  アンさん ") is None
    assert await link(store, ANN, "ann#1", Site.MAHJONG_SOUL, by=KAI) is None
    kept = await store.read(accounts.accounts_of, GUILD, ANN.discord_id)
    assert kept == [
        Account(Site.TENHOU, "アンさん", ANN, NOW, "Ann"),
        Account(Site.MAHJONG_SOUL, "ann#1", ANN, NOW, "Kai"),
    ]
    await unlink(store, ANN, "アンさん")
    assert await names(store, ANN) == ["ann#1"]
    assert await link(store, BORIS, "アンさん") is None
    assert await names(store, BORIS) == ["アンさん"]
    # What was bound before stays on record.
    assert await count(store, tables.accounts) == 3


async def test_ones_own_account_again_changes_nothing(store: Store) -> None:
    await link(store, ANN, "Ann")
    before = await everything(store)
    assert await link(store, ANN, "Ann") is None
    assert await everything(store) == before


async def test_letter_case_site_and_club_tell_accounts_apart(store: Store) -> None:
    await link(store, ANN, "Hana")
    assert await link(store, BORIS, "hana") is None
    assert await link(store, BORIS, "Hana", Site.MAHJONG_SOUL) is None
    assert await link(store, CHIAKI, "Hana", guild=NEIGHBOURS) is None
    assert await names(store, CHIAKI) == []
    assert await names(store, CHIAKI, NEIGHBOURS) == ["Hana"]
    found = await store.read(accounts.bindings, GUILD, 0, 10)
    assert [each.holder.name for each in found.accounts] == ["Ann", "Борис", "Борис"]
    assert (found.total, found.pages) == (3, 1)


async def test_one_spelling_in_two_forms_is_one_account(store: Store) -> None:
    await link(store, ANN, "Zoe\u0308")
    assert await names(store, ANN) == ["Zo\u00eb"]
    assert isinstance(await link(store, BORIS, "Zo\u00eb"), Claim)


@pytest.mark.parametrize(
    ("site", "name", "fault"),
    [
        (Site.TENHOU, "   ", AccountFault.EMPTY),
        (Site.TENHOU, "ninechars", AccountFault.LONG),
        (Site.MAHJONG_SOUL, "x" * 41, AccountFault.LONG),
        (Site.MAHJONG_SOUL, "a\nb", AccountFault.UNPRINTABLE),
        (Site.TENHOU, "NoName", AccountFault.GUEST),
        (Site.TENHOU, "ＮｏＮａｍｅ", AccountFault.GUEST),
        (Site.TENHOU, "ゲスト", AccountFault.GUEST),
        (Site.MAHJONG_SOUL, "AI", AccountFault.COMPUTER),
    ],
)
async def test_what_is_no_account_of_one_player_is_refused(
    store: Store, site: Site, name: str, fault: AccountFault
) -> None:
    with pytest.raises(BadAccount) as refused:
        await link(store, ANN, name, site)
    assert refused.value.fault is fault
    assert await count(store, tables.accounts) == 0


async def test_names_as_long_as_the_sites_allow_are_taken(store: Store) -> None:
    await link(store, ANN, "八文字の名前です")
    await link(store, ANN, "x" * 40, Site.MAHJONG_SOUL)
    await link(store, BORIS, "NoName", Site.MAHJONG_SOUL)
    assert await names(store, ANN) == ["八文字の名前です", "x" * 40]


async def test_a_claim_binds_nothing_and_is_told_once(store: Store) -> None:
    await link(store, ANN, "Hana")
    claim = await link(store, BORIS, "Hana")
    assert claim is not None
    assert claim.id is not None
    assert (claim.site, claim.account, claim.holder) == (Site.TENHOU, "Hana", "Ann")
    assert await names(store, ANN) == ["Hana"]
    assert await names(store, BORIS) == []
    assert await link(store, BORIS, "Hana") == claim
    assert await claim_letters(store) == 1
    assert await link(store, CHIAKI, "Hana") != claim
    assert await claim_letters(store) == 2
    told = await store.read(accounts.claim_news, GUILD, claim.id)
    assert (told.holder, told.claimant, told.account) == (ANN, BORIS, "Hana")


async def test_nobody_gives_up_what_is_not_his(store: Store) -> None:
    await link(store, ANN, "Hana")
    for who, name, site in (
        (BORIS, "Hana", Site.TENHOU),
        (ANN, "Hana", Site.MAHJONG_SOUL),
        (ANN, "H", Site.TENHOU),
    ):
        with pytest.raises(Refused) as refused:
            await unlink(store, who, name, site)
        assert refused.value.refusal is Refusal.NO_ACCOUNT
    assert await names(store, ANN) == ["Hana"]


async def test_two_records_of_one_person_share_their_accounts(store: Store) -> None:
    await link(store, ANN, "Hana")
    await link(store, BORIS, "Boris")
    await merge(store, BORIS, ANN)
    assert await names(store, BORIS) == await names(store, ANN) == ["Boris", "Hana"]
    before = await claim_letters(store)
    assert await link(store, BORIS, "Hana") is None
    assert await link(store, ANN, "Boris") is None
    assert await claim_letters(store) == before
    claim = await link(store, CHIAKI, "Boris")
    assert claim is not None
    assert claim.holder == "Ann"
    await unlink(store, BORIS, "Hana")
    await unlink(store, ANN, "Boris")
    assert await names(store, ANN) == []


async def test_of_two_who_claim_a_free_account_at_once_one_has_it(store: Store, database: str) -> None:
    await store.write(club.lock, GUILD, NOW)
    gate = Gate()
    async with another(database) as other:
        first = await at_gate(store.write(paused, gate, link_within, GUILD, ANN, Site.TENHOU, "Hana", ANN), gate)
        second = asyncio.create_task(other.write(link_within, GUILD, BORIS, Site.TENHOU, "Hana", BORIS))
        gate.open()
        assert await first is None
        claim = await second
    assert claim is not None
    assert claim.holder == "Ann"
    assert await names(store, ANN) == ["Hana"]
    assert await claim_letters(store) == 1


def claims(evening: Evening, channel: str = "approvals") -> list[JSON]:
    """The posts about claims in a channel."""
    return [
        post
        for post in evening.posts(channel)
        if any(each.get("title") == "Possible account sharing" for each in post["embeds"])
    ]


async def test_members_keep_their_own_accounts(evening: Evening) -> None:
    assert "is the account of \u2068Ann\u2069" in await told(evening, "link", "Ann", site="tenhou", name="Hana")
    await told(evening, "link", "Ann", site="Mahjong Soul 雀魂", name="ann_*x*")
    shown = await told(evening, "list", "Ann")
    assert "Accounts of \u2068Ann\u2069" in shown
    assert "**\u2068Hana\u2069** · Tenhou (天鳳)" in shown
    assert "**\u2068ann\\_\\*x\\*\u2069** · Mahjong Soul (雀魂)" in shown
    assert "is not the account of" in await told(evening, "unlink", "Ann", site="tenhou", name="Hana")
    assert "Hana" not in await told(evening, "list", "Ann")
    assert "is not bound to that member" in await told(evening, "unlink", "Ann", site="tenhou", name="Hana")


async def test_only_admins_see_and_change_the_accounts_of_others(evening: Evening) -> None:
    ann = evening.users["Ann"]
    account = {"site": "tenhou", "name": "Hana"}
    for name, options in (("link", account), ("list", {}), ("unlink", account)):
        assert "Only admins" in await told(evening, name, "Борис", member=ann, **options)
    assert "There are none yet" in await told(evening, "list", "Борис")
    await told(evening, "link", "Kai", site="tenhou", name="Hana", member=ann)
    assert "Hana" in await told(evening, "list", "Ann", member=ann)
    assert "Hana" in await told(evening, "list", "Kai", member=ann)
    everybody = await told(evening, "list", "Kai")
    assert f"**\u2068Hana\u2069** · Tenhou (天鳳) · **\u2068Ann\u2069** (<@{ann['id']}>)" in everybody
    await told(evening, "unlink", "Kai", site="tenhou", name="Hana", member=ann)
    assert "There are none yet" in await told(evening, "list", "Kai")


async def test_an_admin_frees_the_account_of_somebody_who_has_left(evening: Evening) -> None:
    await told(evening, "link", "Dora", site="tenhou", name="Hana")
    evening.discord.world.remove_member(evening.guild, evening.users["Dora"])
    await told(evening, "unlink", "Kai", site="tenhou", name="Hana", member=evening.users["Dora"])
    assert "is the account of" in await told(evening, "link", "Emi", site="tenhou", name="Hana")


async def test_bots_guests_and_long_names_are_answered_in_a_sentence(evening: Evening) -> None:
    robot = evening.discord.world.add_user("robot", bot=True)
    evening.discord.world.add_member(evening.guild, robot)
    assert "is a bot" in await told(evening, "link", "Kai", site="tenhou", name="Hana", member=robot)
    assert "Every guest on Tenhou" in await told(evening, "link", "Ann", site="tenhou", name="ゲスト")
    assert "up to 8 characters" in await told(evening, "link", "Ann", site="tenhou", name="much too long")
    assert "Computer players" in await told(evening, "link", "Ann", site="mahjong-soul", name="AI")
    assert "is empty" in await told(evening, "link", "Ann", site="tenhou", name=" ")


async def test_a_claim_is_put_before_the_admins_who_are_pinged(evening_on_each_engine: Evening) -> None:
    evening = evening_on_each_engine
    await told(evening, "link", "Ann", site="tenhou", name="Hana")
    answer = await told(evening, "link", "Борис", site="tenhou", name="Hana")
    assert "bound to another member already" in answer
    assert "Ann" not in answer
    await evening.discord.until(lambda: claims(evening))
    await told(evening, "link", "Борис", site="tenhou", name="Hana")
    await evening.quiet()
    (post,) = claims(evening)
    assert post["content"] == f"<@&{evening.referee['id']}>"
    assert post["mention_roles"] == [evening.referee["id"]]
    assert post["mentions"] == []
    for name in ("Ann", "Борис"):
        assert f"**\u2068{name}\u2069** (<@{evening.users[name]['id']}>)" in said(post)
    assert "“\u2068Hana\u2069” on Tenhou (天鳳)" in said(post)
    assert "bound to \u2068Ann\u2069" in await told(evening, "link", "Rei", site="tenhou", name="Hana")
    await evening.discord.until(lambda: len(claims(evening)) == 2)


async def test_a_claim_goes_to_the_owner_where_admins_have_no_channel(evening: Evening) -> None:
    approvals = evening.channels["approvals"]
    await evening.as_("Owner").slash("setup", evening.channels["mahjong"], forget="approvals_channel")
    await told(evening, "link", "Ann", site="tenhou", name="Hana")
    await told(evening, "link", "Борис", site="tenhou", name="Hana")
    evening.users["Owner"] = evening.owner
    await evening.discord.until(lambda: evening.direct_messages("Owner"))
    assert "Possible account sharing" in said(evening.direct_messages("Owner")[0])
    assert evening.discord.world.history(approvals) == []
    assert claims(evening, "mahjong") == claims(evening, "announcements") == []


@pytest.mark.parametrize("done", [False, True])
async def test_a_claim_is_posted_once_whatever_the_network_does(evening: Evening, done: bool) -> None:
    await told(evening, "link", "Ann", site="tenhou", name="Hana")
    channel = evening.channels["approvals"]["id"]
    evening.discord.faults.cut("POST", rf"/channels/{channel}/messages$", done=done)
    await told(evening, "link", "Борис", site="tenhou", name="Hana")
    await evening.discord.until(lambda: claims(evening))
    await evening.quiet()
    assert len(claims(evening)) == 1


async def test_names_to_unlink_are_offered(evening: Evening) -> None:
    ann, channel = evening.users["Ann"], evening.channels["mahjong"]
    await told(evening, "link", "Ann", site="tenhou", name="Hana")
    await told(evening, "link", "Ann", site="mahjong-soul", name="Sakura")
    offered = {"option": "name", "text": "a"}
    mine = await evening.as_("Ann").autocomplete("account unlink", channel, **offered, site="tenhou")
    assert [each["value"] for each in mine] == ["Hana"]
    others = await evening.as_("Борис").autocomplete("account unlink", channel, **offered, member=ann)
    assert others == []
    for_admins = await evening.as_("Kai").autocomplete("account unlink", channel, **offered, member=ann)
    assert [each["value"] for each in for_admins] == ["Hana", "Sakura"]


async def test_many_accounts_are_listed_in_pages_that_admins_alone_can_turn(evening: Evening) -> None:
    for number in range(20):
        await link(evening.store, ANN, f"n{number:02}", guild=evening.id)
    first = await command(evening, "list", "Kai")
    assert "page 1 of 2" in said(reply(first))
    assert "n00" in said(reply(first))
    await evening.as_("Kai").click(reply(first), label="▶")
    await evening.discord.until(lambda: "page 2 of 2" in said(reply(first)))
    assert "n19" in said(reply(first))
