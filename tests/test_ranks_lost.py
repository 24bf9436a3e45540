"""A rank that goes with the last game, or comes with the first: the club is told, as of any other that changes."""

from __future__ import annotations

import json

import pytest
import sqlalchemy as sa

from bot.render import news
from bot.texts import texts_for
from ratings import ledger
from ratings.ledger import Move
from ratings.models import CorrectionKind, Standing, SystemName
from ratings.queries.corrections import CorrectionNews, RankMove
from ratings.settings import ClubSettings
from ratings.store import Store
from ratings.store.tables import corrections
from tests.club_evening import Evening
from tests.correcting import correct, play, record, rows
from tests.correction_help import ask, confirm
from tests.correction_help import play as play_evening
from tests.ledger_help import ANN, EMI, NOW, report
from tests.role_help import GAME, KYUU, allow, switch, wears

FOUR, NMJL = SystemName.TENHOU_4P, SystemName.NMJL
PROMOTION = report((45200, 30100, 15700, 9000))
GONE = f"⬇️ **\u2068Ann\u2069** was {KYUU} and has no rank any more"
BACK = f"⬆️ **\u2068Ann\u2069** had no rank and is **{KYUU}** now"


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        (Standing(1, 0, 1530.0, 1), None, True),
        (None, Standing(1, 0, 1530.0, 1), True),
        (Standing(0, 15, 1510.0, 1), None, False),
        (None, Standing(0, 15, 1510.0, 1), False),
        (Standing(1, 0, 1530.0, 1), Standing(1, 5, 1500.0, 2), False),
        (Standing(1, 0, 1530.0, 1), Standing(0, 0, 1500.0, 1), True),
    ],
)
def test_whoever_has_no_games_stands_where_everybody_starts(
    before: Standing | None, after: Standing | None, changes: bool
) -> None:
    assert Move(1, "Ann", FOUR, before, after).changes_rank is changes


def test_american_hands_have_no_ranks_to_lose() -> None:
    assert not Move(1, "Ann", NMJL, Standing(0, 120, 1038.0, 1), None).changes_rank


async def test_the_rank_that_goes_is_kept_with_the_correction(store: Store) -> None:
    (game,) = await play(store, PROMOTION)
    ann = game.players[0]
    await correct(store, ledger.propose_void, game.id, "Never played")
    await correct(store, ledger.propose_restore, game.id)
    told = await store.read(rows, sa.select(corrections.c.rank_moves).order_by(corrections.c.id))
    mine = {"player": ann, "system": FOUR}
    assert [json.loads(text) for (text,) in told] == [
        [mine | {"before": 1, "after": None}],
        [mine | {"before": None, "after": 1}],
    ]


async def test_a_record_that_is_merged_away_leaves_its_rank(store: Store) -> None:
    await play(store, PROMOTION)
    ann, emi = await record(store, ANN), await record(store, EMI)
    await correct(store, ledger.propose_merge, ann, emi)
    ((text,),) = await store.read(rows, sa.select(corrections.c.rank_moves))
    assert sorted((move["player"], move["before"], move["after"]) for move in json.loads(text)) == [
        (ann, 1, None),
        (emi, None, 1),
    ]


def test_who_lost_his_rank_comes_last_in_the_news() -> None:
    moves = (RankMove("Ann", FOUR, 1, None), RankMove("Emi", FOUR, None, 1), RankMove("Dora", FOUR, 3, 2))
    told = CorrectionNews(7, CorrectionKind.VOID, "Kai", NOW, None, None, moves, ClubSettings())
    lines = (news.correction(texts_for(None), told).description or "").split("\n")
    order = [name for line in lines for name in ("Ann", "Emi", "Dora") if name in line]
    assert order == ["Dora", "Emi", "Ann"]
    assert GONE in lines


async def test_the_club_reads_that_a_promotion_is_taken_back_and_given_again(
    evening_on_each_engine: Evening,
) -> None:
    evening = evening_on_each_engine
    await play_evening(evening, GAME)
    await confirm(evening, "Kai", await ask(evening, "Kai", "void", game=1, reason="never played"))
    await evening.quiet()
    await confirm(evening, "Kai", await ask(evening, "Kai", "restore", game=1))
    await evening.quiet()
    promoted, taken, given = evening.posts("announcements")
    assert f"rose to **{KYUU}**" in str(promoted)
    assert GONE in taken["embeds"][0]["description"]
    assert BACK in given["embeds"][0]["description"]
    # Nobody else had a rank above the lowest.
    assert "Борис" not in str(taken) + str(given)


async def test_roles_go_and_come_with_the_only_game(evening: Evening) -> None:
    await allow(evening)
    await play_evening(evening, GAME)
    await switch(evening)
    await evening.quiet()
    assert wears(evening, "Ann") == [[KYUU]]
    await confirm(evening, "Kai", await ask(evening, "Kai", "void", game=1, reason="never played"))
    await evening.quiet()
    assert wears(evening, "Ann") == [[]]
    await confirm(evening, "Kai", await ask(evening, "Kai", "restore", game=1))
    await evening.quiet()
    assert wears(evening, "Ann") == [[KYUU]]
