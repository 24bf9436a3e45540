"""What the tests about people share: records, merges, splits, forgetting, and the commands for them."""

from __future__ import annotations

from typing import Any

import pytest

from ratings import ledger
from ratings.models import Person, Refused
from ratings.queries import people
from ratings.store import Store
from tests.club_evening import Club, reply
from tests.correcting import derived, record
from tests.correction_help import JSON, said
from tests.ledger_help import GUILD, KAI, NOW

__all__ = [
    "NINA",
    "board",
    "choice",
    "command",
    "derived",
    "forget",
    "found",
    "is_clean",
    "look",
    "meant",
    "merge",
    "record",
    "refused",
    "split",
]

# Ann's other account, under which she plays sometimes.
NINA = Person(1_577_055_687_358_283_776, "Nina")


async def merge(store: Store, player: Person, into: Person, *, reason: str | None = None) -> None:
    """Make two records one."""
    one, other = await record(store, player), await record(store, into)
    proposal = await store.study(ledger.propose_merge, GUILD, one, other, reason)
    await store.write(ledger.carry_out, GUILD, proposal, KAI, NOW)


async def split(store: Store, player: Person) -> None:
    """Take a merge back."""
    proposal = await store.study(ledger.propose_split, GUILD, await record(store, player))
    await store.write(ledger.carry_out, GUILD, proposal, KAI, NOW)


async def forget(store: Store, person: Person, *, by: Person = KAI) -> None:
    """Have somebody forgotten."""
    proposal = await store.study(ledger.propose_forget, GUILD, await record(store, person), NOW)
    await store.write(ledger.carry_out, GUILD, proposal, by, NOW)


async def is_clean(store: Store, guild: int = GUILD) -> bool:
    """Whether a replay arrives at the stored figures."""
    plan = await store.study(ledger.plan_replay, guild)
    return not (plan.rows or plan.cleared or plan.moves)


async def refused(store: Store, work: Any, *arguments: Any) -> Refused:
    """The refusal that some work meets."""
    with pytest.raises(Refused) as caught:
        await store.study(work, *arguments)
    return caught.value


async def found(store: Store, typed: str, *, merged: bool = False) -> list[str]:
    """The names that are offered to whoever types this."""
    return [each.name for each in await store.read(people.search, GUILD, typed, 25, merged=merged)]


async def meant(store: Store, typed: str, *, merged: bool = False) -> tuple[list[str], list[str]]:
    """Whom the club understands, and whom it thinks of."""
    one = await store.read(people.meant, GUILD, typed, 6, merged=merged)
    return [each.name for each in one.exactly], [each.name for each in one.near]


# ---- on Discord ----------------------------------------------------------------------------------------


async def command(where: Club, words: str, *, by: str = "Kai", **options: Any) -> JSON:
    """Somebody gives a command of the group /players; the answer, which only he sees."""
    interaction = await where.as_(by).slash(f"players {words}", where.channels["mahjong"], **options)
    assert interaction.ephemeral
    return reply(interaction)


async def look(where: Club, words: str, *, by: str = "Emi", **options: Any) -> JSON:
    """Somebody gives another command; the answer."""
    return reply(await where.as_(by).slash(words, where.channels["mahjong"], **options))


async def choice(where: Club, words: str, option: str, typed: str) -> dict[str, str]:
    """What is offered to an admin who types something: values by names."""
    channel = where.channels["mahjong"]
    offered = await where.as_("Kai").autocomplete(f"players {words}", channel, option=option, text=typed)
    return {each["name"]: each["value"] for each in offered}


async def board(where: Club) -> str:
    """The leaderboard of four players, by R."""
    return said(await look(where, "leaderboard", board="R rating"))
