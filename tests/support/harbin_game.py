"""A short Harbin game of two hands, as its record would be."""

from __future__ import annotations

from typing import Final

from engine.codec import read_record

RECORD: Final = """\
{"type":"game_start","rules":"harbin-hlr","players":["Anna","Bo","=1+1","<b>D</b>"],"t":0}
{"type":"hand_start","t":0.1}
{"type":"draw","seat":0,"tile":"3m","t":0.15}
{"type":"discard","seat":0,"tile":"9m","t":0.2,"evidence":2,"confidence":0.99,"source":"camera"}
{"type":"pung","seat":2,"from":0,"tile":"9m","own":["9m","9m"],"t":0.3,"source":"camera"}
{"type":"discard","seat":2,"tile":"1s","ready":true,"t":0.4,"confidence":0.55,"source":"camera"}
{"type":"discard","seat":3,"tile":"7p","t":0.5}
{"type":"discard","seat":0,"tile":"2p","t":0.6}
{"type":"win","seat":2,"from":0,"tile":"2p",\
"hand":["1p","3p","4s","5s","6s","7s","8s","9s","7z","7z"],"t":0.7}
{"type":"hand_end","t":0.8}
{"type":"hand_start","t":0.9}
{"type":"discard","seat":1,"tile":"5m","t":1.0}
{"type":"discard","seat":1,"tile":"6m","t":1.1}
"""
"""Anna discards the winning 2 of dots, not ready: she pays 3 and the others 1 (000, 6)."""


ENTRIES = read_record(RECORD)
