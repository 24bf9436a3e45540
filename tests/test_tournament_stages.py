"""Hanchan told beside stages agree with them or are asked back; and a better place may lead past a cut."""

from __future__ import annotations

from datetime import date

from ratings.models import Refusal
from ratings.store import Store
from ratings.systems import russian
from ratings.systems.russian import Player, Ranking, RankingFacts, Stage
from tests.answer_help import embed
from tests.club_evening import Evening
from tests.ledger_help import everything
from tests.ranking_help import cup
from tests.tournament_evening import FILES, act, bring, described, entered, said
from tests.tournament_help import NAMES, edit, open_cup, record, refused, rows_of
from tests.tournament_help import bring as enter

STAGES = (Stage(16, 6), Stage(4, 6))


async def test_hanchan_beside_stages_are_as_many_as_theirs(store: Store) -> None:
    before = await everything(store)
    contradiction = {"hanchan": 8, "played": 12}
    entering = enter(store, rows_of(*NAMES), open_cup(stages=STAGES, hanchan=8))
    assert await refused(entering, Refusal.UNFIT_STAGES) == contradiction
    assert await everything(store) == before
    await enter(store, rows_of(*NAMES), open_cup(stages=STAGES, hanchan=12))
    assert await refused(edit(store, hanchan=8), Refusal.UNFIT_STAGES) == contradiction
    assert await refused(edit(store, hanchan=8, stages=STAGES), Refusal.UNFIT_STAGES) == contradiction
    await edit(store, hanchan=8, stages=())
    assert ((await record(store)).details.hanchan, (await record(store)).details.stages) == (8, ())


async def test_fresh_stages_tell_the_hanchan_anew(store: Store) -> None:
    await enter(store, rows_of(*NAMES), open_cup(hanchan=8))
    await edit(store, stages=STAGES)
    told = (await record(store)).details
    assert (told.hanchan, told.stages, told.tournament(1).distance) == (None, STAGES, 12)


async def test_members_read_which_hanchan_contradict_the_stages(evening: Evening) -> None:
    words = "The stages have 12 hanchan together, and not 8."
    assert said(await bring(evening, FILES["comma.csv"], stages="4x8 2x4", new_players=True)).startswith(words)
    assert await entered(evening) == 0
    await bring(evening, FILES["comma.csv"], new_players=True)
    both = await act(evening, "tournament edit", tournament="1", hanchan=8, stages="4x8 2x4")
    assert said(both).startswith(words)
    done = await act(evening, "tournament edit", tournament="1", stages="4x8 2x4")
    assert embed(done)["title"] == "Tournament #1 is corrected"
    assert any("4×8, 2×4" in line for line in described(done))
    assert said(await act(evening, "tournament edit", tournament="1", hanchan=8)).startswith(words)


def test_a_better_place_past_a_cut_may_lower_a_rating() -> None:
    day = date(2025, 3, 1)
    held = {number: cup(number, last_day=day, participants=16) for number in range(1, 5)}
    held[5] = cup(5, last_day=day, participants=32, hanchan=None, stages=(Stage(32, 5), Stage(30, 15)))

    def rating(place: int) -> float:
        results = [*((number, 1, 1, True) for number in range(1, 5)), (5, 1, place, True)]
        facts = RankingFacts(held, results, {1: Player(1, "RU")})
        (row,) = russian.table(russian.gather(facts, Ranking.RR), day).rows
        return row.rating

    assert rating(31) > rating(30)
    for first, last in ((1, 30), (31, 32)):
        ratings = [rating(place) for place in range(first, last + 1)]
        assert ratings == sorted(ratings, reverse=True)
