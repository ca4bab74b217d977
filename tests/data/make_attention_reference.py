#!/usr/bin/python3
"""Writes attention_reference.inc: random attention problems with their answers, for tests/core.

A plain reading of the definitions, cell by cell, in extended precision; it shares nothing with src/core.
Needs Debian's python3-numpy. With --torch it also checks every problem that torch's
softmax and matrix products can express (python3-torch). Run: ./make_attention_reference.py > attention_reference.inc
"""
import sys

import numpy as np

L = np.longdouble
NEG = L("-inf")

# Defaults of a case; each case names only what differs.
BASE = dict(T=5, S=None, D=4, d_k=3, d_v=2, H=1, G=None, causal=False, align="top-left", window=None, padding=False,
            allowed=None, biases=False, wo=None, bo=False, scale=None, temperature=None, softcap=None, sink=0, alibi=0,
            bias=0, residual="none", gain=False, shift=False, eps=1e-5, given="", spread=1.0)

CASES = [
    ("plain", {}),
    ("causal", dict(causal=True)),
    ("one token", dict(T=1, causal=True)),
    ("longer rows than tokens", dict(T=3, D=11, d_k=9, d_v=7)),
    ("window both ways", dict(T=7, window=2)),
    ("window and causal", dict(T=7, window=3, causal=True)),
    ("window of one", dict(T=4, window=1)),
    ("padding", dict(T=6, padding=True)),
    ("padding and causal", dict(T=6, padding=True, causal=True)),
    ("allowed matrix", dict(T=6, allowed="random")),
    ("a row that may read nothing", dict(T=5, allowed="empty row")),
    ("every part of a mask", dict(T=7, allowed="random", padding=True, causal=True, window=4)),
    ("fewer destinations, causal top-left", dict(T=3, S=6, causal=True)),
    ("fewer destinations, causal bottom-right", dict(T=3, S=6, causal=True, align="bottom-right")),
    ("more destinations, causal bottom-right", dict(T=6, S=4, causal=True, align="bottom-right")),
    ("more destinations, causal top-left", dict(T=6, S=4, causal=True)),
    ("window bottom-right", dict(T=4, S=7, window=2, align="bottom-right")),
    ("cross-attention with weights", dict(T=4, S=6, H=2, biases=True, wo=4, residual="input")),
    ("two heads", dict(H=2)),
    ("four heads over two", dict(H=4, G=2, causal=True, wo=5, bo=True)),
    ("six heads over one", dict(H=6, G=1, D=5)),
    ("eight heads over two with biases", dict(H=8, G=2, biases=True, wo=4, bo=True, residual="input", causal=True)),
    ("given queries, keys and values", dict(given="qkv", H=2)),
    ("given values only", dict(given="v", biases=True)),
    ("given keys and values of another sequence", dict(given="kv", T=3, S=5)),
    ("scale", dict(scale=0.35)),
    ("negative scale", dict(scale=-1.25)),
    ("temperature", dict(temperature=0.7, causal=True)),
    ("temperature and scale", dict(temperature=1.9, scale=1.0)),
    ("softcap", dict(softcap=1.5, spread=3.0)),
    ("sink for all heads", dict(H=2, sink=1, causal=True)),
    ("sink per head", dict(H=3, sink=3)),
    ("sink and a row that may read nothing", dict(sink=1, allowed="empty row")),
    ("bias for all heads", dict(H=2, bias=1)),
    ("bias per head", dict(H=2, bias=2, causal=True)),
    ("alibi", dict(H=4, alibi=4, causal=True)),
    ("alibi bottom-right beside a bias", dict(T=3, S=6, alibi=1, bias=1, align="bottom-right")),
    ("every score rule", dict(T=6, H=2, scale=0.9, temperature=1.3, softcap=2.0, bias=2, alibi=2, sink=2, causal=True,
                              spread=2.0)),
    ("large scores", dict(spread=12.0, scale=1.0)),
    ("residual state", dict(wo=6, residual="state")),
    ("bo without wo", dict(bo=True, d_v=4, residual="input")),
    ("pre-norm", dict(wo=4, residual="norm", causal=True)),
    ("pre-norm with gain and bias", dict(T=6, D=8, H=2, wo=8, bo=True, biases=True, residual="norm", gain=True,
                                         shift=True, eps=1e-3)),
    ("a whole block", dict(T=8, D=8, H=4, G=2, d_k=4, d_v=4, wo=8, bo=True, biases=True, residual="norm", gain=True,
                           shift=True, causal=True, window=5, padding=True, softcap=3.0, alibi=4, sink=4)),
]


