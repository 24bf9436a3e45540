"""The rules of the house that a reader of one file cannot see: who may import whom, and how long things get."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = ("bot", "cogs", "ratings")
# A migration is a record of what was done once, in one function that Alembic calls by its name.
RECORDS = "ratings.store.migrations"
SQL_LIVES_IN = (
    "ratings.ledger",
    "ratings.archive",
    "ratings.card",
    "ratings.club",
    "ratings.queries",
    "ratings.store",
    "ratings.tournaments",
)
LONGEST_MODULE = 400
LONGEST_FUNCTION = 60

Function = ast.FunctionDef | ast.AsyncFunctionDef


@lru_cache
def _modules() -> dict[str, tuple[str, ast.Module]]:
    """Source and tree of each module of ours by its dotted name."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            source = path.read_text(encoding="utf-8")
            found[name] = source, ast.parse(source)
    return found


def _within(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def _imports(module: str, tree: ast.Module) -> Iterator[str]:
    """What a module imports, as dotted names; `from a import b` may mean the module a.b, so it is both."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} has a relative import"
            assert node.module is not None
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _breaches(importers: str, *forbidden: str) -> list[str]:
    return [
        f"{module} imports {name}"
        for module, (_, tree) in _modules().items()
        if _within(module, importers)
        for name in _imports(module, tree)
        if _within(name, *forbidden)
    ]


def test_the_whole_house_is_looked_at() -> None:
    names = _modules().keys()
    for name in ("bot.client", "bot.render.card", "cogs.report", "ratings.ledger", "ratings.systems.tenhou"):
        assert name in names
    assert _breaches("cogs", "bot")
    assert _breaches("ratings.ledger", "sqlalchemy")


def test_ratings_know_nothing_of_discord() -> None:
    assert _breaches("ratings", "discord", "aiohttp", "bot", "cogs") == []


def test_rating_systems_know_the_facts_alone() -> None:
    breaches = [
        f"{module} imports {name}"
        for module, (_, tree) in _modules().items()
        if _within(module, "ratings.systems")
        for name in _imports(module, tree)
        if _within(name, *PACKAGES) and not _within(name, "ratings.models", _system(module))
    ]
    assert breaches == []
    assert _breaches("ratings.systems", "asyncio", "os", "pathlib", "random", "sqlalchemy", "time") == []


def _system(module: str) -> str:
    """The system a module belongs to: a system of several modules is a package, and they know each other."""
    return ".".join(module.split(".")[:3])


def test_rating_systems_know_no_clock() -> None:
    # Dates are values like any other; what the date is today is not for a system to ask.
    breaches = [
        f"{module} asks for {node.attr}"
        for module, (_, tree) in _modules().items()
        if _within(module, "ratings.systems")
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in ("now", "today", "utcnow")
    ]
    assert breaches == []


def test_the_bot_never_imports_its_cogs() -> None:
    assert _breaches("bot", "cogs") == []


def test_drawing_touches_no_store_and_no_network() -> None:
    outside = ("aiohttp", "aiosqlite", "asyncio", "asyncpg", "os", "pathlib", "ratings.store", "sqlalchemy")
    assert _breaches("bot.render", *outside) == []
    assert _breaches("bot.render", "bot.client", "bot.desk", "bot.letters", "bot.outbox") == []


def test_sql_lives_with_the_ledger_the_queries_and_the_store() -> None:
    breaches = []
    for module, (_, tree) in _modules().items():
        imported = [name for name in _imports(module, tree) if _within(name, "sqlalchemy")]
        if not imported or _within(module, *SQL_LIVES_IN):
            continue
        if _within(module, "ratings") or imported != ["sqlalchemy"]:
            breaches.append(f"{module} imports {', '.join(imported)}")
        breaches += [
            f"{module} uses sa.{node.attr}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
            if node.value.id in ("sa", "sqlalchemy") and node.attr != "Connection"
        ]
    assert breaches == []


def test_tables_are_named_by_the_ledger_the_queries_and_the_store_alone() -> None:
    breaches = [
        f"{module} imports {name}"
        for module, (_, tree) in _modules().items()
        if not _within(module, *SQL_LIVES_IN)
        for name in _imports(module, tree)
        if _within(name, "ratings.store.tables")
    ]
    assert breaches == []


def test_no_module_is_longer_than_can_be_overlooked() -> None:
    lengths = {module: source.count("\n") for module, (source, _) in _modules().items()}
    assert {module: length for module, length in lengths.items() if length > LONGEST_MODULE} == {}


def test_no_function_is_longer_than_a_screen() -> None:
    lengths = {
        f"{module}.{node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for module, (_, tree) in _modules().items()
        if not _within(module, RECORDS)
        for node in ast.walk(tree)
        if isinstance(node, Function)
    }
    assert max(lengths.values()) > 20
    assert {name: length for name, length in lengths.items() if length > LONGEST_FUNCTION} == {}


def test_everything_public_says_what_it_does() -> None:
    public = [
        found
        for module, (_, tree) in _modules().items()
        if not _within(module, RECORDS)
        for found in _public(tree, module)
    ]
    assert len(public) > 200
    assert [name for name, node in public if not ast.get_docstring(node)] == []


def _public(parent: ast.Module | ast.ClassDef, name: str) -> Iterator[tuple[str, Function | ast.ClassDef]]:
    for node in parent.body:
        if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_") and not _is_overload(node):
            yield f"{name}.{node.name}", node
            if isinstance(node, ast.ClassDef) and not _is_protocol(node):
                yield from _public(node, f"{name}.{node.name}")


def _is_overload(node: Function | ast.ClassDef) -> bool:
    """An overload is a signature; what it does is said once, by the function that follows it."""
    return any(isinstance(each, ast.Name) and each.id == "overload" for each in node.decorator_list)


def _is_protocol(node: ast.ClassDef) -> bool:
    """A protocol names what others do; its own docstring says for whom."""
    return any(isinstance(base, ast.Name) and base.id == "Protocol" for base in node.bases)
