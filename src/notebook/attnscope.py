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
IN_EXAMPLES = ("wo", "bo", "scale", "temperature", "softcap", "sink", "alibi", "mask", "residual")
KNOWN = LAYERED + PROJECTED + BESIDE_PROJECTED + ("bias",) + IN_EXAMPLES

MOST_BYTES = 64 << 20  # of arrays in one page
MOST_CELLS = 1 << 18  # heads × destinations × sources that are laid out step by step at once
MOST_CHARACTERS = 1 << 12  # of one token

# The page, compressed, as base64; scripts/site.mjs writes it here.
PAGE = ""


def show(*, tokens=None, sources=None, title="attention", height=640, theme=None, link="", batch=None, **arrays):
    """A page with these arrays: a notebook shows it, .save(path) writes it, .html is its text.

    q, k, v, z, y    queries, keys, values, what each head mixes, outputs: (T, d), (heads, T, d) or (batch, heads, T, d)
    weights, scores  (T, S), (heads, T, S) or (batch, heads, T, S)
                     For several layers, a list or tuple with one array for each: weights=outputs.attentions.
    bias             (T, S) or (heads, T, S): added to the scores
    tokens, sources  the texts of the T positions, and of the S that are read where those are others
    batch            which sequence, counted from 0, where there are several

    q, k and v of one layer without weights are computed and shown step by step; so are x with wq, wk and wv (one matrix,
    or one for each head). With them go wo, bo, bq, bk, bv, x_sources, scale, temperature, softcap, sink, alibi, residual
    and mask ("none", "causal", or T×S booleans, True where it may be read), as in attnscope's documents.

    title, height (in pixels), theme ("light" or "dark"; else as the reader's machine), and link: the moment to open at,
    as "Copy link" on the page gives it.

    Arrays of numpy, PyTorch, JAX and TensorFlow, and nested lists, are taken as they are. Raises ValueError, in one
    sentence, for what cannot be shown.
    """
    _check_names(arrays)
    for name, text in (("title", title), ("link", link)):
        _check_text(name, text)
    if theme not in (None, "light", "dark"):
        raise ValueError(f"theme is {theme!r}; it may be 'light', 'dark' or None, which follows the reader's machine.")
    if isinstance(height, bool) or not isinstance(height, (int, np.integer)) or height <= 0:
        raise ValueError(f"height is {height!r}; give a whole number of pixels, such as 640.")
    layers = {name: _layers(name, arrays.pop(name), batch) for name in LAYERED if name in arrays}
    others = {name: value if isinstance(value, (str, bool)) else _array(name, value) for name, value in arrays.items()}
    texts = {name: _texts(name, value) for name, value in (("tokens", tokens), ("sources", sources)) if value is not None}
    _check_lengths(layers, others, texts)
    _check_size(layers, others, texts)
    if _is_example(layers, others):
        held, moment = _document(layers, others, texts, title), _moment_of_example(link)
    else:
        held, moment = _archive(layers, others, texts), _part(link) or _moment_of_arrays(layers)
    return Page(_page(held, title, theme, moment), title, int(height))


def save(path, **given):
    """Writes the page that show() with the same arguments gives into a file."""
    return show(**given).save(path)


class Page:
    """One HTML page with arrays in it."""

    def __init__(self, text, title, height):
        self.html, self.title, self.height = text, title, height

    def save(self, path):
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(self.html)

    # A document of its own, so that neither styles nor scripts of the notebook and the page meet. Notebooks take srcdoc,
    # while browsers cut addresses of this length off.
    def _repr_html_(self):
        return (f'<iframe srcdoc="{html.escape(self.html)}" title="{html.escape(self.title)}" '
                f'sandbox="allow-scripts allow-downloads" allow="clipboard-write" '
                f'style="width: 100%; height: {self.height}px; border: 0"></iframe>')

    def __repr__(self):
        return f"<attnscope page {self.title!r}, {_size(len(self.html))}: .save('attention.html') writes it>"


