"""Settings in words: their names and meanings, their values, and what is wrong with a text that is none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from discord.app_commands import locale_str

from bot.render import words
from bot.render.names import safe_text
from bot.texts import Texts
from ratings.knobs import KNOBS, BadValue, Fault, Group, Kind, Knob
from ratings.models import Length, SystemName, TenhouRules

__all__ = [
    "WORDS",
    "allowed",
    "bad_value",
    "choice_name",
    "group_name",
    "label",
    "meaning",
    "misfit",
    "not_here",
    "safe_value",
    "value_name",
]


class Words(NamedTuple):
    """What a setting is called, and what it does."""

    label: locale_str
    meaning: locale_str


WORDS: Mapping[str, Words] = {
    "approvals_channel": Words(
        locale_str("Approvals channel"),
        locale_str("Where cards of reported games are posted for approval; without one, where they are reported."),
    ),
    "announcements_channel": Words(
        locale_str("Announcements channel"),
        locale_str("Where promotions and demotions are posted; without one, where the game was reported."),
    ),
    "admin_role": Words(
        locale_str("Admin role"),
        locale_str("Members with this role may decide and set up, as those with Manage Server may."),
    ),
    "time_zone": Words(
        locale_str("Time zone"),
        locale_str("The club's clock: for the dates that members write, and for those that they read."),
    ),
    "usual_players": Words(
        locale_str("Usual players"),
        locale_str("Which leaderboard is shown when nobody says which: four or three players."),
    ),
    "usual_length": Words(
        locale_str("Usual length"),
        locale_str("The length of a game whose report does not say it."),
    ),
    "shared_places": Words(
        locale_str("Shared places"),
        locale_str("Yes: equal scores share the place. No: the seat nearer to the first dealer is higher."),
    ),
    "sticks_to_first": Words(
        locale_str("Sticks to first place"),
        locale_str("Yes: riichi sticks left on the table go to first place. No: they are shared by all."),
    ),
    "start_4p": Words(
        locale_str("Starting score, four players"),
        locale_str("The score that each of four players starts with."),
    ),
    "return_4p": Words(
        locale_str("Return score, four players"),
        locale_str("The score that counts as zero in the final points of four players; not below the start."),
    ),
    "uma_4p": Words(
        locale_str("Uma, four players"),
        locale_str("What each of four places adds to the final points, in thousands, first place first."),
    ),
    "start_3p": Words(
        locale_str("Starting score, three players"),
        locale_str("The score that each of three players starts with."),
    ),
    "return_3p": Words(
        locale_str("Return score, three players"),
        locale_str("The score that counts as zero in the final points of three players; not below the start."),
    ),
    "uma_3p": Words(
        locale_str("Uma, three players"),
        locale_str("What each of three places adds to the final points, in thousands, first place first."),
    ),
    "chips": Words(
        locale_str("Chips"),
        locale_str("Yes: the club plays for chips (shuugi), and reports may tell how many each won or lost."),
    ),
    "chip_value": Words(
        locale_str("Value of a chip"),
        locale_str("What a chip adds to the total of the statistics, in points."),
    ),
    "stake": Words(
        locale_str("Stake"),
        locale_str("What a thousand points are worth in the income of the statistics; 0: no income is shown."),
    ),
    "tenhou_rules": Words(
        locale_str("Tenhou rules"),
        locale_str("Which reading of the ladder and R the club follows."),
    ),
    "starting_rating": Words(
        locale_str("Starting rating"),
        locale_str("The American rating of somebody who has not played yet."),
    ),
    "k_factor": Words(
        locale_str("K factor"),
        locale_str("How far one game can move the American rating; higher means bigger swings."),
    ),
    "jokerless_bonus": Words(
        locale_str("Jokerless bonus"),
        locale_str("Added to rating and total points of a win without jokers, except on singles and pairs."),
    ),
    "concealed_bonus_multiplier": Words(
        locale_str("Concealed bonus"),
        locale_str("The share of the line's points that a concealed win adds to the rating: 0.2 is 20 % more."),
    ),
    "discard_penalty_multiplier": Words(
        locale_str("Discarder's multiplier"),
        locale_str("How many times a loser's share of the exchange the discarder loses."),
    ),
    "base_win_points": Words(
        locale_str("Base win points"),
        locale_str("Kept from older days; it is in no formula."),
    ),
    "section_multipliers": Words(
        locale_str("Section multipliers"),
        locale_str("Yes: a section's multiplier on the card counts in the rating."),
    ),
    "jokerless_doubles": Words(
        locale_str("Jokerless doubles"),
        locale_str("Yes: a win without jokers pays double, in place of the jokerless bonus."),
    ),
    "penalties": Words(
        locale_str("Penalties"),
        locale_str("Yes: admins may add the League's penalties to a game before they approve it."),
    ),
    "rank_roles": Words(
        locale_str("Rank roles"),
        locale_str("Which ladder's ranks members wear as roles, if any; I need Manage Roles for it."),
    ),
    "home_country": Words(
        locale_str("Home country"),
        locale_str("Whose tournaments and players the rankings RR and CRR are about."),
    ),
    "home_players_only": Words(
        locale_str("Home players only"),
        locale_str("Yes: RR and CRR list players of the home country alone."),
    ),
    "ranking_posts": Words(
        locale_str("Ranking posts"),
        locale_str("Yes: how the rankings moved is posted to the announcements channel, once a day at most."),
    ),
    "ranking_post_hour": Words(
        locale_str("Hour of ranking posts"),
        locale_str("From which hour of the club's clock on the day's ranking post may come."),
    ),
    "card_year": Words(
        locale_str("Card year"),
        locale_str("The year of the American card in use; none while no card is in use."),
    ),
}


def label(texts: Texts, knob: Knob) -> str:
    """What a setting is called."""
    return texts.lookup(WORDS[knob.name].label.message)


def meaning(texts: Texts, knob: Knob) -> str:
    """What a setting does, in a sentence."""
    return texts.lookup(WORDS[knob.name].meaning.message)


def group_name(texts: Texts, group: Group) -> str:
    """The heading over settings of one kind."""
    return {
        Group.CLUB: texts.gettext("The club"),
        Group.RIICHI: texts.gettext("Riichi scoring"),
        Group.TENHOU: texts.gettext("Tenhou ladder and R"),
        Group.AMERICAN: texts.gettext("American mahjong"),
        Group.TOURNAMENTS: texts.gettext("Tournaments and rankings"),
    }[group]


def choice_name(texts: Texts, choice: int | str) -> str:
    """One of the values of a choice in words."""
    known = {
        str(Length.HANCHAN): words.length_name(texts, Length.HANCHAN),
        str(Length.TONPUU): words.length_name(texts, Length.TONPUU),
        str(TenhouRules.SEED): texts.gettext("seed: the published text"),
        str(TenhouRules.LIVE): texts.gettext("live: as the live site does it"),
        "4": words.system_name(texts, SystemName.TENHOU_4P),
        "3": words.system_name(texts, SystemName.TENHOU_3P),
        str(SystemName.TENHOU_4P): words.system_name(texts, SystemName.TENHOU_4P),
        str(SystemName.TENHOU_3P): words.system_name(texts, SystemName.TENHOU_3P),
    }
    return known.get(str(choice), str(choice))


def value_name(texts: Texts, knob: Knob, value: Any) -> str:
    """A value as people read it, not made safe for a message; channels and roles as mentions."""
    if value is None:
        return texts.gettext("none")
    match knob.kind:
        case Kind.YES_NO:
            return texts.gettext("yes") if value else texts.gettext("no")
        case Kind.CHOICE:
            return choice_name(texts, value)
        case Kind.UMA:
            return " ".join(words.signed(step) for step in value)
        case Kind.CHANNEL:
            return f"<#{value}>"
        case Kind.ROLE:
            return f"<@&{value}>"
        case Kind.WHOLE if knob.step:
            return words.score(value)
        case _:
            return knob.show(value)


def safe_value(texts: Texts, knob: Knob, value: Any) -> str:
    """A value for an embed or a message."""
    shown = value_name(texts, knob, value)
    # The others have nothing in them that Discord would format.
    return safe_text(shown) if knob.kind is Kind.TIME_ZONE else shown


def allowed(texts: Texts, knob: Knob) -> str:
    """What a setting can be, in a sentence."""
    if knob.kind in (Kind.WHOLE, Kind.NUMBER, Kind.UMA):
        return _allowed_numbers(texts, knob)
    match knob.kind:
        case Kind.YES_NO:
            return texts.gettext("It can be yes or no.")
        case Kind.CHOICE:
            choices = " / ".join(map(str, knob.choices))
            if knob.optional:
                return texts.gettext("It can be {choices} or none.", choices=choices)
            return texts.gettext("It can be {choices}.", choices=choices)
        case Kind.TIME_ZONE:
            return texts.gettext("It can be a time zone like Asia/Tokyo.")
        case Kind.COUNTRY:
            return texts.gettext("It can be a country, by its two-letter code or its name.")
        case Kind.CHANNEL:
            return texts.gettext("It can be a text channel of this server, by mention, name or id, or none.")
        case _:
            return texts.gettext("It can be a role of this server, by mention, name or id, or none.")


def _allowed_numbers(texts: Texts, knob: Knob) -> str:
    bounds = {"low": _bound(knob.lowest), "high": _bound(knob.highest)}
    if knob.kind is Kind.UMA:
        return texts.gettext(
            "It can be {count} whole numbers in thousands, first place first, each from {low} to {high}, that add "
            "up to zero, like {example}.",
            count=knob.places,
            example=knob.show(knob.default),
            **bounds,
        )
    if knob.step:
        return texts.gettext(
            "It can be a whole number from {low} to {high} in steps of {step}.", step=knob.step, **bounds
        )
    if knob.kind is Kind.NUMBER:
        return texts.gettext("It can be a number from {low} to {high}.", **bounds)
    if knob.optional:
        return texts.gettext("It can be a whole number from {low} to {high}, or none.", **bounds)
    return texts.gettext("It can be a whole number from {low} to {high}.", **bounds)


def _bound(number: float | None) -> str:
    # Without separators: some readers' comma is a decimal point.
    return "∞" if number is None else f"{number:g}" if abs(number) < 100_000 else f"{number:.0f}"


def bad_value(texts: Texts, knob: Knob, error: BadValue, current: Any) -> str:
    """What is wrong with a text, what the setting can be, and what it is."""
    text = safe_text(error.text)
    wrong = {
        Fault.NOT_WHOLE: texts.gettext("“{text}” is not a whole number.", text=text),
        Fault.NOT_A_NUMBER: texts.gettext("“{text}” is not a number.", text=text),
        Fault.TWO_WAYS: texts.gettext("“{text}” can be read in two ways; write it without a comma.", text=text),
        Fault.OUT_OF_RANGE: texts.gettext("“{text}” is out of range.", text=text),
        Fault.NOT_A_STEP: texts.gettext("“{text}” is not a multiple of {step}.", text=text, step=knob.step),
        Fault.NOT_YES_NO: texts.gettext("“{text}” is neither yes nor no.", text=text),
        Fault.NOT_A_CHOICE: texts.gettext("“{text}” is not one of the choices.", text=text),
        Fault.NOT_A_ZONE: texts.gettext("I do not know a time zone “{text}”.", text=text),
        Fault.NOT_A_COUNTRY: texts.gettext("I do not know a country “{text}”.", text=text),
        Fault.NOT_AN_UMA: texts.gettext(
            "“{text}” is not an uma for {count} places.", text=text, count=knob.places
        ),
        Fault.UNEVEN_UMA: texts.gettext("“{text}” does not add up to zero.", text=text),
        Fault.NOT_AN_ID: texts.gettext("“{text}” cannot be chosen.", text=text),
    }[error.fault]
    return _with_limits(texts, knob, wrong, current)


def not_here(texts: Texts, knob: Knob, text: str, found: int, current: Any) -> str:
    """A channel or role that this server does not have, or has more than once."""
    text = safe_text(text[:40])
    if found:
        wrong = texts.gettext("More than one is called “{text}”; mention the one you mean.", text=text)
    elif knob.kind is Kind.CHANNEL:
        wrong = texts.gettext("This server has no text channel “{text}”.", text=text)
    else:
        wrong = texts.gettext("This server has no role “{text}”.", text=text)
    return _with_limits(texts, knob, wrong, current)


def _with_limits(texts: Texts, knob: Knob, wrong: str, current: Any) -> str:
    now = texts.gettext("Now it is {value}.", value=safe_value(texts, knob, current))
    return f"{wrong} {allowed(texts, knob)} {now}"


def misfit(texts: Texts, start: str, target: str, values: Mapping[str, Any]) -> str:
    """A starting score above its return score."""
    return texts.gettext(
        "{target} would be {low}, below {start} with {high}.",
        target=label(texts, KNOBS[target]),
        low=words.score(values[target]),
        start=label(texts, KNOBS[start]),
        high=words.score(values[start]),
    )
