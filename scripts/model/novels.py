"""The text that the model learns from: six novels by Jane Austen, out of Debian's package r-cran-janeaustenr, without R.
Knows nothing of models.

The novels are in the public domain; the package (MIT) keeps them in R's lazy-load store: a file of chunks, each a
big-endian length and a compressed serialisation of one vector of texts, which are the lines of one novel.

Normalised so that few characters remain: the lines of a paragraph are joined by spaces and paragraphs end with a line
break; underlines, asterisks and parentheses are dropped, & becomes "and"; a paragraph with any other rare character
(digits, brackets, a pound sign) is left out.
"""
import bz2
import hashlib
import lzma
import pathlib
import struct
import subprocess
import zlib

PACKAGE = "r-cran-janeaustenr"
STORE = "usr/lib/R/site-library/janeaustenr/data/Rdata.rdb"
CHARACTERS = "\n !\"',-.:;?ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
HELD_OUT = 0.05  # of each novel, its end
SHA256 = "211f4eb34c848c7c80e1f723c3487a827df46313d154e1c2e26c8403aea40d3d"  # of all texts, from version 1.0.0-1


def fetch(folder):
    """The bytes of the store, downloaded and unpacked under `folder` once."""
    folder = pathlib.Path(folder)
    store = folder / STORE
    if not store.exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", PACKAGE], cwd=folder, check=True)
        package = next(folder.glob(PACKAGE + "_*.deb"))
        subprocess.run(["dpkg-deb", "-x", package.name, "."], cwd=folder, check=True)
    return store.read_bytes()


def chunks(store):
    """Each chunk expanded: 4 bytes of length, for bzip2 and xz a letter, then the compressed bytes."""
    at = 0
    while at < len(store):
        length, = struct.unpack_from(">I", store, at)
        kind = store[at + 4:at + 5]
        decoder = {b"2": bz2.BZ2Decompressor, b"Z": lzma.LZMADecompressor}.get(kind, zlib.decompressobj)()
        body = store[at + 4:] if kind == b"x" else store[at + 5:]
        expanded = decoder.decompress(body)
        if len(expanded) != length:
            raise SystemExit(f"the chunk at byte {at} has {len(expanded)} bytes and should have {length}")
        at = len(store) - len(decoder.unused_data)
        yield expanded


def lines_of(chunk):
    """The texts of one serialised vector (R Internals, section 1.8, version 3 in XDR)."""
    if chunk[:6] != b"X\n\0\0\0\3":
        raise SystemExit("a chunk is not a serialisation of version 3 in XDR")
    encoding_length, = struct.unpack_from(">I", chunk, 14)
    at = 18 + encoding_length
    kind, count = struct.unpack_from(">II", chunk, at)
    if kind & 0xff != 16:
        raise SystemExit(f"a chunk holds type {kind & 0xff}, not 16, a vector of texts")
    at += 8
    for _ in range(count):
        _, length = struct.unpack_from(">Ii", chunk, at)
        at += 8
        yield chunk[at:at + max(length, 0)].decode("utf-8")
        at += max(length, 0)


def paragraphs(lines):
    gathered = []
    for line in [*lines, ""]:
        if line.strip():
            gathered += line.split()
        elif gathered:
            yield " ".join(gathered)
            gathered = []


def normalise(paragraph):
    """The paragraph in CHARACTERS with a line break at its end, or "" where it is to be left out."""
    kept = paragraph.replace("&", "and").translate({ord(c): None for c in "_*()"})
    kept = " ".join(kept.split())
    return kept + "\n" if kept and set(kept) <= set(CHARACTERS) else ""


def load(folder):
    """(training text, validation text)."""
    train, held_out = [], []
    for chunk in chunks(fetch(folder)):
        novel = [p for p in map(normalise, paragraphs(lines_of(chunk))) if p]
        cut = round(len(novel) * (1 - HELD_OUT))
        train += novel[:cut]
        held_out += novel[cut:]
    train, held_out = "".join(train), "".join(held_out)
    if hashlib.sha256((train + held_out).encode()).hexdigest() != SHA256:
        raise SystemExit(f"these are not the texts that the model was trained on; use {PACKAGE} 1.0.0-1, or change SHA256")
    return train, held_out


def held_out_lines(text, count, longest):
    """`count` beginnings of paragraphs, spread evenly over the text, cut at the last space within `longest`."""
    long_enough = [line for line in text.split("\n") if len(line) > longest]
    step = len(long_enough) / count
    return [long_enough[int(i * step)][:longest + 1].rsplit(" ", 1)[0] for i in range(count)]
