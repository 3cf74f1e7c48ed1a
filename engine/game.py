"""A game: a rule set, an append-only record, and the state that its replay gives."""
