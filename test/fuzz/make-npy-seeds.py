#!/usr/bin/env python3
"""Prints NpySeeds.cpp: small .npy files exactly as NumPy writes them.

Needs numpy and ml_dtypes; the build needs neither, as the result is committed:
    make-npy-seeds.py > NpySeeds.cpp
"""

import io
import math

import ml_dtypes
import numpy as np

BF16 = ml_dtypes.bfloat16
DTYPES = {"float16": "F16", "bfloat16": "BF16", "float32": "F32",
          "float64": "F64", "int32": "I32", "bool": "Bool"}

HALVES = [0.0, -0.0, 1.0, -2.5, 65504.0, 2.0**-24, 2.0**-14, math.inf,
          -math.inf, math.nan]
COUNT = np.arange(12.0).reshape(2, 3, 2)

# Name, array, version; None is the version that numpy.save picks.
SEEDS = [
    ("f16", np.array(HALVES, "<f2"), None),
    ("bf16", np.array([[1, -2.5], [3.0e38, math.inf]], BF16), None),
    ("f32_rank0", np.array(1.5, "<f4"), None),
    ("f32", COUNT.astype("<f4"), None),
    ("f64", np.array([[0.1, -1e300, 5e-324]], "<f8"), None),
    ("i32", np.array([-2**31, -1, 0, 2**31 - 1], "<i4"), None),
    ("bool", np.array([[True], [False], [True]]), None),
    ("size0", np.zeros((0,), "<f4"), None),
    ("size0_inside", np.zeros((2, 0, 3), "<f8"), None),
    ("rank8", np.full((1, 1, 2, 1, 1, 1, 1, 2), 7, "<i4"), None),
    ("version2", COUNT.astype("<f4"), (2, 0)),
    ("version3", COUNT.astype("<f4"), (3, 0)),
    ("f32_fortran", np.asfortranarray(COUNT.astype("<f4")), None),
    ("bool_fortran", np.asfortranarray([[True, True, False],
                                        [False, True, False]]), None),
    ("f16_big", np.array(HALVES, ">f2"), None),
    ("bf16_big", np.array([1, -2.5], np.dtype(BF16).newbyteorder(">")), None),
    ("f32_big", COUNT.astype(">f4"), None),
    ("f64_big_fortran", np.asfortranarray(COUNT.astype(">f8")), None),
    ("i32_big", np.array([-2**31, 258], ">i4"), None),
]


def literal(value):
    value = float(value)
    if math.isnan(value):
        return "NAN"
    if math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    return repr(value)


def wrapped(items, indent, joiner=", ", width=78):
    """Lines of joined items, none longer than the width."""
    lines, line = [], ""
    for item in items:
        if line and len(indent + line + joiner + item) > width:
            lines.append(line + joiner.rstrip())
            line = item
        else:
            line = line + joiner + item if line else item
    return ("\n" + indent).join(lines + [line])


def escaped(data):
    """C++ string literals of at most 64 bytes each."""
    def char(byte):
        return chr(byte) if 32 <= byte < 127 and byte not in b'"\\' \
            else f"\\{byte:03o}"
    text, lines = [char(byte) for byte in data], []
    while text:
        taken = 0
        while taken < len(text) and len("".join(text[:taken + 1])) <= 64:
            taken += 1
        lines.append('"' + "".join(text[:taken]) + '"')
        text = text[taken:]
    return lines


def contents(array, version):
    stream = io.BytesIO()
    if version is None:
        np.save(stream, array)
    else:
        np.lib.format.write_array(stream, array, version)
    return stream.getvalue()


def main():
    print(f"""\
//===- NpySeeds.cpp - .npy files as NumPy writes them ---------------------===//
//
// Printed by make-npy-seeds.py with NumPy {np.__version__}, ml_dtypes \
{ml_dtypes.__version__}. Do not edit.
//
//===----------------------------------------------------------------------===//

#include "NpySeeds.h"

#include <cmath>

using fuse::rt::DType;

// clang-format off
// NOLINTNEXTLINE(readability-function-size)
std::vector<NpySeed> npySeeds() {{
  return {{""")
    for name, array, version in SEEDS:
        native = array.dtype.newbyteorder("=").name
        canonical = version is None and array.flags.c_contiguous \
            and not name.endswith("_big")
        shape = ", ".join(map(str, array.shape))
        values = [literal(v) for v in array.astype("f8").ravel()]
        data = contents(array, version)
        text = ("\n" + " " * 11).join(escaped(data))
        print(f"""\
      {{"{name}",
       DType::{DTYPES[native]},
       {{{shape}}},
       {{{wrapped(values, " " * 8)}}},
       {"true" if canonical else "false"},
       std::string(
           {text},
           {len(data)})}},""")
    print("""\
  };
}""")


if __name__ == "__main__":
    main()
