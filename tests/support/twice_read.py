"""A win that was read twice in a hand that goes on."""

from __future__ import annotations

from typing import Final

SECRET: Final = """
{"type":"game_start","rules":"harbin-hlr","t":0}
{"type":"hand_start","t":0.1,"source":"camera"}
{"type":"discard","seat":0,"tile":"9m","t":0.2,"source":"camera"}
{"type":"discard","seat":1,"tile":"1s","ready":true,"t":0.4,"source":"camera"}
{"type":"indicator","tile":"5p","kind":"dora","t":0.45,"source":"camera","change":"put@0.4@0,1"}
{"type":"discard","seat":2,"tile":"1s","t":0.5,"source":"camera"}
{"type":"win","seat":1,"from":2,"tile":"1s","hand":["1p","3p"],"t":0.7,"source":"camera",\
"change":"opened@0.7@0,1","again":[{"change":"put@0.4@0,1","tiles":["6p"]}]}
""".strip()
"""A win that the rules refuse: its hand goes on, and the indicator stays secret."""
