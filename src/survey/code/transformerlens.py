import numpy as np
import torch
from transformer_lens import HookedTransformer

text = "The cat sat down because it was tired."
model = HookedTransformer.from_pretrained("gpt2")
model.eval()

# Queries and keys as they are multiplied: behind the rotary step where the model has one.
turned = model.cfg.positional_embedding_type == "rotary"
kept = ["hook_v", "hook_attn_scores", "hook_pattern", "hook_z"]
kept += ["hook_rot_q", "hook_rot_k"] if turned else ["hook_q", "hook_k"]
with torch.no_grad():
    _, cache = model.run_with_cache(text, remove_batch_dim=True)

arrays = {name: array.float().cpu().numpy() for name, array in cache.items() if name.split(".")[-1] in kept}
np.savez("attn.npz", tokens=np.array(model.to_str_tokens(text)), **arrays)
