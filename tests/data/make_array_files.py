#!/usr/bin/env python3
"""Writes tests/data/arrays/: small files by NumPy itself, and expected.json with what they hold, bit for bit.

Run with NumPy 1.24 or later: python3 tests/data/make_array_files.py
The files are kept in the repository; running this again gives the same bytes under the same NumPy and Python.

expected.json: {"FILE": {"ARRAY": {"dtype", "shape", "crc32", "first"}}}. `crc32` is the sum of all elements' bits in C
order, little-endian, as eight hexadecimal digits; `first` the bits of up to four elements, one text each, little-endian.
"""
import io
import json
import pathlib
import struct
import warnings
import zipfile
import zlib

import numpy as np

FOLDER = pathlib.Path(__file__).parent / "arrays"
expected = {}


def bits(array):
    """All elements in C order, little-endian, as bytes."""
    return np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes()


def describe(array, dtype=None):
    data = bits(array)
    each = array.dtype.itemsize
    return {
        "dtype": dtype or (array.dtype.name if array.dtype.kind not in "US" else "text"),
        "shape": list(array.shape),
        "crc32": f"{zlib.crc32(data):08x}",
        "first": [data[i * each:(i + 1) * each].hex() for i in range(min(4, array.size))],
    }


def save(name, array, dtype=None, **options):
    with open(FOLDER / name, "wb") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.lib.format.write_array(file, array, allow_pickle=False, **options)
    expected[name] = {name[:-4]: describe(array, dtype)}


def raw(name, header, data, version=(1, 0), described=None):
    """A file with a header that NumPy reads but does not write."""
    body = header.encode("latin1") + b"\n"
    size = struct.pack("<H" if version == (1, 0) else "<I", len(body))
    (FOLDER / name).write_bytes(b"\x93NUMPY" + bytes(version) + size + body + data)
    array, dtype = described
    expected[name] = {name[:-4]: describe(array, dtype)}


