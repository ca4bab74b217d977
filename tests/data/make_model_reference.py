#!/usr/bin/python3
# Writes tests/data/arrays/model-reference.safetensors: what PyTorch makes, in single precision, of three texts with the
# weights of web/data/model.safetensors. Of text N: N.tokens, N.attention (layer × head × T × T), N.states (the residual
# stream before the first block and after each), N.logits. Usage: make_model_reference.py, from any folder.
import pathlib
import sys

import torch

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/model"))

import export  # noqa: E402
import novels  # noqa: E402
import tensors  # noqa: E402

TEXTS = [
    "Xq'tj!Xq'tj!Xq'tj!",
    "ROMEO:\nBut, soft! what light",
    "It is a truth universally acknowledged, that a single man in pos",
]


def main():
    torch.set_num_threads(1)
    model, out = export.load(ROOT / "web/data/model.safetensors"), {}
    for number, text in enumerate(TEXTS):
        tokens = torch.tensor([novels.CHARACTERS.index(c) for c in text])
        states = []
        with torch.no_grad():
            logits = model(tokens[None], states)[0]
        out[f"{number}.tokens"] = tokens.numpy()
        out[f"{number}.attention"] = torch.cat(model.attention()).numpy()
        out[f"{number}.states"] = torch.cat(states).numpy()
        out[f"{number}.logits"] = logits.numpy()
    tensors.write(ROOT / "tests/data/arrays/model-reference.safetensors", out, {"torch": torch.__version__})


main()