def make(case, rng):
    """The inputs of one problem; numbers have two decimals so that the file stays small."""
    def draw(*shape):
        return np.round(rng.normal(size=shape) * case["spread"], 2)

    T, cross = case["T"], case["S"] is not None
    S = case["S"] or T
    H, G = case["H"], case["G"] or case["H"]
    p = dict(T=T, S=S, cross=cross)
    for name, heads, width, rows in (("q", H, case["d_k"], T), ("k", G, case["d_k"], S), ("v", G, case["d_v"], S)):
        if name in case["given"]:
            p[name] = [draw(rows, width) for _ in range(heads)]
            continue
        p["w" + name] = [draw(case["D"], width) for _ in range(heads)]
        if case["biases"]:
            p["b" + name] = [draw(width) for _ in range(heads)]
    if case["residual"] in ("norm", "state"):
        p["state"] = draw(T, case["D"] if case["residual"] == "norm" else case["wo"])
    if case["residual"] != "norm" and ("wq" in p or case["residual"] == "input" or (not cross and case["given"] == "v")):
        p["x"] = draw(T, case["D"])
    if cross and "wk" in p:
        p["x_sources"] = draw(S, case["D"])
    if case["wo"]:
        p["wo"] = draw(H * case["d_v"], case["wo"])
    if case["bo"]:
        p["bo"] = draw(case["wo"] or H * case["d_v"])
    if case["gain"]:
        p["gain"] = draw(case["D"])
    if case["shift"]:
        p["shift"] = draw(case["D"])
    for name in ("sink", "alibi"):
        if case[name]:
            p[name] = np.round(rng.uniform(0.1, 1.0, size=case[name]), 2)
    if case["bias"]:
        p["bias"] = [draw(T, S) for _ in range(case["bias"])]
    if case["padding"]:
        p["padding"] = np.array([j not in (1, S - 1) for j in range(S)])
    if case["allowed"]:
        p["allowed"] = rng.random((T, S)) < 0.6
        if case["allowed"] == "empty row":
            p["allowed"][2, :] = False
    return p


def may_read(case, p, i, j):
    position = i if case["align"] == "top-left" else i + p["S"] - p["T"]
    if case["causal"] and j > position:
        return False
    if case["window"] is not None and abs(position - j) >= case["window"]:
        return False
    if "padding" in p and not p["padding"][j]:
        return False
    return "allowed" not in p or bool(p["allowed"][i, j])


def solve(case, p):
    """Every result, cell by cell."""
    T, S, H = p["T"], p["S"], case["H"]
    G = case["G"] or H
    out = {"heads": []}
    if case["residual"] == "norm":
        x = np.zeros((T, case["D"]), L)
        for i in range(T):
            row = [L(value) for value in p["state"][i]]
            mean = sum(row) / len(row)
            variance = sum((value - mean) ** 2 for value in row) / len(row)
            for d, value in enumerate(row):
                x[i, d] = (value - mean) / np.sqrt(variance + L(case["eps"]))
                x[i, d] = x[i, d] * (L(p["gain"][d]) if case["gain"] else 1) + (L(p["shift"][d]) if case["shift"] else 0)
        out["x"] = x
    else:
        x = p["x"].astype(L) if "x" in p else None
    source = p["x_sources"].astype(L) if "x_sources" in p else (None if p["cross"] else x)

    def projected(name, head, given):
        if name in p:
            return p[name][head].astype(L)
        value = np.einsum("td,dk->tk", given, p["w" + name][head].astype(L))
        return value + p["b" + name][head].astype(L) if "b" + name in p else value

    for h in range(H):
        shared = h // (H // G)
        r = dict(q=projected("q", h, x), k=projected("k", shared, source), v=projected("v", shared, source))
        scale = L(case["scale"]) if case["scale"] is not None else 1 / np.sqrt(L(case["d_k"]))
        for name in ("scores", "scaled", "biased", "masked", "exp", "weights"):
            r[name] = np.zeros((T, S), L)
        r["z"] = np.zeros((T, case["d_v"]), L)
        r["row_max"], r["row_sum"] = np.zeros(T, L), np.zeros(T, L)
        for i in range(T):
            position = i if case["align"] == "top-left" else i + S - T
            for j in range(S):
                r["scores"][i, j] = sum(r["q"][i, c] * r["k"][j, c] for c in range(case["d_k"]))
                s = r["scores"][i, j] * scale
                if case["temperature"] is not None:
                    s = s / L(case["temperature"])
                r["scaled"][i, j] = s
                if case["softcap"] is not None:
                    s = L(case["softcap"]) * np.tanh(s / L(case["softcap"]))
                if "bias" in p:
                    s = s + L(p["bias"][h if len(p["bias"]) > 1 else 0][i, j])
                if "alibi" in p:
                    s = s - L(p["alibi"][h if len(p["alibi"]) > 1 else 0]) * abs(position - j)
                r["biased"][i, j] = s
                r["masked"][i, j] = s if may_read(case, p, i, j) else NEG
            readable = [j for j in range(S) if r["masked"][i, j] > NEG]
            r["row_max"][i] = max((r["masked"][i, j] for j in readable), default=NEG)
            for j in readable:
                r["exp"][i, j] = np.exp(r["masked"][i, j] - r["row_max"][i])
            r["row_sum"][i] = sum(r["exp"][i])
            total = r["row_sum"][i]
            if "sink" in p:
                total = total + np.exp(L(p["sink"][h if len(p["sink"]) > 1 else 0]) - r["row_max"][i])
            for j in readable:
                r["weights"][i, j] = r["exp"][i, j] / total
                for c in range(case["d_v"]):
                    r["z"][i, c] += r["weights"][i, j] * r["v"][j, c]
        out["heads"].append(r)
    out["concat"] = np.concatenate([r["z"] for r in out["heads"]], axis=1)
    y = np.einsum("tc,co->to", out["concat"], p["wo"].astype(L)) if "wo" in p else out["concat"].copy()
    out["y"] = y + p["bo"].astype(L) if "bo" in p else y
    if case["residual"] == "input":
        out["residual"] = out["y"] + x
    elif case["residual"] != "none":
        out["residual"] = out["y"] + p["state"].astype(L)
    return out


