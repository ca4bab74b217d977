#!/usr/bin/python3
"""Writes *.pt and *.safetensors to tests/data/arrays/, and torch_expected.json with what they hold, bit for bit.

Run with PyTorch 1.13 (Debian's python3-torch, libopenblas0-pthread): python3 tests/data/make_torch_files.py
multihead.npz and sdpa.npz are written by the code that the page "Export from a framework" offers (src/survey/code).
The .safetensors files are written here by the description of the format, not by the safetensors package. Running this
again gives the same bytes, but for old.pt.

torch_expected.json: {"FILE": [{"name", "dtype", "shape", "bits"}]} in the order of the file; `bits` are those of all
elements in C order, little-endian, as hexadecimal digits. Of texts there is "texts" instead, of what cannot be read
"unreadable", the word that a reader must name.
"""
import argparse
import collections
import json
import math
import pathlib
import runpy
import struct
import sys
import types
import warnings
import zipfile

import torch

FOLDER = pathlib.Path(__file__).parent / "arrays"
expected = {}

WIDTHS = {torch.float64: torch.int64, torch.float32: torch.int32, torch.float16: torch.int16,
          torch.bfloat16: torch.int16, torch.bool: torch.uint8}


def bits(tensor):
    tensor = tensor.detach().contiguous()
    return tensor.view(WIDTHS.get(tensor.dtype, tensor.dtype)).numpy().tobytes()


def describe(name, value):
    if isinstance(value, str):
        return {"name": name, "unreadable": value}
    if isinstance(value, list):
        return {"name": name, "dtype": "text", "shape": [len(value)], "texts": value}
    return {"name": name, "dtype": str(value.dtype)[6:], "shape": list(value.shape), "bits": bits(value).hex()}


def save(name, value, wanted, **options):
    torch.save(value, FOLDER / name, **options)
    expected[name] = [describe(*one) for one in wanted]


def numbers(*shape, dtype=torch.float32, start=0):
    """No two rows or columns alike."""
    count = 1
    for n in shape:
        count *= n
    return (torch.arange(start, start + count, dtype=torch.float64) * 37 % 101 - 50).to(dtype).reshape(shape)


def attentions(layers):
    return tuple(torch.softmax(numbers(1, 2, 4, 4, start=32 * n) / 25, -1) for n in range(layers))


def containers():
    atts = attentions(3)
    save("attentions.pt", atts, [(str(n), a) for n, a in enumerate(atts)])
    save("alone.pt", numbers(2, 3), [("alone", numbers(2, 3))])
    save("protocol4.pt", {"a": numbers(2, 3)}, [("a", numbers(2, 3))], pickle_protocol=4)
    tokens = ["[CLS]", "the", "caf\u00e9", "\U0001f642", "", "[SEP]"]
    save("protocol5.pt", tokens, [("protocol5", tokens)], pickle_protocol=5)
    deep = {"a": {"b": [numbers(2), {"c": numbers(1, 2)}]}}
    save("dictionary.pt",
         {"attentions": atts[:2], "tokens": tokens, "batch": [["a", "b"], ["c"]], "loss": 0.5, "step": 2**70, "none": None,
          "shape": torch.Size([2, 3]), "device": torch.device("cpu"), "dtype": torch.float16, "text": "x", "list": [1, 2, 3],
          "set": {1}, "bytes": b"\x00\xff", 7: numbers(3), "deep": deep, ("k", 1): numbers(1)},
         [("attentions.0", atts[0]), ("attentions.1", atts[1]), ("tokens", tokens), ("batch.0", ["a", "b"]),
          ("batch.1", ["c"]), ("7", numbers(3)), ("deep.a.b.0", numbers(2)), ("deep.a.b.1.c", numbers(1, 2)),
          ("#15", numbers(1))])