def _check_names(arrays):
    for name in arrays:
        if name not in KNOWN:
            raise ValueError(f"show() knows no {name!r}; arrays are {', '.join(KNOWN)}, beside tokens and sources.")
    projected = [name for name in PROJECTED + BESIDE_PROJECTED if name in arrays]
    missing = [name for name in PROJECTED if name not in arrays]
    given = [name for name in LAYERED if name in arrays]
    if not projected and not given:
        raise ValueError("show() was given no arrays; give weights, or q, k and v, or x, wq, wk and wv.")
    if projected and missing:
        raise ValueError(f"{projected[0]} was given without {', '.join(missing)}; x, wq, wk and wv belong together.")
    if projected and given:
        raise ValueError(f"{given[0]} and {projected[0]} do not go together: {given[0]} is computed from x; leave one out.")
    extra = [name for name in IN_EXAMPLES if name in arrays]
    if extra and not projected and given != ["q", "k", "v"]:
        raise ValueError(f"{extra[0]} needs an example to be computed: q, k and v of one layer and no other of these "
                         f"arrays, or x, wq, wk and wv; there is {', '.join(given)}.")


def _check_text(name, text):
    if not isinstance(text, str):
        raise ValueError(f"{name} is {type(text).__name__}, not a text; give a str.")
    if "\0" in text:
        raise ValueError(f"{name} holds the character U+0000, which no page can show; leave it out.")
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        raise ValueError(f"{name} holds half of a character (a lone surrogate), which no file can hold; decode the text again.")


def _texts(name, texts):
    if isinstance(texts, (str, bytes)) or not hasattr(texts, "__iter__"):
        raise ValueError(f"{name} is one {type(texts).__name__}; give a list with one text for each position.")
    texts = list(texts)
    for n, text in enumerate(texts):
        if not isinstance(text, str):
            raise ValueError(f"{name}[{n}] is {type(text).__name__}, not a text; tokenizer.convert_ids_to_tokens(ids) "
                             "makes texts of numbers.")
        _check_text(f"{name}[{n}]", text)
        if len(text) > MOST_CHARACTERS:
            raise ValueError(f"{name}[{n}] has {len(text)} characters, and a token at most {MOST_CHARACTERS}; shorten it.")
    return texts


def _array(name, value):
    if value is None:
        raise ValueError(f"{name} is None; a Hugging Face model gives its attentions when it is loaded with "
                         "attn_implementation='eager' and called with output_attentions=True.")
    try:
        if hasattr(value, "detach"):  # PyTorch, where numpy knows no bfloat16
            value = value.detach().cpu()
            value = (value.float() if "bfloat16" in str(value.dtype) else value).numpy()
        array = np.asarray(value)
    except (TypeError, ValueError):
        raise ValueError(f"{name} is no array: its rows differ in length, or it is of a kind that numpy cannot read; "
                         "give numbers.") from None
    if array.dtype.name == "bfloat16":
        array = array.astype(np.float32)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} holds {array.dtype}, not numbers; convert it to float32.")
    return array.astype(np.float64) if array.itemsize > 8 else array


# One array for each layer; without a batch, whatever came with one.
def _layers(name, value, batch):
    rank = getattr(value, "ndim", 0)
    several = isinstance(value, (list, tuple)) and len(value) > 0 and (value[0] is None or getattr(value[0], "ndim", 0) > 1)
    if isinstance(value, (list, tuple)) and len(value) > 0 and isinstance(value[0], tuple):
        raise ValueError(f"{name}[0] is a tuple of its own, as generate() returns them; give one step: {name}={name}[0].")
    if not several and rank != 5:
        return [_sequence(name, _array(name, value), batch)]
    return [_sequence(f"{name}[{n}]", _array(f"{name}[{n}]", layer), batch) for n, layer in enumerate(value)]


def _sequence(name, array, batch):
    if array.ndim not in (2, 3, 4) or array.size == 0:
        last = "S" if name.split("[")[0] in ("scores", "weights") else "d"
        raise ValueError(f"{name} has the shape {array.shape}; give (T, {last}), (heads, T, {last}) or "
                         f"(batch, heads, T, {last}), or a list with one of them for each layer.")
    if array.ndim < 4:
        return array
    count = len(array)
    if batch is None and count > 1:
        raise ValueError(f"{name} has {count} sequences {array.shape}; choose one with batch=0 to batch={count - 1}, or give "
                         "a list where they are layers.")
    if batch is not None and not 0 <= batch < count:
        raise ValueError(f"batch is {batch}, and {name} has {count} of them, counted from 0; choose another.")
    return array[batch or 0]


