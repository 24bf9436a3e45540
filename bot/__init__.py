"""The running program: configuration, the Discord client, the approval desk and the outbox worker."""
