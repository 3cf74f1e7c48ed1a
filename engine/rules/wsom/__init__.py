"""World Series of Mahjong."""
