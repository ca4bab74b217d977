"""What a model does: losses, and what its heads attend to. Trains nothing.

Scores of a head are means over rows of weights, as src/core/head_scores.h defines them: `previous` is the weight on the
position before, from the second row on; `first` that on position 0; `repeat` the weight on all earlier positions that
follow an occurrence of the same character (an induction head); `same` that on earlier positions with the same character
(a duplicate-token head), over rows that have one. Texts: random segments of 6 to 32 characters, each twice.
"""
import torch
from torch.nn import functional as F

import rows


def loss_on(model, inputs, targets):
    """Mean of −ln p(next character), in nats."""
    with torch.no_grad():
        logits = torch.cat([model(part) for part in inputs.split(64)])
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=rows.IGNORED).item()


class Losses:
    """On rows that stay the same throughout a training: natural text, and random segments from their second copy on."""

    def __init__(self, text, characters, length, count=128, seed=7):
        generator = torch.Generator().manual_seed(seed)
        self.natural = rows.pair(rows.natural(text, count, length, generator))
        repeats, segment, _ = rows.repeated(text, count, length, characters, generator, natural_share=0)
        inputs, targets = rows.pair(repeats)
        targets[torch.arange(length)[None] < segment[:, None]] = rows.IGNORED
        self.repeats = inputs, targets

    def of(self, model):
        return loss_on(model, *self.natural), loss_on(model, *self.repeats)


def whole_loss(model, text, length):
    """Over the whole text, in rows side by side."""
    count = (len(text) - 1) // length
    return loss_on(model, text[:count * length].view(count, length), text[1:count * length + 1].view(count, length))


def row_means(weights, tokens):
    """Sums and numbers of rows for one text: weights H×T×T."""
    length = len(tokens)
    i, j = torch.arange(length)[:, None], torch.arange(length)[None]
    same = (tokens[:, None] == tokens[None]) & (j < i)
    after = torch.zeros_like(same)
    after[:, 1:] = same[:, :-1]
    after &= j < i
    cells = {"previous": j == i - 1, "first": (j == 0) & (i > 0), "repeat": after, "same": same}
    return {name: ((weights * where).sum((-2, -1)), int(where.any(1).sum())) for name, where in cells.items()}


def head_scores(model, text, characters, count=256, seed=11):
    """{score: layers × heads}."""
    generator = torch.Generator().manual_seed(seed)
    texts, segment, _ = rows.repeated(text, count, 2 * rows.LONGEST, characters, generator, natural_share=0)
    sums, numbers = {}, {}
    for row, length in zip(texts, segment):
        tokens = row[:2 * length]
        with torch.no_grad():
            model(tokens[None])
        for name, (sum_, number) in row_means(torch.cat(model.attention()), tokens).items():
            sums[name] = sums.get(name, 0) + sum_
            numbers[name] = numbers.get(name, 0) + number
    return {name: (sums[name] / numbers[name]).tolist() for name in sums}
