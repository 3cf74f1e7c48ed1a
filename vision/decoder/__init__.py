"""Turn what lies on the table into the record of a game: hypotheses, their costs, the lines."""
