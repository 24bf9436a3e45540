"""Cards that name somebody who is forgotten: which are drawn anew, and that fresh ones need not wait for them."""

from __future__ import annotations

from ratings.ledger.forgetting import cards_naming
from ratings.store import Store, cards, outbox
from tests.ledger_help import BORIS, CHIAKI, DORA, EMI, GUILD, NOW, approve, report, submit
from tests.people_help import record


async def test_cards_that_name_somebody_are_drawn_anew(store: Store) -> None:
    played = [
        await submit(store, report(players=(EMI, BORIS, CHIAKI, DORA), reporter=EMI)),
        await approve(store, await submit(store, report(reporter=EMI))),
        await approve(store, await submit(store), by=EMI),
        await approve(store, await submit(store)),
        await approve(store, await submit(store, report(players=(EMI, BORIS, CHIAKI, DORA)))),
    ]
    for game in played[:4]:
        await store.write(cards.hang, GUILD, game.id, 41, 4000 + game.id)
    emi = await record(store, EMI)
    assert await store.read(cards_naming, [emi]) == [played[2].id, played[1].id, played[0].id]


async def test_the_cards_of_a_long_career_leave_room_for_fresh_ones(store: Store) -> None:
    played = [await submit(store) for _ in range(25)]
    await store.write(outbox.silence, GUILD, NOW)
    await store.write(outbox.enqueue_redraws, GUILD, [game.id for game in played], NOW)
    due, later = await store.read(outbox.agenda, NOW)
    assert len(due) == 20
    assert later == NOW + 1
    # The card of a game that is decided meanwhile waits for nobody, and is drawn once.
    await approve(store, played[-1])
    fresh = (await store.read(outbox.agenda, NOW))[0][-1]
    letter = await store.write(outbox.claim, fresh.id, NOW, 15)
    assert letter is not None
    assert letter.game_id == played[-1].id
    assert await store.write(outbox.claim, fresh.id - 1, NOW, 15) is None
