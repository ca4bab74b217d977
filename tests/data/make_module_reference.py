#!/usr/bin/python3
# Writes src/core/module_reference.inc: what PyTorch's nn.MultiheadAttention makes of a causal module whose weights and
# inputs follow from a formula (the same as in src/core/module_reference.cpp). Usage: make_module_reference.py > FILE
import sys

import torch

BATCH, TOKENS, WIDTH, HEADS = 2, 12, 64, 4
MASK64 = (1 << 64) - 1


def value(stream, n):
    """Evenly spread in [−1/2, 1/2): the upper 24 bits of splitmix64 at (stream, n), exact in single precision."""
    z = (((stream << 32) + n + 1) * 0x9E3779B97F4A7C15) & MASK64
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK64
    return ((z ^ (z >> 31)) >> 40) * 2.0**-24 - 0.5


def array(stream, scale, *shape):
    count = 1
    for n in shape:
        count *= n
    return torch.tensor([scale * value(stream, n) for n in range(count)], dtype=torch.float32).reshape(shape)


def main():
    # Ours is x·W, PyTorch's Linear x·Wᵀ.
    w_qkv, b_qkv = array(1, 0.25, WIDTH, 3 * WIDTH).T.contiguous(), array(2, 0.25, 3 * WIDTH)
    w_proj, b_proj = array(3, 0.25, WIDTH, WIDTH).T.contiguous(), array(4, 0.25, WIDTH)
    x = array(5, 4, BATCH, TOKENS, WIDTH)
    module = torch.nn.MultiheadAttention(WIDTH, HEADS, batch_first=True)
    with torch.no_grad():
        module.in_proj_weight.copy_(w_qkv)
        module.in_proj_bias.copy_(b_qkv)
        module.out_proj.weight.copy_(w_proj)
        module.out_proj.bias.copy_(b_proj)
        blocked = torch.triu(torch.ones(TOKENS, TOKENS, dtype=torch.bool), diagonal=1)
        y, weights = module(x, x, x, attn_mask=blocked, average_attn_weights=False)
    check_with_double(x, w_qkv, b_qkv, w_proj, b_proj, y, weights)
    print("// Written by tests/data/make_module_reference.py: what nn.MultiheadAttention answered.")
    print(f'constexpr const char* kVersion = "{torch.__version__}";')
    write("kOutput", y)
    write("kWeights", weights)


def check_with_double(x, w_qkv, b_qkv, w_proj, b_proj, y, weights):
    """The formula written out in double precision: a wrong layout would differ in the first digit."""
    qkv = x.double() @ w_qkv.double().T + b_qkv.double()
    q, k, v = (part.view(BATCH, TOKENS, HEADS, -1).transpose(1, 2) for part in qkv.split(WIDTH, dim=2))
    scores = q @ k.transpose(2, 3) / (WIDTH // HEADS) ** 0.5
    scores = scores.masked_fill(torch.triu(torch.ones(TOKENS, TOKENS, dtype=torch.bool), diagonal=1), float("-inf"))
    a = scores.softmax(dim=-1)
    out = (a @ v).transpose(1, 2).reshape(BATCH, TOKENS, WIDTH) @ w_proj.double().T + b_proj.double()
    print("largest difference from double precision:", float((out - y).abs().max()), float((a - weights).abs().max()),
          file=sys.stderr)
    assert (out - y).abs().max() < 1e-5 and (a - weights).abs().max() < 1e-5


def write(name, tensor):
    numbers = tensor.flatten().tolist()
    print(f"constexpr float {name}[{len(numbers)}] = {{")
    line = ""
    for number in numbers:
        text = f"{number:.9g}"
        text += "f," if "." in text or "e" in text else ".0f,"
        if len(line) + len(text) > 118:
            print(" " + line)
            line = ""
        line += " " + text
    print(" " + line)
    print("};")


main()
