"""Both Harbin games: the tournament form and the one played at home."""
