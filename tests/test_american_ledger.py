"""American hands as they are reported: what a report becomes, what is refused, what counts as the same."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from ratings import ledger
from ratings.models import (
    AmericanGame,
    AmericanReport,
    AmericanWin,
    GameState,
    Line,
    Person,
    Refusal,
    Refused,
    WonBy,
)
from ratings.queries import games
from ratings.store import Store
from ratings.store.outbox import Kind
from ratings.store.tables import (
    american_wins,
    seats,
)
from ratings.store.tables import games as games_table
from tests.ledger_help import (
    ANN,
    BORIS,
    CARD,
    CHIAKI,
    DORA,
    EMI,
    GUILD,
    NOW,
    american,
    another,
    approve,
    choose,
    count,
    everything,
    hand,
    hang_card,
    letters,
    reject,
    submit_hand,
)
from tests.twin_help import repeats

FOUR = (ANN, BORIS, CHIAKI, DORA)
BENDS, PASS, BOOTS, FORD = (line.name for line in CARD)
ROBOT = Person(66, "Robot", is_bot=True)
DAY = 24 * 3600
LINES = {BENDS: Line(30), PASS: Line(40, True, False, 1.5), BOOTS: Line(50, True, True, 1.25), FORD: Line(25)}


@pytest.mark.parametrize(
    ("won_by", "discarder"), [(WonBy.DISCARD, CHIAKI), (WonBy.SELF_PICK, None), (WonBy.UNRECORDED, None)]
)
async def test_a_won_hand_becomes_a_pending_game(
    store: Store, lines: dict[str, int], won_by: WonBy, discarder: Person | None
) -> None:
    told = hand(
        lines[BENDS],
        players=(DORA, ANN, CHIAKI, BORIS),
        winner=BORIS,
        won_by=won_by,
        discarder=discarder,
        concealed=True,
        played_at=NOW - 3600,
    )
    game = await submit_hand(store, told)
    dora, ann, chiaki, boris = game.players
    thrower = None if discarder is None else chiaki
    assert game.facts == AmericanGame(
        (dora, ann, chiaki, boris), AmericanWin(boris, Line(30), won_by, thrower, True, True)
    )
    assert (game.number, game.state, game.guild_id) == (1, GameState.PENDING, GUILD)
    assert game.people == (DORA, ANN, CHIAKI, BORIS)
    assert game.line is not None
    assert (game.line.id, game.line.name, game.line.year) == (lines[BENDS], BENDS, 2026)
    assert (game.reporter, game.report_channel_id) == (EMI, 31)
    assert (game.played_at, game.reported_at) == (NOW - 3600, NOW)
    assert (repeats(game), game.card, game.decision, game.penalties) == (None, None, None, ())
    assert await letters(store, game) == [Kind.CARD]
    assert await store.read(games.by_number, GUILD, 1) == game
    assert await store.read(games.pending, GUILD) == [game]


@pytest.mark.parametrize("table", [FOUR, FOUR[:3], FOUR[1:3]])
async def test_a_wall_game_of_two_to_four_becomes_a_pending_game(store: Store, table: tuple[Person, ...]) -> None:
    game = await submit_hand(store, hand(players=table, winner=None))
    assert game.facts == AmericanGame(game.players, None)
    assert (game.people, game.line, game.state) == (table, None, GameState.PENDING)
    assert await letters(store, game) == [Kind.CARD]
    assert await count(store, american_wins) == 0
    assert await count(store, seats) == len(table)


async def test_concealed_is_kept_as_declared_beside_what_the_line_demands(
    store: Store, lines: dict[str, int]
) -> None:
    told = hand(lines[PASS], won_by=WonBy.SELF_PICK)
    for concealed, name, stored in (
        (None, PASS, False),
        (True, PASS, True),
        (None, BENDS, False),
        (False, BENDS, False),
        (True, BENDS, True),
    ):
        game = await submit_hand(
            store,
            replace(told, concealed=concealed, line_id=lines[name], interaction_id=told.interaction_id + 100),
        )
        told = replace(told, interaction_id=told.interaction_id + 100)
        win = american(game).win
        assert win is not None
        assert (win.concealed, win.line) == (stored, LINES[name])


REFUSED: dict[str, tuple[str | None, AmericanReport, Refusal, dict[str, object]]] = {
    "one player": (BENDS, hand(players=(ANN,)), Refusal.TABLE_SIZE, {"players": 1}),
    "five players": (BENDS, hand(players=(*FOUR, EMI)), Refusal.TABLE_SIZE, {"players": 5}),
    "one player at a wall game": (None, hand(players=(ANN,), winner=None), Refusal.TABLE_SIZE, {"players": 1}),
    "five players at a wall game": (
        None,
        hand(players=(*FOUR, EMI), winner=None),
        Refusal.TABLE_SIZE,
        {"players": 5},
    ),
    "somebody twice": (None, hand(players=(ANN, ANN), winner=None), Refusal.SAME_PLAYER, {"name": "Ann"}),
    "a bot at the table": (BENDS, hand(players=(ANN, ROBOT)), Refusal.BOT_PLAYER, {"name": "Robot"}),
    "tomorrow's game": (None, hand(winner=None, played_at=NOW + DAY), Refusal.FUTURE, {"played_at": NOW + DAY}),
    "a game of the last century": (None, hand(winner=None, played_at=946_684_799), Refusal.TOO_LONG_AGO, {}),
    "a discard by nobody": (BENDS, hand(won_by=WonBy.DISCARD), Refusal.DISCARDER_MISSING, {}),
    "a self-pick with a discarder": (
        BENDS,
        hand(won_by=WonBy.SELF_PICK, discarder=DORA),
        Refusal.SELF_PICK_DISCARDER,
        {"name": "Dora"},
    ),
    "his own discard": (BENDS, hand(discarder=ANN), Refusal.DISCARDER_WON, {"name": "Ann"}),
    "a discard from another table": (BENDS, hand(discarder=EMI), Refusal.DISCARDER_ABSENT, {"name": "Emi"}),
    "no line": (None, hand(discarder=DORA), Refusal.UNKNOWN_LINE, {}),
    "a line of no card": (None, hand(10**6, discarder=DORA), Refusal.UNKNOWN_LINE, {}),
    "last year's line": (FORD, hand(discarder=DORA), Refusal.OTHER_YEAR, {"year": 2025, "current": 2026}),
    "jokers among singles and pairs": (
        BOOTS,
        hand(discarder=DORA, used_jokers=True),
        Refusal.JOKERS_ON_SINGLES,
        {"line": BOOTS},
    ),
    "a concealed line exposed": (
        PASS,
        hand(discarder=DORA, concealed=False),
        Refusal.EXPOSED_ON_CONCEALED,
        {"line": PASS},
    ),
}


@pytest.mark.parametrize(("line", "told", "refusal", "values"), REFUSED.values(), ids=REFUSED)
async def test_a_refused_hand_stores_nothing_at_all(
    store: Store,
    lines: dict[str, int],
    line: str | None,
    told: AmericanReport,
    refusal: Refusal,
    values: dict[str, object],
) -> None:
    if line is not None:
        told = replace(told, line_id=lines[line])
    for _ in ("a club with a card", "a club with a hand"):
        before = await everything(store)
        with pytest.raises(Refused) as refused:
            await submit_hand(store, told)
        assert (refused.value.refusal, refused.value.values) == (refusal, values)
        assert await everything(store) == before
        await submit_hand(store, hand(lines[BENDS], discarder=DORA))


async def test_a_discarder_who_is_named_is_recorded_after_all(store: Store, lines: dict[str, int]) -> None:
    plain = await submit_hand(store, hand(lines[BENDS], discarder=DORA))
    told = hand(lines[BENDS], won_by=WonBy.UNRECORDED, discarder=DORA)
    game = await submit_hand(store, told)
    assert game.facts == plain.facts
    assert repeats(game) == plain.number


async def test_a_line_of_another_year_counts_where_the_hand_was_played_then(
    store: Store, lines: dict[str, int]
) -> None:
    midnight = int(datetime(2026, 1, 1, tzinfo=ZoneInfo("Asia/Tokyo")).timestamp())
    assert datetime.fromtimestamp(midnight, UTC).year == 2025
    old, new = hand(lines[FORD], discarder=DORA), hand(lines[BENDS], discarder=DORA)
    # The year of the card is always welcome, the year of the hand by the clock of the club.
    assert (await submit_hand(store, replace(old, played_at=midnight))).line is not None
    assert (await submit_hand(store, replace(new, played_at=midnight))).line is not None
    await choose(store, time_zone="Asia/Tokyo")
    late, in_time = hand(lines[FORD], discarder=DORA), hand(lines[FORD], discarder=DORA)
    before = await everything(store)
    with pytest.raises(Refused) as refused:
        await submit_hand(store, replace(late, played_at=midnight))
    assert (refused.value.refusal, refused.value.values) == (
        Refusal.OTHER_YEAR,
        {"year": 2025, "current": 2026},
    )
    assert await everything(store) == before
    assert (await submit_hand(store, replace(in_time, played_at=midnight - 1))).line is not None


async def test_without_a_year_of_the_card_only_the_year_of_the_hand_counts(store: Store) -> None:
    ids = await hang_card(store)
    with pytest.raises(Refused) as refused:
        await submit_hand(store, hand(ids[FORD], discarder=DORA))
    assert (refused.value.refusal, refused.value.values) == (Refusal.OTHER_YEAR, {"year": 2025, "current": None})
    assert (await submit_hand(store, hand(ids[BENDS], discarder=DORA))).number == 1


async def test_a_command_delivered_twice_is_one_hand(store: Store, lines: dict[str, int]) -> None:
    for told in (hand(lines[BENDS], discarder=DORA), hand(winner=None)):
        first = await store.write(ledger.submit_american, GUILD, told, NOW, 15.0)
        (letter,) = first.letters
        assert (letter.kind, letter.game_id) == (Kind.CARD, first.game.id)
        before = await everything(store)
        second = await store.write(ledger.submit_american, GUILD, told, NOW + 3, 15.0)
        assert (first.again, second.again, second.letters) == (False, True, ())
        assert second.matter == first.matter == await store.read(ledger.matter, GUILD, first.game.id)
        assert await everything(store) == before
        await approve(store, first.game)
        # By now the report would be refused; what it had become is known all the same.
        later = await store.write(ledger.submit_american, GUILD, replace(told, players=(ANN,)), NOW + 9)
        assert (later.again, later.game.id, later.game.state) == (True, first.game.id, GameState.APPROVED)


async def test_one_command_at_two_processes_at_once_is_one_hand(
    store: Store, lines: dict[str, int], database: str
) -> None:
    told = hand(lines[BENDS], discarder=DORA)
    async with another(database) as other:
        answers = await asyncio.gather(
            *(each.write(ledger.submit_american, GUILD, told, NOW) for each in (store, other) for _ in range(5))
        )
    assert {answer.game.id for answer in answers} == {answers[0].game.id}
    assert sorted(answer.again for answer in answers) == [False] + [True] * 9
    assert [await count(store, table) for table in (games_table, american_wins, seats)] == [1, 1, 4]


async def test_the_same_win_reported_twice_is_linked(store: Store, lines: dict[str, int]) -> None:
    first = await submit_hand(store, hand(lines[BENDS], discarder=DORA))
    turned = await submit_hand(store, hand(lines[BENDS], players=(DORA, CHIAKI, BORIS, ANN), discarder=DORA))
    assert (repeats(first), repeats(turned)) == (None, first.number)
    others = [
        await submit_hand(store, hand(lines[BENDS], winner=BORIS, discarder=DORA)),
        await submit_hand(store, hand(lines[PASS], discarder=DORA)),
        await submit_hand(store, hand(lines[BENDS], won_by=WonBy.SELF_PICK)),
        await submit_hand(store, hand(lines[BENDS], players=FOUR[:3], discarder=CHIAKI)),
        await submit_hand(store, hand(lines[BENDS], players=(*FOUR[:3], EMI), discarder=EMI)),
    ]
    assert [repeats(game) for game in others] == [None] * 5
    last_second = await submit_hand(store, hand(lines[BENDS], discarder=DORA), now=NOW + 7 * DAY)
    assert repeats(last_second) == first.number
    late = await submit_hand(store, hand(lines[BENDS], winner=BORIS, discarder=DORA), now=NOW + 7 * DAY + 1)
    assert repeats(late) is None


async def test_a_rejected_win_is_not_repeated(store: Store, lines: dict[str, int]) -> None:
    await reject(store, await submit_hand(store, hand(lines[BENDS], discarder=DORA)))
    second = await approve(store, await submit_hand(store, hand(lines[BENDS], discarder=DORA)))
    third = await submit_hand(store, hand(lines[BENDS], discarder=DORA))
    assert (repeats(second), repeats(third)) == (None, second.number)


async def test_wall_games_of_one_table_repeat_nothing(store: Store) -> None:
    made = [await submit_hand(store, hand(winner=None)) for _ in range(3)]
    assert [repeats(game) for game in made] == [None, None, None]
