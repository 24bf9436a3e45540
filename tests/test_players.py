"""People and their records: who is found and meant, and two records that are merged and split again."""

from __future__ import annotations

from typing import Any

import pytest

from bot.render import refusals
from bot.texts import texts_for
from ratings import club, ledger
from ratings.models import Person, Refusal, Refused, Standing, SystemName
from ratings.queries import american, boards, games, people
from ratings.queries.boards import Board, Order
from ratings.store import Store
from tests.club_evening import Evening, reply
from tests.correction_help import GAME, confirm, play, press, said
from tests.ledger_help import (
    ANN,
    BORIS,
    CHIAKI,
    DORA,
    EMI,
    GUILD,
    NEIGHBOURS,
    NOW,
    approve,
    everything,
    hand,
    place_at,
    reject,
    report,
    standing,
    submit,
    submit_hand,
)
from tests.people_help import (
    NINA,
    board,
    choice,
    command,
    derived,
    found,
    is_clean,
    look,
    meant,
    merge,
    record,
    refused,
    split,
)

TWICE = {"Ann at work": "45200", "Борис": "30100", "千秋": "15700", "Dora": "9000"}


# ---- finding people ------------------------------------------------------------------------------------


@pytest.fixture
async def known(store: Store) -> Store:
    """A club that has seen a few people, two of them under one name."""
    await approve(store, await submit(store, report(players=(ANN, BORIS, CHIAKI, DORA))))
    await approve(store, await submit(store, report(players=(NINA, BORIS, CHIAKI, DORA))))
    await submit(store, report(players=(ANN, BORIS, CHIAKI, DORA)))
    for person in (EMI, Person(16, "Anna"), Person(17, "Emi"), Person(18, "Émile")):
        await record(store, person)
    await record(store, Person(19, "Annette"), NEIGHBOURS)
    return store


async def test_people_are_found_by_any_part_of_their_names(known: Store) -> None:
    assert await found(known, "an") == ["Ann", "Anna"]
    assert await found(known, "NN") == ["Ann", "Anna"]
    assert await found(known, "борис") == ["Борис"]
    assert await found(known, " @emi ") == ["Emi", "Emi", "Émile"][:2]
    assert await found(known, str(NINA.discord_id)) == ["Nina"]
    assert await found(known, "nobody") == []
    assert (await found(known, ""))[:3] == ["Ann", "Anna", "Dora"]
    assert len(await known.read(people.search, GUILD, "", 3)) == 3


async def test_games_that_count_are_counted(known: Store) -> None:
    shown = {each.name: each.games for each in await known.read(people.search, GUILD, "", 25)}
    assert (shown["Ann"], shown["Nina"], shown["Борис"], shown["Anna"]) == (1, 1, 2, 0)
    await merge(known, NINA, ANN)
    shown = {each.name: each.games for each in await known.read(people.search, GUILD, "", 25)}
    assert shown["Ann"] == 2
    assert "Nina" not in shown
    (nina,) = await known.read(people.search, GUILD, "", 25, merged=True)
    assert (nina.name, nina.counts_as, nina.games) == ("Nina", "Ann", 1)


async def test_who_is_meant(known: Store) -> None:
    ann = await record(known, ANN)
    assert await meant(known, f"player:{ann}") == (["Ann"], [])
    assert await meant(known, f"<@{NINA.discord_id}>") == (["Nina"], [])
    assert await meant(known, f"<@!{NINA.discord_id}>") == (["Nina"], [])
    assert await meant(known, str(NINA.discord_id)) == (["Nina"], [])
    assert await meant(known, " ann ") == (["Ann"], [])
    assert await meant(known, "@Борис") == (["Борис"], [])
    assert await meant(known, "emi") == (["Emi", "Emi"], [])
    assert await meant(known, "player:999999") == ([], [])
    stranger = await record(known, Person(19, "Annette"), NEIGHBOURS)
    assert await meant(known, f"player:{stranger}") == ([], [])
    # A bare number is nobody's record, and no account.
    assert (await meant(known, str(ann)))[0] == []


