"""From readings to what physically happened: which tile lies where, over time."""
