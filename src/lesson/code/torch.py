def tensor(values):
    return torch.tensor(values, dtype=torch.float64)


def projected(given, inputs, weights, biases, head):
    if weights is None:
        return tensor(given[head])
    out = inputs @ tensor(weights[head])
    return out if biases is None else out + tensor(biases[head])


def normalised(rows):
    gain = None if norm["gain"] is None else tensor(norm["gain"])
    bias = None if norm["bias"] is None else tensor(norm["bias"])
    return torch.nn.functional.layer_norm(rows, rows.shape[-1:], gain, bias, norm["eps"])


def softmax(scores, may, sink):
    """The softmax over the sources that may be read; 0 everywhere in a row that may read none."""
    masked = scores.masked_fill(~may, -math.inf)
    if sink is not None:
        masked = torch.cat([masked, torch.full_like(masked[:, :1], sink)], dim=-1)
    weights = torch.softmax(masked, dim=-1)[:, : scores.shape[1]]
    return weights.masked_fill(~may.any(-1, keepdim=True), 0.0)


def kept(name, head, computed):
    return tensor(edited[name, head]) if (name, head) in edited else computed


may = torch.tensor(allowed, dtype=torch.bool)
if norm is not None:
    x = kept("x", 0, normalised(tensor(state)))
x = x if x is None or torch.is_tensor(x) else tensor(x)
inputs_of_sources = x if x_sources is None else tensor(x_sources)
all_weights, all_z = [], []
for h in range(heads):
    g = h * key_value_heads // heads
    Q = kept("q", h, projected(q, x, wq, bq, h))
    K = kept("k", h, projected(k, inputs_of_sources, wk, bk, g))
    V = kept("v", h, projected(v, inputs_of_sources, wv, bv, g))
    scores = kept("scores", h, Q @ K.T)
    scaled = scores * scale / temperature
    if softcap is not None:
        scaled = softcap * torch.tanh(scaled / softcap)
    if bias is not None:
        scaled = scaled + tensor(bias[h])
    weights = kept("weights", h, softmax(scaled, may, None if sink is None else sink[h]))
    all_weights.append(weights)
    all_z.append(kept("z", h, weights @ V))
concat = torch.cat(all_z, dim=1)
y = concat if wo is None else concat @ tensor(wo)
if bo is not None:
    y = y + tensor(bo)
residual = None if added_to is None else y + tensor(added_to)

if __name__ == "__main__":
    import json
    listed = lambda array: None if array is None else array.tolist()
    print(json.dumps({"weights": [w.tolist() for w in all_weights], "z": [z.tolist() for z in all_z],
                      "y": listed(y), "residual": listed(residual)}))
