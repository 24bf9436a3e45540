"""The first sheet of an XLSX workbook that has something in it.

No library reads it: what is wanted is little, and it must be seen whether a number is one or the last result of a
formula, at a cost that the size of the file bounds.
"""

from __future__ import annotations

from collections.abc import Mapping

from ratings.resultsfile.package import Attributes, Package, Relation
from ratings.resultsfile.sheets import date_formats, shared_texts, sheet_records
from ratings.resultsfile.values import ProblemKind, Table, refusal

__all__ = ["read_workbook"]

MOST_SHEETS = 50  # that are looked at


def read_workbook(data: bytes) -> Table:
    """The rows of the first sheet that is neither hidden nor empty.

    A formula is read as a text that begins with "=", whatever it came to last; an error as its name ("#N/A").
    Raises BadResults.
    """
    package = Package(data)
    book = _target(package.related(""), "officeDocument")
    if book is None:
        raise refusal(ProblemKind.UNREADABLE_WORKBOOK)
    relations = package.related(book)
    strings, styles = _target(relations, "sharedStrings"), _target(relations, "styles")
    texts = shared_texts(package, strings) if strings else []
    dates = date_formats(package, styles) if styles else frozenset[str]()
    for index, (target, name) in enumerate(_sheets(package, book, relations).items()):
        if index == MOST_SHEETS:
            raise refusal(ProblemKind.TOO_LARGE)
        records = sheet_records(package, target, texts, dates)
        if records:
            return Table(records, name if index else None)
    return Table(())


def _target(relations: Mapping[str, Relation], kind: str) -> str | None:
    return next((relation.target for relation in relations.values() if relation.kind == kind), None)


def _sheets(package: Package, book: str, relations: Mapping[str, Relation]) -> Mapping[str, str]:
    """The names of the sheets that can be seen, by those of their parts; a part is one sheet only."""
    sheets: dict[str, str] = {}

    def start(element: str, attributes: Attributes) -> None:
        if element == "sheet" and attributes.get("state", "visible") == "visible":
            identifier = next((value for key, value in attributes.items() if key.endswith(":id")), "")
            relation = relations.get(identifier)
            if relation and relation.kind == "worksheet":
                sheets.setdefault(relation.target, attributes.get("name", ""))

    package.walk(book, start)
    return sheets
