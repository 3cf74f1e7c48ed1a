# The commands of the project; continuous integration calls the same ones.

# Two at a time, a file's tests together: they share a browser, a server or a film.
test:
    python -m pytest -n 2 --dist loadfile --no-loadscope-reorder --durations=30

# The engine's property tests with a hundred times the examples of the suite.
fuzz:
    python -m pytest tests/engine --hypothesis-profile=long -k "properties or privacy or broken"
    python -m pytest tests/service/web/test_leaks.py --hypothesis-profile=long

# Requests made from the description of the interface: more than in the suite, and those at the edges.
fuzz-api examples="60":
    python -m tests.support.fuzz_api --examples {{examples}}

# The types of answers and messages, for editors of the pages' scripts.
wire-types:
    python -m tests.support.wire_types

# A live table for an hour: the real server watches a film in a loop, and its memory is noted.
long-watch out minutes="60":
    python -m tests.support.long_watch --out {{out}} --minutes {{minutes}}

lint:
    ruff check .
    ruff format --check .
    mypy
    python -m tests.support.check_scripts

fix:
    ruff check --fix .
    ruff format .

# Whether anything installed is known to be unsafe; with pip-audit installed, the data bases are asked.
audit:
    python -m tests.support.audit

# The first five minutes of a stranger: the wheel in an empty environment, good and bad input.
stranger:
    python -m tests.support.first_minutes

# What the README tells people to run, in a fresh copy of what is committed.
ci:
    .ci/run

# The documentation as a site, in out/site.
site:
    zensical build

serve source="samples/harbin.mp4":
    tilesight serve {{source}} --rules harbin-hlr

# Both nets from seeds, and their report; the model card says how long, the data card what lies in DATA.
train data out="runs/new":
    python models/make.py --data {{data}} --out {{out}}

# Pictures of pages in the docs, as the pages look today.
pictures *names:
    python -m tests.support.docs_pictures {{names}}
