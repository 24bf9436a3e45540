"""Knobs: every setting has one, what it shows it reads, and what it reads the settings take."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bot.render.knobs import WORDS
from ratings.knobs import KNOBS, BadValue, Fault, Group, Kind, Knob, close, misfits, read_uma, zones_like
from ratings.settings import ClubSettings
from ratings.settingsfile import LARGEST_FILE, MOST_KEYS, BadFile, FileFault, read_file

ZONES = zones_like("")


def test_every_setting_has_a_knob_with_words() -> None:
    assert set(KNOBS) == set(ClubSettings.model_fields)
    assert set(WORDS) == set(KNOBS)
    assert {knob.group for knob in KNOBS.values()} == set(Group)
    assert {knob.kind for knob in KNOBS.values()} == set(Kind)
    assert len({words.label.message for words in WORDS.values()}) == len(WORDS)


def test_ranges_and_defaults_are_those_of_the_settings() -> None:
    start, k_factor, uma, year = (KNOBS[name] for name in ("start_4p", "k_factor", "uma_3p", "card_year"))
    assert (start.lowest, start.highest, start.step, start.default) == (0, 1_000_000, 100, 25_000)
    assert (k_factor.lowest, k_factor.highest, k_factor.default) == (0, 1000, 16.0)
    assert (uma.places, uma.lowest, uma.highest, uma.default) == (3, -1000, 1000, (20, 0, -20))
    assert (year.optional, year.lowest, year.highest, year.default) == (True, 1937, 2100, None)
    assert set(KNOBS["usual_length"].choices) == {"hanchan", "tonpuu"}
    defaults = ClubSettings().model_dump()
    assert {name: knob.default for name, knob in KNOBS.items()} == defaults


def _values(knob: Knob) -> st.SearchStrategy[Any]:
    low, high, step = int(knob.lowest or 0), int(knob.highest or 0), knob.step or 1
    values: st.SearchStrategy[Any]
    match knob.kind:
        case Kind.WHOLE:
            values = st.integers(low // step, high // step).map(lambda number: number * step)
        case Kind.NUMBER:
            values = st.floats(low, high)
        case Kind.YES_NO:
            values = st.booleans()
        case Kind.CHOICE:
            values = st.sampled_from(knob.choices)
        case Kind.TIME_ZONE:
            values = st.sampled_from(ZONES)
        case Kind.COUNTRY:
            values = st.sampled_from(["RU", "JP", "DE"])
        case Kind.UMA:
            some = st.lists(st.integers(-300, 300), min_size=knob.places - 1, max_size=knob.places - 1)
            values = some.map(lambda steps: (*steps, -sum(steps)))
        case _:
            values = st.integers(0, 2**63 - 1)
    return st.none() | values if knob.optional else values


@given(st.sampled_from(list(KNOBS.values())).flatmap(lambda knob: st.tuples(st.just(knob), _values(knob))))
def test_what_a_knob_shows_it_reads(case: tuple[Knob, Any]) -> None:
    knob, value = case
    read = knob.read(knob.show(value))
    assert read == value
    assert type(read) is type(value)


@given(st.sampled_from(list(KNOBS.values())), st.text(max_size=120) | st.from_regex(r"[-+]?[0-9 .,]{1,12}"))
def test_any_text_is_read_or_refused_and_what_is_read_the_settings_take(knob: Knob, text: str) -> None:
    try:
        value = knob.read(text)
    except BadValue:
        return
    values = ClubSettings().model_dump() | {knob.name: value}
    if not misfits(values):
        assert ClubSettings.model_validate(values).model_dump()[knob.name] == value


@pytest.mark.parametrize("players", [4, 3])
@given(start=st.integers(0, 500), target=st.integers(0, 500))
def test_scores_misfit_exactly_where_the_settings_refuse_them(players: int, start: int, target: int) -> None:
    wishes = {f"start_{players}p": start * 100, f"return_{players}p": target * 100}
    found = misfits(ClubSettings().model_dump() | wishes)
    if target < start:
        assert found == [(f"start_{players}p", f"return_{players}p")]
        with pytest.raises(ValidationError):
            ClubSettings.model_validate(wishes)
    else:
        assert found == []
        assert ClubSettings.model_validate(wishes).start_score(players) == start * 100


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("start_4p", "30,000", 30000),
        ("start_4p", "３０ ０００", 30000),
        ("k_factor", "24,5", 24.5),
        ("k_factor", "24.5", 24.5),
        ("starting_rating", "−12", -12.0),
        ("concealed_bonus_multiplier", "0,125", 0.125),
        ("penalties", "ja", True),
        ("penalties", "ДА", True),
        ("penalties", "on", True),
        ("penalties", "true", True),
        ("penalties", "いいえ", False),
        ("penalties", "нет", False),
        ("usual_players", "3", 3),
        ("usual_length", "Tonpuu", "tonpuu"),
        ("tenhou_rules", " LIVE ", "live"),
        ("time_zone", "america/new york", "America/New_York"),
        ("uma_4p", "30/10/▲10/−30", (30, 10, -10, -30)),
        ("card_year", "None", None),
        ("card_year", "2026", 2026),
        ("approvals_channel", "-", None),
        ("admin_role", "123", 123),
    ],
)
def test_values_are_read_as_people_write_them(name: str, text: str, value: object) -> None:
    assert KNOBS[name].read(text) == value


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("start_4p", "many", Fault.NOT_WHOLE),
        ("start_4p", "25050", Fault.NOT_A_STEP),
        ("start_4p", "-100", Fault.OUT_OF_RANGE),
        ("jokerless_bonus", "5.5", Fault.NOT_WHOLE),
        ("jokerless_bonus", "1001", Fault.OUT_OF_RANGE),
        ("jokerless_bonus", "9" * 5000, Fault.NOT_WHOLE),
        ("jokerless_bonus", "none", Fault.NOT_WHOLE),
        ("k_factor", "fast", Fault.NOT_A_NUMBER),
        ("k_factor", "nan", Fault.NOT_A_NUMBER),
        ("k_factor", "inf", Fault.NOT_A_NUMBER),
        ("k_factor", "1e999", Fault.OUT_OF_RANGE),
        ("k_factor", "1000.1", Fault.OUT_OF_RANGE),
        ("starting_rating", "1,000", Fault.TWO_WAYS),
        ("penalties", "perhaps", Fault.NOT_YES_NO),
        ("tenhou_rules", "mine", Fault.NOT_A_CHOICE),
        ("usual_players", "5", Fault.NOT_A_CHOICE),
        ("time_zone", "Mars/Olympus", Fault.NOT_A_ZONE),
        ("time_zone", "../etc/passwd", Fault.NOT_A_ZONE),
        ("uma_4p", "20 0 -20", Fault.NOT_AN_UMA),
        ("uma_4p", "20 10 x -10 -20", Fault.NOT_AN_UMA),
        ("uma_4p", "20 10 -10 -10", Fault.UNEVEN_UMA),
        ("uma_4p", "2000 0 0 -2000", Fault.OUT_OF_RANGE),
        ("admin_role", "Referee", Fault.NOT_AN_ID),
        ("admin_role", "9223372036854775808", Fault.NOT_AN_ID),
    ],
)
def test_other_texts_are_refused_with_what_is_wrong(name: str, text: str, fault: Fault) -> None:
    with pytest.raises(BadValue) as refused:
        KNOBS[name].read(text)
    assert refused.value.fault is fault
    assert len(refused.value.text) <= 40


def test_an_uma_is_read_before_it_adds_up() -> None:
    assert read_uma("20, 10, -10, -10", 4) == (20, 10, -10, -10)


def test_near_names_are_found() -> None:
    assert close("kfactor") == ["k_factor"]
    assert close("uma 4p")[0] == "uma_4p"
    assert close("colour") == []


def test_zones_are_found_by_any_part() -> None:
    assert zones_like("new york") == ["America/New_York"]
    assert "Asia/Tokyo" in zones_like("TOK")
    assert zones_like("olympus") == []


def test_a_file_gives_the_texts_that_somebody_might_have_written() -> None:
    text = (
        'a = 5\nb = 0.2\nc = true\nd = false\ne = [20, 0, -20]\nf = "live"\ng = nan\nh = [[1], {}]\ni = 2026-01-02'
        f"\nj = {2**70}\n[k]\nl = 1\n"
    )
    values = ["5", "0.2", "yes", "no", "20 0 -20", "live", "nan", "… …", "2026-01-02", "…", "{…}"]
    assert read_file(b"\xef\xbb\xbf" + text.encode()) == dict(zip("abcdefghijk", values, strict=True))


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", FileFault.EMPTY),
        (b"# nothing\n", FileFault.EMPTY),
        (b"a = \n", FileFault.NOT_TOML),
        (b"a = 1\na = 2\n", FileFault.NOT_TOML),
        (b"a = " + b"[\n" * 30_000, FileFault.NOT_TOML),
        (b"a = " + b"9" * 60_000, FileFault.LONG_LINE),
        (b"a." * 30_000 + b"a = 1", FileFault.LONG_LINE),
        (b"\xff\xfe", FileFault.NOT_TEXT),
        (b"#" * (LARGEST_FILE + 1), FileFault.TOO_LARGE),
        ("\n".join(f"a{n} = 1" for n in range(MOST_KEYS + 1)).encode(), FileFault.TOO_MANY_KEYS),
    ],
)
def test_a_file_that_holds_no_settings_is_refused(data: bytes, fault: FileFault) -> None:
    with pytest.raises(BadFile) as refused:
        read_file(data)
    assert refused.value.fault is fault
