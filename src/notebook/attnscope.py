"""Shows arrays of attention in a notebook, or writes them into one HTML page that opens anywhere, offline.

    import attnscope
    attnscope.show(weights=outputs.attentions, tokens=tokens)            # the last line of a cell
    attnscope.show(q=q, k=k, v=v, mask="causal").save("attention.html")

help(attnscope.show) says what it takes. Needs numpy. Knows which arrays belong together and how they travel; what they
mean is the page's business.
"""
import base64
import html
import io
import json
import zlib

import numpy as np

__all__ = ["show", "save", "Page"]

LAYERED = ("q", "k", "v", "scores", "weights", "z", "y")  # each may have a batch, and one array for each layer
PROJECTED = ("x", "wq", "wk", "wv")
BESIDE_PROJECTED = ("x_sources", "bq", "bk", "bv")
IN_EXAMPLES = ("wo", "bo", "scale", "temperature", "softcap", "sink", "alibi", "residual", "mask")
KNOWN = LAYERED + PROJECTED + BESIDE_PROJECTED + ("bias",) + IN_EXAMPLES

BFLOAT16 = np.dtype("V2")  # numpy has no such numbers; the page reads two bytes without a meaning as what they are
MOST_BYTES = 32 << 20  # of arrays in one page; with them a notebook still opens in seconds
MOST_WEIGHTS = 1 << 18  # of an example: heads × destinations × sources
MOST_CHARACTERS = 4096  # of one token

# The page, compressed, as base64; scripts/site.mjs writes it here.
PAGE = ""


def show(*, tokens=None, sources=None, title="attention", height=640, theme=None, link=None, batch=None, **arrays):
    """A page with these arrays: a notebook shows it, .save(path) writes it, .html is its text.

    weights, scores  (T, S), (heads, T, S) or (batch, heads, T, S)
    q, k, v, z, y    queries, keys, values, what each head mixes, outputs: (T, d), (heads, T, d) or (batch, heads, T, d)
                     For several layers, a list or tuple with one array for each: weights=outputs.attentions.
    bias             (T, S) or (heads, T, S): added to the scores
    tokens, sources  the texts of the T positions, and of the S that are read where those are others
    batch            which sequence, counted from 0, where there are several

    q, k and v of one layer without the others make an example, computed and shown step by step; so do x (T, D) with wq,
    wk and wv (D, d), one matrix or one for each head. In an example may also be wo, bo, bq, bk, bv, x_sources, scale,
    temperature, softcap, sink, alibi, residual (True, or what y is added to) and mask ("none", "causal", or T×S booleans,
    True where it may be read).

    title, height (in pixels), theme ("light" or "dark"; otherwise that of the reader's machine), and link: the moment to
    open at, as "Copy link" on the page gives it, or a part of it: link="embed=1" leaves the page's own frame out.

    Arrays are those of numpy, PyTorch, JAX and TensorFlow, and nested lists. Raises ValueError, in one sentence, for what
    cannot be shown.
    """
    _check_names(arrays)
    _check_look(title, height, theme, link)
    values = {}
    for name in LAYERED:
        if name in arrays:
            values.update(_layers(name, arrays[name], batch))
    values.update({name: _other(name, value, batch) for name, value in arrays.items() if name not in LAYERED})
    texts = {name: _texts(name, value) for name, value in (("tokens", tokens), ("sources", sources)) if value is not None}
    _check_size(values)
    _check_lengths(values, texts)
    _check_together(values)
    example = _is_example(values)
    held = _document(values, texts, title) if example else _archive(values, texts)
    moment = _moment(link or "", "v=1&doc=given.json" if example else _place_of_arrays(values))
    return Page(_page(held, title, theme, moment), title, int(height))


def save(path, **given):
    """Writes the page that show() makes of the same arguments into a file."""
    show(**given).save(path)


