"""Hong Kong mahjong, old style."""
