"""The rules of the table: events in, announcements out."""

from engine.announce import Announcement
from engine.announce_codec import announcement_to_json
from engine.codec import BadRecord, entry_from_json, entry_to_json, read_record
from engine.events import Entry, Event
from engine.game import Game, replay
from engine.rules import RULE_SETS
from engine.state import State
from engine.tiles import Tile

__all__ = [
    "RULE_SETS",
    "Announcement",
    "BadRecord",
    "Entry",
    "Event",
    "Game",
    "State",
    "Tile",
    "announcement_to_json",
    "entry_from_json",
    "entry_to_json",
    "read_record",
    "replay",
]
