"""/settings: the knobs of a club, their history, and the file that keeps them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import discord

from bot.render import words
from bot.render.knobs import allowed, group_name, label, meaning, safe_value
from bot.render.names import safe_name, safe_text
from bot.texts import Texts
from ratings.knobs import KNOBS, NONE, Group, Knob
from ratings.queries.settings import SettingChange, SettingsPage
from ratings.settings import ClubSettings
from ratings.settingsfile import LARGEST_FILE, LONGEST_LINE, MOST_KEYS, BadFile, FileFault

__all__ = ["all_knobs", "bad_file", "changes", "history", "one_knob", "refused_file", "to_toml"]

COLOUR, GREEN, AMBER, RED = 0x2E86AB, 0x3BA55D, 0xE0A526, 0xED4245
_FIELD = 1024  # characters in a field
_REFUSALS = 3500  # characters of sentences that are shown; a description has room for 4096
_INVISIBLE = "\u200b"


def all_knobs(texts: Texts, settings: ClubSettings) -> discord.Embed:
    """Every setting with its value, and with its default where that is another."""
    embed = discord.Embed(title=texts.gettext("Settings of the club"), colour=COLOUR)
    values = settings.model_dump(mode="json")
    for group in Group:
        knobs = [knob for knob in KNOBS.values() if knob.group is group]
        lines = [_line(texts, knob, values[knob.name]) for knob in knobs]
        for count, text in enumerate(_packed(lines)):
            name = _INVISIBLE if count else group_name(texts, group)
            embed.add_field(name=name, value=text, inline=False)
    return embed.set_footer(text=texts.gettext("/settings show with a name tells more about one."))


def _line(texts: Texts, knob: Knob, value: Any) -> str:
    shown = f"**{safe_value(texts, knob, value)}**"
    if not _is_default(knob, value):
        default = texts.gettext("default {value}", value=safe_value(texts, knob, knob.default))
        shown += f" ({default})"
    return f"{label(texts, knob)} `{knob.name}`: {shown}"


def _is_default(knob: Knob, value: Any) -> bool:
    return knob.show(value) == knob.show(knob.default)


def _packed(lines: Iterable[str]) -> list[str]:
    """The lines in as few fields as they need."""
    fields: list[str] = []
    for line in lines:
        if fields and len(fields[-1]) + 1 + len(line) <= _FIELD:
            fields[-1] += f"\n{line}"
        else:
            fields.append(line)
    return fields


def one_knob(texts: Texts, knob: Knob, settings: ClubSettings, last: SettingChange | None) -> discord.Embed:
    """One setting: what it does, what it can be, what it is, and who saw to that."""
    value = settings.model_dump(mode="json")[knob.name]
    embed = discord.Embed(
        title=f"{label(texts, knob)} · {knob.name}",
        description=f"{meaning(texts, knob)}\n{allowed(texts, knob)}",
        colour=COLOUR,
    )
    embed.add_field(name=texts.gettext("Value"), value=safe_value(texts, knob, value))
    embed.add_field(name=texts.gettext("Default"), value=safe_value(texts, knob, knob.default))
    if last is None:
        changed = texts.gettext("never")
    else:
        changed = texts.gettext(
            "{moment} by {name}: {before} → {after}",
            moment=words.moment(last.at, settings.zone),
            name=safe_name(texts, last.by),
            before=safe_value(texts, knob, last.before),
            after=safe_value(texts, knob, last.after),
        )
    return embed.add_field(name=texts.gettext("Last changed"), value=changed, inline=False)


def changes(texts: Texts, changed: Mapping[str, tuple[Any, Any]], lacking: Sequence[str]) -> discord.Embed:
    """What was changed just now, and what the bot lacks to do its work."""
    title = texts.ngettext("{number} setting is changed", "{number} settings are changed", len(changed))
    embed = discord.Embed(title=title, colour=AMBER if lacking else GREEN)
    embed.description = "\n".join(
        f"**{label(texts, KNOBS[name])}**: {_step(texts, KNOBS[name], before, after)}"
        for name, (before, after) in changed.items()
    )
    if lacking:
        embed.add_field(name=texts.gettext("I am not allowed to"), value="\n".join(lacking)[:_FIELD], inline=False)
    return embed.set_footer(
        text=texts.gettext("In force for every game approved from now on. Games approved before stay as they are.")
    )


def _step(texts: Texts, knob: Knob, before: Any, after: Any) -> str:
    return f"{safe_value(texts, knob, before)} → {safe_value(texts, knob, after)}"


def history(texts: Texts, knob: Knob | None, page: SettingsPage, settings: ClubSettings) -> discord.Embed:
    """A page of who changed what, newest first."""
    title = texts.gettext("Changes of the settings")
    embed = discord.Embed(title=title if knob is None else f"{title} · {label(texts, knob)}", colour=COLOUR)
    lines = [
        f"{words.moment(change.at, settings.zone)} **{label(texts, KNOBS[change.name])}**: "
        f"{_step(texts, KNOBS[change.name], change.before, change.after)}\n-# {safe_name(texts, change.by)}"
        for change in page.changes
    ]
    embed.description = "\n".join(lines) or texts.gettext("Nothing was changed yet.")
    footer = texts.ngettext("{number} change", "{number} changes", page.total)
    if page.pages > 1:
        footer += " · " + texts.gettext("page {page} of {pages}", page=page.number + 1, pages=page.pages)
    return embed.set_footer(text=footer)


def refused_file(texts: Texts, problems: Sequence[str]) -> tuple[discord.Embed, bool]:
    """Everything that is wrong with a file, a line each; and whether not all of it had room."""
    title = texts.ngettext(
        "{number} thing is wrong with this file; nothing was changed",
        "{number} things are wrong with this file; nothing was changed",
        len(problems),
    )
    shown: list[str] = []
    for problem in problems:
        if sum(map(len, shown)) + len(problem) > _REFUSALS:
            break
        shown.append(f"- {problem}")
    embed = discord.Embed(title=title, description="\n".join(shown), colour=RED)
    cut = len(shown) < len(problems)
    if cut:
        embed.set_footer(text=texts.gettext("The rest is in the attached file."))
    return embed, cut


def bad_file(texts: Texts, error: BadFile) -> str:
    """A file that cannot be read at all."""
    match error.fault:
        case FileFault.TOO_LARGE:
            return texts.gettext("A file of settings has at most {limit} KB.", limit=LARGEST_FILE // 1024)
        case FileFault.NOT_TEXT:
            return texts.gettext("This file is not text in UTF-8.")
        case FileFault.LONG_LINE:
            return texts.gettext(
                "A line of a file of settings has at most {limit} characters.", limit=LONGEST_LINE
            )
        case FileFault.NOT_TOML:
            return texts.gettext("This file is not TOML: {problem}.", problem=safe_text(error.problem))
        case FileFault.TOO_MANY_KEYS:
            return texts.gettext("A file of settings has at most {limit} keys.", limit=MOST_KEYS)
        case FileFault.EMPTY:
            return texts.gettext("There are no settings in this file.")


def to_toml(texts: Texts, settings: ClubSettings) -> str:
    """All settings as a TOML file with what each means; /settings import reads it back."""
    values = settings.model_dump(mode="json")
    lines = ["# " + _flat(texts.gettext("Settings of the club"))]
    for group in Group:
        lines += ["", f"# ---- {_flat(group_name(texts, group))} ----"]
        for knob in KNOBS.values():
            if knob.group is group:
                lines += ["", f"# {_flat(f'{label(texts, knob)}: {meaning(texts, knob)}')}"]
                lines += [f"# {_flat(allowed(texts, knob))}", f"{knob.name} = {_literal(values[knob.name])}"]
    return "\n".join(lines) + "\n"


def _flat(text: str) -> str:
    return " ".join(text.split())


def _literal(value: Any) -> str:
    """A value as TOML writes it, which JSON does as well, but for nothing."""
    return json.dumps(NONE if value is None else value)
