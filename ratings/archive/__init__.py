"""A club as a file: every fact of it, to be kept elsewhere or read into an empty club.

Figures are not read back: a replay tells them anew, and the file says what they should come to.

A file says under which revision of the schema it was written, and files of every earlier revision stay readable.
Whoever changes the schema has to see to that:

- A new table of facts goes into `shape.FACTS`; files that do not know it have none of its rows.
- A new column of a table of facts is nullable, or has a `server_default`: that is what files without it get.
- A column or table that goes, gets another name or another meaning: earlier files are turned into today's in
  `checking.checked`, by their revision, before their columns are looked at. The same goes for what the texts in
  a row tell (`texts`).
- `VERSION` is for another shape of the file itself, and grows when programs up to then could not read it.
- The files of earlier programs in tests/vectors stay as they are, and stay importable. A file that was written by
  the program to be released, with the new tables and columns filled, joins them.
"""

from ratings.archive.checking import BadArchive, NewerArchive
from ratings.archive.parsing import LARGEST_BY_COMMAND, LARGEST_UNPACKED, MOST_GAMES, MOST_ROWS, TooLarge, parse
from ratings.archive.reading import Loaded, read_club
from ratings.archive.writing import pour_club, write_club

__all__ = [
    "LARGEST_BY_COMMAND",
    "LARGEST_UNPACKED",
    "MOST_GAMES",
    "MOST_ROWS",
    "BadArchive",
    "Loaded",
    "NewerArchive",
    "TooLarge",
    "parse",
    "pour_club",
    "read_club",
    "write_club",
]
