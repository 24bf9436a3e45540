"""Everything about mahjong: the facts, the published rating rules, the ledger and its readers."""
