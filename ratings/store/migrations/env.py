"""Alembic's entry: runs the migrations on the connection that the store hands over."""

from alembic import context

from ratings.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
    render_as_batch=True,
)
context.run_migrations()
