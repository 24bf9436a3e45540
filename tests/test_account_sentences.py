"""What is said, and to whom, where accounts, bans and statistics come to nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ratings import ledger
from ratings.ledger import tellings
from ratings.models import Length, Refusal, Refused
from ratings.queries.games import GameRecord
from ratings.store import Store, tables
from tests.account_help import link, told
from tests.ban_help import ban
from tests.club_evening import JSON, Evening, reply
from tests.correcting import amend, refused
from tests.correction_help import GAME, ask, play, said
from tests.ledger_help import (
    ANN,
    BORIS,
    CHIAKI,
    DORA,
    EMI,
    KAI,
    NOW,
    approve,
    count,
    hang_card,
    report,
    riichi,
    submit,
    submit_hand,
)
from tests.ledger_help import hand as report_hand
from tests.log_help import FINAL, agari, init, mjlog
from tests.people_help import merge
from tests.report_log_help import MEMBERS, TAGS, choose_all, log
from tests.report_log_help import submit as press_submit

OTHERS = (EMI, BORIS, CHIAKI, DORA)


def claims(evening: Evening) -> list[JSON]:
    """The posts about claims."""
    return [post for post in evening.posts("approvals") if "Possible account sharing" in said(post)]


async def test_what_an_admin_wants_for_somebody_else_is_no_claim(store: Store) -> None:
    await link(store, ANN, "Hana")
    claim = await link(store, EMI, "Hana", by=KAI)
    assert claim is not None
    assert (claim.id, claim.holder) == (None, "Ann")
    assert await count(store, tables.account_claims) == 0
    assert await count(store, tables.outbox) == 0
    own = await link(store, KAI, "Hana")
    assert own is not None
    assert own.id is not None


async def test_a_claim_under_another_record_is_ones_own(store: Store) -> None:
    await link(store, ANN, "Hana")
    await link(store, KAI, "other")
    await link(store, EMI, "third")
    await merge(store, EMI, KAI)
    claim = await link(store, KAI, "Hana", by=EMI)
    assert claim is not None
    assert claim.id is not None


async def test_an_admin_reads_whose_an_account_is_and_nothing_is_posted(evening: Evening) -> None:
    await told(evening, "link", "Ann", site="tenhou", name="Hana")
    answer = await told(evening, "link", "Kai", site="tenhou", name="Hana", member=evening.users["Emi"])
    assert "is bound to \u2068Ann\u2069 already, so nothing was changed" in answer
    assert "put before the admins" not in answer
    await evening.quiet()
    assert claims(evening) == []
    assert "put before the admins" in await told(evening, "link", "Kai", site="tenhou", name="Hana")
    await evening.discord.until(lambda: claims(evening))


async def test_names_that_an_admin_links_with_a_log_claim_nothing(evening: Evening) -> None:
    data = mjlog(init(), agari(0, 0, FINAL), names=TAGS)
    question = reply(await log(evening, data, by="Kai"))
    await evening.as_("Kai").click(question, label="Link the names: no")
    await told(evening, "link", "Emi", site="tenhou", name=TAGS[0])
    await choose_all(evening, question, *MEMBERS, by="Kai")
    answer = await press_submit(evening, question, by="Kai")
    assert f"“\u2068{TAGS[0]}\u2069” on Tenhou (天鳳) is bound to \u2068Emi\u2069 already" in answer
    assert f"“\u2068{TAGS[1]}\u2069” on Tenhou (天鳳) is the account of" in answer
    await evening.quiet()
    assert claims(evening) == []


@pytest.mark.parametrize("decided", [False, True])
async def test_nobody_is_amended_past_a_ban(store: Store, decided: bool) -> None:
    unranked = await submit(store, report(ranked=False))
    ranked = await submit(store, report(players=OTHERS))
    if decided:
        unranked, ranked = await approve(store, unranked), await approve(store, ranked)
    await ban(store)
    for game, changes in ((unranked, {"ranked": True}), (ranked, {"players": unranked.records})):
        error = await _refused(store, game, changes)
        assert (error.refusal, error.values["name"]) == (Refusal.BANNED, "Ann")


async def _refused(store: Store, game: GameRecord, changes: dict[str, Any]) -> Refused:
    """Why a game cannot be amended."""
    told_anew = replace(await store.read(tellings.read, game.id), **changes)
    return await refused(store, ledger.propose_amend, game.id, told_anew, NOW)


async def test_games_that_were_ranked_before_a_ban_are_put_right(store: Store) -> None:
    game = await approve(store, await submit(store))
    await ban(store)
    await amend(store, game, length=Length.TONPUU)
    await amend(store, game, ranked=False)
    assert (await _refused(store, game, {"ranked": True})).refusal is Refusal.BANNED


async def test_an_american_hand_is_not_amended_to_name_the_banned(store: Store) -> None:
    line = (await hang_card(store))["Three bends"]
    told_of = [report_hand(line, discarder=BORIS), report_hand(line, players=OTHERS, winner=EMI, discarder=BORIS)]
    his, other = [await approve(store, await submit_hand(store, each)) for each in told_of]
    await ban(store)
    await amend(store, his, used_jokers=False)
    changes = {"players": his.records, "winner": his.records[0]}
    assert (await _refused(store, other, changes)).refusal is Refusal.BANNED


async def test_an_approved_game_does_not_become_ranked_against_a_ban(evening: Evening) -> None:
    await evening.as_("Kai").slash(
        "ladder ban", evening.channels["mahjong"], member=evening.users["Dora"], reason="shared"
    )
    await evening.report(GAME, ranked=False)
    await evening.approve(1)
    assert "\u2068Dora\u2069 is banned from the ladder" in said(
        await ask(evening, "Kai", "amend", game=1, ranked=True)
    )
    assert not riichi(await evening.game(1)).ranked


@pytest.mark.parametrize("until", ["some day", "yesterday", "in 3 days"])
async def test_the_end_of_a_ban_is_explained_by_ends(evening: Evening, until: str) -> None:
    wish = {"member": evening.users["Dora"], "reason": "shared", "until": until}
    answer = said(reply(await evening.as_("Kai").slash("ladder ban", evening.channels["mahjong"], **wish)))
    assert f"I cannot read “{until}” as the end of a ban." in answer
    for example in ("2026-12-31", "31.12.", "tomorrow 18:00", "(UTC time)"):
        assert example in answer
    assert "yesterday" not in answer.replace(until, "")
    assert answer.strip().endswith("Nothing was changed.")


async def test_whoever_has_no_games_is_named(evening: Evening) -> None:
    await play(evening, GAME)
    channel = evening.channels["mahjong"]
    for by, options, sentence in (
        ("Emi", {}, "\u2068Emi\u2069 has no approved games with four players yet."),
        ("Ann", {"member": evening.users["Emi"]}, "\u2068Emi\u2069 has no approved games with four players yet."),
        ("Ann", {"players": 3}, "\u2068Ann\u2069 has no approved games with three players yet."),
    ):
        answer = await evening.as_(by).slash("stats", channel, **options)
        assert answer.ephemeral
        assert reply(answer)["content"] == sentence
