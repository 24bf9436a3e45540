"""A small discord.py bot, as unmodified as any, that uses everything the local Discord must carry."""

from __future__ import annotations

import asyncio
import io
import sys
from typing import Any

import discord
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

APPROVE = "\N{WHITE HEAVY CHECK MARK}"
ZONES = ("Europe/Amsterdam", "Europe/Riga", "Asia/Tokyo")


class NoteModal(discord.ui.Modal, title="Note"):
    note: discord.ui.TextInput[NoteModal] = discord.ui.TextInput(label="Note", custom_id="note", max_length=40)

    async def on_submit(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"noted: {self.note.value}", ephemeral=True)


class LabelModal(discord.ui.Modal, title="Labelled"):
    kind: discord.ui.Label[LabelModal] = discord.ui.Label(
        text="Kind",
        component=discord.ui.Select(
            custom_id="kind", options=[discord.SelectOption(label="East only", value="tonpuu")]
        ),
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        assert isinstance(self.kind.component, discord.ui.Select)
        await interaction.response.send_message(f"kind: {self.kind.component.values[0]}")


class Panel(discord.ui.View):
    def __init__(self) -> None:
        super().__init__(timeout=None)

    @discord.ui.button(label="Add a note", custom_id="note")
    async def note(self, interaction: discord.Interaction, _: discord.ui.Button[Panel]) -> None:
        await interaction.response.send_modal(NoteModal())

    @discord.ui.button(label="Labelled", custom_id="labelled")
    async def labelled(self, interaction: discord.Interaction, _: discord.ui.Button[Panel]) -> None:
        await interaction.response.send_modal(LabelModal())

    @discord.ui.button(label="Lock", custom_id="lock")
    async def lock(self, interaction: discord.Interaction, button: discord.ui.Button[Panel]) -> None:
        button.disabled = True
        await interaction.response.edit_message(content="locked", view=self)

    @discord.ui.select(
        custom_id="length",
        options=[discord.SelectOption(label="East", value="e"), discord.SelectOption(label="South")],
    )
    async def length(self, interaction: discord.Interaction, select: discord.ui.Select[Panel]) -> None:
        await interaction.response.defer()
        await interaction.followup.send(f"length: {select.values[0]}", ephemeral=True)

    @discord.ui.select(cls=discord.ui.UserSelect, custom_id="who", max_values=2)
    async def who(self, interaction: discord.Interaction, select: discord.ui.UserSelect[Panel]) -> None:
        await interaction.response.send_message(",".join(sorted(u.display_name for u in select.values)))


class SampleBot(discord.Client):
    """Records what reaches it in ``seen`` and ``reactions``, and errors of commands in ``errors``."""

    def __init__(self, intents: discord.Intents | None = None, **options: Any) -> None:
        default = discord.Intents(guilds=True, guild_messages=True, guild_reactions=True, dm_messages=True)
        options.setdefault("guild_ready_timeout", 0.05)
        super().__init__(intents=intents or default, allowed_mentions=discord.AllowedMentions.none(), **options)
        self.tree = app_commands.CommandTree(self)
        self.errors: list[BaseException] = []
        self.seen: list[str] = []
        self.reactions: list[discord.RawReactionActionEvent] = []
        self.resumes = 0
        self.gate = asyncio.Event()
        self.failed = asyncio.Event()
        self.tree.error(self._failed)
        _add_commands(self)

    async def _failed(self, _: discord.Interaction, error: app_commands.AppCommandError) -> None:
        self.errors.append(getattr(error, "original", error))
        self.failed.set()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Skip the five seconds that discord.py leaves between two identifies."""

    async def setup_hook(self) -> None:
        self.add_view(Panel())
        await self.tree.sync()

    def dispatch(self, event: str, /, *args: Any, **options: Any) -> None:
        """Write the event down before anybody who waits for it is woken."""
        if event == "socket_event_type":
            self.seen.append(args[0])
        super().dispatch(event, *args, **options)

    async def on_raw_reaction_add(self, event: discord.RawReactionActionEvent) -> None:
        assert self.user is not None
        if event.user_id != self.user.id:
            self.reactions.append(event)

    async def on_resumed(self) -> None:
        self.resumes += 1

    def text_channel(self, channel: dict[str, Any]) -> discord.TextChannel:
        found = self.get_channel(int(channel["id"]))
        assert isinstance(found, discord.TextChannel)
        return found


def _add_commands(bot: SampleBot) -> None:
    tree = bot.tree
    report = app_commands.Group(name="report", description="Report a game", guild_only=True)

    @report.command(name="riichi", description="Report a riichi game")
    async def riichi(
        interaction: discord.Interaction,
        east: discord.Member,
        score: app_commands.Range[int, -200_000, 200_000],
        length: app_commands.Choice[str] | None = None,
    ) -> None:
        chosen = length.value if length else "-"
        text = f"{east.display_name} {score} {chosen} {len(east.roles)}"
        embed = discord.Embed(title="Game", description=text)
        await interaction.response.send_message(text, embed=embed, view=Panel())
        message = await interaction.original_response()
        await message.add_reaction(APPROVE)

    app_commands.choices(length=[app_commands.Choice(name="East only", value="tonpuu")])(riichi)
    setup = app_commands.Group(name="setup", description="Settings")
    club = app_commands.Group(name="club", description="Of the club", parent=setup)

    @club.command(name="zone", description="Set the time zone")
    async def zone(interaction: discord.Interaction, time_zone: str, note: str = "") -> None:
        await interaction.response.send_message(f"{time_zone}{note}", ephemeral=True)

    @zone.autocomplete("time_zone")
    async def zones(interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        note = interaction.namespace.note or ""
        found = [z for z in ZONES if current.lower() in z.lower()]
        return [app_commands.Choice(name=z + note, value=z) for z in found]

    tree.add_command(report)
    tree.add_command(setup)
    _add_answers(bot)


def _add_answers(bot: SampleBot) -> None:
    tree = bot.tree

    @tree.command(name="slow", description="Waits for the gate, then answers")
    async def slow(interaction: discord.Interaction) -> None:
        await bot.gate.wait()
        await interaction.response.send_message("late")

    @tree.command(name="defer", description="Thinks first")
    async def defer(interaction: discord.Interaction, hidden: bool = False) -> None:
        await interaction.response.defer(ephemeral=hidden, thinking=True)
        await bot.gate.wait()
        await interaction.followup.send("thought")
        await interaction.followup.send("and more")

    @tree.command(name="twice", description="Answers twice")
    async def twice(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("once")
        interaction.response._response_type = None
        await interaction.response.send_message("again")

    @tree.command(name="file", description="Reads a file and gives it back")
    async def file(interaction: discord.Interaction, upload: discord.Attachment) -> None:
        data = await upload.read()
        embed = discord.Embed(title="Chart").set_image(url="attachment://back.png")
        sent = discord.File(io.BytesIO(data), filename="back.png")
        await interaction.response.send_message(embed=embed, file=sent)

    @tree.command(name="admin", description="For admins")
    @app_commands.default_permissions(manage_guild=True)
    async def admin(interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"{interaction.locale} {interaction.guild_locale}")

    @tree.command(name="whisper", description="Writes to somebody")
    async def whisper(interaction: discord.Interaction, who: discord.User) -> None:
        await who.send("psst")
        await interaction.response.send_message("sent", ephemeral=True)

    @tree.context_menu(name="Profile")
    async def profile(interaction: discord.Interaction, member: discord.Member) -> None:
        await interaction.response.send_message(f"profile of {member.display_name}")


def main(rest: str, gateway: str, token: str) -> None:
    """Run the bot in a process of its own."""
    Route.BASE = rest
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
    SampleBot().run(token, log_handler=None)


if __name__ == "__main__":
    main(*sys.argv[1:])
