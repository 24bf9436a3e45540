"""The operator's configuration: config.toml, overridden by the environment. The token comes from there alone."""

from __future__ import annotations

import difflib
import os
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AliasChoices, Field, SecretStr, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from bot.exits import ExitCode, Stop
from ratings.store.engine import async_url

__all__ = ["Config", "load"]

CONFIG_FILE = Path("config.toml")
# Variables of the name that are not the running bot's: the tests' database.
ELSEWHERE = ("test_database_url",)


def _usable_address(text: str) -> str:
    async_url(text)
    return text


class Config(BaseSettings):
    """What an operator can set. config.example.toml explains each key."""

    model_config = SettingsConfigDict(env_prefix="TENBOU_", extra="forbid", hide_input_in_errors=True)

    discord_token: Annotated[
        SecretStr | None, Field(validation_alias=AliasChoices("DISCORD_TOKEN", "discord_token"))
    ] = None
    database_url: Annotated[
        str,
        Field(validation_alias=AliasChoices("DATABASE_URL", "database_url"), repr=False),
        AfterValidator(_usable_address),
    ] = "sqlite+aiosqlite:///tenbou.db"
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    connect_attempts: Annotated[int, Field(ge=1, le=1000)] = 8
    connect_backoff: Annotated[float, Field(gt=0, le=600)] = 2.0
    outbox_lease: Annotated[float, Field(gt=0, le=600)] = 15.0
    outbox_backoff: Annotated[float, Field(gt=0, le=600)] = 1.0
    api_base: str | None = None
    gateway_url: str | None = None

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment wins over the file that `load` was given."""
        return env_settings, init_settings


def load(path: Path | None = None) -> Config:
    """Read the configuration. Without `path`, config.toml in the working folder is read if it is there.

    Raises Stop (BAD_CONFIG) with a sentence that names the key and what is wrong with it.
    """
    path = path or (CONFIG_FILE if CONFIG_FILE.exists() else None)
    written = _read(path) if path else {}
    for name in written:
        _check_name(name, path)
    for variable in os.environ:
        name = variable.lower().removeprefix("tenbou_")
        if name != variable.lower() and name not in (*Config.model_fields, *ELSEWHERE):
            raise Stop(
                ExitCode.BAD_CONFIG,
                f"The environment variable {variable} is none that Tenbou knows.{_hint(name)}",
            )
    try:
        return Config(**written)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        problem = first["msg"].removeprefix("Value error, ")
        raise Stop(ExitCode.BAD_CONFIG, f"The setting {name} cannot be used: {problem}.") from None


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Stop(ExitCode.BAD_CONFIG, f"{path} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Stop(ExitCode.BAD_CONFIG, f"{path} is not a TOML file: {error}.") from None


def _check_name(name: str, path: Path | None) -> None:
    if difflib.get_close_matches(name.lower(), ["discord_token"], cutoff=0.8):
        sentence = f"{path} holds a token; put it into the environment variable DISCORD_TOKEN instead."
        raise Stop(ExitCode.BAD_CONFIG, sentence)
    if name not in Config.model_fields:
        raise Stop(ExitCode.BAD_CONFIG, f"{path} has a key {name} that Tenbou does not know.{_hint(name)}")


def _hint(name: str) -> str:
    near = difflib.get_close_matches(name, Config.model_fields, n=1)
    return f" Did you mean {near[0]}?" if near else ""
