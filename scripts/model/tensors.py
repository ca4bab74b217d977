"""safetensors files, written and read without the package of that name. Knows no model.

Eight bytes of length, a JSON header, then the tensors without gaps. Here: the widest types first, then by name, as that
package writes them.
"""
import json
import struct

import numpy

TYPES = {"float16": "F16", "float32": "F32", "int64": "I64"}


def write(path, tensors, metadata):
    """`tensors`: {name: NumPy array}; `metadata`: {key: text}."""
    header, at, order = {"__metadata__": metadata}, 0, sorted(tensors, key=lambda n: (-tensors[n].itemsize, n))
    for name in order:
        array = tensors[name]
        header[name] = {"dtype": TYPES[array.dtype.name], "shape": list(array.shape), "data_offsets": [at, at + array.nbytes]}
        at += array.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(tensors[n].tobytes() for n in order))


def read(path):
    """(tensors, metadata)."""
    whole = path.read_bytes()
    length, = struct.unpack_from("<Q", whole)
    header = json.loads(whole[8:8 + length])
    metadata, names = header.pop("__metadata__", {}), {v: k for k, v in TYPES.items()}
    tensors = {}
    for name, tensor in header.items():
        begin, end = (8 + length + offset for offset in tensor["data_offsets"])
        tensors[name] = numpy.frombuffer(whole[begin:end], names[tensor["dtype"]]).reshape(tensor["shape"])
    return tensors, metadata