def check_with_torch(name, case, p, out):
    """Second opinion on the heads, where every row may read something."""
    import torch
    if any(NEG in r["row_max"] for r in out["heads"]):
        return False
    for h, r in enumerate(out["heads"]):
        q, k, v, masked, biased = (torch.tensor(r[n].astype(float)) for n in ("q", "k", "v", "masked", "biased"))
        scores = q @ k.mT * (case["scale"] if case["scale"] is not None else case["d_k"] ** -0.5)
        scores /= case["temperature"] or 1
        if case["softcap"] is not None:
            scores = case["softcap"] * torch.tanh(scores / case["softcap"])
        if "bias" in p:
            scores += torch.tensor(p["bias"][h if len(p["bias"]) > 1 else 0])
        if "alibi" not in p:
            assert torch.allclose(scores, biased, rtol=1e-12, atol=1e-12), (name, h)
        scores = biased.masked_fill(torch.isinf(masked), float("-inf"))
        if "sink" in p:
            sink = torch.full((p["T"], 1), p["sink"][h if len(p["sink"]) > 1 else 0], dtype=torch.float64)
            scores = torch.cat((scores, sink), dim=1)
        weights = torch.softmax(scores, dim=1)[:, :p["S"]]
        assert torch.allclose(weights, torch.tensor(r["weights"].astype(float)), rtol=1e-12, atol=1e-15), (name, h)
        assert torch.allclose(weights @ v, torch.tensor(r["z"].astype(float)), rtol=1e-12, atol=1e-12), (name, h)
    return True


def number(value):
    value = float(value)
    return "%d" % value if value == int(value) and abs(value) < 1e6 else repr(value)


def line(*words):
    print(" ".join(str(w) for w in words))


def array(kind, name, head, value):
    value = np.atleast_2d(np.asarray(value))
    line(kind, name, head, *value.shape, *("-inf" if v == NEG else number(v) for v in value.flat))


def write(name, case, p, out):
    print('R"(', end="")
    line("problem", name.replace(" ", "_"))
    line("size", p["T"], p["S"], int(p["cross"]))
    if case["causal"]:
        line("rule", "causal", 1)
    if case["align"] != "top-left":
        line("rule", "bottom-right", 1)
    for rule in ("window", "scale", "temperature", "softcap"):
        if case[rule] is not None:
            line("rule", rule, number(case[rule]))
    if case["residual"] != "none":
        line("rule", "residual-" + case["residual"], number(case["eps"]))
    for key in ("x", "x_sources", "wo", "bo", "state", "gain", "shift", "sink", "alibi", "padding", "allowed"):
        if key in p:
            array("in", key, 0, p[key])
    for key in ("wq", "wk", "wv", "bq", "bk", "bv", "q", "k", "v", "bias"):
        for head, value in enumerate(p.get(key, [])):
            array("in", key, head, value)
    for key in ("x", "concat", "y", "residual"):
        if key in out:
            array("out", key, 0, out[key])
    for head, r in enumerate(out["heads"]):
        for key in ("q", "k", "v", "scores", "scaled", "masked", "row_max", "row_sum", "exp", "weights", "z"):
            array("out", key, head, r[key])
    print(')",')


def main():
    print("// Written by make_attention_reference.py: random attention problems and their answers.")
    checked = 0
    for seed, (name, changes) in enumerate(CASES):
        case = {**BASE, **changes}
        p = make(case, np.random.default_rng(1000 + seed))
        out = solve(case, p)
        if "--torch" in sys.argv:
            checked += check_with_torch(name, case, p, out)
        write(name, case, p, out)
    if "--torch" in sys.argv:
        print(f"torch agrees on {checked} of {len(CASES)} problems", file=sys.stderr)


main()
