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


def train(folder, twin):
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    generator = torch.Generator().manual_seed(SEED)
    train_text, held_out = novels.load(folder)
    number = {c: i for i, c in enumerate(novels.CHARACTERS)}
    text, other = (torch.tensor([number[c] for c in t]) for t in (train_text, held_out))
    characters, length = len(novels.CHARACTERS), CONFIG["n_ctx"]
    model = Decoder(characters, positions=not twin)
    losses, optimiser, curve, begun = measure.Losses(other, characters, length), optimiser_of(model), [], time.time()
    shown = None  # a running mean of the loss of natural training rows
    for step in range(STEPS + 1):
        if not twin and step in KEPT:
            torch.save(model.state_dict(), folder / f"step-{step}.pt")
        if step % 100 == 0 or step in KEPT:
            natural, repeats = losses.of(model)
            curve.append({"step": step, "train": shown, "validation": natural, "repeats": repeats})
            print(json.dumps({**curve[-1], "seconds": round(time.time() - begun)}), flush=True)
        if step == STEPS:
            break
        for group in optimiser.param_groups:
            group["lr"] = rate_at(step)
        share = share_of_repeats(step)
        inputs, targets = rows.batch(text, ROWS, share, length, characters, generator)
        each = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten(), ignore_index=rows.IGNORED,
                               reduction="none")
        loss = each.sum() / (targets != rows.IGNORED).sum()
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), LARGEST_GRADIENT)
        optimiser.step()
        plain = each.view(ROWS, length)[:ROWS - round(ROWS * share)].mean().item()
        shown = plain if shown is None else 0.98 * shown + 0.02 * plain
    (folder / ("twin.json" if twin else "curve.json")).write_text(json.dumps(curve))
    if not twin:
        print(f"validation, whole: {measure.whole_loss(model, other, length):.4f}")
        for name, values in measure.head_scores(model, other, characters).items():
            print(name, [[round(v, 3) for v in layer] for layer in values])


if __name__ == "__main__":
    train(pathlib.Path(sys.argv[1]), "--twin" in sys.argv)
