import contextlib

import numpy as np
import torch.nn.functional as F


@contextlib.contextmanager
def export(path):
    """Writes q, k, v and what is mixed of every call of F.scaled_dot_product_attention within the block."""
    arrays, original, calls = {}, F.scaled_dot_product_attention, 0

    def recording(query, key, value, *args, **kwargs):
        nonlocal calls
        mixed = original(query, key, value, *args, **kwargs)
        for name, array in {"q": query, "k": key, "v": value, "z": mixed}.items():
            arrays[f"layer_{calls}_{name}"] = array.detach().float().cpu().numpy()
        calls += 1
        return mixed

    F.scaled_dot_product_attention = recording
    try:
        yield
    finally:
        F.scaled_dot_product_attention = original
    np.savez(path, **arrays)


# model.eval()
# with torch.no_grad(), export("attn.npz"):
#     model(inputs)