class Page:
    """One HTML page with arrays in it."""

    def __init__(self, text, title, height):
        self.html, self.title, self.height = text, title, height

    def save(self, path):
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(self.html)

    # In a frame, so that styles and scripts of the notebook and of the page do not meet. As srcdoc, since browsers refuse
    # addresses of this length.
    def _repr_html_(self):
        return (f'<iframe srcdoc="{html.escape(self.html)}" title="{html.escape(self.title)}" '
                f'sandbox="allow-scripts allow-downloads" allow="clipboard-write" '
                f'style="width: 100%; height: {self.height}px; border: 0"></iframe>')

    def __repr__(self):
        return f"<attnscope page {self.title!r}, {_size(len(self.html))}; .save('attention.html') writes it>"


def _check_names(arrays):
    for name in arrays:
        if name not in KNOWN:
            raise ValueError(f"show() knows no {name!r}; arrays are {', '.join(KNOWN)}, beside tokens and sources.")
    given = [name for name in LAYERED if name in arrays]
    projected = [name for name in PROJECTED + BESIDE_PROJECTED if name in arrays]
    missing = [name for name in PROJECTED if name not in arrays]
    if not given and not projected:
        raise ValueError("show() was given no arrays; give weights, or q, k and v, or x, wq, wk and wv.")
    if projected and missing:
        raise ValueError(f"{projected[0]} was given without {' and '.join(missing)}; x, wq, wk and wv belong together.")
    if projected and given:
        raise ValueError(f"{given[0]} and {projected[0]} do not go together: {given[0]} is computed from x; leave one out.")


def _check_look(title, height, theme, link):
    _check_text("title", title)
    _check_text("link", link or "")
    if theme not in (None, "light", "dark"):
        raise ValueError(f"theme is {theme!r}; give 'light', 'dark' or None, which is that of the reader's machine.")
    if isinstance(height, bool) or not isinstance(height, (int, np.integer)) or height <= 0:
        raise ValueError(f"height is {height!r}; give a whole number of pixels, such as 640.")


def _check_text(name, text):
    if not isinstance(text, str):
        raise ValueError(f"{name} is {type(text).__name__}, not a text; give a str.")
    if "\0" in text:
        raise ValueError(f"{name} holds the character U+0000, which a page cannot hold; leave it out.")
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        raise ValueError(f"{name} holds half a character (a lone surrogate), which a page cannot hold; decode it anew.")


def _texts(name, texts):
    if isinstance(texts, (str, bytes)) or not hasattr(texts, "__iter__"):
        raise ValueError(f"{name} is one {type(texts).__name__}; give a list with one text for each position.")
    texts = list(texts)
    for n, text in enumerate(texts):
        if not isinstance(text, str):
            raise ValueError(f"{name}[{n}] is {type(text).__name__}, not a text; numbers of tokens become texts by "
                             "tokenizer.convert_ids_to_tokens(ids).")
        _check_text(f"{name}[{n}]", text)
        if len(text) > MOST_CHARACTERS:
            raise ValueError(f"{name}[{n}] has {len(text)} characters, and a token at most {MOST_CHARACTERS}; shorten it.")
    return texts


def _array(name, value):
    if value is None:
        raise ValueError(f"{name} is None; a Hugging Face model gives attentions when it is loaded with "
                         "attn_implementation='eager' and called with output_attentions=True.")
    if isinstance(value, (list, tuple)) and value and hasattr(value[0], "ndim"):  # one for each head
        value = [_wide(_array(f"{name}[{n}]", each)) for n, each in enumerate(value)]
    short = "bfloat16" in str(getattr(value, "dtype", ""))
    try:
        if hasattr(value, "detach"):  # PyTorch
            value = value.detach().cpu()
            value = (value.float() if short else value).numpy()
        array = np.asarray(value, dtype=np.float32 if short else None)
    except (TypeError, RuntimeError, ValueError):
        raise ValueError(f"{name} cannot be read as an array; give numbers, dense, in rows of one length.") from None
    if array.dtype.kind not in "biuf" and array.dtype != BFLOAT16:
        raise ValueError(f"{name} holds {array.dtype}, not numbers; convert it to float32.")
    if short:
        return (array.view(np.uint32) >> 16).astype("<u2").view(BFLOAT16)
    return array.astype(np.float64) if array.itemsize > 8 else array


