# The commands of the project; continuous integration calls the same ones.

test:
    python -m pytest -q

lint:
    ruff check .
    ruff format --check .
    mypy

fix:
    ruff check --fix .
    ruff format .

serve source="samples/harbin.mp4":
    tilesight serve --source {{source}} --rules harbin-hlr

# Pictures for training, then both nets; hours on two cores.
train:
    python datasets/crops.py --count 6000 --seed 1 --out runs/crops
    python models/train.py --data runs/crops --out runs/finder
    python models/export.py runs/finder/last.pt
    python models/train_recogniser.py --crops runs/crops --out runs/recogniser
