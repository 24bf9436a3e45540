"""Discord's limits on messages, embeds and files, checked before anything is done."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bot.sandbox.errors import FormError, Refused
from bot.sandbox.limits_components import component_errors
from bot.sandbox.messages import Upload
from bot.sandbox.objects import V2, Json

__all__ = ["check_files", "message_errors"]

FILE_LIMIT = 10 * 1024 * 1024
REQUEST_LIMIT = 25 * 1024 * 1024
CONTENT_LIMIT = 2000
EMBED_TOTAL = 6000

_EMBED_TEXTS = {"title": 256, "description": 4096}
_URL_SCHEMES = ("http://", "https://")


def check_files(uploads: list[Upload]) -> None:
    """Raise Discord's 413 for a file over 10 MiB or a request over 25 MiB."""
    sizes = [len(upload.data) for upload in uploads]
    if any(size > FILE_LIMIT for size in sizes) or sum(sizes) > REQUEST_LIMIT:
        raise Refused(40005)


def message_errors(body: Json, uploads: list[Upload], *, v2_already: bool = False) -> list[FormError]:
    """What is wrong with the body of a message; the empty message is another matter."""
    errors: list[FormError] = []
    content = body.get("content")
    if content is not None and not isinstance(content, str):
        errors.append(("content", "Could not interpret the value as string."))
    elif content and len(content) > CONTENT_LIMIT:
        errors.append(("content", f"Must be {CONTENT_LIMIT} or fewer in length."))
    for key, most in (("embeds", 10), ("components", 40), ("attachments", 10)):
        errors += _list_errors(body.get(key), key, most)
    if len(uploads) > 10:
        errors.append(("files", "Must be 10 or fewer in length."))
    if errors:
        return errors
    v2 = v2_already or bool((body.get("flags") or 0) & V2)
    if v2 and (content or body.get("embeds")):
        errors.append(
            ("flags", "The 'content' and 'embeds' fields cannot be used with MessageFlags.IS_COMPONENTS_V2")
        )
    errors += embeds_errors(body.get("embeds") or [])
    errors += component_errors(body.get("components") or [], v2=v2)
    errors += _attachment_errors(body.get("attachments") or [], uploads)
    errors += _mention_errors(body.get("allowed_mentions"))
    errors += _nonce_errors(body.get("nonce"))
    return errors


def _list_errors(value: Any, key: str, most: int) -> list[FormError]:
    if value is None:
        return []
    if not isinstance(value, list):
        return [(key, "Only iterables may be used in a ListType")]
    if len(value) > most:
        return [(key, f"Must be {most} or fewer in length.")]
    odd = [i for i, entry in enumerate(value) if not isinstance(entry, dict)]
    return [(f"{key}.{i}", "Only dictionaries may be used in a DictType") for i in odd]


def embeds_errors(embeds: list[Json]) -> list[FormError]:
    """What is wrong with embeds, each for itself and all together."""
    errors: list[FormError] = []
    for number, embed in enumerate(embeds):
        at = f"embeds.{number}"
        errors += [(f"{at}.{path}", text) for path, text in _embed_errors(embed)]
    if not errors and sum(map(_embed_size, embeds)) > EMBED_TOTAL:
        errors.append(("embeds", f"Embed size exceeds maximum size of {EMBED_TOTAL}"))
    return errors


def _embed_errors(embed: Json) -> Iterable[FormError]:
    for key, most in _EMBED_TEXTS.items():
        yield from _text_errors(key, embed.get(key), most)
    yield from _text_errors("footer.text", (embed.get("footer") or {}).get("text"), 2048)
    yield from _text_errors("author.name", (embed.get("author") or {}).get("name"), 256)
    fields = embed.get("fields") or []
    if len(fields) > 25:
        yield "fields", "Must be 25 or fewer in length."
    for number, field in enumerate(fields):
        for key, most in (("name", 256), ("value", 1024)):
            value = field.get(key)
            if not isinstance(value, str) or not value.strip():
                yield f"fields.{number}.{key}", "This field is required"
            yield from _text_errors(f"fields.{number}.{key}", value, most)
    for part in ("image", "thumbnail"):
        yield from _url_errors(f"{part}.url", (embed.get(part) or {}).get("url"), attachment=True)
    for part in ("footer", "author"):
        yield from _url_errors(f"{part}.icon_url", (embed.get(part) or {}).get("icon_url"), attachment=True)
    yield from _url_errors("author.url", (embed.get("author") or {}).get("url"), attachment=False)
    yield from _url_errors("url", embed.get("url"), attachment=False)
    color = embed.get("color")
    if color is not None and not (isinstance(color, int) and 0 <= color <= 0xFFFFFF):
        yield "color", "int value should be between 0 and 16777215."


def _text_errors(path: str, value: Any, most: int) -> Iterable[FormError]:
    if value is None:
        return
    if not isinstance(value, str):
        yield path, "Could not interpret the value as string."
    elif len(value.strip()) > most:
        yield path, f"Must be {most} or fewer in length."


def _url_errors(path: str, value: Any, *, attachment: bool) -> Iterable[FormError]:
    if value is None:
        return
    schemes = (*_URL_SCHEMES, "attachment://") if attachment else _URL_SCHEMES
    if not isinstance(value, str) or not value.startswith(schemes):
        yield path, "Scheme must be one of ('http', 'https')."
    elif len(value) > 2048:
        yield path, "Must be 2048 or fewer in length."


def _embed_size(embed: Json) -> int:
    texts = [embed.get("title"), embed.get("description")]
    texts += [(embed.get("footer") or {}).get("text"), (embed.get("author") or {}).get("name")]
    for field in embed.get("fields") or ():
        texts += [field["name"], field["value"]]
    return sum(len(text.strip()) for text in texts if text)


def _attachment_errors(listed: list[Json], uploads: list[Upload]) -> list[FormError]:
    """Every entry must have an id; a small number stands for a file of this request."""
    keys = {upload.key for upload in uploads}
    errors: list[FormError] = []
    for number, entry in enumerate(listed):
        entry_id = str(entry.get("id", ""))
        if not entry_id.isdigit():
            errors.append((f"attachments.{number}.id", "This field is required"))
        elif len(entry_id) < 10 and entry_id not in keys:
            errors.append((f"attachments.{number}.id", "The attachment's file was not uploaded."))
    return errors


def _mention_errors(allowed: Json | None) -> list[FormError]:
    if not isinstance(allowed, dict):
        return []
    parse = allowed.get("parse") or []
    errors: list[FormError] = []
    for kind in ("users", "roles"):
        named = allowed.get(kind) or []
        if named and kind in parse:
            text = f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.'
            errors.append(("allowed_mentions", text))
        if len(named) > 100:
            errors.append((f"allowed_mentions.{kind}", "Must be 100 or fewer in length."))
    return errors


def _nonce_errors(nonce: Any) -> list[FormError]:
    if isinstance(nonce, str) and len(nonce) > 25:
        return [("nonce", "Must be 25 or fewer in length.")]
    return []