async def test_whom_somebody_may_have_meant(known: Store) -> None:
    exactly, near = await meant(known, "Anne")
    assert exactly == []
    assert {"Ann", "Anna"} <= set(near)
    assert "Борис" in (await meant(known, "Boris"))[1]
    assert await meant(known, "Ottokar Quux") == ([], [])


async def test_of_one_name_the_record_that_can_be_split_is_meant(known: Store) -> None:
    await merge(known, Person(17, "Emi"), EMI)
    first, second = await record(known, EMI), await record(known, Person(17, "Emi"))
    assert [each.id for each in (await known.read(people.meant, GUILD, "emi", 6)).exactly] == [first]
    assert [each.id for each in (await known.read(people.meant, GUILD, "emi", 6, merged=True)).exactly] == [second]
    # Where none of the wanted kind has the name, the other is taken, and the ledger says what is wrong.
    assert (await meant(known, "Ann", merged=True))[0] == ["Ann"]


# ---- merging and splitting -----------------------------------------------------------------------------


async def test_everything_of_one_record_counts_under_the_other(store: Store, lines: dict[str, int]) -> None:
    await approve(store, await submit(store, report(players=(ANN, BORIS, CHIAKI, DORA))))
    await approve(store, await submit(store, report(players=(NINA, BORIS, CHIAKI, DORA))))
    won = hand(lines["Three bends"], players=(NINA, BORIS), winner=NINA, discarder=BORIS)
    await approve(store, await submit_hand(store, won))
    before = await derived(store)
    await merge(store, NINA, ANN)
    assert await standing(store, NINA) is None
    whole = await standing(store, ANN)
    assert whole is not None
    assert whole.games == 2
    # Whichever account is looked up, it is the one person.
    for account in (ANN.discord_id, NINA.discord_id):
        figures = await store.read(boards.profile, GUILD, SystemName.TENHOU_4P, account)
        assert figures is not None
        assert (figures.standing, figures.placed) == (whole, (2, 0, 0, 0))
        hands = await store.read(american.profile, GUILD, account)
        assert hands is not None
        assert (hands.wins, hands.standing.games) == (1, 1)
        assert (await store.read(games.page, GUILD, account, 0, 10)).total == 3
        person = await store.read(people.person_of, GUILD, account)
        assert person == ANN
        ahead = await store.read(boards.position, GUILD, Board(SystemName.TENHOU_4P, Order.RATING), account)
        assert ahead == 0
    assert await store.read(club.known_person, GUILD, NINA.discord_id) == NINA
    assert await store.read(people.person_of, GUILD, 999) is None
    board = await store.read(boards.board_page, GUILD, Board(SystemName.NMJL, Order.RATING), 0, 10)
    assert [(row.name, row.wins) for row in board.rows] == [("Ann", 1), ("Борис", 0)]
    assert await is_clean(store)
    await split(store, NINA)
    assert await derived(store) == before
    assert await is_clean(store)


async def test_who_sat_at_one_table_is_not_one_person(store: Store) -> None:
    played = [
        await submit(store, report(players=(ANN, NINA, CHIAKI, DORA))),
        await submit(store, report(players=(ANN, BORIS, CHIAKI, DORA))),
        await approve(store, await submit(store, report(players=(NINA, BORIS, CHIAKI, ANN)))),
    ]
    await reject(store, await submit(store, report(players=(NINA, BORIS, CHIAKI, ANN))))
    ids = [await record(store, person) for person in (NINA, ANN)]
    refusal = await refused(store, ledger.propose_merge, GUILD, *ids)
    assert refusal.refusal is Refusal.TOGETHER
    assert refusal.values["games"] == [played[0].number, played[2].number]


@pytest.mark.parametrize(
    ("numbers", "shown"),
    [
        ({"games": [7], "tournaments": []}, "at one table in game #7,"),
        ({"games": [7, 9], "tournaments": [1]}, "at one table in the games #7, #9,"),
        ({"games": [], "tournaments": [3]}, "played in tournament #3,"),
        ({"games": [], "tournaments": [3, 4]}, "played in the tournaments #3, #4,"),
    ],
)
def test_where_two_met_is_told(numbers: dict[str, list[int]], shown: str) -> None:
    assert shown in refusals.sentence(texts_for(None), Refused(Refusal.TOGETHER, **numbers))


