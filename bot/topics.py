"""What a letter of the outbox is about, read when it is taken."""

from __future__ import annotations

import sqlalchemy as sa

from ratings import ledger
from ratings.ledger import Matter
from ratings.queries import corrections
from ratings.queries.accounts import ClaimNews, claim_news
from ratings.queries.corrections import CorrectionNews
from ratings.queries.rank_roles import RankWearer, wearer
from ratings.store import outbox

__all__ = ["Topic", "take"]

# A day of the rankings is none of these: what moved takes its time to work out.
Topic = Matter | CorrectionNews | RankWearer | ClaimNews | None


def take(
    connection: sa.Connection, letter_id: int, now: float, lease: float
) -> tuple[outbox.Letter, Topic] | None:
    """Claim a letter and read what it is about; None when it is another worker's or done."""
    letter = outbox.claim(connection, letter_id, now, lease)
    if letter is None:
        return None
    return letter, _topic(connection, letter)


def _topic(connection: sa.Connection, letter: outbox.Letter) -> Topic:
    """What a letter is about; None for a day of the rankings, and where nothing is to be said any more."""
    if letter.game_id is not None:
        return ledger.matter(connection, letter.guild_id, letter.game_id)
    if letter.correction_id is not None:
        return corrections.news(connection, letter.guild_id, letter.correction_id)
    if letter.player_id is not None:
        return wearer(connection, letter.guild_id, letter.player_id)
    if letter.claim_id is not None:
        return claim_news(connection, letter.guild_id, letter.claim_id)
    return None
