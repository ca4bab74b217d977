import numpy as np
import torch


def export(attention, x, path):
    """Of a torch.nn.MultiheadAttention with batch_first=True that reads x: (1, positions, features)."""
    attention.eval()
    with torch.no_grad():
        y, weights = attention(x, x, x, need_weights=True, average_attn_weights=False)
        q, k, v = torch.nn.functional.linear(x, attention.in_proj_weight, attention.in_proj_bias).chunk(3, dim=-1)
    arrays = {"q": q, "k": k, "v": v, "weights": weights, "y": y}
    np.savez(path, **{name: array.float().cpu().numpy() for name, array in arrays.items()})
