"""A made-up club for the sandbox: its people, weeks of games in the ledger, and an evening at which they act."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from bot.sandbox.cups import hold_cups
from bot.sandbox.objects import Json, walk_components
from bot.sandbox.server import LocalDiscord
from bot.sandbox.world import World
from ratings import club, ledger
from ratings.models import Length, Person, Report, RiichiGame, Seat, SystemName, Verdict
from ratings.queries import boards
from ratings.store import Store, outbox
from ratings.systems import tenhou

__all__ = ["Club", "act", "build", "find", "seed"]

NAME, REFEREE = "Sakura Riichi Club", "Referee"
DAY = 24 * 3600
DAYS = 35
APPROVE, REJECT = "\N{WHITE HEAVY CHECK MARK}", "\N{CROSS MARK}"
PATIENCE = 15.0


@dataclass(frozen=True, slots=True)
class Character:
    """A made-up member: the name shown, how well he plays, how often he comes, and a role."""

    username: str
    name: str
    strength: float
    visits: int
    nick: str | None = None
    referee: bool = False
    left: bool = False


CHARACTERS = (
    Character("haruka", "春香", 0.9, 10),
    Character("olga.vetrova", "Ольга Ветрова", 0.6, 10, referee=True),
    Character("kenji", "Kenji", 0.35, 9, nick="健二", referee=True),
    Character("meiling", "陈美玲 🀄", 1.1, 9),
    Character("dmitri", "Дмитрий", 0.1, 9),
    Character("kuro", "_*Kuro*_", -0.1, 8),
    Character("tanuki", "🦝 Tanuki 🦝", -0.3, 7),
    Character("anna.lindqvist", "Anna Lindqvist", 0.2, 4),
    Character("xiaoming", "李小明", -0.4, 3),
    Character("sora", "そら〜", 0.0, 2),
    Character("zoe", "Zoë Bélanger", -0.6, 2),
    Character("bob", "<b>Bob</b> & Sons", -0.8, 1),
    Character("otto", "Otto", -0.2, 2, left=True),
    Character("mika", "Мика ✨", 0.0, 0),
)


@dataclass(frozen=True, slots=True)
class Club:
    """The made-up club in the local Discord: people by user name, channels by name."""

    guild: Json
    referee: Json
    users: dict[str, Json]
    channels: dict[str, Json]

    @property
    def id(self) -> int:
        """The guild's id as the ledger has it."""
        return int(self.guild["id"])

    def person(self, username: str) -> Person:
        """Somebody as the ledger knows him."""
        user, character = self.users[username], next(c for c in CHARACTERS if c.username == username)
        return Person(int(user["id"]), character.nick or character.name)

    @property
    def referees(self) -> list[str]:
        """The user names of those who may decide."""
        return [character.username for character in CHARACTERS if character.referee]


def build(world: World) -> Club:
    """Put the club into an empty world."""
    users = {c.username: world.add_user(c.username, display_name=c.name) for c in CHARACTERS}
    guild = world.add_guild(NAME, owner=users[CHARACTERS[0].username])
    referee = world.add_role(guild, REFEREE, mentionable=True)
    for character in CHARACTERS[1:]:
        if not character.left:
            roles = [referee] if character.referee else []
            world.add_member(guild, users[character.username], roles=roles, nick=character.nick)
    names = ("mahjong", "approvals", "announcements")
    return Club(guild, referee, users, {name: world.add_channel(guild, name) for name in names})


def find(world: World) -> Club:
    """The club in a world that was kept. Raises LookupError when it is not there."""
    users = {user["username"]: user for user in world.users.values()}
    for guild in world.guilds.values():
        for role in guild["roles"]:
            if role["name"] == REFEREE:
                return Club(guild, role, users, {channel["name"]: channel for channel in guild["channels"]})
    raise LookupError(f"no guild in it has the role {REFEREE}")


