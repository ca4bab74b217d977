import numpy as np
import torch
from transformers import AutoModel, AutoTokenizer

name, text = "gpt2", "The cat sat down because it was tired."
tokenizer = AutoTokenizer.from_pretrained(name)
model = AutoModel.from_pretrained(name, attn_implementation="eager", torch_dtype=torch.float32)
model.eval()  # without dropout

inputs = tokenizer(text, return_tensors="pt")
with torch.no_grad():
    attentions = model(**inputs, output_attentions=True).attentions

# One array for each layer: (batch, head, destination, source).
arrays = {f"attn_{n}": weights.cpu().numpy() for n, weights in enumerate(attentions)}
tokens = tokenizer.convert_ids_to_tokens(inputs["input_ids"][0].tolist())
np.savez("attn.npz", tokens=np.array(tokens), **arrays)
