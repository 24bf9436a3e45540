"""A club as a file: every fact of it, to be kept elsewhere or read into an empty club.

Figures are not read back: a replay tells them anew, and the file says what they should come to.
"""

from ratings.archive.reading import BadArchive, Loaded, read_club
from ratings.archive.writing import LARGEST_UNPACKED, parse, write_club

__all__ = ["LARGEST_UNPACKED", "BadArchive", "Loaded", "parse", "read_club", "write_club"]
