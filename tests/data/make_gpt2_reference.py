#!/usr/bin/python3
# Writes tests/data/arrays/gpt2.safetensors, a small random GPT-2 as Hugging Face saves one (names, layouts, float32, the
# masks that older versions saved, no lm_head because it is tied), and gpt2-reference.safetensors, what PyTorch makes of
# a text with it, in single precision: tokens, attention (layer × head × T × T), states (the residual stream before the
# first block and after each), logits. Matrices are rounded to float16 first, as attnscope keeps them; the file has them
# unrounded. The forward pass is written here out of torch.nn.functional alone. Usage: make_gpt2_reference.py.
import math
import pathlib
import sys

import torch
from torch.nn import functional as F

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/model"))

import gpt2_shapes  # noqa: E402
import tensors  # noqa: E402

WIDTH, HEADS, LAYERS, VOCABULARY, CONTEXT, EPSILON = 16, 2, 2, 53, 24, 1e-5
TOKENS = [7, 0, 52, 13, 13, 7, 0, 52, 31, 5, 44, 2, 13, 52, 7, 0, 19, 28, 1]


def random_weights():
    torch.manual_seed(2019)
    weights = {name: 0.4 * torch.randn(shape) for name, shape in gpt2_shapes.shapes(VOCABULARY, CONTEXT, WIDTH, LAYERS).items()}
    for name in weights:
        if gpt2_shapes.is_gain(name):
            weights[name] += 1
    return weights


def forward(weights, tokens):
    def norm(name, x):
        return F.layer_norm(x, (WIDTH,), weights[name + ".weight"], weights[name + ".bias"], EPSILON)

    def linear(name, x):
        return torch.addmm(weights[name + ".bias"], x, weights[name + ".weight"])

    length = len(tokens)
    later = torch.ones(length, length, dtype=torch.bool).triu(1)
    state = F.embedding(torch.tensor(tokens), weights["wte.weight"]) + weights["wpe.weight"][:length]
    states, attention = [state], []
    for layer in range(LAYERS):
        h = f"h.{layer}."
        q, k, v = (part.view(length, HEADS, -1).transpose(0, 1)
                   for part in linear(h + "attn.c_attn", norm(h + "ln_1", state)).split(WIDTH, dim=1))
        scores = (q @ k.transpose(1, 2) / math.sqrt(WIDTH // HEADS)).masked_fill(later, -math.inf)
        attention.append(scores.softmax(-1))
        state = state + linear(h + "attn.c_proj", (attention[-1] @ v).transpose(0, 1).reshape(length, WIDTH))
        hidden = F.gelu(linear(h + "mlp.c_fc", norm(h + "ln_2", state)), approximate="tanh")
        state = state + linear(h + "mlp.c_proj", hidden)
        states.append(state)
    logits = norm("ln_f", state) @ weights["wte.weight"].T
    return {"tokens": torch.tensor(tokens), "attention": torch.stack(attention), "states": torch.stack(states), "logits": logits}


def main():
    torch.set_num_threads(1)
    weights = random_weights()
    saved = {"transformer." + name: weight.numpy() for name, weight in weights.items()}
    for layer in range(LAYERS):
        mask = torch.ones(1, 1, CONTEXT, CONTEXT).tril().half()
        saved |= {f"transformer.h.{layer}.attn.bias": mask.numpy(),
                  f"transformer.h.{layer}.attn.masked_bias": torch.tensor(-1e4).numpy()}
    tensors.write(ROOT / "tests/data/arrays/gpt2.safetensors", saved, {"format": "pt"})
    rounded = {name: weight.half().float() if weight.ndim == 2 else weight for name, weight in weights.items()}
    reference = {name: tensor.numpy() for name, tensor in forward(rounded, TOKENS).items()}
    tensors.write(ROOT / "tests/data/arrays/gpt2-reference.safetensors", reference, {"torch": torch.__version__})


main()
