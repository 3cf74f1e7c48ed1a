"""An archive: many recorded films, read by workers that a ledger keeps in step."""
