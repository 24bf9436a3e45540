"""Discord's rate limits by channel: five messages in five seconds, four reactions a second."""

from __future__ import annotations

import time

from bot.sandbox.faults import rate_limited

__all__ = ["Buckets"]

_LIMITS = {"messages": (5, 5.0), "reactions": (1, 0.25)}


class Buckets:
    """Counts requests by bucket and channel in windows of fixed length."""

    def __init__(self) -> None:
        self._windows: dict[tuple[str, str], tuple[float, int]] = {}

    def take(self, bucket: str, params: dict[str, str]) -> dict[str, str]:
        """Count one request and return the rate limit headers of its answer; 429 when the window is full."""
        limit, length = _LIMITS[bucket]
        key = (bucket, params.get("channel", ""))
        now = time.monotonic()
        start, used = self._windows.get(key, (now, 0))
        if now - start >= length:
            start, used = now, 0
        left = length - (now - start)
        if used >= limit:
            refused = rate_limited(round(left, 3))
            refused.headers |= _headers(bucket, limit, 0, left)
            raise refused
        self._windows[key] = (start, used + 1)
        return _headers(bucket, limit, limit - used - 1, left)


def _headers(bucket: str, limit: int, remaining: int, left: float) -> dict[str, str]:
    return {
        "X-RateLimit-Limit": str(limit),
        "X-RateLimit-Remaining": str(remaining),
        "X-RateLimit-Reset": f"{time.time() + left:.3f}",
        "X-RateLimit-Reset-After": f"{left:.3f}",
        "X-RateLimit-Bucket": f"sandbox-{bucket}",
    }
