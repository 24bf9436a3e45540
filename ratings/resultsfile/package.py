"""The parts of an XLSX file: unpacked within bounds, and their XML walked through without anything it may call in.

Small files can be made that unpack to gigabytes. They are refused before they are unpacked.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Callable, Mapping
from typing import NamedTuple
from xml.parsers import expat

from ratings.resultsfile.values import LARGEST_UNPACKED, BadResults, ProblemKind, refusal

__all__ = ["Attributes", "Package", "Relation"]

MOST_PARTS = 500
MOST_ELEMENTS = 600_000  # of all parts that are walked through
MOST_NAMES = 2_000  # of elements and attributes in a part

_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENTRY = b"PK\x01\x02"
# A tag with so many attributes that holding them all would take a hundred times their size.
_CROWDED_TAG = re.compile(rb"<(?:[^<=]*+=){10000}")

Attributes = Mapping[str, str]


class Relation(NamedTuple):
    """A part that another one refers to: what it is to that one, and its name."""

    kind: str
    target: str


class Package:
    """The XML parts of a package. All of its walks together go through so many elements at most."""

    def __init__(self, data: bytes) -> None:
        """Unpack the parts. Raises BadResults."""
        self._parts = _unpacked(data)
        self._elements = 0

    def related(self, source: str) -> dict[str, Relation]:
        """What a part refers to, by identifier; an empty `source` is the package itself. Raises BadResults."""
        folder, name = posixpath.split(source)
        found = {}

        def start(element: str, attributes: Attributes) -> None:
            if element == "Relationship" and attributes.get("TargetMode") != "External":
                target = posixpath.normpath(posixpath.join("/", folder, attributes.get("Target", "")))
                kind = attributes.get("Type", "").rpartition("/")[2]
                found[attributes.get("Id", "")] = Relation(kind, target.lstrip("/").lower())

        self.walk(posixpath.join(folder, "_rels", f"{name}.rels"), start)
        return found

    def walk(
        self,
        name: str,
        start: Callable[[str, Attributes], None],
        end: Callable[[str], None] | None = None,
        text: Callable[[str], None] | None = None,
    ) -> None:
        """Call back at each element of a part, named without its prefix.

        Raises BadResults for a part that is not there, for broken XML, for a DOCTYPE and for too many elements
        or attributes.
        """
        names: dict[str, str] = {}

        def started(element: str, attributes: Attributes) -> None:
            self._elements += 1
            if self._elements > MOST_ELEMENTS or len(names) > MOST_NAMES:
                raise refusal(ProblemKind.TOO_LARGE)
            start(element.rpartition(":")[2], attributes)

        def ended(element: str) -> None:
            if end:
                end(element.rpartition(":")[2])

        parser = expat.ParserCreate(intern=names)
        parser.buffer_text = True
        # With the document type go the entities, of its own and from outside.
        parser.StartDoctypeDeclHandler = _document_type
        parser.StartElementHandler = started
        parser.EndElementHandler = ended
        parser.CharacterDataHandler = text
        if name not in self._parts:
            raise refusal(ProblemKind.UNREADABLE_WORKBOOK)
        if _CROWDED_TAG.search(self._parts[name]):
            raise refusal(ProblemKind.TOO_LARGE)
        try:
            parser.Parse(self._parts[name], True)
        except BadResults:
            raise
        # LookupError and ValueError: an encoding that Python does not know, or none that XML may have.
        except (expat.ExpatError, LookupError, ValueError) as error:
            raise refusal(ProblemKind.UNREADABLE_WORKBOOK) from error


def _document_type(*_: object) -> None:
    raise refusal(ProblemKind.UNREADABLE_WORKBOOK)


def _unpacked(data: bytes) -> dict[str, bytes]:
    """The XML parts of a package by their names in small letters."""
    if data.count(_ENTRY) > MOST_PARTS:
        raise refusal(ProblemKind.UNREADABLE_WORKBOOK)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            if sum(member.file_size for member in members) > LARGEST_UNPACKED:
                raise refusal(ProblemKind.UNPACKS_TOO_LARGE)
            names = {member.filename.lower() for member in members}
            if not len(names) == len(members) <= MOST_PARTS:
                raise refusal(ProblemKind.UNREADABLE_WORKBOOK)
            wanted = [member for member in members if member.filename.lower().endswith((".xml", ".rels"))]
            return {member.filename.lower(): _content(archive, member) for member in wanted}
    except BadResults:
        raise
    # A damaged archive makes zipfile raise errors of half a dozen kinds.
    except Exception as error:
        raise refusal(ProblemKind.UNREADABLE_WORKBOOK) from error


def _content(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    if member.compress_type not in _METHODS:
        raise refusal(ProblemKind.UNREADABLE_WORKBOOK)
    with archive.open(member) as stream:
        # Without a number it would unpack all there is, whatever size the member claims to have.
        return stream.read(member.file_size + 1)
