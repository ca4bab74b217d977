"""Writes what the page needs of a training: weights as float16, losses, scores, and lines to measure on.

    nice python3 scripts/model/export.py build/model web/data

after train.py with and without --twin. All that is measured here is measured with the weights that are written.
"""
import hashlib
import json
import pathlib
import sys

import torch

import measure
import novels
import tensors
import train
from decoder import CONFIG, Decoder

LINES = 200


def metadata_of(step):
    return {
        "format": "pt",
        "config": json.dumps(CONFIG),
        "vocabulary": json.dumps(novels.CHARACTERS),
        "step": str(step),
        "texts": "six novels by Jane Austen, in the public domain, as collected in the R package janeaustenr 1.0.0",
        "texts_sha256": novels.SHA256,
        "licence": "texts: public domain; their collection: MIT, Copyright 2016-2017 Julia Silge",
    }


def load(path):
    """The model in single precision, from the half-precision weights of a written file."""
    arrays, _ = tensors.read(path)
    model = Decoder(len(novels.CHARACTERS))
    model.load_state_dict({name: torch.tensor(array).float() for name, array in arrays.items()})
    return model


def export(source, target):
    torch.set_num_threads(1)
    _, held_out = novels.load(source)
    number = {c: i for i, c in enumerate(novels.CHARACTERS)}
    text = torch.tensor([number[c] for c in held_out])
    (target / "checkpoints").mkdir(parents=True, exist_ok=True)
    checkpoints = []
    for step in train.KEPT:
        name = "model.safetensors" if step == train.STEPS else f"checkpoints/step-{step}.safetensors"
        state = torch.load(source / f"step-{step}.pt")
        tensors.write(target / name, {n: t.half().numpy() for n, t in state.items()}, metadata_of(step))
        checkpoints.append({"step": step, "file": name})
        print(f"step {step}: {(target / name).stat().st_size} bytes")
    model, count = load(target / "model.safetensors"), len(novels.CHARACTERS)
    rounded = {name: [[round(v, 4) for v in layer] for layer in values]
               for name, values in measure.head_scores(model, text, count).items()}
    natural, repeats = measure.Losses(text, count, CONFIG["n_ctx"]).of(model)
    about = {
        "config": CONFIG,
        "vocabulary": list(novels.CHARACTERS),
        "sha256": hashlib.sha256((target / "model.safetensors").read_bytes()).hexdigest(),
        "texts_sha256": novels.SHA256,
        "parameters": sum(p.numel() for p in model.parameters()),
        "validation": round(measure.whole_loss(model, text, CONFIG["n_ctx"]), 4),
        "repeats": round(repeats, 4),
        "scores": rounded,
        "checkpoints": checkpoints,
        "curve": curve_of(source / "curve.json"),
        "without_positions": curve_of(source / "twin.json"),
    }
    (target / "model.json").write_text(json.dumps(about, ensure_ascii=False) + "\n")
    lines = novels.held_out_lines(held_out, LINES, CONFIG["n_ctx"])
    (target / "lines.txt").write_text("\n".join(lines) + "\n")
    print(json.dumps({k: about[k] for k in ("parameters", "validation", "repeats", "scores", "sha256", "texts_sha256")}))


def curve_of(path):
    """[step, training, validation, repeats] of each measurement; null where there is none."""
    return [[point["step"], *(None if point[k] is None else round(point[k], 4) for k in ("train", "validation", "repeats"))]
            for point in json.loads(path.read_text())]


if __name__ == "__main__":
    export(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