def _check_lengths(layers, others, texts):
    def agree(texts_of, where, array, axis):
        given = texts.get(texts_of)
        if given is not None and array.shape[axis] != len(given):
            what = "destinations" if texts_of == "tokens" else "sources"
            raise ValueError(f"{texts_of} has {len(given)} texts, and {where} {array.shape} has {array.shape[axis]} {what}; "
                             "give one text for each.")

    for name, arrays in layers.items():
        for n, array in enumerate(arrays):
            where = name if len(arrays) == 1 else f"{name}[{n}]"
            if name not in ("k", "v"):
                agree("tokens", where, array, -2)
            if name in ("scores", "weights"):
                agree("sources", where, array, -1)
            if name in ("k", "v"):
                agree("sources", where, array, -2)
    for name, texts_of in (("x", "tokens"), ("x_sources", "sources")):
        if name in others and others[name].ndim == 2:
            agree(texts_of, name, others[name], 0)


def _all_arrays(layers, others):
    named = {}
    for name, arrays in layers.items():
        named.update({name: arrays[0]} if len(arrays) == 1 else {f"{name}.{n}": array for n, array in enumerate(arrays)})
    named.update({name: value for name, value in others.items() if isinstance(value, np.ndarray)})
    return named


def _check_size(layers, others, texts):
    named = _all_arrays(layers, others)
    total = sum(array.nbytes for array in named.values())
    if total > MOST_BYTES:
        raise ValueError(f"The arrays have {_size(total)}, and a page at most {_size(MOST_BYTES)}; show fewer layers, or write "
                         f"them with numpy.savez('attention.npz', …) and open that file in attnscope.html.")


def _size(count):
    return f"{count / (1 << 20):.1f} MiB"


def _is_example(layers, others):
    if not layers:
        return True
    if list(layers) != ["q", "k", "v"] or any(len(arrays) > 1 for arrays in layers.values()):
        return False
    q, k = layers["q"][0], layers["k"][0]
    return q.size // q.shape[-1] * k.shape[-2] <= MOST_CELLS or any(name in others for name in IN_EXAMPLES)


# The same as a file that a person would open: an example, as attnscope's documents are written.
def _document(layers, others, texts, title):
    fields = {name: arrays[0] for name, arrays in layers.items()}
    fields.update(others)
    if isinstance(fields.get("mask"), np.ndarray):
        if fields["mask"].dtype != bool:
            raise ValueError(f"mask holds {fields['mask'].dtype}; give 'none', 'causal' or booleans, True where it may be read.")
        fields["mask"] = {"allowed": fields["mask"].tolist()}
    count, read = ((fields[name].shape[-2] if fields[name].ndim > 1 else 0) for name in (("q", "k") if layers else ("x", "x")))
    document = {"attnscope": 1, "title": title, "tokens": [str(n) for n in range(count)]}
    if layers and read != count:
        document["sources"] = [str(n) for n in range(read)]
    document.update(texts)
    document.update({name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in fields.items()})
    return json.dumps(document).encode()


def _archive(layers, others, texts):
    named = _all_arrays(layers, others)
    named.update({name: np.array(each) for name, each in texts.items() if each})
    file = io.BytesIO()
    np.savez_compressed(file, **named)
    return file.getvalue()


# What stands behind "#" of an address, or all of it.
def _part(link):
    return link.split("#")[-1]


# The page waits with the rest of this link until the document is there.
def _moment_of_example(link):
    return f"v=1&doc=given.json&{_part(link)}" if link else ""


def _moment_of_arrays(layers):
    maps = layers.get("weights") or layers.get("scores") or ("k" in layers and layers.get("q"))
    if not maps:
        return ""
    one = len(maps) == 1 and (maps[0].ndim == 2 or len(maps[0]) == 1)
    return "v=1&scene=arrays&set.part=" + ("head" if one else "heads")


def _page(held, title, theme, moment):
    if not PAGE:
        raise ValueError("This attnscope.py holds no page; take dist/attnscope.py, which scripts/package writes.")
    page = zlib.decompress(base64.b64decode(PAGE)).decode()
    element = (f'<script type="application/octet-stream" id="arrays" data-name="{html.escape(title)}" '
               f'data-link="{html.escape(moment)}">{base64.b64encode(held).decode()}</script>\n')
    page = page.replace("<title>attnscope</title>", f"<title>{html.escape(title)} · attnscope</title>", 1)
    page = page.replace("</main>\n", "</main>\n" + element, 1)
    return page.replace("<html", f'<html data-theme="{theme}"', 1) if theme else page