async def test_a_merged_person_cannot_report_both_accounts(store: Store, lines: dict[str, int]) -> None:
    await approve(store, await submit(store))
    await merge(store, NINA, ANN)
    both = (ANN, NINA, CHIAKI, DORA)
    for work, told in (
        (ledger.submit, report(players=both)),
        (ledger.submit_american, hand(lines["Three bends"], players=both, discarder=NINA)),
    ):
        with pytest.raises(Refused) as caught:
            await store.write(work, GUILD, told, NOW)  # type: ignore[arg-type]
        assert caught.value.refusal is Refusal.ONE_PERSON
        assert caught.value.values == {"name": "Ann", "other": "Nina"}


async def test_a_split_takes_along_what_came_with_it(store: Store) -> None:
    crowd = [Person(30 + n, name) for n, name in enumerate(("D", "A", "B", "C"))]
    d, a, b, c = crowd
    for person in crowd:
        await approve(store, await submit(store, report(players=(person, BORIS, CHIAKI, DORA))))
    apart = await derived(store)
    for player, into in ((d, a), (a, b), (b, c)):
        await merge(store, player, into)
    assert (await store.read(boards.profile, GUILD, SystemName.TENHOU_4P, 30)).standing.games == 4  # type: ignore[union-attr]
    await split(store, a)
    # D came with A and goes with A; B is still C.
    assert await counted(store, d, a, b, c) == ["A", "A", "C", "C"]
    await merge(store, a, c)
    assert await counted(store, d, a, b, c) == ["C", "C", "C", "C"]
    # A and D are C by a merge of their own now, so B goes alone.
    await split(store, b)
    assert await counted(store, d, a, b, c) == ["C", "C", "B", "C"]
    await split(store, a)
    await split(store, d)
    assert await counted(store, d, a, b, c) == ["D", "A", "B", "C"]
    assert await derived(store) == apart
    refusal = await refused(store, ledger.propose_split, GUILD, await record(store, a))
    assert refusal.refusal is Refusal.NOT_MERGED


async def counted(store: Store, *persons: Person) -> list[str]:
    """As whom these people count."""
    found = [await store.read(people.person_of, GUILD, person.discord_id) for person in persons]
    return [person.name for person in found if person is not None]


async def test_one_reports_with_one_account_and_withdraws_with_the_other(store: Store) -> None:
    game = await submit(store, report(reporter=NINA))
    refusal = await refused(store, ledger.propose_withdraw, GUILD, game.id, ANN)
    assert refusal.refusal is Refusal.NOT_YOUR_REPORT
    await merge(store, NINA, ANN)
    for account in (ANN, NINA):
        assert (await store.study(ledger.propose_withdraw, GUILD, game.id, account)).game is not None
    refusal = await refused(store, ledger.propose_withdraw, GUILD, game.id, BORIS)
    assert refusal.refusal is Refusal.NOT_YOUR_REPORT


# ---- on Discord ----------------------------------------------------------------------------------------


@pytest.fixture
async def story(evening_on_each_engine: Evening) -> Evening:
    """An evening after which Ann has two records: she played once with each of her accounts."""
    evening_on_each_engine.join("Ann at work")
    await play(evening_on_each_engine, GAME, TWICE)
    return evening_on_each_engine