def _wide(array):
    return (array.view("<u2").astype(np.uint32) << 16).view(np.float32) if array.dtype == BFLOAT16 else array


# Which of several sequences.
def _sequence(name, array, batch):
    count = len(array)
    if batch is None and count > 1:
        raise ValueError(f"{name} {array.shape} has {count} sequences; choose one with batch=0 to batch={count - 1}, or "
                         "give a list where they are layers.")
    if batch is not None and (not isinstance(batch, (int, np.integer)) or not 0 <= batch < count):
        raise ValueError(f"batch is {batch!r}, and {name} {array.shape} has {count}, counted from 0; choose another.")
    return array[batch or 0]


# By the name that the page reads, or one for each layer.
def _layers(name, value, batch):
    several = isinstance(value, (list, tuple)) and len(value) > 0
    if several and isinstance(value[0], tuple):
        raise ValueError(f"{name}[0] is a tuple of its own, as generate() makes them; give one step: {name}[0].")
    layered = several and (value[0] is None or getattr(value[0], "ndim", 0) > 1) or getattr(value, "ndim", 0) == 5
    if not layered or len(value) == 1:
        return {name: _layer(name, value[0] if layered else value, batch)}
    return {f"{name}.{n}": _layer(f"{name}[{n}]", layer, batch) for n, layer in enumerate(value)}


def _layer(name, value, batch):
    array = _array(name, value)
    if array.ndim not in (2, 3, 4) or array.size == 0:
        last = "S" if name.startswith(("scores", "weights")) else "d"
        raise ValueError(f"{name} has the shape {array.shape}; give (T, {last}), (heads, T, {last}) or "
                         f"(batch, heads, T, {last}), or a list with one of them for each layer.")
    return _sequence(name, array, batch) if array.ndim == 4 else array


def _other(name, value, batch):
    if name == "residual" and isinstance(value, bool):
        return value
    if name == "mask" and isinstance(value, str):
        if value not in ("none", "causal"):
            raise ValueError(f"mask is {value!r}; give 'none', 'causal', or T×S booleans, True where it may be read.")
        return value
    array = _array(name, value)
    if name == "mask" and array.dtype != bool:
        raise ValueError(f"mask holds {array.dtype}; give 'none', 'causal', or T×S booleans, True where it may be read.")
    if name not in ("x", "x_sources"):
        return array
    if array.ndim not in (2, 3) or array.size == 0:
        raise ValueError(f"{name} has the shape {array.shape}; give (positions, D) or (batch, positions, D).")
    return _sequence(name, array, batch) if array.ndim == 3 else array


# Those of these names, of all layers.
def _of(values, *names):
    return {name: value for name, value in values.items() if name.split(".")[0] in names}


def _check_size(values):
    total = sum(value.nbytes for value in values.values() if isinstance(value, np.ndarray))
    if total > MOST_BYTES:
        raise ValueError(f"The arrays have {_size(total)}, and a page holds at most {_size(MOST_BYTES)}; show fewer layers, "
                         "or write them with numpy.savez('attention.npz', …) and open that file in attnscope.html.")


def _size(count):
    return f"{count / (1 << 20):.1f} MiB"


def _check_lengths(values, texts):
    destinations = {name: -2 for name in ("q", "z", "y", "scores", "weights", "x")}
    sources = {"k": -2, "v": -2, "scores": -1, "weights": -1, "x_sources": -2}
    for texts_of, axes, what in (("tokens", destinations, "destinations"), ("sources", sources, "sources")):
        for name, array in _of(values, *axes).items():
            length = array.shape[axes[name.split(".")[0]]]
            if texts_of in texts and length != len(texts[texts_of]):
                raise ValueError(f"{texts_of} has {len(texts[texts_of])} texts, and {name} {array.shape} has {length} "
                                 f"{what}; give one text for each.")


