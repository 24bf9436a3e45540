"""Reading mjlog, Tenhou's own XML: a flat list of elements in the order of play, scores in hundreds of points."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import NamedTuple
from urllib.parse import unquote
from xml.parsers import expat

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
from ratings.logs.logid import LogId
from ratings.logs.model import GameLog, LogFormat, LogProblem, LogRefused, Unranked

__all__ = ["MOST_ELEMENTS", "read_mjlog"]

MOST_ELEMENTS = 20_000  # real games have up to 2,000
_DEEPEST = 2
_ROOT = "mjloggm"
_HIGHEST_RANK = 20  # Tenhoui
_SIDES = 4  # lists are four wide, whoever plays
_TILES = range(136)
_DEALT = 13
_MOST_IN_HUNDREDS = HIGHEST_SCORE // 100

_WHOLE = re.compile(r"-?[0-9]{1,6}")
_DECIMAL = re.compile(r"-?[0-9]{1,5}(\.[0-9]{1,3})?")
_TILE = re.compile(r"([TUVWDEFG])([0-9]{1,3})")
_OTHER_DECLARATION = re.compile(r"<!(?!--)")
_ENDS_TOO_SOON = {
    expat.errors.codes[name]
    for name in (
        expat.errors.XML_ERROR_NO_ELEMENTS,
        expat.errors.XML_ERROR_UNCLOSED_TOKEN,
        expat.errors.XML_ERROR_PARTIAL_CHAR,
    )
}


class _Element(NamedTuple):
    tag: str
    attributes: Mapping[str, str]

    def text(self, name: str) -> str:
        try:
            return self.attributes[name]
        except KeyError:
            raise broken(f"{self.tag} {name}") from None

    def whole(self, name: str, highest: int, lowest: int = 0) -> int:
        return _whole(self.text(name), lowest, highest, f"{self.tag} {name}")

    def list(self, name: str) -> list[str]:
        return self.text(name).split(",")


def _whole(text: str, lowest: int, highest: int, where: str) -> int:
    if not _WHOLE.fullmatch(text) or not lowest <= int(text) <= highest:
        raise broken(where)
    return int(text)


def _decimal(text: str, where: str) -> Decimal:
    if not _DECIMAL.fullmatch(text):
        raise broken(where)
    return Decimal(text)


def _score(text: str, where: str) -> int:
    return _whole(text, -_MOST_IN_HUNDREDS, _MOST_IN_HUNDREDS, where) * 100


def read_mjlog(text: str, link: LogId | None) -> GameLog:
    """The game of an mjlog text; `link` is the log id the caller knows, since the text has none. Without it no
    game counts as ranked.

    Raises LogRefused.
    """
    elements = _elements(text)
    header = _Header.of(elements)
    if link and link.kind != header.kind:
        raise LogRefused(LogProblem.OTHER_GAME)
    hands, end = _Play(header).hands(elements)
    # Logs of 2009 do not name the lobby.
    lobbies = [header.go.attributes["lobby"]] if "lobby" in header.go.attributes else []
    lobbies += [link.lobby] if link else []
    unranked = why_unranked(header.kind, lobbies, header.version, custom="csrule" in header.go.attributes)
    if unranked is None and link is None:
        # Logs of private lobbies can say that theirs is the public one: the id alone shows it.
        unranked = Unranked.UNKNOWN
    origin = Origin(
        LogFormat.MJLOG,
        header.kind,
        rules="",
        unranked=unranked,
        log_id=link.text if link else None,
        played_at=link.played_at if link else None,
    )
    return finished_game(origin, _players(header, end), hands)


def _elements(text: str) -> list[_Element]:
    """The elements of `text` with the root first. Whatever encoding it declares, it is read as it was decoded."""
    if _OTHER_DECLARATION.search(text):
        raise LogRefused(LogProblem.DOCTYPE)
    if text.count(f"<{_ROOT}") > 1:
        raise LogRefused(LogProblem.SEVERAL_GAMES)
    found: list[_Element] = []
    depth = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if not found and tag != _ROOT:
            raise LogRefused(LogProblem.NOT_A_LOG)
        if depth > _DEEPEST:
            raise LogRefused(LogProblem.TOO_DEEP, limit=_DEEPEST)
        if len(found) > MOST_ELEMENTS:
            raise LogRefused(LogProblem.TOO_MANY_PARTS, limit=MOST_ELEMENTS)
        found.append(_Element(tag, attributes))

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1

    def doctype(*_: object) -> None:
        raise LogRefused(LogProblem.DOCTYPE)

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = doctype
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        if not found:
            raise LogRefused(LogProblem.NOT_A_LOG) from None
        raise LogRefused(LogProblem.CUT_OFF if error.code in _ENDS_TOO_SOON else LogProblem.DAMAGED) from None
    return found


class _Header(NamedTuple):
    """What stands before the first hand. Later UN elements are players who came back."""

    version: str
    go: _Element
    people: _Element
    kind: int
    players: int
    first_dealer: int

    @classmethod
    def of(cls, elements: list[_Element]) -> _Header:
        starts = [element for element in elements if element.tag == "GO"]
        tables = [element for element in elements if element.tag == "TAIKYOKU"]
        people = next((element for element in elements if element.tag == "UN"), None)
        if len(starts) > 1 or len(tables) > 1:
            raise LogRefused(LogProblem.SEVERAL_GAMES)
        if not starts or people is None:
            raise broken("UN" if starts else "GO")
        kind = starts[0].whole("type", 0xFFFF)
        players = 3 if kind & THREE_PLAYERS else 4
        dealer = tables[0].whole("oya", players - 1) if tables else 0
        return cls(elements[0].attributes.get("ver", ""), starts[0], people, kind, players, dealer)

    def seat(self, element: _Element, name: str) -> int:
        return self.from_first_dealer(element.whole(name, self.players - 1))

    def from_first_dealer(self, side: int) -> int:
        return (side - self.first_dealer) % self.players

    def by_seat(self) -> list[int]:
        """The log's numbers of the sides, in the order of the seats."""
        return [(self.first_dealer + seat) % self.players for seat in range(self.players)]


