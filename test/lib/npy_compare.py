#!/usr/bin/env python3
"""Compares two .npy files of floats, element by element.

An element passes if |got - want| <= tolerance * max(|want|, rms), where rms is
the root mean square of the finite elements of want: an element near zero is
judged by the scale of its tensor. NaN must meet NaN, and an infinity itself.
The largest error relative to |want| alone is reported too, but not judged.

Exits with 0 if every element passes, 1 if one fails, 2 if a file is unreadable.
"""

import argparse
import ast
import math
import pathlib
import struct
import sys
from array import array

FORMATS = {"<f4": "f", "<f8": "d"}


class Npy:
    """The shape and the elements, in row-major order, of a file."""

    def __init__(self, path):
        data = pathlib.Path(path).read_bytes()
        if data[:6] != b"\x93NUMPY" or len(data) < 12:
            raise ValueError(f"{path}: expects a .npy file")
        length = "<H" if data[6] == 1 else "<I"
        start = 8 + struct.calcsize(length)
        end = start + struct.unpack_from(length, data, 8)[0]
        header = ast.literal_eval(data[start:end].decode())
        if header["descr"] not in FORMATS or header["fortran_order"]:
            raise ValueError(f"{path}: expects f4 or f8 elements in C order, "
                             f"but got {header}")
        self.shape = header["shape"]
        self.elements = array(FORMATS[header["descr"]], data[end:])
        if sys.byteorder == "big":
            self.elements.byteswap()
        if len(self.elements) != math.prod(self.shape):
            raise ValueError(f"{path}: expects {math.prod(self.shape)} "
                             f"elements, but got {len(self.elements)}")


def rms_of_finite(values):
    finite = [value for value in values if math.isfinite(value)]
    # Scaled by the largest, so that no square leaves the range of a float.
    scale = max(map(abs, finite), default=0.0)
    if scale == 0.0:
        return 0.0
    squares = math.fsum((value / scale) ** 2 for value in finite)
    return scale * math.sqrt(squares / len(finite))


def error_over(got, want, scale):
    """|got - want| / scale; 0 for what must be the same and is."""
    if got == want or (math.isnan(got) and math.isnan(want)):
        return 0.0
    if not (math.isfinite(got) and math.isfinite(want)) or scale == 0.0:
        return math.inf
    return abs(got - want) / scale


def unravel(position, shape):
    index = []
    for extent in reversed(shape):
        position, i = divmod(position, extent)
        index.append(i)
    return index[::-1]


def compare(got, want, tolerance):
    """True if `got` passes; prints what was found."""
    if got.shape != want.shape:
        print(f"expects shape {want.shape}, but got {got.shape}")
        return False
    rms = rms_of_finite(want.elements)
    pairs = list(zip(got.elements, want.elements))
    errors = [error_over(g, w, max(abs(w), rms)) for g, w in pairs]
    relative = max((error_over(g, w, abs(w)) for g, w in pairs), default=0.0)
    failed = sum(error > tolerance for error in errors)
    nans = sum(map(math.isnan, want.elements))
    print(f"{len(errors)} elements ({nans} NaN): "
          f"largest error {max(errors, default=0.0):.2g}, "
          f"relative to the element alone {relative:.2g}")
    if failed:
        worst = max(range(len(errors)), key=errors.__getitem__)
        g, w = pairs[worst]
        print(f"{failed} of {len(errors)} elements exceed {tolerance:.2g}, the "
              f"worst at {unravel(worst, want.shape)}: got {g!r}, want {w!r}")
    return not failed


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("got", help="the .npy file to judge")
    parser.add_argument("want", help="the .npy file of expected values")
    parser.add_argument("--tolerance", type=float, required=True)
    arguments = parser.parse_args()
    try:
        got, want = Npy(arguments.got), Npy(arguments.want)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0 if compare(got, want, arguments.tolerance) else 1


if __name__ == "__main__":
    sys.exit(main())
