"""Files that are no .npy files: pairs of a name and the contents."""

import struct


def npy(header, data=b"", version=(1, 0)):
    """A file with any header and data."""
    text = header.encode("latin1") + b"\n"
    length = struct.pack("<H" if version[0] == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes(version) + length + text + data


def header(descr="'<f4'", order="False", shape="(2,)", more=""):
    return (f"{{'descr': {descr}, 'fortran_order': {order}, "
            f"'shape': {shape}, {more}}}")


TWO_FLOATS = struct.pack("<2f", 1, 2)
GOOD = npy(header(), TWO_FLOATS)


def malformed():
    """For an argument of type tensor<?xf32>."""
    for length in (0, 1, 5, 6, 7, 8, 9, 10, 30, len(GOOD) - 1):
        yield f"truncated-{length}", GOOD[:length]
    yield "longer", GOOD + b"\0"
    yield "magic", b"\x94" + GOOD[1:]
    yield "version-0", npy(header(), TWO_FLOATS, version=(0, 0))
    yield "version-4", npy(header(), TWO_FLOATS, version=(4, 0))
    yield "version-1.1", npy(header(), TWO_FLOATS, version=(1, 1))
    yield "length", GOOD[:8] + b"\xff\xff" + GOOD[10:]
    yield "length-2", b"\x93NUMPY\x02\x00\xff\xff\xff\xff" + GOOD[10:]
    yield "text", b"1.0 2.0\n"
    headers = {
        "empty": "", "blank": " ", "no-dict": "[]", "open": "{'descr': '<f4'",
        "no-descr": "{'fortran_order': False, 'shape': (2,)}",
        "no-order": "{'descr': '<f4', 'shape': (2,)}",
        "no-shape": "{'descr': '<f4', 'fortran_order': False}",
        "extra-key": header(more="'more': 1"),
        "same-key": header(more="'descr': '<f4'"),
        "i8": header(descr="'<i8'"), "complex": header(descr="'<c8'"),
        "object": header(descr="'|O'"), "string": header(descr="'<U2'"),
        "record": header(descr="[('a', '<f4')]"), "number": header(descr="4"),
        "order": header(order="Maybe"), "order-1": header(order="1"),
        "negative": header(shape="(-2,)"), "float": header(shape="(2.0,)"),
        "shape-number": header(shape="2"), "shape-list": header(shape="[2]"),
        "shape-open": header(shape="(2,"), "huge": header(shape="(2**62,)"),
        "overflow": header(shape="(9223372036854775807, 4)"),
        "overflow-zero": header(shape="(0, 9223372036854775807, 4)"),
        "rank-9": header(shape="(1, 1, 1, 1, 1, 1, 1, 1, 2)"),
        "other-size": header(shape="(3,)"), "rank-2": header(shape="(1, 2)"),
        "f8": header(descr="'<f8'"), "code": "__import__('os').abort()",
    }
    for name, text in headers.items():
        yield f"header-{name}", npy(text, TWO_FLOATS)