def _players(header: _Header, end: _Element) -> list[Player]:
    people = header.people
    names = [checked_name(_name(people, side)) for side in range(_SIDES)]
    if [bool(name) for name in names] != [side < header.players for side in range(_SIDES)]:
        raise LogRefused(LogProblem.WRONG_TABLE)
    final = end.list("owari")
    if len(final) not in (2 * _SIDES, 4 * _SIDES):
        raise broken("owari")
    chips: list[int | None] = [None] * _SIDES
    if len(final) == 4 * _SIDES:
        chips = [_whole(text, -999, 999, "owari") for text in final[2 * _SIDES :: 2]]
    return [
        Player(
            names[side],
            _dan(people, side),
            _rate(people, side),
            final_score=_score(final[2 * side], "owari"),
            result_points=_decimal(final[2 * side + 1], "owari"),
            chips=chips[side],
        )
        for side in header.by_seat()
    ]


def _name(people: _Element, side: int) -> str:
    try:
        return unquote(people.attributes.get(f"n{side}", ""), errors="strict")
    except UnicodeDecodeError:
        raise broken("UN name") from None


def _dan(people: _Element, side: int) -> int | None:
    if "dan" not in people.attributes:
        return None
    ranks = people.list("dan")
    if side >= len(ranks):
        raise broken("UN dan")
    return _whole(ranks[side], 0, _HIGHEST_RANK, "UN dan")


def _rate(people: _Element, side: int) -> float | None:
    if "rate" not in people.attributes:
        return None
    rates = people.list("rate")
    if side >= len(rates):
        raise broken("UN rate")
    return float(_decimal(rates[side], "UN rate"))


