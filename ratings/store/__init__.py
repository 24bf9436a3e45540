"""The store: tables, engine, migrations and the outbox. SQL lives here, in the ledger and in the queries."""

from ratings.store.engine import Store, StoreTooNew, StoreUnreachable

__all__ = ["Store", "StoreTooNew", "StoreUnreachable"]
