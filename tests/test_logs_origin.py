"""Where the game of a log was played, when, and whether it was a ranked one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from ratings.logs import LogFormat, LogProblem, LogRefused, Unranked, read_log
from ratings.models import Length, Lobby
from tests.log_help import FINAL, HOUOU, TSUMO, agari, hand_json, init, mjlog, tenhou6

LINK = "https://tenhou.net/0/?log=2011020417gm-00a9-0000-b67fcaa3&tw=1"


@pytest.mark.parametrize(
    ("kind", "go", "version", "why"),
    [
        (HOUOU, 'lobby="0"', "2.3", None),
        (HOUOU, 'lobby="7447"', "2.3", Unranked.PRIVATE_LOBBY),
        (HOUOU, 'lobby="C12"', "2.3", Unranked.PRIVATE_LOBBY),
        (HOUOU, 'lobby="0000"', "2.3", None),
        (HOUOU, 'lobby="0" csrule="4007C004,,"', "2.3", Unranked.CUSTOM_RULES),
        (HOUOU | 0x100, 'lobby="0"', "2.3", Unranked.CUSTOM_RULES),
        (HOUOU | 0x200, 'lobby="0"', "2.3", Unranked.PARLOUR),
        (HOUOU | 0x400, 'lobby="0"', "2.3", Unranked.PARLOUR),
        (HOUOU | 0x800, 'lobby="0"', "2.3", Unranked.PARLOUR),
        (HOUOU & ~1, 'lobby="0"', "2.3", Unranked.AGAINST_BOTS),
        (HOUOU, 'lobby="0"', "2.4", Unranked.OTHER_VERSION),
    ],
)
def test_unranked_mjlogs_are_marked(kind: int, go: str, version: str, why: Unranked | None) -> None:
    game = read_log(
        mjlog(init(), agari(0, 0, FINAL), kind=kind, go=go, version=version), LINK.replace("00a9", f"{kind:04x}")
    )
    assert game.unranked is why
    assert game.ranked is (why is None)
    assert game.lobby is (Lobby.HOUOU if why is None else None)
    assert [seat.wins for seat in game.seats] == [1, 0, 0, 0]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({}, None),
        ({"ratingc": None}, None),
        ({"lobby": "0"}, None),
        ({"lobby": 7447}, Unranked.PRIVATE_LOBBY),
        ({"ref": "2020020506gm-0009-7994-344ceb83"}, Unranked.PRIVATE_LOBBY),
        ({"ref": "2020020506gm-01a9-0000-344ceb83"}, Unranked.CUSTOM_RULES),
        ({"rule": {"disp": "千秋杯"}}, Unranked.CUSTOM_RULES),
        ({"rule": {"disp": "三月の鳳凰杯"}}, Unranked.CUSTOM_RULES),
        ({"rule": {"disp": "三鳳南喰赤"}}, Unranked.CUSTOM_RULES),
        ({"rule": {"disp": "四鳳南喰赤"}}, None),
        ({"rule": None}, Unranked.CUSTOM_RULES),
        ({"ref": "2020020506gm-02a9-0000-344ceb83"}, Unranked.PARLOUR),
        ({"ver": 2.4}, Unranked.OTHER_VERSION),
        ({"ref": ""}, Unranked.UNKNOWN),
        ({"ref": None}, Unranked.UNKNOWN),
        ({"ref": "231014-84c11a6f-b3f7-4363-966e-25f37886cfbf"}, Unranked.OTHER_SITE),
        ({"ref": "", "dan": ["雀傑★1", "", "", ""]}, Unranked.OTHER_SITE),
        ({"ref": "", "rule": {"disp": "玉の間南喰赤"}}, Unranked.OTHER_SITE),
    ],
)
def test_unranked_json_logs_are_marked(changes: dict[str, Any], why: Unranked | None) -> None:
    game = read_log(tenhou6(hand_json(TSUMO), **changes))
    assert game.unranked is why
    assert game.lobby is (Lobby.HOUOU if why is None else None)


def test_ranks_of_mahjong_soul_are_not_taken_for_tenhous() -> None:
    paipu = "231014-84c11a6f-b3f7-4363-966e-25f37886cfbf"
    game = read_log(tenhou6(hand_json(TSUMO), ref=paipu, ver="2.3"))
    assert (game.format, game.log_id) == (LogFormat.MAHJONG_SOUL, paipu)
    assert {(seat.dan, seat.rate) for seat in game.seats} == {(None, None)}


@pytest.mark.parametrize(
    ("kind", "lobby"),
    [(0x09, Lobby.IPPAN), (0x89, Lobby.JOUKYUU), (0x29, Lobby.TOKUJOU), (0xA9, Lobby.HOUOU), (0x41, Lobby.IPPAN)],
)
def test_the_type_tells_lobby_and_length(kind: int, lobby: Lobby) -> None:
    game = read_log(mjlog(init(), agari(0, 0, FINAL), kind=kind), LINK.replace("00a9", f"{kind:04x}"))
    assert (game.lobby, game.length) == (lobby, Length.HANCHAN if kind & 8 else Length.TONPUU)


@pytest.mark.parametrize(
    ("words", "last_round", "length"),
    [
        ("玉の間南喰赤", 0, Length.HANCHAN),
        ("玉の間東喰赤", 4, Length.TONPUU),
        ("Jade Room South Red Fives", 0, Length.HANCHAN),
        ("Jade Room East Red Fives", 4, Length.TONPUU),
        ("速玉の間赤", 3, Length.TONPUU),
        ("速玉の間赤", 4, Length.HANCHAN),
    ],
)
def test_words_or_else_hands_tell_the_length(words: str, last_round: int, length: Length) -> None:
    hands = [hand_json(TSUMO, number) for number in range(last_round + 1)]
    assert read_log(tenhou6(*hands, ref="", rule={"disp": words})).length is length


@pytest.mark.parametrize(
    "link",
    [
        LINK,
        "http://tenhou.net/0/?log=2011020417gm-00a9-0000-b67fcaa3&tw=1&ts=3",
        "2011020417gm-00a9-0000-b67fcaa3",
        "2011020417gm-00a9-0000-b67fcaa3&tw=2.mjlog",
        "C:\\logs\\2011020417gm-00A9-0000-B67FCAA3.mjlog.gz",
    ],
)
def test_a_link_gives_an_mjlog_its_id_and_time(link: str) -> None:
    game = read_log(mjlog(init(), agari(0, 0, FINAL)), link)
    assert game.log_id == "2011020417gm-00a9-0000-b67fcaa3"
    assert game.played_at == datetime(2011, 2, 4, 8, tzinfo=UTC).timestamp()
    assert game.ranked


@pytest.mark.parametrize(
    "link",
    [
        None, "", "game.mjlog", "https://tenhou.net/0/?log=", "2011023017gm-00a9-0000-b67fcaa3",
        "2011020424gm-00a9-0000-b67fcaa3", "1999020417gm-00a9-0000-b67fcaa3", "12011020417gm-00a9-0000-b67fcaa3",
        "2011020417gm-00a9-0000-b67fcaa",
        "2011020417gm-00a9-0000-b67fcaa3f", "x" * 100_000 + "2011020417gm-00a9-0000-b67fcaa3",
    ],
)  # fmt: skip
def test_a_link_without_an_id_is_as_good_as_none(link: str | None) -> None:
    game = read_log(mjlog(init(), agari(0, 0, FINAL)), link)
    assert (game.log_id, game.played_at, game.unranked) == (None, None, Unranked.UNKNOWN)


@pytest.mark.parametrize(("lobby", "log_lobby"), [("7447", "0"), ("10011", "0"), ("0000", "1"), ("11000", "1111")])
def test_a_private_lobby_shows_in_the_link_or_in_the_log(lobby: str, log_lobby: str) -> None:
    link = f"2011020417gm-00a9-{lobby}-b67fcaa3"
    game = read_log(mjlog(init(), agari(0, 0, FINAL), go=f'lobby="{log_lobby}"'), link)
    assert game.unranked is Unranked.PRIVATE_LOBBY


@pytest.mark.parametrize(
    ("go", "why"),
    [
        ('lobby="0"', Unranked.UNKNOWN),
        ("", Unranked.UNKNOWN),
        ('lobby="7447"', Unranked.PRIVATE_LOBBY),
        ('lobby="0" csrule="4007C004,,"', Unranked.CUSTOM_RULES),
    ],
)
def test_an_mjlog_without_its_id_is_never_ranked(go: str, why: Unranked) -> None:
    game = read_log(mjlog(init(), agari(0, 0, FINAL), go=go), "game.mjlog")
    assert (game.unranked, game.lobby) == (why, None)


def test_a_link_gives_a_log_of_2009_its_lobby() -> None:
    old = mjlog(init(), agari(0, 0, FINAL), go="")
    assert read_log(old, "2009061806gm-00a9-0000-6d13c207").ranked


def test_a_scrambled_link_is_taken_for_the_same_game() -> None:
    scrambled = "2021010217gm-00a9-0000-x0123456789ab"
    assert read_log(tenhou6(hand_json(TSUMO)), scrambled).log_id == "2021010217gm-00a9-0000-0123abcd"


def test_the_log_itself_comes_before_the_link() -> None:
    own = read_log(tenhou6(hand_json(TSUMO)), "game.json")
    assert own.played_at == datetime(2021, 1, 2, 8, tzinfo=UTC).timestamp()
    lent = read_log(tenhou6(hand_json(TSUMO), ref=""), LINK)
    assert (lent.log_id, lent.ranked) == ("2011020417gm-00a9-0000-b67fcaa3", True)


PAIPU = tenhou6(hand_json(TSUMO), ref="231014-84c11a6f-b3f7-4363-966e-25f37886cfbf")


@pytest.mark.parametrize(
    ("data", "link"),
    [
        (mjlog(init(), agari(0, 0, FINAL)), "2011020417gm-0009-0000-b67fcaa3"),
        (tenhou6(hand_json(TSUMO)), "2021010217gm-00a9-0000-0123abce"),
        (tenhou6(hand_json(TSUMO)), "2021010217gm-00a9-0001-0123abcd"),
        (tenhou6(hand_json(TSUMO)), "2021010218gm-00a9-0000-x0123456789ab"),
        (PAIPU, LINK),
    ],
)
def test_a_link_to_another_game_is_refused(data: bytes, link: str) -> None:
    with pytest.raises(LogRefused, match=LogProblem.OTHER_GAME):
        read_log(data, link)
