#!/usr/bin/python3
# Writes tests/data/arrays/model-effects.safetensors: what PyTorch makes, in double precision, of one text with the weights
# of web/data/model.safetensors when heads are changed, and of those weights alone. Usage: make_model_effects.py, from any
# folder.
#
# `tokens` and `other` are two texts of one length. NAME.logits are those of `tokens` under a change:
#   ablated    z of head 1 of layer 1 is 0
#   mean       each row of z of head 3 of layer 0 is their mean
#   patched    z of head 2 of layer 1 is that of a run on `other`
#   forbidden  source 3 may not be read from position 4 on, in any head
#   one-head   source 3 may not be read from position 4 on, in head 3 of layer 0
#   value      v of source 7 is 0 in all heads of layer 0
#   frozen     the same, with all weights of both layers those of the plain run
# `loss` is that of the plain run over all positions, and from position 6 on. `parts` are those of the logit of the last
# token at position 16: token, position, then of each layer four heads, the bias of W_O and the MLP, then the final norm's
# bias. `composition` is Q, K, V × head of layer 0 × head of layer 1; `qk` and `ov` are maps of head 1 of layer 1 over the
# tokens of `some`; `repeat` and `same` are scores, layer × head.
import pathlib
import sys

import torch
from torch.nn import functional as F

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/model"))

import export  # noqa: E402
import measure  # noqa: E402
import novels  # noqa: E402
import tensors  # noqa: E402

TEXT, OTHER = "Xq'tj!Xq'tj!Xq'tj!", "But, soft! what li"
HEADS, LAYERS = 4, 2


def run(model, tokens, change=lambda layer, name, array: array):
    """`change` gets v, masked scores, weights and z of each layer, H×T×…, and gives what takes their place."""
    length, out = len(tokens), {"z": [], "weights": [], "mlp": []}
    state = model.wte.weight[tokens] + model.wpe.weight[:length]
    future = torch.full((length, length), -torch.inf, dtype=state.dtype).triu(1)
    for layer, block in enumerate(model.h):
        qkv = block.attn.c_attn(block.ln_1(state)).view(length, 3, HEADS, -1).permute(1, 2, 0, 3)
        q, k, v = qkv[0], qkv[1], change(layer, "v", qkv[2].clone())
        scores = change(layer, "scores", q @ k.transpose(1, 2) / q.shape[-1] ** 0.5 + future)
        weights = change(layer, "weights", scores.softmax(-1))
        z = change(layer, "z", weights @ v)
        state = state + block.attn.c_proj(z.transpose(0, 1).reshape(length, -1))
        out["mlp"].append(block.mlp(block.ln_2(state)))
        state = state + out["mlp"][-1]
        out["z"].append(z)
        out["weights"].append(weights)
    return out | {"state": state, "logits": model.lm_head(model.ln_f(state))}


def at(name, layers, write):
    """A change of one array in these layers."""
    def change(layer, what, array):
        if what == name and layer in layers:
            write(array)
        return array
    return change


def changes(model, tokens, other, plain):
    def ablate(z):
        z[1] = 0

    def mean(z):
        z[3] = z[3].mean(0)

    def patch(z):
        z[2] = run(model, other)["z"][1][2]

    def forbid(scores):
        scores[:, 4:, 3] = -torch.inf

    def forbid_in_one(scores):
        scores[3, 4:, 3] = -torch.inf

    def silence(v):
        v[:, 7] = 0

    value = at("v", [0], silence)

    def frozen(layer, name, array):
        return plain["weights"][layer] if name == "weights" else value(layer, name, array)

    return {"ablated": at("z", [1], ablate), "mean": at("z", [0], mean), "patched": at("z", [1], patch),
            "forbidden": at("scores", [0, 1], forbid), "one-head": at("scores", [0], forbid_in_one), "value": value,
            "frozen": frozen}


def parts(model, tokens, plain, t, token):
    """Each part through the final norm as it is at t."""
    state, gain, row = plain["state"][t], model.ln_f.weight, model.lm_head.weight[token]
    deviation = (state.var(unbiased=False) + model.ln_f.eps).sqrt()

    def speak(part):
        return (((part - part.mean()) / deviation * gain) @ row).item()

    out = [speak(model.wte.weight[tokens[t]]), speak(model.wpe.weight[t])]
    for layer, block in enumerate(model.h):
        wo = block.attn.c_proj.weight.view(HEADS, -1, len(state))
        out += [speak(plain["z"][layer][h, t] @ wo[h]) for h in range(HEADS)]
        out += [speak(block.attn.c_proj.bias), speak(plain["mlp"][layer][t])]
    return torch.tensor(out + [(model.ln_f.bias @ row).item()])


def maps(block, head):
    """W_QK and W_OV of a head, for row vectors, with the norm's gain folded in."""
    width = block.attn.c_proj.weight.shape[1]
    qkv = (block.ln_1.weight[:, None] * block.attn.c_attn.weight).view(width, 3, HEADS, -1)
    wo = block.attn.c_proj.weight.view(HEADS, -1, width)
    return qkv[:, 0, head] @ qkv[:, 1, head].T, qkv[:, 2, head] @ wo[head]


def composition(model):
    def share(product, a, b):
        return (product.norm() / (a.norm() * b.norm())).item()

    out = torch.empty(3, HEADS, HEADS, dtype=torch.float64)
    for a in range(HEADS):
        for b in range(HEADS):
            ov, (qk, next_ov) = maps(model.h[0], a)[1], maps(model.h[1], b)
            scores = share(ov @ qk, ov, qk), share(qk @ ov.T, qk, ov), share(ov @ next_ov, ov, next_ov)
            out[:, a, b] = torch.tensor(scores)
    return out


def circuits(model, some):
    block, width = model.h[1], model.wte.weight.shape[1]
    qkv = block.attn.c_attn(block.ln_1(model.wte.weight[some])).view(-1, 3, HEADS, width // HEADS)
    q, k, v = qkv[:, :, 1].transpose(0, 1)
    added = v @ block.attn.c_proj.weight.view(HEADS, -1, width)[1]
    added = (added - added.mean(-1, keepdim=True)) * model.ln_f.weight
    return q @ k.T / (width // HEADS) ** 0.5, added @ model.lm_head.weight[some].T


def main():
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    model = export.load(ROOT / "web/data/model.safetensors").double()
    tokens, other = (torch.tensor([novels.CHARACTERS.index(c) for c in text]) for text in (TEXT, OTHER))
    plain, some = run(model, tokens), tokens[:6]
    losses = F.cross_entropy(plain["logits"][:-1], tokens[1:], reduction="none")
    scores = measure.row_means(torch.cat(plain["weights"]), tokens)
    qk, ov = circuits(model, some)
    out = {"loss": torch.stack([losses.mean(), losses[6:].mean()]), "parts": parts(model, tokens, plain, 16, tokens[17]),
           "composition": composition(model), "qk": qk, "ov": ov}
    for name, change in changes(model, tokens, other, plain).items():
        out[name + ".logits"] = run(model, tokens, change)["logits"]
    for name in ("repeat", "same"):
        out[name] = (scores[name][0] / scores[name][1]).view(LAYERS, HEADS)
    out = {name: array.float().numpy() for name, array in out.items()}
    out |= {"tokens": tokens.numpy(), "other": other.numpy(), "some": some.numpy()}
    tensors.write(ROOT / "tests/data/arrays/model-effects.safetensors", out, {"torch": torch.__version__})


main()
