"""Reading the JSON of tenhou.net/6, which exports of Mahjong Soul use as well; scores in points.

A hand is a list of seventeen: [round, honba, sticks], scores, two lists of indicators, then for each of four seats
what was dealt, taken and discarded, and at the end how the hand ended.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, tzinfo
from decimal import Decimal
from typing import NamedTuple, NoReturn

from ratings.logs.exporttime import exported_at
from ratings.logs.facts import (
    HIGHEST_SCORE,
    ROUNDS,
    THREE_PLAYERS,
    Hand,
    Origin,
    Player,
    broken,
    checked_name,
    finished_game,
    why_unranked,
)
from ratings.logs.logid import LogId, find_log_id
from ratings.logs.model import GameLog, LogFormat, LogProblem, LogRefused, Unranked

__all__ = ["DEEPEST", "MOST_LISTS", "read_tenhou6"]

DEEPEST = 10  # levels; real logs have five
MOST_LISTS = 20_000
_SIDES = 4  # lists are four wide, whoever plays
_PARTS = 17
_WIN = "和了"
_THREE_RONS = "三家和"
_KITA = "f44"
_TSUMOGIRI, _NO_DISCARD = 60, 0
_RANKS = (
    "新人",
    *(f"{number}級" for number in range(9, 0, -1)),
    *(f"{number}段" for number in "初二三四五六七八九十"),
    "天鳳位",
)
_NARROW = str.maketrans("０１２３４５６７８９", "0123456789")

# Strings run to the end of the text where their quote is missing, so that no place is looked at twice.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)
_DECIMAL = re.compile(r"-?[0-9]{1,9}\.[0-9]{1,20}")
_THOUSANDTH = Decimal("0.001")

_T = "(?:[1-3][1-9]|4[1-7]|5[1-3])"
_TAKEN = re.compile(f"(?=[0-9]*[cp][0-9]*$)(?:{_T}|[cp]){{4}}|(?=[0-9]*m[0-9]*$)(?:{_T}|m){{5}}")
_DISCARDED = re.compile(f"r(?:{_T}|60)|(?=[0-9]*[ak][0-9]*$)(?:{_T}|[ak]){{5}}|{_KITA}")
_TILE = re.compile(_T)

_TENHOU_RULES = re.compile("(三|四?)[般上特鳳][東南]喰?赤?速?－?")
_PAIPU = re.compile(r"[0-9]{6}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def read_tenhou6(text: str, link: LogId | None, zone: tzinfo = UTC) -> GameLog:
    """The game of a JSON text; `link` is the log id the caller knows, if any; `zone` is the one in which an export
    of Mahjong Soul tells its time. Raises LogRefused."""
    log = _parsed(text)
    header = _Header.of(log, link)
    hands = [_hand(entry, header.players) for entry in _list(log.get("log"), "log")]
    players = _players(log, header)
    played_at = header.id.played_at if header.id else None
    if header.format is LogFormat.MAHJONG_SOUL:
        played_at = exported_at(log.get("title"), header.paipu, zone)
    origin = Origin(
        header.format,
        header.id.kind if header.id else None,
        header.rules,
        header.unranked(log),
        log_id=header.id.text if header.id else header.paipu,
        played_at=played_at,
    )
    return finished_game(origin, players, hands)


def _parsed(text: str) -> Mapping[str, object]:
    open_at_the_end = _check_shape(text)
    try:
        log = json.loads(text, parse_float=_parsed_decimal, parse_constant=_no_constant)
    except ValueError as error:
        if isinstance(error, json.JSONDecodeError) and error.msg == "Extra data":
            raise LogRefused(LogProblem.SEVERAL_GAMES) from None
        raise LogRefused(LogProblem.CUT_OFF if open_at_the_end else LogProblem.DAMAGED) from None
    if isinstance(log, list) and any(isinstance(entry, dict) and "log" in entry for entry in log):
        raise LogRefused(LogProblem.SEVERAL_GAMES)
    if not isinstance(log, dict) or "log" not in log:
        raise LogRefused(LogProblem.NOT_A_LOG)
    if "sc" not in log:
        raise LogRefused(LogProblem.CUT_OFF)
    return log


def _check_shape(text: str) -> bool:
    """Whether a list or object is still open at the end. Raises LogRefused when there are too many or too deep."""
    depth = lists = 0
    for token in _TOKEN.finditer(text):
        if token[0] in ("[", "{"):
            depth, lists = depth + 1, lists + 1
            if depth > DEEPEST:
                raise LogRefused(LogProblem.TOO_DEEP, limit=DEEPEST)
            if lists > MOST_LISTS:
                raise LogRefused(LogProblem.TOO_MANY_PARTS, limit=MOST_LISTS)
        elif token[0] in ("]", "}"):
            depth -= 1
    return depth > 0


def _parsed_decimal(text: str) -> Decimal:
    # Written with an exponent, a short number can be a very long one.
    if not _DECIMAL.fullmatch(text):
        raise broken("number")
    return Decimal(text)


def _no_constant(text: str) -> NoReturn:
    raise broken(text)


def _list(value: object, where: str) -> Sequence[object]:
    if not isinstance(value, list):
        raise broken(where)
    return value


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise broken(where)
    return value


def _whole(value: object, lowest: int, highest: int, where: str) -> int:
    # True is an int to Python.
    if type(value) is not int or not lowest <= value <= highest:
        raise broken(where)
    return value


def _decimal(value: object, highest: int, where: str) -> Decimal:
    """A number to the third decimal; scripts write 9.600000000000001 for 9.6."""
    number = Decimal(value) if type(value) is int else value
    if not isinstance(number, Decimal) or abs(number) > highest:
        raise broken(where)
    return number.quantize(_THOUSANDTH)


def _score(value: object, where: str) -> int:
    return _whole(value, -HIGHEST_SCORE, HIGHEST_SCORE, where)


class _Header(NamedTuple):
    """What stands around the hands."""

    format: LogFormat
    id: LogId | None
    paipu: str | None
    rules: str
    names: list[str]

    @property
    def players(self) -> int:
        return len(self.names)

    @classmethod
    def of(cls, log: Mapping[str, object], link: LogId | None) -> _Header:
        rule = log.get("rule")
        rules = str(rule.get("disp", "")) if isinstance(rule, dict) else ""
        reference = log.get("ref")
        own_id = find_log_id(reference) if isinstance(reference, str) else None
        paipu = reference if isinstance(reference, str) and _PAIPU.fullmatch(reference) else None
        ranks = log.get("dan")
        stars = isinstance(ranks, list) and any("★" in rank for rank in ranks if isinstance(rank, str))
        mahjong_soul = own_id is None and (paipu is not None or stars or "の間" in rules)
        if link and (mahjong_soul or (own_id and not own_id.may_be(link))):
            raise LogRefused(LogProblem.OTHER_GAME)
        form = LogFormat.MAHJONG_SOUL if mahjong_soul else LogFormat.TENHOU6
        header = cls(form, own_id or link, paipu, rules, _names(log))
        header._check_table(log.get("ratingc"))
        return header

    def _check_table(self, rating_class: object) -> None:
        """Raises LogRefused when the log says in another place that not so many played."""
        three = [self.players == 3]
        if isinstance(rating_class, str) and rating_class.startswith(("PF3", "PF4")):
            three.append(rating_class.startswith("PF3"))
        if self.id:
            three.append(bool(self.id.kind & THREE_PLAYERS))
        if len(set(three)) > 1:
            raise LogRefused(LogProblem.WRONG_TABLE)

    def unranked(self, log: Mapping[str, object]) -> Unranked | None:
        if self.format is LogFormat.MAHJONG_SOUL:
            return Unranked.OTHER_SITE
        lobbies = [self.id.lobby] if self.id else []
        lobbies.append(str(log.get("lobby", 0)))
        version = str(log.get("ver", ""))
        rules = _TENHOU_RULES.fullmatch(self.rules)
        custom = rules is None or (rules[1] == "三") != (self.players == 3)
        return why_unranked(self.id.kind if self.id else None, lobbies, version, custom=custom)


def _names(log: Mapping[str, object]) -> list[str]:
    names = [checked_name(_text(name, "name")) for name in _list(log.get("name"), "name")]
    if len(names) == _SIDES and not names[-1]:
        names.pop()
    if len(names) not in (3, 4) or not all(names):
        raise LogRefused(LogProblem.WRONG_TABLE)
    return names


def _players(log: Mapping[str, object], header: _Header) -> list[Player]:
    final = _list(log["sc"], "sc")
    if len(final) not in (2 * header.players, 2 * _SIDES, 4 * _SIDES):
        raise broken("sc")
    with_chips = len(final) == 4 * _SIDES
    return [
        Player(
            name,
            _dan(log, seat) if header.id else None,
            _rate(log, seat) if header.id else None,
            final_score=_score(final[2 * seat], "sc"),
            result_points=_decimal(final[2 * seat + 1], 9_999, "sc"),
            chips=_whole(final[2 * (_SIDES + seat)], -999, 999, "sc") if with_chips else None,
        )
        for seat, name in enumerate(header.names)
    ]


def _dan(log: Mapping[str, object], seat: int) -> int | None:
    """The index of a rank of Tenhou. Logs write the kyuu with wide digits."""
    ranks = log.get("dan")
    if not isinstance(ranks, list) or seat >= len(ranks) or not isinstance(ranks[seat], str):
        return None
    rank = ranks[seat].translate(_NARROW)
    return _RANKS.index(rank) if rank in _RANKS else None


def _rate(log: Mapping[str, object], seat: int) -> float | None:
    rates = log.get("rate")
    if rates is None:
        return None
    rates = _list(rates, "rate")
    if seat >= len(rates):
        raise broken("rate")
    return float(_decimal(rates[seat], 99_999, "rate"))


def _hand(entry: object, players: int) -> Hand:
    parts = _list(entry, "log")
    if len(parts) != _PARTS:
        raise broken("log")
    counters, scores = _list(parts[0], "round"), _list(parts[1], "scores")
    if len(counters) != 3 or not players <= len(scores) <= _SIDES:
        raise broken("log")
    hand = Hand(
        round=_whole(counters[0], ROUNDS[0], ROUNDS[-1], "round"),
        honba=_whole(counters[1], 0, 99, "honba"),
        sticks=_whole(counters[2], 0, 99, "sticks"),
        scores=tuple(_score(scores[seat], "scores") for seat in range(players)),
        dealt=tuple(_dealt(parts[4 + 3 * seat]) for seat in range(players)),
    )
    last_discards = []
    for seat in range(players):
        _note_taken(hand, seat, _list(parts[5 + 3 * seat], "takes"))
        last_discards.append(_note_discarded(hand, seat, _list(parts[6 + 3 * seat], "discards")))
    _note_end(hand, _list(parts[-1], "result"), last_discards)
    return hand


def _dealt(tiles: object) -> tuple[int, ...]:
    """The kinds of the tiles dealt, red fives as plain ones."""
    dealt = []
    for tile in _list(tiles, "hand"):
        number = _whole(tile, 11, 53, "hand")
        if not _TILE.fullmatch(str(number)):
            raise broken("hand")
        dealt.append(10 * (number - 50) + 5 if number > 50 else number)
    return tuple(dealt)


def _note_taken(hand: Hand, seat: int, takes: Sequence[object]) -> None:
    """Takes are tiles, or strings where a tile was called: c chi, p pon, m open kan."""
    for take in takes:
        if isinstance(take, str) and _TAKEN.fullmatch(take):
            hand.called.add(seat)
        elif not _TILE.fullmatch(str(_whole(take, 11, 53, "takes"))):
            raise broken("takes")


def _note_discarded(hand: Hand, seat: int, discards: Sequence[object]) -> object:
    """Discards are tiles, or strings: r riichi, a closed kan, k added kan, f44 kita. Returns the last of them."""
    for discard in discards:
        if not isinstance(discard, str):
            number = _whole(discard, 0, 60, "discards")
            if number not in (_TSUMOGIRI, _NO_DISCARD) and not _TILE.fullmatch(str(number)):
                raise broken("discards")
        elif not _DISCARDED.fullmatch(discard) or (discard == _KITA and len(hand.scores) != 3):
            raise broken("discards")
        elif discard == _KITA:
            hand.kita[seat] += 1
        elif "r" in discard:
            hand.riichi.add(seat)
        elif "a" in discard:
            hand.closed_kans[seat] += 1
        else:
            hand.called.add(seat)
    return discards[-1] if discards else None


def _note_end(hand: Hand, result: Sequence[object], last_discards: Sequence[object]) -> None:
    """Read by structure: exports in other languages have other words for draws, but 和了 stays."""
    word = _text(result[0] if result else None, "result")
    if word != _WIN:
        hand.drawn = True
        hand.paid_riichi = len(hand.riichi)
        # A tile that three players claim is not paid for, but the log does not show which tile it was.
        hand.unsure = word.startswith(_THREE_RONS) and any(
            isinstance(discard, str) and discard.startswith("r") for discard in last_discards
        )
        return
    if len(result) < 3 or len(result) % 2 == 0:
        raise broken("result")
    for details in result[2::2]:
        details = _list(details, "result")
        if len(details) < 2:
            raise broken("result")
        winner, source = (_whole(seat, 0, len(last_discards) - 1, "result") for seat in details[:2])
        hand.win(winner, source, "result")