async def test_the_story_of_a_merge_and_of_a_split(story: Evening) -> None:
    before = await derived(story.store)
    ann, work = (story.users[name]["id"] for name in ("Ann", "Ann at work"))
    offered = await choice(story, "merge", "player", "ann")
    assert list(offered) == [f"Ann · ID {ann} · 1 game", f"Ann at work · ID {work} · 1 game"]
    chosen = offered[f"Ann at work · ID {work} · 1 game"]
    question = await command(story, "merge", player=chosen, into=f"<@{ann}>", reason="She told me")
    assert "Count \u2068Ann at work\u2069 and \u2068Ann\u2069 as one person?" in said(question)
    assert "She told me" in said(question)
    assert "Nothing has been changed yet" in said(question)
    assert await derived(story.store) == before
    done = await confirm(story, "Kai", question)
    assert "\u2068Ann at work\u2069 and \u2068Ann\u2069 count as one person" in said(done)
    assert "🥇 **\u2068Ann\u2069**" in await board(story)
    other: dict[str, Any] = {"member": story.users["Ann at work"]}
    assert "2 games" in said(await look(story, "profile", **other))
    listed = said(await look(story, "games list", **other))
    assert "Games of \u2068Ann\u2069" in listed
    assert "2 games" in listed
    both = {"Ann": "45200", "Ann at work": "30100", "千秋": "15700", "Dora": "9000"}
    assert "count as one person in this club" in said(reply(await story.report(both)))
    assert await is_clean(story.store, story.id)
    # A merged record is offered for a split, and for nothing else.
    assert await choice(story, "merge", "into", "at work") == {}
    (label,) = await choice(story, "split", "player", "")
    assert label == f"Ann at work · ID {work} · 1 game · counts as Ann"
    question = await command(story, "split", player="Ann at work")
    assert "apart from \u2068Ann\u2069 again?" in said(question)
    await confirm(story, "Kai", question)
    assert await derived(story.store) == before
    assert await is_clean(story.store, story.id)
    assert "counts for itself already" in said(await command(story, "split", player="Ann at work"))


async def test_my_place_is_found_with_either_account(story: Evening) -> None:
    crowd = {Person(5000 + n, f"member {n}"): Standing(3, 0, 2000.0, 5) for n in range(20)}
    await place_at(story.store, crowd, guild=story.id)
    await confirm(story, "Kai", await command(story, "merge", player="Ann at work", into="Ann"))
    for account in ("Ann", "Ann at work"):
        shown = await look(story, "leaderboard", by=account)
        await press(story, account, shown, "My place")
        (line,) = [line for line in said(shown).splitlines() if line.endswith("◀")]
        assert "\u2068Ann\u2069" in line


async def test_a_merge_is_refused_with_the_games_at_one_table(story: Evening) -> None:
    await story.report({"Ann": "45200", "Ann at work": "30100", "千秋": "15700", "Dora": "9000"})
    answer = await command(story, "merge", player="Ann at work", into="Ann")
    assert "They sat at one table in game #3" in said(answer)
    assert not answer["components"]


async def test_only_admins_ask_and_only_admins_confirm(story: Evening) -> None:
    before = (await everything(story.store))["players"]
    for words, options in (
        ("merge", {"player": "Ann at work", "into": "Ann"}),
        ("split", {"player": "Ann at work"}),
        ("forget", {"player": "Ann"}),
    ):
        assert "Only admins" in said(await command(story, words, by="Ann", **options))
    question = await command(story, "forget", player="Ann")
    kai = story.discord.world.member(story.guild, story.users["Kai"])
    assert kai is not None
    kai["roles"].clear()
    assert "Only admins" in said(reply(await press(story, "Kai", question)))
    assert (await everything(story.store))["players"] == before


async def test_leaving_it_changes_nothing(story: Evening) -> None:
    before = await everything(story.store)
    question = await command(story, "merge", player="Ann at work", into="Ann")
    await press(story, "Kai", question, "Leave it")
    assert said(question) == "Nothing was changed."
    assert await everything(story.store) == before


async def test_unclear_names_are_answered_with_near_ones(story: Evening) -> None:
    answer = said(await command(story, "forget", player="Ann at wrok"))
    assert "I know nobody called “Ann at wrok”" in answer
    assert "- Ann at work" in answer
    assert "Nothing was changed" in answer
    assert "I know nobody called “Ottokar Quux”" in said(await command(story, "forget", player="Ottokar Quux"))
    assert "not known any more" in said(await command(story, "forget", player="player:987654"))
    twin = story.discord.world.add_user("ann.two", display_name="Ann")
    await record(story.store, Person(int(twin["id"]), "Ann"), story.id)
    answer = said(await command(story, "merge", player="Ann", into="Ann at work"))
    assert "“Ann” is the name of several people" in answer
    assert f"- Ann · ID {twin['id']} · 0 games" in answer
    assert "Forget \u2068Ann\u2069?" in said(await command(story, "forget", player=f"<@{twin['id']}>"))
