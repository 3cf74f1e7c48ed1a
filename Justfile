# The commands of the project; continuous integration calls the same ones.

test:
    python -m pytest

# The engine's property tests with a hundred times the examples of the suite.
fuzz:
    python -m pytest tests/engine --hypothesis-profile=long -k "properties or privacy or broken"

lint:
    ruff check .
    ruff format --check .
    mypy

fix:
    ruff check --fix .
    ruff format .

# What the README tells people to run, in a fresh copy of what is committed.
ci:
    .ci/run

serve source="samples/harbin.mp4":
    tilesight serve --source {{source}} --rules harbin-hlr

# Both nets, from rendered pictures; hours on two cores. The data card says what lies in DATA.
train data:
    python datasets/crops.py --count 6000 --seed 1 --out runs/crops/1 --photos {{data}}/faces --textures {{data}}/textures
    python models/train.py --data runs/crops --out runs/finder
    python models/export.py runs/finder/last.pt
    python models/train_recogniser.py --data {{data}} --cache runs/patches --crops runs/crops/1 --out runs/recogniser
    python models/export_recogniser.py runs/recogniser/last.pt --cache runs/patches