async def seed(store: Store, made: Club, world: World, now: int) -> None:
    """Set the club up in the ledger and write five weeks of decided games that end a while before `now`."""
    await store.write(_seed, made, world, now)


def _seed(connection: sa.Connection, made: Club, world: World, now: int) -> None:
    owner = made.person(CHARACTERS[0].username)
    began = now - DAYS * DAY
    wishes = {
        "approvals_channel": int(made.channels["approvals"]["id"]),
        "announcements_channel": int(made.channels["announcements"]["id"]),
        "admin_role": int(made.referee["id"]),
        "time_zone": "Asia/Tokyo",
    }
    club.change_settings(connection, made.id, wishes, owner, began)
    chance = random.Random(112)  # noqa: S311 - a made-up history, the same every time
    for number, ended in enumerate(_evenings(now, chance), start=1):
        report = _game(made, world, chance, ended, three=number % 6 == 0)
        game = ledger.submit(connection, made.id, report, ended + 60).game
        referee = made.person(chance.choice(made.referees))
        rejected = number % 40 == 0
        verdict = Verdict.REJECT if rejected else Verdict.APPROVE
        ledger.decide(connection, made.id, game.id, verdict, referee, ended + 600)
        if rejected:
            reason = "South and West are the wrong way round; please report it again."
            ledger.give_reason(connection, made.id, game.id, reason, referee, ended + 660)
    fans = [made.person(character.username) for character in CHARACTERS if character.visits >= 7]
    hold_cups(connection, made.id, fans, owner, now)
    outbox.silence(connection, made.id, now)


def _evenings(now: int, chance: random.Random) -> Iterator[int]:
    """When the games of the past weeks ended: some on most evenings, the last ones yesterday."""
    for days_ago in range(DAYS - 1, 0, -1):
        moment = now - days_ago * DAY - 5 * 3600
        for _ in range(chance.choice((0, 4, 6, 8, 9))):
            moment += chance.randrange(900, 1500)
            yield moment


def _game(made: Club, world: World, chance: random.Random, ended: int, *, three: bool) -> Report:
    table = _table(chance, 3 if three else 4)
    length = Length.TONPUU if chance.random() < 0.2 else Length.HANCHAN
    return _report(
        made,
        world,
        [c.username for c in table],
        _scores(table, chance),
        length,
        ended,
        ranked=chance.random() > 0.02,
    )


def _table(chance: random.Random, size: int) -> list[Character]:
    """Who sits down, by how often they come."""
    table: list[Character] = []
    while len(table) < size:
        left = [character for character in CHARACTERS if character not in table]
        table += chance.choices(left, [character.visits**2 for character in left])
    return table


def _scores(table: Sequence[Character], chance: random.Random) -> list[int]:
    """Scores that add up to what the players started with; the stronger tend to have more."""
    start = 25_000 if len(table) == 4 else 35_000
    form = [chance.gauss(character.strength, 0.9) for character in table]
    mean = sum(form) / len(form)
    scores = [start + round((value - mean) * 110) * 100 for value in form]
    scores[form.index(max(form))] += start * len(table) - sum(scores)
    return scores


def _report(
    made: Club,
    world: World,
    table: Sequence[str],
    scores: Sequence[int],
    length: Length,
    ended: int,
    *,
    ranked: bool = True,
) -> Report:
    return Report(
        reporter=made.person(table[0]),
        players=tuple(made.person(username) for username in table),
        scores=tuple(scores),
        length=length,
        lobby=None,
        sticks=0,
        ranked=ranked,
        played_at=ended,
        channel_id=int(made.channels["mahjong"]["id"]),
        interaction_id=int(world.snowflake()),
    )


