# The arrays of a GPT-2 under Hugging Face's names, without a head of its own: {name: shape}.


def shapes(vocabulary, context, width, layers):
    found = {"wte.weight": (vocabulary, width), "wpe.weight": (context, width), "ln_f.weight": (width,), "ln_f.bias": (width,)}
    for layer in range(layers):
        for name, (inputs, outputs) in {"attn.c_attn": (width, 3 * width), "attn.c_proj": (width, width),
                                        "mlp.c_fc": (width, 4 * width), "mlp.c_proj": (4 * width, width)}.items():
            found |= {f"h.{layer}.{name}.weight": (inputs, outputs), f"h.{layer}.{name}.bias": (outputs,)}
        for norm in ("ln_1", "ln_2"):
            found |= {f"h.{layer}.{norm}.weight": (width,), f"h.{layer}.{norm}.bias": (width,)}
    return found


def is_gain(name):
    return "ln_" in name and name.endswith("weight")