def modules():
    torch.manual_seed(1)
    model = torch.nn.Sequential(collections.OrderedDict(
        layer=torch.nn.ModuleList([torch.nn.Linear(3, 2), torch.nn.LayerNorm(2)]),
        attention=torch.nn.MultiheadAttention(2, 1)))
    state = model.state_dict()
    save("state_dict.pt", {"model": state, "epoch": 3}, [(f"model.{name}", value) for name, value in state.items()])
    parameter = torch.nn.Parameter(numbers(2, 2))
    tied = numbers(4)
    save("parameters.pt", {"p": parameter, "tied": tied, "again": tied, "named": argparse.Namespace(a=1, t=tied)},
         [("p", parameter), ("tied", tied), ("again", tied), ("named.t", tied)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        save("whole_model.pt", torch.nn.Linear(2, 1), [])
    save("old.pt", {"a": tied}, [], _use_new_zipfile_serialization=False)


def model_output():
    """A class as Hugging Face's outputs of models: a dictionary that is also a dataclass."""
    module = types.ModuleType("transformers.modeling_outputs")

    class BaseModelOutput(collections.OrderedDict):
        def __reduce__(self):
            call, _, *rest = super().__reduce__()
            return (call, (self["last_hidden_state"], None, self["attentions"]), *rest)

    BaseModelOutput.__module__, BaseModelOutput.__qualname__ = module.__name__, "BaseModelOutput"
    module.BaseModelOutput = BaseModelOutput
    sys.modules["transformers"], sys.modules[module.__name__] = types.ModuleType("transformers"), module
    output = BaseModelOutput(last_hidden_state=numbers(1, 4, 3), attentions=attentions(2))
    for name, value in output.items():
        setattr(output, name, value)
    save("model_output.pt", output,
         [("last_hidden_state", output["last_hidden_state"])] +
         [(f"attentions.{n}", a) for n, a in enumerate(output["attentions"])])


def types_and_views():
    kinds = [torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.int8, torch.uint8, torch.int16,
             torch.int32, torch.int64]
    values = {str(kind)[6:]: numbers(2, 3, dtype=torch.float64).abs().to(kind) if kind == torch.uint8
              else numbers(2, 3, dtype=kind) for kind in kinds}
    values["bool"] = numbers(2, 3) > 0
    special = torch.tensor([0x7fc00001, -0x400000, 0x7f800000, -0x800000, -0x80000000, 1, 0x7f7fffff], dtype=torch.int32)
    values["special32"] = special.view(torch.float32)
    values["special16"] = torch.tensor([0x7e01, 0x7c00, -0x400, -0x8000, 1, 0x7bff], dtype=torch.int16).view(torch.float16)
    save("types.pt", values, list(values.items()))

    base = numbers(3, 4, 5)
    views = {"base": base, "part": base[1], "turned": base.transpose(0, 2), "turned_part": base[1:, :, 2:].permute(2, 0, 1),
             "every_other": base[::2, 1::2, ::3], "spread": base[:, :1, :1].expand(3, 2, 2), "one": base[2, 3, 4],
             "none": base[:, 2:2], "diagonal": torch.diagonal(base[0])}
    save("views.pt", views, list(views.items()))
    big = numbers(2, 2).T
    save("turned.pt", big, [("turned", big)])
    odd = {"complex": torch.zeros(2, dtype=torch.complex64), "sparse": numbers(2, 2).to_sparse(),
           "quantised": torch.quantize_per_tensor(numbers(2), 0.1, 0, torch.qint8),
           "meta": torch.empty(2, device="meta"), "numpy": numbers(2).numpy(), "plain": numbers(2)}
    words = {"complex": "complex64", "sparse": "sparse", "quantised": "quantised", "meta": "meta", "numpy": "NumPy"}
    save("odd.pt", odd, [(name, words.get(name, value)) for name, value in odd.items()])


def compressed():
    """The same archive with every member deflated, as somebody may pack it again."""
    with zipfile.ZipFile(FOLDER / "attentions.pt") as old:
        with zipfile.ZipFile(FOLDER / "repacked.pt", "w", zipfile.ZIP_DEFLATED) as new:
            for info in old.infolist():
                new.writestr(zipfile.ZipInfo(info.filename), old.read(info), zipfile.ZIP_DEFLATED)
    expected["repacked.pt"] = expected["attentions.pt"]


def safetensors(name, tensors, metadata=None, pad=8):
    names = {torch.float64: "F64", torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16", torch.int64: "I64",
             torch.int32: "I32", torch.int16: "I16", torch.int8: "I8", torch.uint8: "U8", torch.bool: "BOOL"}
    header, data = {}, b""
    if metadata:
        header["__metadata__"] = metadata
    for key, tensor in tensors.items():
        end = len(data) + len(bits(tensor))
        header[key] = {"dtype": names[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [len(data), end]}
        data += bits(tensor)
    text = json.dumps(header, ensure_ascii=False).encode()
    text += b" " * (-len(text) % pad)
    (FOLDER / name).write_bytes(struct.pack("<Q", len(text)) + text + data)
    expected[name] = [describe(key, tensor) for key, tensor in tensors.items()]


def offered(name):
    """What the code of that name in src/survey/code defines."""
    return runpy.run_path(str(pathlib.Path(__file__).parents[2] / "src/survey/code" / f"{name}.py"))


def exports(folder):
    torch.manual_seed(2)
    module = torch.nn.MultiheadAttention(8, 2, batch_first=True)
    offered("multihead")["export"](module, torch.randn(1, 5, 8), folder / "multihead.npz")
    functional = torch.nn.functional
    if not hasattr(functional, "scaled_dot_product_attention"):  # before PyTorch 2
        def attention(query, key, value, is_causal):
            scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
            later = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
            return torch.softmax(scores.masked_fill(later, -math.inf), -1) @ value
        functional.scaled_dot_product_attention = attention
    with torch.no_grad(), offered("sdpa")["export"](folder / "sdpa.npz"):
        for _ in range(2):
            functional.scaled_dot_product_attention(*torch.randn(3, 1, 2, 4, 3), is_causal=True)


def main():
    exports(FOLDER)
    containers()
    modules()
    model_output()
    types_and_views()
    compressed()
    tensors = {"double": numbers(2, 3, dtype=torch.float64), "long": numbers(3, dtype=torch.int64),
               "attn.0": attentions(1)[0], "scalar": torch.tensor(0.5), "none": torch.zeros(0, 3),
               "bf\u00e9": numbers(2, 2, dtype=torch.bfloat16), "half": numbers(3, dtype=torch.float16),
               "byte": numbers(3, dtype=torch.int8), "mask": numbers(3) > 0}
    safetensors("mixed.safetensors", tensors, {"format": "pt"})
    # Without padding and with odd places: nothing in it is aligned.
    safetensors("unaligned.safetensors", {"mask": numbers(3) > 0, "x": numbers(2, 2), "d": numbers(1, dtype=torch.float64)},
                pad=1)
    lines = [f"{json.dumps(name)}: [\n" + ",\n".join(json.dumps(one) for one in arrays) + "]"
             for name, arrays in expected.items()]
    (FOLDER / "torch_expected.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