async def act(discord: LocalDiscord, made: Club, store: Store) -> None:
    """Let members report games by command and referees decide some, so that every state of a card is there.

    One game promotes somebody and is approved, one is rejected with a reason, two wait; and somebody asks who
    leads. Raises TimeoutError when the bot does not do its part.
    """
    promoting = await store.read(_promoting_table, made)
    await _approved_game(discord, made, promoting)
    await _rejected_game(discord, made)
    await _reported(discord, made, ["dmitri", "haruka", "zoe", "olga.vetrova"], [31_200, 28_400, 9_800, 30_600])
    await _reported(discord, made, ["meiling", "tanuki", "sora"], [52_300, 21_900, 30_800])
    await discord.person(made.guild, made.users["mika"]).slash("leaderboard", made.channels["mahjong"])


async def _approved_game(discord: LocalDiscord, made: Club, table: Sequence[str]) -> None:
    card = await _reported(discord, made, table, [46_800, 27_100, 18_300, 7_800])
    said = len(discord.world.history(made.channels["announcements"]))
    await discord.person(made.guild, made.users["kenji"]).react(card, APPROVE)
    await discord.until(lambda: len(discord.world.history(made.channels["announcements"])) > said, PATIENCE)


async def _rejected_game(discord: LocalDiscord, made: Club) -> None:
    card = await _reported(
        discord, made, ["bob", "kuro", "anna.lindqvist", "xiaoming"], [71_000, 12_000, 9_000, 8_000]
    )
    referee = discord.person(made.guild, made.users["olga.vetrova"])
    await referee.react(card, REJECT)
    button = await discord.until(lambda: _button(discord, card), PATIENCE)
    form = await referee.click(card, custom_id=button["custom_id"])
    field = next(
        c["custom_id"] for c in walk_components((form.modal or {}).get("components")) if c.get("custom_id")
    )
    reason = "71,000 for East? The score sheet on the wall says 17,000. Please check and report it again."
    await referee.submit(form, **{field: reason})


def _button(discord: LocalDiscord, card: Json) -> Json | None:
    message = discord.world.message(card["id"]) or {}
    return next((c for c in walk_components(message.get("components")) if c["type"] == 2), None)


async def _reported(discord: LocalDiscord, made: Club, table: Sequence[str], scores: Sequence[int]) -> Json:
    """Let the first at the table report a game; the result is its card, once it is ready for reactions."""
    approvals = made.channels["approvals"]
    known = {message["id"] for message in discord.world.history(approvals)}
    options: dict[str, object] = {}
    for seat, username, score in zip(("east", "south", "west", "north"), table, scores, strict=False):
        options |= {seat: made.users[username], f"{seat}_score": str(score)}
    reporter = discord.person(made.guild, made.users[table[0]])
    await reporter.slash("report riichi", made.channels["mahjong"], **options)

    def card() -> Json | None:
        fresh = [m for m in discord.world.history(approvals) if m["id"] not in known]
        return next((m for m in fresh if set(discord.world.reactions_of(m["id"])) >= {APPROVE, REJECT}), None)

    found: Json = await discord.until(card, PATIENCE)
    return found


def _promoting_table(connection: sa.Connection, made: Club) -> list[str]:
    """Four members still there such that the first is promoted by winning, to a rank as high as may be."""
    board = boards.Board(SystemName.TENHOU_4P, boards.Order.RANK)
    lines = boards.board_page(connection, made.id, board, 0, len(CHARACTERS)).rows
    known = {line.discord_id: line.standing for line in lines}
    there = {
        c.username: known.get(made.person(c.username).discord_id, tenhou.INITIAL) for c in CHARACTERS if not c.left
    }
    settings = club.settings(connection, made.id)
    by_rank = sorted(there, key=lambda username: there[username][:2], reverse=True)
    game = RiichiGame(tuple(Seat(seat, 25_000) for seat in range(4)), Length.HANCHAN)
    for first in by_rank:
        for others in itertools.combinations([username for username in by_rank if username != first], 3):
            table = [first, *others]
            step = ledger.weigh(game, [there[username] for username in table], settings).steps[0]
            if step.event is tenhou.RankEvent.PROMOTION:
                return table
    raise LookupError("Nobody can be promoted by one game.")
