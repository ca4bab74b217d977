"""Rows of characters to train on and to measure with, as numbers. Knows no model.

A natural row is a piece of the text. A repeated row is a segment, repeated to the end of the row: of characters drawn at
random, or of the text.
"""
import torch

SHORTEST, LONGEST = 6, 32  # of a segment
IGNORED = -100  # a target that nothing can predict: of a random segment, all up to the first of its second copy


def natural(text, count, length, generator):
    """count×(length + 1)."""
    starts = torch.randint(len(text) - length, (count,), generator=generator)
    return text[starts[:, None] + torch.arange(length + 1)]


def repeated(text, count, length, characters, generator, natural_share=0.5):
    """(rows count×(length + 1), the length of each one's segment, whether it is random)."""
    segment = torch.randint(SHORTEST, LONGEST + 1, (count,), generator=generator)
    drawn = torch.randint(characters, (count, LONGEST), generator=generator)
    random = torch.rand(count, generator=generator) >= natural_share
    source = torch.where(random[:, None], drawn, natural(text, count, LONGEST - 1, generator))
    places = torch.arange(length + 1)[None] % segment[:, None]
    return source.gather(1, places), segment, random


def pair(rows):
    """What is read, and what is to come after each of it."""
    return rows[:, :-1], rows[:, 1:].clone()


def batch(text, count, share, length, characters, generator):
    """`share` of the rows are repeated ones."""
    repeats = round(count * share)
    inputs, targets = pair(natural(text, count - repeats, length, generator))
    rows, segment, random = repeated(text, repeats, length, characters, generator)
    more_inputs, more_targets = pair(rows)
    unknown = torch.arange(length)[None] < segment[:, None]
    more_targets[random[:, None] & unknown] = IGNORED
    return torch.cat([inputs, more_inputs]), torch.cat([targets, more_targets])