def values(dtype, shape=(2, 3, 5)):
    """Numbers of every kind that the type has, no two rows or columns alike."""
    random = np.random.RandomState(7)
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        array = random.standard_normal(shape).astype(dtype.newbyteorder("="))
        flat = array.reshape(-1)
        special = [0.0, -0.0, np.inf, -np.inf, np.nan, np.finfo(array.dtype).tiny / 4]
        flat[:len(special)] = special[:flat.size]
    elif dtype.kind == "b":
        array = random.randint(0, 2, shape).astype(bool)
    else:
        info = np.iinfo(dtype)
        array = random.randint(info.min // 2, info.max // 2, shape, dtype=np.int64 if info.min < 0 else np.uint64)
        array = array.astype(dtype.newbyteorder("="))
        array.reshape(-1)[:2] = [info.min, info.max]
    return array.astype(dtype)


def numbers():
    for code in ["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]:
        save(f"{code}.npy", values(code))
    for code in [">f2", ">f4", ">f8", ">i8", ">u2"]:
        save(f"big-{code[1:]}.npy", values(code))
    save("fortran-f4.npy", np.asfortranarray(values("f4", (2, 3, 4, 5))))
    save("fortran-big-f8.npy", np.asfortranarray(values(">f8", (3, 4))))
    save("transposed.npy", values("f4", (3, 5)).T)
    save("row-transposed.npy", values("f4", (1, 6)).T)
    save("partly-transposed.npy", values("f4", (2, 3, 4)).transpose(0, 2, 1))
    save("version2.npy", values("f4", (2, 3)), version=(2, 0))
    save("version3.npy", values("f4", (2, 3)), version=(3, 0))
    save("scalar.npy", np.array(2.5))
    save("empty.npy", np.zeros((2, 0, 3), "f4"))
    save("one-axis.npy", values("f4", (7,)))
    bfloat = (values("f4", (2, 4)).view("u4") >> 16).astype("u2")
    bfloat.reshape(-1)[4] = 0x7FC0
    header = "{'descr': '%s', 'fortran_order': False, 'shape': (2, 4), }"
    raw("bfloat16-v2.npy", header % "<V2", bfloat.tobytes(), described=(bfloat, "bfloat16"))
    raw("bfloat16-named.npy", header % "bfloat16", bfloat.tobytes(), described=(bfloat, "bfloat16"))
    raw("python2.npy", "{\"shape\":(2L,3L),'fortran_order':False,'descr':'f4'}", values("f4", (2, 3)).tobytes(),
        described=(values("f4", (2, 3)), None))


def texts():
    words = ["the", "cat", "sät", "dōwn", "🐱", ""]
    save("wide-texts.npy", np.array(words))
    save("big-wide-texts.npy", np.array(words).astype(">U4"))
    save("byte-texts.npy", np.array([w.encode() for w in words]))


def archives():
    layers = {f"layer{i}": values("f4", (2, 3, 3)) + i for i in range(3)}
    named = dict(layers, half=values("f2", (4, 4)), tokens=np.array(["the", "cat", "sat"]),
                 turned=np.asfortranarray(values("f8", (3, 4))))
    positional = [values("f4", (1, 2, 2)) * i for i in range(12)]
    for name, arrays, write in [("savez.npz", named, np.savez), ("savez-compressed.npz", named, np.savez_compressed)]:
        write(FOLDER / name, **arrays)
        expected[name] = {key: describe(array) for key, array in arrays.items()}
    np.savez(FOLDER / "positional.npz", *positional)
    expected["positional.npz"] = {f"arr_{i}": describe(array) for i, array in enumerate(positional)}
    for name, source in [("zip64-local.npz", "savez.npz"), ("zip64-local-compressed.npz", "savez-compressed.npz")]:
        (FOLDER / name).write_bytes(full_local_sizes((FOLDER / source).read_bytes()))
        expected[name] = expected[source]
    streamed(FOLDER / "streamed.npz", named)
    expected["streamed.npz"] = expected["savez.npz"]


def full_local_sizes(archive):
    """The archive as Python 3.11.7 and later write it: local sizes of 0xFFFFFFFF, the real ones in the ZIP64 part."""
    changed = bytearray(archive)
    with zipfile.ZipFile(io.BytesIO(archive)) as zipped:
        for member in zipped.infolist():
            at = member.header_offset
            name_bytes, extra_bytes = struct.unpack_from("<HH", changed, at + 26)
            assert extra_bytes == 20, "NumPy forces a ZIP64 part"
            extra = at + 30 + name_bytes
            struct.pack_into("<HHQQ", changed, extra, 1, 16, member.file_size, member.compress_size)
            struct.pack_into("<II", changed, at + 18, 0xFFFFFFFF, 0xFFFFFFFF)
            struct.pack_into("<H", changed, at + 4, 45)
    return bytes(changed)


def streamed(path, arrays):
    """Written to what cannot be sought in: sizes of zero before the data, and a descriptor behind it."""

    class Pipe(io.RawIOBase):
        def __init__(self):
            self.bytes = bytearray()

        def writable(self):
            return True

        def write(self, data):
            self.bytes += data
            return len(data)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, array in arrays.items():
            member = zipfile.ZipInfo(name + ".npy")
            member.compress_type = zipfile.ZIP_DEFLATED
            with zipped.open(member, "w") as file:
                np.lib.format.write_array(file, np.asanyarray(array))
    path.write_bytes(pipe.bytes)


def main():
    FOLDER.mkdir(exist_ok=True)
    for old in list(FOLDER.glob("*.npy")) + list(FOLDER.glob("*.npz")):
        old.unlink()
    numbers()
    texts()
    archives()
    lines = [f"{json.dumps(file)}: {json.dumps(arrays)}" for file, arrays in expected.items()]
    (FOLDER / "expected.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(sum(path.stat().st_size for path in FOLDER.iterdir()), "bytes in", len(expected), "files")


main()
