"""Writes one small file of each format that attnscope opens: what the trained model does with a sentence.

    python3 scripts/model/samples.py web/data

Each file is made as a person would make it, with the names of a framework; none holds what another one lacks to be opened.
"""
import csv
import json
import pathlib
import sys

import numpy
import torch

import export
import novels
import tensors

TEXT = "Mr. Darcy, Mr. Darcy"


def run(model, text):
    """Of each layer {"q", "k", "v": heads×T×d, "weights": heads×T×T}."""
    layers = []

    def keep(attention, inputs, _):
        length, heads = len(text), attention.heads
        q, k, v = attention.c_attn(inputs[0])[0].view(length, 3, heads, -1).permute(1, 2, 0, 3)
        layers.append({"q": q, "k": k, "v": v, "weights": attention.weights[0]})

    for block in model.h:
        block.attn.register_forward_hook(keep)
    with torch.no_grad():
        model(torch.tensor([[novels.CHARACTERS.index(c) for c in text]]))
    return layers


def half(tensor):
    return tensor.half().numpy()


def short(tensor):
    """Numbers as texts hold them: the shortest that single precision reads back."""
    return json.loads("[" + ",".join(str(number) for number in tensor.numpy().ravel()) + "]")


def rows_of(tensor):
    return numpy.array(short(tensor)).reshape(tensor.shape).tolist()


def write_arrays(layers, tokens, folder):
    """.npy: the weights alone; .npz, .safetensors and .pt: queries, keys and values with them."""
    numpy.save(folder / "weights.npy", numpy.stack([half(layer["weights"]) for layer in layers]))
    named = {f"layer{n}.{name}": half(tensor) for n, layer in enumerate(layers) for name, tensor in layer.items()}
    numpy.savez_compressed(folder / "attention.npz", tokens=numpy.array(tokens), **named)
    cache = {f"blocks.{n}.attn.{hook}": half(layer[name].transpose(0, 1) if name != "weights" else layer[name])
             for n, layer in enumerate(layers) for name, hook in (("q", "hook_q"), ("k", "hook_k"), ("v", "hook_v"), ("weights", "hook_pattern"))}
    tensors.write(folder / "cache.safetensors", {n: numpy.ascontiguousarray(a) for n, a in cache.items()}, {"format": "pt"})
    torch.save({"attentions": tuple(layer["weights"].half()[None] for layer in layers), "tokens": tokens}, folder / "outputs.pt")


def write_texts(layers, tokens, folder):
    """.json: the heads of the second layer; .csv: one of them; and one as a document, which is walked through."""
    last = layers[-1]
    (folder / "weights.json").write_text(json.dumps({"tokens": tokens, "weights": rows_of(last["weights"][:2])}) + "\n")
    with open(folder / "weights.csv", "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["", *tokens])
        table.writerows([token, *row] for token, row in zip(tokens, rows_of(last["weights"][1])))
    head = {name: rows_of(last[name][1]) for name in ("q", "k", "v")}
    document = {"attnscope": 1, "title": TEXT, "tokens": tokens, **head, "mask": "causal"}
    (folder / "document.json").write_text(json.dumps(document) + "\n")


def main(folder):
    torch.set_num_threads(1)
    layers = run(export.load(folder / "model.safetensors"), TEXT)
    (folder / "samples").mkdir(exist_ok=True)
    write_arrays(layers, list(TEXT), folder / "samples")
    write_texts(layers, list(TEXT), folder / "samples")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
