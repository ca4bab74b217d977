"""The model: a decoder in the shape of GPT-2 (Radford et al. 2019), small. Knows neither text nor training.

Names and layouts of the parameters are GPT-2's: weights of linear layers are [in, out], Q, K and V are columns of one
matrix. GELU is its tanh form (Hendrycks and Gimpel 2016).
"""
import math

import torch
from torch import nn
from torch.nn import functional as F

CONFIG = {"n_embd": 64, "n_head": 4, "n_layer": 2, "n_ctx": 64, "activation_function": "gelu_new",
          "layer_norm_epsilon": 1e-5, "tie_word_embeddings": False}


class Linear(nn.Module):
    """x·W + b, begun as PyTorch begins its own: uniform in ±1/√fan_in."""

    def __init__(self, inputs, outputs):
        super().__init__()
        bound = 1 / math.sqrt(inputs)
        self.weight = nn.Parameter(torch.empty(inputs, outputs).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.empty(outputs).uniform_(-bound, bound))

    def forward(self, x):
        return torch.addmm(self.bias, x.reshape(-1, x.shape[-1]), self.weight).view(*x.shape[:-1], -1)


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.heads = config["n_head"]
        self.c_attn = Linear(config["n_embd"], 3 * config["n_embd"])
        self.c_proj = Linear(config["n_embd"], config["n_embd"])
        future = torch.full((config["n_ctx"], config["n_ctx"]), -math.inf).triu(1)
        self.register_buffer("future", future, persistent=False)
        self.weights = None  # B×H×T×T of the last pass

    def forward(self, x):
        batch, length, width = x.shape
        qkv = self.c_attn(x).view(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        # future + q·kᵀ/√d_k, with one walk over the scores instead of three.
        scores = torch.baddbmm(self.future[:length, :length], q.flatten(0, 1), k.flatten(0, 1).transpose(1, 2),
                               alpha=1 / math.sqrt(width // self.heads))
        self.weights = scores.view(batch, self.heads, length, length).softmax(-1)
        return self.c_proj((self.weights @ v).transpose(1, 2).reshape(batch, length, width))


class Mlp(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.c_fc = Linear(config["n_embd"], 4 * config["n_embd"])
        self.c_proj = Linear(4 * config["n_embd"], config["n_embd"])

    def forward(self, x):
        return self.c_proj(F.gelu(self.c_fc(x), approximate="tanh"))


class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.ln_1 = nn.LayerNorm(config["n_embd"], config["layer_norm_epsilon"])
        self.attn = Attention(config)
        self.ln_2 = nn.LayerNorm(config["n_embd"], config["layer_norm_epsilon"])
        self.mlp = Mlp(config)

    def forward(self, state):
        state = state + self.attn(self.ln_1(state))
        return state + self.mlp(self.ln_2(state))


class Decoder(nn.Module):
    """`positions` False: the twin that is never told where a character stands."""

    def __init__(self, characters, config=None, positions=True):
        super().__init__()
        config = config or CONFIG
        width = config["n_embd"]
        self.wte = nn.Embedding(characters, width)
        self.wpe = nn.Embedding(config["n_ctx"], width)
        self.h = nn.ModuleList(Block(config) for _ in range(config["n_layer"]))
        self.ln_f = nn.LayerNorm(width, config["layer_norm_epsilon"])
        self.lm_head = nn.Linear(width, characters, bias=False)
        nn.init.normal_(self.wte.weight, std=0.1)
        nn.init.normal_(self.wpe.weight, std=0.1 if positions else 0)
        self.wpe.weight.requires_grad = positions

    def forward(self, tokens, states=None):
        """Logits B×T×V; `states` gathers the residual stream: embeddings, then after each block."""
        state = self.wte(tokens) + self.wpe.weight[:tokens.shape[-1]]
        for block in self.h:
            if states is not None:
                states.append(state)
            state = block(state)
        if states is not None:
            states.append(state)
        return self.lm_head(self.ln_f(state))

    def attention(self):
        """B×H×T×T of each layer, from the last pass."""
        return [block.attn.weights for block in self.h]
