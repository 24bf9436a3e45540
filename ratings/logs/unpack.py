"""From the bytes of a file to text: unpacking gzip and decoding, within limits."""

from __future__ import annotations

import codecs
import zlib

from ratings.logs.model import LogProblem, LogRefused

__all__ = ["LARGEST_FILE", "LARGEST_TEXT", "unpack"]

# Real logs have 5 to 35 KB; a JSON log that an editor spread over lines has some 200.
LARGEST_FILE = 1_000_000  # bytes
LARGEST_TEXT = 1_000_000  # bytes, unpacked

_GZIP = b"\x1f\x8b"
_GZIP_FRAMED = 16 + zlib.MAX_WBITS
# What the decoder says when the text ends inside of a character.
_TOO_SHORT = "unexpected end of data"


def unpack(data: bytes) -> str:
    """The text in `data`, which is UTF-8, plain or packed with gzip.

    Raises LogRefused: TOO_LARGE, UNPACKS_TOO_LARGE, PACKED_TWICE, CUT_OFF, DAMAGED or NOT_UTF8.
    """
    if len(data) > LARGEST_FILE:
        raise LogRefused(LogProblem.TOO_LARGE, limit=LARGEST_FILE)
    if data.startswith(_GZIP):
        data = _inflate(data)
        if data.startswith(_GZIP):
            raise LogRefused(LogProblem.PACKED_TWICE)
    # Markup in UTF-16 is valid UTF-8 with NULs between, and XML parsers would find it out and follow it.
    if b"\0" in data:
        raise LogRefused(LogProblem.NOT_UTF8)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LogRefused(_undecodable(error, data)) from None
    return text.strip()


def _undecodable(error: UnicodeDecodeError, data: bytes) -> LogProblem:
    """Whether a log ends inside of a character, or the file is no text in UTF-8 at all."""
    # The byte order mark is not in what the error counts.
    readable = data.removeprefix(codecs.BOM_UTF8)[: error.start].lstrip()
    if error.reason == _TOO_SHORT and readable.startswith((b"<", b"{", b"[")):
        return LogProblem.CUT_OFF
    return LogProblem.NOT_UTF8


def _inflate(data: bytes) -> bytes:
    unpacker = zlib.decompressobj(_GZIP_FRAMED)
    try:
        # One byte more than is allowed tells a file that is too large from one that is just not.
        unpacked = unpacker.decompress(data, LARGEST_TEXT + 1)
    except zlib.error:
        raise LogRefused(LogProblem.DAMAGED) from None
    if len(unpacked) > LARGEST_TEXT:
        raise LogRefused(LogProblem.UNPACKS_TOO_LARGE, limit=LARGEST_TEXT)
    if not unpacker.eof:
        raise LogRefused(LogProblem.CUT_OFF)
    if unpacker.unused_data.strip(b"\0"):
        raise LogRefused(LogProblem.DAMAGED)
    return unpacked
