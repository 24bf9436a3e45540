"""The sheet of an XLSX workbook that has the results.

No library reads it: what is wanted is little, and it must be seen whether a number is one or the last result of a
formula, at a cost that the size of the file bounds.
"""

from __future__ import annotations

from collections.abc import Mapping

from ratings.resultsfile.headers import tells_results
from ratings.resultsfile.package import Attributes, Package, Relation
from ratings.resultsfile.sheets import Sheet, date_formats, read_sheet, shared_texts
from ratings.resultsfile.values import BadResults, Problem, ProblemKind, Table, refusal

__all__ = ["read_workbook"]


def read_workbook(data: bytes) -> Table:
    """The rows of the only sheet whose header tells players and places, or if none does, of the first one.

    Sheets that are hidden or empty are none. A formula is read as a text that begins with "=", whatever it came to
    last; an error as its name ("#N/A"). Raises BadResults.
    """
    found = _filled(Package(data))
    fit = [(name, sheet) for name, sheet in found if tells_results(sheet.records)]
    if len(fit) > 1:
        raise BadResults((Problem.of_header(None, ProblemKind.SEVERAL_SHEETS, (name for name, _ in fit)),))
    if not found:
        return Table(())
    name, sheet = (fit or found)[0]
    if sheet.too_large:
        raise refusal(ProblemKind.TOO_LARGE)
    return Table(sheet.records, name if len(found) > 1 else None)


def _filled(package: Package) -> list[tuple[str, Sheet]]:
    """The sheets with something in them, each after its name."""
    book = _target(package.related(""), "officeDocument")
    if book is None:
        raise refusal(ProblemKind.UNREADABLE_WORKBOOK)
    relations = package.related(book)
    strings, styles = _target(relations, "sharedStrings"), _target(relations, "styles")
    texts = shared_texts(package, strings) if strings else []
    dates = date_formats(package, styles) if styles else frozenset[str]()
    sheets = [
        (name, read_sheet(package, target, texts, dates))
        for target, name in _sheets(package, book, relations).items()
    ]
    return [(name, sheet) for name, sheet in sheets if sheet.records or sheet.too_large]


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
