#!/usr/bin/python3
# Writes tests/data/checkpoint/, a small random model as people have one on their disk: model.safetensors in float16 under
# GPT-2's names, config.json, and the tokenizer, vocab.json and merges.txt in GPT-2's alphabet: all bytes, a few merges,
# <|endoftext|>. Usage: make_gpt2_checkpoint.py.
import json
import pathlib
import sys

import numpy

import gpt2_shapes

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/model"))

import tensors  # noqa: E402

WIDTH, HEADS, LAYERS, CONTEXT = 16, 2, 2, 32
MERGES = ["t h", "th e", "Ġ the", "i n", "Ġ d", "a r", "Ġd ar", "c y", "M r", "e d", "Ġ M", "Ġ w", "i th", "Ġw ith"]


# The bytes that print as one character stand for themselves, and come first; the others are U+0100 and following.
def alphabet():
    printed = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    return [chr(byte) for byte in printed] + [chr(0x100 + n) for n in range(256 - len(printed))]


def arrays(vocabulary):
    random = numpy.random.default_rng(2019)
    weights = {name: 0.4 * random.standard_normal(shape) for name, shape in gpt2_shapes.shapes(vocabulary, CONTEXT, WIDTH, LAYERS).items()}
    return {name: (weight + gpt2_shapes.is_gain(name)).astype(numpy.float16) for name, weight in weights.items()}


def main():
    folder = ROOT / "tests/data/checkpoint"
    folder.mkdir(exist_ok=True)
    tokens = alphabet() + [merge.replace(" ", "") for merge in MERGES] + ["<|endoftext|>"]
    config = {"architectures": ["GPT2LMHeadModel"], "model_type": "gpt2", "n_head": HEADS, "n_embd": WIDTH, "n_layer": LAYERS,
              "n_ctx": CONTEXT, "layer_norm_epsilon": 1e-5, "activation_function": "gelu_new"}
    (folder / "vocab.json").write_text(json.dumps({token: number for number, token in enumerate(tokens)}))
    (folder / "merges.txt").write_text("\n".join(["#version: 0.2", *MERGES]) + "\n")
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    tensors.write(folder / "model.safetensors", arrays(len(tokens)), {"format": "pt"})


main()