# Whether queries, keys and values of each layer fit one another.
def _check_together(values):
    heads = {name: len(value) if value.ndim == 3 else 1 for name, value in _of(values, "q", "k", "v").items()}
    for key in _of(values, "k"):
        k, layer = values[key], key[1:]
        q, v = values.get("q" + layer), values.get("v" + layer)
        if q is not None and q.shape[-1] != k.shape[-1]:
            raise ValueError(f"q{layer} {q.shape} and {key} {k.shape} have {q.shape[-1]} and {k.shape[-1]} numbers for each "
                             "position; a query is compared with keys as wide as it is.")
        if q is not None and heads["q" + layer] % heads[key]:
            raise ValueError(f"q{layer} has {heads['q' + layer]} heads and {key} {heads[key]}; heads that share keys share "
                             "them evenly.")
        if v is not None and (v.shape[-2], heads["v" + layer]) != (k.shape[-2], heads[key]):
            raise ValueError(f"{key} {k.shape} and v{layer} {v.shape} do not belong together; each key has its value.")


# Whether all is there that the page computes step by step, and no more of it than it can lay out.
def _is_example(values):
    asked = [name for name in PROJECTED + IN_EXAMPLES if name in values]
    if "x" not in values and list(_of(values, *LAYERED)) != ["q", "k", "v"]:
        if asked:
            raise ValueError(f"{asked[0]} is for an example: q, k and v of one layer, or x, wq, wk and wv, and nothing that "
                             "is computed of them; leave it out.")
        return False
    heads = values["q"] if "q" in values else values["wq"]
    count, read = _positions(values)
    weights = (len(heads) if heads.ndim == 3 else 1) * count * read
    if asked and weights > MOST_WEIGHTS:
        raise ValueError(f"This example has {weights} weights, and at most {MOST_WEIGHTS} are shown step by step; take "
                         "fewer positions or heads.")
    return weights <= MOST_WEIGHTS


# How many destinations an example has, and how many sources.
def _positions(values):
    if "q" in values:
        return values["q"].shape[-2], values["k"].shape[-2]
    return len(values["x"]), len(values.get("x_sources", values["x"]))


# As a person would write the example.
def _document(values, texts, title):
    count, read = _positions(values)
    document = {"attnscope": 1, "title": title, "tokens": [str(n) for n in range(count)]}
    if read != count or "x_sources" in values:
        document["sources"] = [str(n) for n in range(read)]
    document.update(texts)
    for name, value in values.items():
        document[name] = _wide(value).tolist() if isinstance(value, np.ndarray) else value
    if isinstance(document.get("mask"), list):
        document["mask"] = {"allowed": document["mask"]}
    return json.dumps(document).encode()


# As a person would save the arrays.
def _archive(values, texts):
    file = io.BytesIO()
    np.savez_compressed(file, **values, **{name: np.array(each) for name, each in texts.items()})
    return file.getvalue()


# Where arrays are shown: all heads, or the only one.
def _place_of_arrays(values):
    maps = list((_of(values, "weights") or _of(values, "scores") or _of(values, "k") and _of(values, "q")).values())
    if not maps:
        return "v=1&scene=arrays"
    one = len(maps) == 1 and (maps[0].ndim == 2 or len(maps[0]) == 1)
    return "v=1&scene=arrays&set.part=" + ("head" if one else "heads")


# The link with this place, where it names none. What it says of another example is left out: behind `doc` the page keeps
# the rest until the one that it holds is there.
def _moment(link, place):
    kept = [part for part in link.split("#")[-1].split("&") if part.split("=")[0] not in ("", "v", "ex", "d", "doc")]
    if "scene=arrays" in kept:
        place = "v=1"
    return "&".join([place, *kept])


def _page(held, title, theme, moment):
    if not PAGE:
        raise ValueError("This attnscope.py holds no page; take dist/attnscope.py, which scripts/package writes.")
    page = zlib.decompress(base64.b64decode(PAGE)).decode()
    element = (f'<script type="application/octet-stream" id="held" data-name="{html.escape(title)}" '
               f'data-link="{html.escape(moment)}">{base64.b64encode(held).decode()}</script>\n')
    page = page.replace("<title>attnscope</title>", f"<title>{html.escape(title)} · attnscope</title>", 1)
    page = page.replace("</main>\n", "</main>\n" + element, 1)
    return page.replace("<html", f'<html data-theme="{theme}"', 1) if theme else page
