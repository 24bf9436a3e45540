"""The operator's configuration: the file, the environment over it, and sentences for what is wrong."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.config import Config, load
from bot.exits import ExitCode, Stop

EXAMPLE = Path(__file__).parent.parent / "config.example.toml"
TOKEN = "an.evening.token"


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No configuration of the machine gets in, neither from the environment nor from the working folder."""
    for name in list(os.environ):
        if name.upper().startswith("TENBOU_") or name.upper() in ("DISCORD_TOKEN", "DATABASE_URL"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def _file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "club.toml"
    path.write_text(text, encoding="utf-8")
    return path


def _stopped(path: Path | None) -> str:
    with pytest.raises(Stop) as stop:
        load(path)
    assert stop.value.code is ExitCode.BAD_CONFIG
    return str(stop.value)


def test_without_a_file_the_usual_values_hold() -> None:
    config = load()
    assert config.discord_token is None
    assert config.database_url == "sqlite+aiosqlite:///tenbou.db"
    assert config.log_level == "info"


def test_the_example_shows_every_key_with_its_usual_value() -> None:
    assert load(EXAMPLE) == load()
    text = EXAMPLE.read_text(encoding="utf-8")
    shown = {line.removeprefix("# ").partition(" = ")[0] for line in text.splitlines() if " = " in line}
    assert shown == Config.model_fields.keys() - {"discord_token"}


def test_a_file_in_the_working_folder_is_read(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('log_level = "warning"\n')
    assert load().log_level == "warning"
    assert load(_file(tmp_path, "connect_attempts = 3")).log_level == "info"


def test_the_environment_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _file(
        tmp_path,
        'database_url = "sqlite:///file.db"\nlog_level = "debug"\nconnect_attempts = 3\noutbox_lease = 5\n',
    )
    monkeypatch.setenv("DATABASE_URL", "postgres://host/club")
    monkeypatch.setenv("TENBOU_LOG_LEVEL", "error")
    monkeypatch.setenv("TENBOU_CONNECT_ATTEMPTS", "4")
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    config = load(path)
    assert config.discord_token is not None
    assert config.discord_token.get_secret_value() == TOKEN
    assert (config.database_url, config.log_level) == ("postgres://host/club", "error")
    assert (config.connect_attempts, config.outbox_lease) == (4, 5.0)


@pytest.mark.parametrize("key", ["discord_token", "DISCORD_TOKEN", "Discord_Token"])
def test_a_token_in_the_file_is_refused_without_repeating_it(tmp_path: Path, key: str) -> None:
    path = _file(tmp_path, f'{key} = "{TOKEN}"\n')
    assert _stopped(path) == (f"{path} holds a token; put it into the environment variable DISCORD_TOKEN instead.")


def test_the_token_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    config = load()
    for shown in (repr(config), str(config), repr(config.model_dump()), config.model_dump_json()):
        assert TOKEN not in shown
    monkeypatch.setenv("TENBOU_LOG_LEVEL", "loud")
    assert TOKEN not in _stopped(None)


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("log_levl", " Did you mean log_level?"),
        ("databse_url", " Did you mean database_url?"),
        ("prefix", ""),
        ("bot", ""),
    ],
)
def test_an_unknown_key_is_named_with_what_may_have_been_meant(tmp_path: Path, key: str, hint: str) -> None:
    path = _file(tmp_path, f'{key} = "x"\n')
    assert _stopped(path) == f"{path} has a key {key} that Tenbou does not know.{hint}"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            'log_level = "loud"',
            "The setting log_level cannot be used: Input should be 'debug', 'info', 'warning' or 'error'.",
        ),
        (
            "connect_attempts = 0",
            "The setting connect_attempts cannot be used: Input should be greater than or equal to 1.",
        ),
        ("outbox_lease = -1", "The setting outbox_lease cannot be used: Input should be greater than 0."),
        (
            'database_url = "mysql://host/club"',
            "The setting database_url cannot be used: mysql is not supported; use sqlite+aiosqlite:/// or "
            "postgresql://.",
        ),
        (
            'database_url = "club.db"',
            "The setting database_url cannot be used: it is not a database address.",
        ),
    ],
)
def test_a_value_that_cannot_be_used_is_named_by_its_key(tmp_path: Path, line: str, sentence: str) -> None:
    assert _stopped(_file(tmp_path, line)) == sentence


def test_a_bad_value_from_the_environment_is_named_and_no_password_repeated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DATABASE_URL", "mysql://club:a-password@host/club")
    sentence = _stopped(None)
    assert sentence.startswith("The setting DATABASE_URL cannot be used: mysql is not supported")
    assert "a-password" not in sentence


def test_a_file_that_cannot_be_read_is_said_so(tmp_path: Path) -> None:
    missing = tmp_path / "missing.toml"
    assert _stopped(missing) == f"{missing} cannot be read: No such file or directory."
    assert _stopped(_file(tmp_path, "log_level = ")).startswith(f"{tmp_path / 'club.toml'} is not a TOML file: ")
    (tmp_path / "club.toml").write_bytes(b"\xff\xfe")
    assert _stopped(tmp_path / "club.toml").startswith(f"{tmp_path / 'club.toml'} is not a TOML file: ")
