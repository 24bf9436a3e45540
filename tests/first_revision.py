"""A club in a database of revision 0001, as the program of that time left it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy.ext.asyncio import create_async_engine

from ratings.store import upgrade
from ratings.store.engine import async_url

__all__ = ["LEFT", "leave_behind", "outcomes_left", "what_is_there"]

# By table: its rows, each by column.
LEFT: dict[str, list[dict[str, Any]]] = {
    name: [dict(zip(told["columns"], row, strict=True)) for row in told["rows"]]
    for name, told in json.loads(
        (Path(__file__).parent / "vectors" / "revision_0001.json").read_text(encoding="utf-8")
    )["tables"].items()
}
_MOVED = ("rank_before", "points_before", "rating_before", "games_before", "rank", "points", "rating")


async def leave_behind(database: str, *statements: str) -> None:
    """Make the tables of revision 0001 in an empty database, fill them, and run these statements."""
    engine = create_async_engine(async_url(database))
    try:
        async with engine.begin() as connection:
            await connection.run_sync(_leave_behind)
            for statement in statements:
                await connection.execute(sa.text(statement))
    finally:
        await engine.dispose()


def _leave_behind(connection: sa.Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(upgrade.MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "0001")
    for name, rows in LEFT.items():
        columns = ", ".join(rows[0])
        values = ", ".join(f":{column}" for column in rows[0])
        connection.execute(sa.text(f"INSERT INTO {name} ({columns}) VALUES ({values})"), rows)  # noqa: S608
        if connection.dialect.name == "postgresql" and "id" in rows[0] and name != "guilds":
            last = rows[-1]["id"]
            connection.exec_driver_sql(f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), {last})")


def what_is_there(connection: sa.Connection) -> dict[str, list[dict[str, Any]]]:
    """Those of the columns and tables of revision 0001 that there are, as LEFT has them."""
    found, there = sa.inspect(connection), {}
    for name in LEFT.keys() & set(found.get_table_names()):
        key = found.get_pk_constraint(name)["constrained_columns"]
        columns = {column["name"] for column in found.get_columns(name)}
        table = sa.table(name, *(sa.column(column) for column in LEFT[name][0] if column in columns))
        rows = connection.execute(sa.select(table).order_by(*(table.c[column] for column in key))).mappings()
        there[name] = [dict(row) for row in rows]
    return there


def outcomes_left() -> list[tuple[Any, ...]]:
    """What revision 0001 said in two tables about each seat of its approved games, as one row of `outcomes`."""
    approved = {game["id"] for game in LEFT["games"] if game["state"] == "approved"}
    placements = {(row["game_id"], row["player_id"]): row for row in LEFT["placements"]}
    changes = {(row["game_id"], row["player_id"]): row for row in LEFT["changes"]}
    return [
        (
            *(seat["game_id"], seat["seat"], seat["player_id"]),
            *(placements.get(key, {}).get(column) for column in ("place", "final_points")),
            *(changes.get(key, {}).get(column) for column in _MOVED),
        )
        for seat in LEFT["seats"]
        if seat["game_id"] in approved
        for key in [(seat["game_id"], seat["player_id"])]
    ]
