def projected(given, inputs, weights, biases, head):
    if weights is None:
        return np.array(given[head])
    out = inputs @ np.array(weights[head])
    return out if biases is None else out + np.array(biases[head])


def normalised(rows):
    out = (rows - rows.mean(-1, keepdims=True)) / np.sqrt(rows.var(-1, keepdims=True) + norm["eps"])
    if norm["gain"] is not None:
        out = out * np.array(norm["gain"])
    return out if norm["bias"] is None else out + np.array(norm["bias"])


def softmax(scores, may, sink):
    """The softmax over the sources that may be read; 0 everywhere in a row that may read none."""
    masked = np.where(may, scores, -np.inf)
    largest = masked.max(-1, keepdims=True)
    finite = np.where(np.isfinite(largest), largest, 0.0)
    exp = np.exp(masked - finite)
    total = exp.sum(-1, keepdims=True)
    if sink is not None:
        total = total + np.where(np.isfinite(largest), np.exp(sink - finite), 0.0)
    return np.divide(exp, total, out=np.zeros_like(exp), where=total > 0)


def kept(name, head, computed):
    return np.array(edited[name, head]) if (name, head) in edited else computed


may = np.array(allowed, dtype=bool)
if norm is not None:
    x = kept("x", 0, normalised(np.array(state)))
x = None if x is None else np.array(x)
inputs_of_sources = x if x_sources is None else np.array(x_sources)
all_weights, all_z = [], []
for h in range(heads):
    g = h * key_value_heads // heads
    Q = kept("q", h, projected(q, x, wq, bq, h))
    K = kept("k", h, projected(k, inputs_of_sources, wk, bk, g))
    V = kept("v", h, projected(v, inputs_of_sources, wv, bv, g))
    scores = kept("scores", h, Q @ K.T)
    scaled = scores * scale / temperature
    if softcap is not None:
        scaled = softcap * np.tanh(scaled / softcap)
    if bias is not None:
        scaled = scaled + np.array(bias[h])
    weights = kept("weights", h, softmax(scaled, may, None if sink is None else sink[h]))
    all_weights.append(weights)
    all_z.append(kept("z", h, weights @ V))
concat = np.concatenate(all_z, axis=1)
y = concat if wo is None else concat @ np.array(wo)
if bo is not None:
    y = y + np.array(bo)
residual = None if added_to is None else y + np.array(added_to)

if __name__ == "__main__":
    import json
    listed = lambda array: None if array is None else array.tolist()
    print(json.dumps({"weights": [w.tolist() for w in all_weights], "z": [z.tolist() for z in all_z],
                      "y": listed(y), "residual": listed(residual)}))
