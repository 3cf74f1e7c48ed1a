"""From what happened to the record: the legal story that explains it best, and its doubts."""
