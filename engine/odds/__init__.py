"""What a discard brings: the chance to win, the points, the risk to deal in, by fitted curves."""