class _Play:
    """Follows the elements through the hands of a game."""

    def __init__(self, header: _Header) -> None:
        self._header = header
        self._hands: list[Hand] = []

    def hands(self, elements: list[_Element]) -> tuple[list[Hand], _Element]:
        """Every hand, and the element with the final scores. Raises LogRefused when there is no such element."""
        end: _Element | None = None
        for element in self._played(elements):
            if end is not None:
                raise LogRefused(LogProblem.SEVERAL_GAMES) if element.tag == "INIT" else broken(element.tag)
            if "owari" in element.attributes:
                end = element
        if end is None:
            raise LogRefused(LogProblem.CUT_OFF)
        return self._hands, end

    def _played(self, elements: list[_Element]) -> Iterator[_Element]:
        """Each element that belongs to a hand, once it is noted there."""
        for element in elements:
            match element.tag:
                case "INIT":
                    self._deal(element)
                case "N":
                    self._call(element)
                case "REACH":
                    self._riichi(element)
                case "AGARI":
                    winner, source = (self._header.seat(element, name) for name in ("who", "fromWho"))
                    self._dealt(element).win(winner, source, "AGARI")
                case "RYUUKYOKU":
                    self._running(element).drawn = True
                case tag if tile := _TILE.fullmatch(tag):
                    self._move(element, tile[1], tile[2])
                case _:
                    continue
            yield element

    def _dealt(self, element: _Element) -> Hand:
        if not self._hands:
            raise broken(element.tag)
        return self._hands[-1]

    def _running(self, element: _Element) -> Hand:
        if self._dealt(element).ended:
            raise broken(element.tag)
        return self._hands[-1]

    def _deal(self, element: _Element) -> None:
        if self._hands and not self._hands[-1].ended:
            raise LogRefused(LogProblem.CUT_OFF)
        seed, scores = element.list("seed"), element.list("ten")
        if len(seed) < 3 or len(scores) != _SIDES:
            raise broken("INIT")
        sides = self._header.by_seat()
        self._hands.append(
            Hand(
                round=_whole(seed[0], ROUNDS[0], ROUNDS[-1], "INIT seed"),
                honba=_whole(seed[1], 0, 99, "INIT seed"),
                sticks=_whole(seed[2], 0, 99, "INIT seed"),
                scores=tuple(_score(scores[side], "INIT ten") for side in sides),
                dealt=tuple(_dealt_tiles(element, f"hai{side}") for side in sides),
            )
        )

    def _move(self, element: _Element, letter: str, number: str) -> None:
        """A tile drawn (TUVW) or discarded (DEFG)."""
        self._running(element)
        if int(number) not in _TILES or "TUVWDEFG".index(letter) % _SIDES >= self._header.players:
            raise broken(letter)

    def _call(self, element: _Element) -> None:
        hand, seat = self._running(element), self._header.seat(element, "who")
        meld = element.whole("m", 0xFFFF)
        # Low bits: whom the tile came from; 4 chi, 8 pon, 16 added kan. An open kan has only the low two.
        if meld & 0x1F:
            hand.called.add(seat)
        elif not meld & 0x20:
            hand.closed_kans[seat] += 1
        elif self._header.players == 3:
            hand.kita[seat] += 1
        else:
            raise broken("N m")

    def _riichi(self, element: _Element) -> None:
        hand, seat = self._running(element), self._header.seat(element, "who")
        match element.whole("step", 2, 1):
            case 1:
                hand.riichi.add(seat)
            case _ if seat in hand.riichi:
                hand.paid_riichi += 1
            case _:
                raise broken("REACH step")


def _dealt_tiles(element: _Element, name: str) -> tuple[int, ...]:
    """The kinds of the tiles dealt to one seat: 11 to 19, 21 to 29, 31 to 39, 41 to 47."""
    tiles = [_whole(text, _TILES[0], _TILES[-1], f"INIT {name}") for text in element.list(name)]
    if len(tiles) != _DEALT:
        raise broken(f"INIT {name}")
    return tuple(10 * (tile // 36 + 1) + tile % 36 // 4 + 1 for tile in tiles)
