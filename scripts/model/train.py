"""Trains the model, with fixed seeds and steps. Writes its weights along the way, its losses and a log into a folder.

    nice python3 scripts/model/train.py build/model            # the model
    nice python3 scripts/model/train.py build/model --twin     # the same without positions: its losses only

Half of the rows are repeated segments until step 1,500, when a head that copies has formed; then one in five, so that
the model learns to read and write English as well.
"""
import json
import math
import pathlib
import sys
import time

import torch
from torch.nn import functional as F

import measure
import novels
import rows
from decoder import CONFIG, Decoder

SEED, STEPS, ROWS = 2, 6000, 32
KEPT = [0, 50, 100, 200, 400, 600, 800, 1000, 1500, 2000, 3000, STEPS]
RATE, WARM_UP, DECAY, LARGEST_GRADIENT = 3e-3, 100, 0.05, 1.0


def share_of_repeats(step):
    return 0.5 if step < 1500 else 0.2


def rate_at(step):
    """Rises for WARM_UP steps, then falls along a cosine to a fiftieth."""
    if step < WARM_UP:
        return RATE * (step + 1) / WARM_UP
    return RATE * (0.02 + 0.98 * (1 + math.cos(math.pi * (step - WARM_UP) / (STEPS - WARM_UP))) / 2)


def optimiser_of(model):
    matrices = [p for name, p in model.named_parameters() if p.requires_grad and p.dim() == 2]
    others = [p for p in model.parameters() if p.requires_grad and p.dim() < 2]
    groups = [{"params": matrices, "weight_decay": DECAY}, {"params": others, "weight_decay": 0}]
    return torch.optim.AdamW(groups, lr=RATE, betas=(0.9, 0.98))


def learn(model, optimiser, inputs, targets, rate):
    """One step; the losses of all characters before it, 0 where the target is ignored."""
    for group in optimiser.param_groups:
        group["lr"] = rate
    each = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten(), ignore_index=rows.IGNORED, reduction="none")
    optimiser.zero_grad()
    (each.sum() / (targets != rows.IGNORED).sum()).backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), LARGEST_GRADIENT)
    optimiser.step()
    return each.detach().view(targets.shape)


def train(folder, twin):
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    generator = torch.Generator().manual_seed(SEED)
    number = {c: i for i, c in enumerate(novels.CHARACTERS)}
    text, held_out = (torch.tensor([number[c] for c in part]) for part in novels.load(folder))
    characters, length = len(novels.CHARACTERS), CONFIG["n_ctx"]
    model = Decoder(characters, positions=not twin)
    losses, optimiser, begun = measure.Losses(held_out, characters, length), optimiser_of(model), time.time()
    curve, shown = [], None  # shown: a running mean of the loss of natural rows
    for step in range(STEPS + 1):
        if not twin and step in KEPT:
            torch.save(model.state_dict(), folder / f"step-{step}.pt")
        if step % 100 == 0 or step in KEPT:
            natural, repeats = losses.of(model)
            curve.append({"step": step, "train": shown, "validation": natural, "repeats": repeats})
            print(json.dumps({**curve[-1], "seconds": round(time.time() - begun)}), flush=True)
            (folder / ("twin.json" if twin else "curve.json")).write_text(json.dumps(curve))
        if step == STEPS:
            break
        share = share_of_repeats(step)
        inputs, targets = rows.batch(text, ROWS, share, length, characters, generator)
        each = learn(model, optimiser, inputs, targets, rate_at(step))
        plain = each[:ROWS - round(ROWS * share)].mean().item()
        shown = plain if shown is None else 0.98 * shown + 0.02 * plain


if __name__ == "__main__":
    train(pathlib.Path(sys.argv[1]), "--twin" in sys.argv)
