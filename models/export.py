"""Export a checkpoint of the finder as the ONNX file that ships, with its metadata.

python models/export.py runs/finder/last.pt [--start OLD.pt] [--out vision/weights]

With ``--start``, the weights that the run began from, a quarter of these is mixed in: what a run
forgets stays, and most of what it learnt.
"""

from __future__ import annotations

import argparse
import datetime
import json
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "datasets"))

import numpy as np
import onnx
import torch
from checkpoints import keep_start
from finder.data import CLASSES
from finder.net import ARCHITECTURE, build

from vision.detect import SHIPPED

ROOT = Path(__file__).parent.parent
START_SHARE = 0.25
LICENCE = "AGPL-3.0-or-later (trained with Ultralytics)"
SOURCES = (
    "pictures rendered by datasets/render.py, on photographed faces (Camerash/mahjong-dataset), "
    "drawn faces (mahjong-graphic, gl-mahjongtile-svg) and ambientCG textures (CC0)",
    "chinese-mahjong-detection v4, Roboflow Universe user riichimahjongdetection (CC BY 4.0)",
    "13423423c-rethink-bonus-label v3, Roboflow Universe user marco-liu-vwkdl (CC BY 4.0)",
    "my-first-project-fqqce v1, Roboflow Universe user test-ul13l (CC BY 4.0)",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--out", type=Path, default=SHIPPED)
    parser.add_argument("--start", type=Path, help="weights that the run began from")
    parser.add_argument("--metrics", type=Path, help="JSON written by models/score.py pictures")
    args = parser.parse_args()
    state = torch.load(args.checkpoint, map_location="cpu", weights_only=True)
    if args.start:
        before = torch.load(args.start, map_location="cpu", weights_only=True)["ema"]
        for name, value in state["ema"].items():
            if value.dtype.is_floating_point:
                state["ema"][name] = value.float().lerp(before[name].float(), START_SHARE)
        state["recipe"] |= {"start_share": str(START_SHARE)}
    net = build()
    net.load_state_dict(state["ema"])
    net.eval().float()
    net = net.fuse(verbose=False)
    head = net.model[-1]
    head.export, head.format, head.dynamic = True, "onnx", True
    picture = torch.zeros(1, 3, 640, 640)
    net(picture)
    args.out.mkdir(parents=True, exist_ok=True)
    part = args.out / "finder.part"
    torch.onnx.export(
        net, (picture,), str(part), input_names=["image"], output_names=["boxes"], opset_version=17,
        dynamic_axes={"image": {2: "height", 3: "width"}, "boxes": {2: "anchors"}}, dynamo=False,
    )  # fmt: skip
    halve(part)
    part.replace(args.out / "finder.onnx")
    small = {
        name: value.half() if value.dtype.is_floating_point else value
        for name, value in state["ema"].items()
    }
    keep_start("finder", args.out, ema=small)
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True
    ).stdout.strip()
    about = {
        "architecture": ARCHITECTURE,
        "classes": list(CLASSES),
        "input": "RGB 0..1, 640x640, tiles about 30 pixels wide",
        "steps": state["step"],
        "training_minutes": round(state["spent_s"] / 60, 1) if "spent_s" in state else None,
        # Paths of the training machine mean nothing elsewhere: keep their names only.
        "recipe": {key: Path(value).name for key, value in state["recipe"].items()},
        "commit": commit,
        "date": datetime.date.today().isoformat(),
        "sources": SOURCES,
        "licence": LICENCE,
        "metrics": json.loads(args.metrics.read_text()) if args.metrics else None,
    }
    (args.out / "finder.json").write_text(json.dumps(about, indent=1) + "\n")
    print(f"{args.out / 'finder.onnx'}: step {state['step']}")


def halve(path: Path) -> None:
    """Store large weights as 16-bit floats: half the file, the same boxes."""
    model = onnx.load(str(path))
    kept = list(model.graph.initializer)
    del model.graph.initializer[:]
    casts = []
    for weight in kept:
        values = onnx.numpy_helper.to_array(weight)
        if values.dtype != np.float32 or values.size < 256:
            model.graph.initializer.append(weight)
            continue
        small = onnx.numpy_helper.from_array(values.astype(np.float16), f"{weight.name}_half")
        model.graph.initializer.append(small)
        casts.append(
            onnx.helper.make_node("Cast", [small.name], [weight.name], to=onnx.TensorProto.FLOAT)
        )
    nodes = list(model.graph.node)
    del model.graph.node[:]
    model.graph.node.extend(casts + nodes)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


if __name__ == "__main__":
    main()
