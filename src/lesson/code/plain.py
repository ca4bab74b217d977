def matmul(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def add(a, b):
    return [[x + y for x, y in zip(row, other)] for row, other in zip(a, b)]


def projected(given, inputs, weights, biases, head):
    if weights is None:
        return given[head]
    out = matmul(inputs, weights[head])
    return out if biases is None else [[x + b for x, b in zip(row, biases[head])] for row in out]


def normalised(row):
    mean = sum(row) / len(row)
    variance = sum((value - mean) ** 2 for value in row) / len(row)
    out = [(value - mean) / math.sqrt(variance + norm["eps"]) for value in row]
    if norm["gain"] is not None:
        out = [value * gain for value, gain in zip(out, norm["gain"])]
    return out if norm["bias"] is None else [value + bias for value, bias in zip(out, norm["bias"])]


def softmax(row, may, sink):
    """The softmax over the sources that may be read; 0 everywhere in a row that may read none."""
    read = [score for score, ok in zip(row, may) if ok and score > -math.inf]
    if not read:
        return [0.0] * len(row)
    largest = max(read)
    exp = [math.exp(score - largest) if ok else 0.0 for score, ok in zip(row, may)]
    total = sum(exp) + (0.0 if sink is None else math.exp(sink - largest))
    return [value / total for value in exp]


if norm is not None:
    x = edited.get(("x", 0), [normalised(row) for row in state])
inputs_of_sources = x if x_sources is None else x_sources
all_weights, all_z = [], []
for h in range(heads):
    g = h * key_value_heads // heads
    Q = edited.get(("q", h), projected(q, x, wq, bq, h))
    K = edited.get(("k", h), projected(k, inputs_of_sources, wk, bk, g))
    V = edited.get(("v", h), projected(v, inputs_of_sources, wv, bv, g))
    scores = edited.get(("scores", h), matmul(Q, list(zip(*K))))
    scaled = [[score * scale / temperature for score in row] for row in scores]
    if softcap is not None:
        scaled = [[softcap * math.tanh(score / softcap) for score in row] for row in scaled]
    if bias is not None:
        scaled = add(scaled, bias[h])
    weights = [softmax(row, may, None if sink is None else sink[h]) for row, may in zip(scaled, allowed)]
    weights = edited.get(("weights", h), weights)
    z = edited.get(("z", h), matmul(weights, V))
    all_weights.append(weights)
    all_z.append(z)
concat = [[value for z in all_z for value in z[i]] for i in range(len(tokens))]
y = concat if wo is None else matmul(concat, wo)
if bo is not None:
    y = [[value + b for value, b in zip(row, bo)] for row in y]
residual = None if added_to is None else add(y, added_to)

if __name__ == "__main__":
    import json
    print(json.dumps({"weights": all_weights, "z": all_z, "y": y, "residual": residual}))
