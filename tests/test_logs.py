"""Game logs: real ones to the last figure, and the traps of both formats one by one."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from ratings.logs import GameLog, LogFormat, LogSeat, Unranked, read_log
from ratings.models import Length, Lobby
from tests.log_help import (
    DRAW,
    FINAL,
    FINAL_3P,
    HOUOU_3P,
    NAMES_3P,
    TSUMO,
    agari,
    draw,
    final_json,
    hand_json,
    init,
    mjlog,
    tenhou6,
)
from tests.real_logs import index, read

LINK = "https://tenhou.net/0/?log=2011020417gm-00a9-0000-b67fcaa3&tw=1"


def linked(file: dict[str, Any]) -> GameLog:
    """A real log, read with the id that the collection knows of it or, where it knows none, with one that fits."""
    path = file["source"]["path"]
    link = path if "gm-" in path else "2020020506gm-00b9-0000-344ceb83" if file["format"] == "mjlog" else None
    return read_log(read(file["file"]), link)


def both(mjlog_hand: str, json_hand: list[Any]) -> tuple[GameLog, GameLog]:
    """One hand that ends a game, read in both formats."""
    return read_log(mjlog(init(), mjlog_hand), LINK), read_log(tenhou6(json_hand))


def counts(game: GameLog, name: str) -> list[int]:
    return [getattr(seat, name) for seat in game.seats]


def test_every_figure_of_every_real_log_is_read() -> None:
    figures, seats = 0, 0
    for file in index():
        game = read_log(read(file["file"]))
        assert game.players == file["players"] == len(file["expected"]), file["file"]
        for expected in file["expected"]:
            seat = game.seats[expected["seat"]]
            seats += 1
            for figure in expected.keys() - {"seat", "result_points"}:
                assert getattr(seat, figure) == expected[figure], (file["file"], seat.name, figure)
                figures += 1
            assert seat.result_points == Decimal(str(expected["result_points"])), file["file"]
            figures += 1
    assert (len(index()), seats, figures) == (11, 41, 615)


def test_real_logs_tell_length_lobby_and_what_is_ranked() -> None:
    for file in index():
        game = linked(file)
        assert game.sticks == file["score_replay"]["left_sticks"]
        if "majsoul" in file["file"]:
            assert (game.format, game.unranked, game.lobby) == (LogFormat.MAHJONG_SOUL, Unranked.OTHER_SITE, None)
            continue
        assert game.format == file["format"]
        assert (game.ranked, game.unranked) == (True, None)
        assert game.length is (Length.TONPUU if "tonpuu" in file["file"] else Length.HANCHAN)
        assert game.lobby is (Lobby.IPPAN if "gzip" in file["file"] else Lobby.HOUOU)


def test_packed_and_plain_files_are_the_same_game() -> None:
    for file in index():
        data = read(file["file"])
        plain = gzip.decompress(data) if file["file"].endswith(".gz") else data
        assert read_log(gzip.compress(plain)) == read_log(plain) == read_log(b"\xef\xbb\xbf" + plain + b"\r\n")


def test_different_games_have_different_fingerprints() -> None:
    games = [read_log(read(file["file"])) for file in index()]
    assert len({game.fingerprint for game in games}) == len(games)


def test_a_pretty_printed_log_is_the_same_game() -> None:
    for file in index():
        data = read(file["file"])
        if file["file"].endswith(".mjlog"):
            spread = re.sub(rb" (?=[a-zA-Z0-9]+=)", b"\n      ", data.replace(b"><", b">\n  <"))
        elif file["file"].endswith(".json"):
            spread = json.dumps(json.loads(data), indent=2).encode()
        else:
            continue
        assert spread.count(b"\n") > 100
        assert read_log(spread) == read_log(data)


def test_both_formats_of_one_game_have_one_fingerprint() -> None:
    xml = mjlog(init(), agari(0, 2), agari(1, 2), init(0, 1), agari(3, 3), init(1), draw(final=FINAL))
    hands = (
        hand_json(["和了", [0, 0, 0, 0], [1, 2, 1, "1000点"], [0, 0, 0, 0], [0, 2, 0, "1000点"]]),
        hand_json(["和了", [0, 0, 0, 0], [3, 3, 3, "300-500点"]], honba=1),
        hand_json(DRAW, round_number=1),
    )
    # Tile 16 of the mjlog is the red five.
    hands[0][7][hands[0][7].index(15)] = 51
    one, other = read_log(xml, "2021010217gm-00a9-0000-0123abcd"), read_log(tenhou6(*hands))
    assert one == replace(other, format=LogFormat.MJLOG)


@pytest.mark.parametrize(
    "other",
    [
        mjlog(init(), agari(0, 1, FINAL)),
        mjlog(init(), agari(0, 0), init(0, 1), draw(final=FINAL)),
        mjlog(init(), agari(0, 0, FINAL.replace("400", "401"))),
        mjlog(init(sticks=1), agari(0, 0, FINAL)),
        mjlog(init().replace('hai0="0,', 'hai0="100,'), agari(0, 0, FINAL)),
    ],
)
def test_another_game_has_another_fingerprint(other: bytes) -> None:
    assert read_log(other).fingerprint != read_log(mjlog(init(), agari(0, 0, FINAL))).fingerprint


def test_names_and_results_are_no_part_of_the_fingerprint() -> None:
    game = read_log(mjlog(init(), agari(0, 0, FINAL)))
    copy = read_log(mjlog(init(), agari(0, 0, FINAL.replace("50.0", "51.0")), names=("a", "b", "c", "d")))
    assert game != copy
    assert game.fingerprint == copy.fingerprint


def test_a_seat_is_read_whole() -> None:
    game = read_log(mjlog(init(), agari(0, 1, FINAL)), LINK)
    assert game.seats[1] == LogSeat(
        name="Борис", dan=17, rate=2200.5, final_score=30000, result_points=Decimal(10), chips=None, place=2,
        hands=1, wins_tsumo=0, wins_ron=0, deal_in_hands=1, rons_paid=1, called_hands=0, riichi_hands=0,
        closed_kans=0, kita=0,
    )  # fmt: skip
    assert read_log(tenhou6(hand_json(["和了", [0], [0, 1, 0]]))).seats[1] == game.seats[1]


def test_three_players_leave_a_side_empty_and_a_round_out() -> None:
    rounds = (0, 1, 2, 4)
    xml = [init(number, players=3) + agari(0, 0) for number in rounds]
    xml += [init(5, players=3) + agari(1, 2, FINAL_3P)]
    hands = [hand_json(TSUMO, number, players=3) for number in rounds]
    hands += [hand_json(["和了", [0], [1, 2, 1]], 5, players=3)]
    game = read_log(mjlog(*xml, kind=HOUOU_3P, names=NAMES_3P), LINK.replace("00a9", "00b9"))
    assert (game.players, game.seats[0].hands, game.lobby) == (3, 5, Lobby.HOUOU)
    assert [seat.name for seat in game.seats] == list(NAMES_3P[:3])
    assert game.seats == read_log(tenhou6(*hands, players=3)).seats


def test_a_json_log_may_be_three_wide() -> None:
    hand = hand_json(TSUMO, players=3)
    hand[1] = hand[1][:3]
    narrow = read_log(tenhou6(hand, players=3, name=list(NAMES_3P[:3]), sc=final_json(FINAL_3P)[:6]))
    assert narrow == read_log(tenhou6(hand_json(TSUMO, players=3), players=3))


def test_a_double_ron_is_two_wins_and_one_deal_in() -> None:
    for game in both(agari(1, 0) + agari(2, 0, FINAL), hand_json(["和了", [0], [1, 0, 1], [0], [2, 0, 2]])):
        assert counts(game, "wins_ron") == [0, 1, 1, 0]
        assert counts(game, "deal_in_hands") == [1, 0, 0, 0]
        assert counts(game, "rons_paid") == [2, 0, 0, 0]
        assert counts(game, "hands") == [1, 1, 1, 1]


def test_a_triple_ron_is_a_draw_on_tenhou() -> None:
    for game in both(draw("ron3", FINAL), hand_json(["三家和了"])):
        assert counts(game, "wins") == counts(game, "deal_in_hands") == [0, 0, 0, 0]


def test_a_triple_ron_of_mahjong_soul_is_three_wins() -> None:
    game = read_log(tenhou6(hand_json(["和了", [0], [1, 0, 1], [0], [2, 0, 2], [0], [3, 0, 3]])))
    assert counts(game, "wins_ron") == [0, 1, 1, 1]
    assert (game.seats[0].deal_in_hands, game.seats[0].rons_paid) == (1, 3)


@pytest.mark.parametrize("kind", [None, "nm", "yao9", "reach4", "ron3", "kan4", "kaze4"])
def test_hands_dealt_include_every_draw_of_mjlog(kind: str | None) -> None:
    game = read_log(mjlog(init(), draw(kind), init(0, 1), agari(0, 0, FINAL)))
    assert (game.seats[3].hands, game.seats[3].wins) == (2, 0)


@pytest.mark.parametrize(
    "result",
    [
        ["流局", [1000, 1000, -3000, 1000]], ["全員聴牌"], ["全員不聴"], ["流し満貫", [8000, -4000, -2000, -2000]],
        ["九種九牌"], ["四風連打"], ["四家立直"], ["三家和"], ["四開槓"],
        ["Exhaustive Draw", [0, 0, 0, 0]], ["Ryuukyoku"],
    ],
)  # fmt: skip
def test_hands_dealt_include_every_draw_of_json(result: list[Any]) -> None:
    game = read_log(tenhou6(hand_json(result), hand_json(TSUMO, honba=1)))
    assert (game.seats[3].hands, game.seats[3].wins) == (2, 0)


def test_a_riichi_counts_though_its_tile_is_ronned() -> None:
    xml = '<T60/><REACH who="0" step="1"/><D60/>' + agari(1, 0, FINAL)
    for game in both(xml, hand_json(["和了", [0], [1, 0, 1]], takes={0: [37]}, discards={0: ["r60"]})):
        assert counts(game, "riichi_hands") == [1, 0, 0, 0]
        assert counts(game, "deal_in_hands") == [1, 0, 0, 0]


def test_a_ron_on_an_added_kan_is_a_deal_in() -> None:
    # 19567 is a pon made a kan: the added-kan bit and the source of the pon.
    xml = '<W60/><N who="3" m="19567"/>' + agari(0, 3, FINAL)
    added = hand_json(["和了", [0], [0, 3, 0]], takes={3: [37]}, discards={3: ["36k363636"]})
    for game in both(xml.replace("19567", str(19567 & ~0xF | 0x13)), added):
        assert counts(game, "deal_in_hands") == counts(game, "called_hands") == [0, 0, 0, 1]
        assert counts(game, "closed_kans") == [0, 0, 0, 0]


def test_a_kita_is_no_call_and_its_tile_may_be_ronned() -> None:
    xml = init(players=3) + '<T120/><N who="0" m="31008"/>' + agari(2, 0, FINAL_3P)
    hand = hand_json(["和了", [0], [2, 0, 2]], players=3, takes={0: [44]}, discards={0: ["f44"]})
    for game in (read_log(mjlog(xml, kind=HOUOU_3P, names=NAMES_3P)), read_log(tenhou6(hand, players=3))):
        assert counts(game, "kita") == counts(game, "deal_in_hands") == [1, 0, 0]
        assert counts(game, "called_hands") == [0, 0, 0]


@pytest.mark.parametrize(
    ("meld", "take", "discard", "called", "closed"),
    [
        (0x4500 | 0x07, "c111213", 47, 1, 0),
        (0x4500 | 0x09, "4444p44", 47, 1, 0),
        (0x4500 | 0x0A, "p511515", 60, 1, 0),
        (0x4500 | 0x01, "39m393939", 0, 1, 0),
        (0x4500 | 0x11, 36, "36k363636", 1, 0),
        (0x4500, 39, "393939a39", 0, 1),
    ],
)
def test_calls_count_and_a_closed_kan_is_none(
    meld: int, take: str | int, discard: str | int, called: int, closed: int
) -> None:
    xml = f'<N who="1" m="{meld}"/>' + agari(0, 0, FINAL)
    for game in both(xml, hand_json(TSUMO, takes={1: [take]}, discards={1: [discard]})):
        assert counts(game, "called_hands") == [0, called, 0, 0]
        assert counts(game, "closed_kans") == [0, closed, 0, 0]


def test_several_calls_make_one_called_hand_and_kans_count_each() -> None:
    calls = '<N who="1" m="17673"/><N who="1" m="17671"/><N who="2" m="17664"/><N who="2" m="512"/>'
    hand = hand_json(TSUMO, takes={1: ["4444p44", "c111213"]}, discards={2: ["393939a39", "111111a11"]})
    for game in both(calls + agari(0, 0, FINAL), hand):
        assert counts(game, "called_hands") == [0, 1, 0, 0]
        assert counts(game, "closed_kans") == [0, 0, 2, 0]


def test_sticks_left_at_the_end_are_told_and_stay_in_the_result() -> None:
    paid = '<REACH who="0" step="1"/><D60/><REACH who="0" ten="240,250,250,250" step="2"/>'
    hand = hand_json(DRAW, sticks=2, discards={0: ["r37", 60]})
    for game in (read_log(mjlog(init(sticks=2), paid, draw(final=FINAL))), read_log(tenhou6(hand))):
        assert game.sticks == 3
        assert game.seats[0].final_score == 40000
    assert read_log(mjlog(init(sticks=2), paid, agari(1, 1, FINAL))).sticks == 0


def test_an_unpaid_riichi_leaves_no_stick() -> None:
    xml = mjlog(init(), '<REACH who="0" step="1"/><D60/>', draw("ron3", FINAL))
    assert read_log(xml).sticks == 0
    assert read_log(tenhou6(hand_json(["三家和了"], discards={0: ["r37"]}))).sticks is None
    assert read_log(tenhou6(hand_json(["三家和了"], discards={0: ["r37", 60]}))).sticks == 1


def test_scores_and_results_are_the_logs_own() -> None:
    wrong = ["和了", [1000, 2000, 3000, 4000], [0, 0, 0]]
    game = read_log(tenhou6(hand_json(wrong), sc=[-100, -83.6, 45200, 9.600000000000001, 30000, 74, 0, 0]))
    assert counts(game, "final_score") == [-100, 45200, 30000, 0]
    assert [seat.result_points for seat in game.seats] == [Decimal("-83.6"), Decimal("9.6"), 74, 0]
    assert [seat.tobi for seat in game.seats] == [True, False, False, False]
    assert counts(game, "place") == [4, 1, 2, 3]


def test_players_who_come_back_change_nothing() -> None:
    plain = mjlog(init(), agari(0, 0, FINAL))
    back = mjlog('<BYE who="1"/>', init(), '<UN n1="%41"/>', "<CHAT/>", agari(0, 0, FINAL))
    without_shuffle = re.sub(rb"<SHUFFLE[^>]*>", b"", plain)
    assert read_log(plain) == read_log(back) == read_log(without_shuffle)


def test_ties_go_by_seat_from_the_first_dealer() -> None:
    tied = "250,0.0,250,0.0,250,0.0,250,0.0"
    game = read_log(mjlog(init(), draw(final=tied), first_dealer=2))
    assert [seat.name for seat in game.seats] == ["千秋", "Dora", "Ann", "Борис"]
    assert counts(game, "place") == [1, 2, 3, 4]


def test_every_figure_turns_with_the_first_dealer() -> None:
    hand = '<N who="2" m="17673"/><REACH who="3" step="1"/>' + agari(3, 0, FINAL)
    game = read_log(mjlog(init(), hand, first_dealer=1))
    assert [seat.name for seat in game.seats] == ["Борис", "千秋", "Dora", "Ann"]
    assert counts(game, "called_hands") == [0, 1, 0, 0]
    assert counts(game, "riichi_hands") == counts(game, "wins_ron") == [0, 0, 1, 0]
    assert counts(game, "deal_in_hands") == [0, 0, 0, 1]
    assert counts(game, "final_score") == [30000, 20000, 10000, 40000]
    assert [seat.dan for seat in game.seats] == [17, 18, 20, 16]


@pytest.mark.parametrize("names", [("NoName",) * 4, ("＠everyone", "<b>&\"'", "*_~`|", "ゞ🀄Ω")])
def test_names_are_read_as_they_are(names: tuple[str, ...]) -> None:
    for game in (
        read_log(mjlog(init(), agari(0, 0, FINAL), names=names)),
        read_log(tenhou6(hand_json(TSUMO), name=list(names))),
    ):
        assert tuple(seat.name for seat in game.seats) == names


def test_chips_are_read_where_there_are_any() -> None:
    with_chips = FINAL + ",-1,0,12,0,-8,0,-3,0"
    game = read_log(mjlog(init(), agari(0, 0, with_chips), kind=0x229))
    assert (counts(game, "chips"), game.unranked) == ([-1, 12, -8, -3], Unranked.PARLOUR)
    chips = [*final_json(), -1, 0, 12, 0, -8, 0, -3, 0]
    assert counts(read_log(tenhou6(hand_json(TSUMO), sc=chips)), "chips") == [-1, 12, -8, -3]


def test_ranks_are_read_in_words() -> None:
    ranks = ["新人", "９級", "1級", "天鳳位"]
    game = read_log(tenhou6(hand_json(TSUMO), dan=ranks))
    assert [seat.dan for seat in game.seats] == [0, 1, 9, 20]
    assert [seat.dan for seat in read_log(tenhou6(hand_json(TSUMO), dan=["初段", "十段", "?", 1])).seats] == [
        10, 19, None, None,
    ]  # fmt: skip


def test_ranks_and_rates_may_be_absent() -> None:
    bare = re.sub(rb' (dan|rate)="[^"]*"', b"", mjlog(init(), agari(0, 0, FINAL)))
    for game in (read_log(bare), read_log(tenhou6(hand_json(TSUMO), dan=None, rate=None))):
        assert {(seat.dan, seat.rate) for seat in game.seats} == {(None, None)}
