"""Programs that are wrong: pairs of a name and a text."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import nested_text  # noqa: E402  (the folder of helpers is no package)

# Touches most of the dialect. Every replacement below breaks it.
BASE = """\
func.func @main(
    %x: tensor<?x8xf32> {fuse.name = "x", fuse.dims = ["N", "D"]},
    %w: tensor<4x8xf32> {fuse.name = "w", fuse.dims = ["H", "D"], fuse.param},
    %k: tensor<i32> {fuse.name = "k"})
    -> (tensor<?x4xf32> {fuse.name = "y", fuse.dims = ["N", "H"]})
    attributes {fuse.specialize = ["D"], fuse.size_hints = {N = 24},
                fuse.facts = ["N <= 4096"]} {
  %half = fuse.constant 0.5 : tensor<f32>
  %list = fuse.constant [1.0, 2.0] : tensor<2xf32>
  %norm = fuse.layer_norm %x axis 1 eps 1.0e-5 : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %rms = fuse.rms_norm %norm axis 1 : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %lin = fuse.linear %rms, %w : (tensor<?x8xf32>, tensor<4x8xf32>) -> tensor<?x4xf32>
  %dot = fuse.einsum "nd,hd->nh" %norm, %w : (tensor<?x8xf32>, tensor<4x8xf32>) -> tensor<?x4xf32>
  %sum = fuse.map add %lin, %dot : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %soft = fuse.softmax %sum axis 1 : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %top = fuse.reduce max %soft axes [1] : (tensor<?x4xf32>) -> tensor<?xf32>
  %wide = fuse.broadcast %top "n -> n h" like %soft : (tensor<?xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %turn = fuse.transpose %wide [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf32>
  %flat = fuse.reshape %turn "h n -> n h" : (tensor<4x?xf32>) -> tensor<?x4xf32>
  %part = fuse.slice %flat axis 1 from "0" to "2" : (tensor<?x4xf32>) -> tensor<?x2xf32>
  %both = fuse.concat %part, %part axis 1 : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x4xf32>
  %col = fuse.iota axis 1 like %both : tensor<?x4xf32> -> tensor<?x4xi32>
  %mask = fuse.compare gt %col, %k : (tensor<?x4xi32>, tensor<i32>) -> tensor<?x4xi1>
  %y = fuse.select %mask, %half, %both : (tensor<?x4xi1>, tensor<f32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %c = fuse.cast %y : tensor<?x4xf32> -> tensor<?x4xbf16>
  %n = fuse.dim "N" : tensor<f32>
  fuse.check.close %y, %y rtol 1.0e-6 atol 0.0 : tensor<?x4xf32>, tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
"""

REPLACEMENTS = [
    # Syntax.
    ("func.func @main(", "func.func main("),
    ("func.func @main(", "func.fun @main("),
    ("func.func @main(", "func.func @main"),
    ("%x: tensor<?x8xf32>", "x: tensor<?x8xf32>"),
    ("%x: tensor<?x8xf32>", "%x tensor<?x8xf32>"),
    ("fuse.param}", "fuse.param"),
    ("-> (tensor<?x4xf32> {", "-> (tensor<?x4xf32 {"),
    ("%half = fuse.constant", "%half fuse.constant"),
    ("fuse.constant 0.5", "fuse.constant"),
    ("fuse.constant 0.5", 'fuse.constant "0.5"'),
    ("[1.0, 2.0]", "[1.0, 2.0"),
    ("[1.0, 2.0]", "[1.0, [2.0]]"),
    ("fuse.softmax %sum", "fuse.softmax %nothing"),
    ("fuse.softmax %sum axis 1", "fuse.softmax %sum axis one"),
    ("fuse.softmax %sum axis 1", "fuse.softmax %sum"),
    ("fuse.map add", "fuse.map plus"),
    ("fuse.compare gt", "fuse.compare above"),
    ("fuse.reduce max", "fuse.reduce mean"),
    ("fuse.cast %y", "fuse.convert %y"),
    ("return %y", "retrun %y"),
    ('"n -> n h"', '"n -> n h'),
    ('"n -> n h"', '"n -> \\q h"'),
    ("{fuse.name = \"k\"}", "{fuse.name = }"),
    ("%k: tensor<i32>", "%x: tensor<i32>"),
    ("%lin = fuse.linear", "%rms = fuse.linear"),
    # Types.
    ("0.5 : tensor<f32>", "0.5 : tensor<f33>"),
    ("0.5 : tensor<f32>", "0.5 : f32"),
    ("0.5 : tensor<f32>", "0.5 : tensor<i32>"),
    ("0.5 : tensor<f32>", "0.5 : tensor<?xf32>"),
    ("0.5 : tensor<f32>", "0.5 : tensor<f8E5M2>"),
    ("0.5 : tensor<f32>", "0.5 : tensor<1x1x1x1x1x1x1x1x1xf32>"),
    ("0.5 : tensor<f32>", "0.5 : tensor<4294967296x4294967296xf32>"),
    ("0.5 : tensor<f32>", "0.5 : vector<4xf32>"),
    ("tensor<2xf32>", "tensor<3xf32>"),
    ("%k: tensor<i32>", "%k: tensor<i64>"),
    ("-> tensor<?x4xbf16>", "-> tensor<?x5xbf16>"),
    ("return %y : tensor<?x4xf32>", "return %c : tensor<?x4xbf16>"),
    ("return %y : tensor<?x4xf32>", "return"),
    # Dims and names.
    ('fuse.dims = ["N", "D"]', 'fuse.dims = ["N"]'),
    ('fuse.dims = ["N", "D"]', 'fuse.dims = "N"'),
    ('fuse.dims = ["N", "D"]', 'fuse.dims = ["n", "D"]'),
    ('fuse.dims = ["N", "D"]', 'fuse.dims = ["N +", "D"]'),
    ('fuse.dims = ["N", "D"]', 'fuse.dims = ["N", 7]'),
    ('fuse.name = "x"', 'fuse.name = "x y"'),
    ('fuse.name = "x"', 'fuse.name = "../x"'),
    ('fuse.name = "x"', 'fuse.nome = "x"'),
    ("fuse.param}", "fuse.param = 1}"),
    ('["N <= 4096"]', '["N < 4096"]'),
    ("{N = 24}", "{N = -1}"),
    ("fuse.specialize", "fuse.specialise"),
    # Attributes of ops.
    ("fuse.layer_norm %x axis 1", "fuse.layer_norm %x axis 2"),
    ("fuse.layer_norm %x axis 1", "fuse.layer_norm %x axis -1"),
    ("eps 1.0e-5", "eps -1.0"),
    ("fuse.rms_norm %norm axis 1", "fuse.rms_norm %norm axis 99999999999999999999"),
    ("fuse.linear %rms, %w", "fuse.linear %rms, %w precision tf33"),
    ("fuse.linear %rms, %w", "fuse.linear %w, %rms"),
    ("nd,hd->nh", "nd,hd"),
    ("nd,hd->nh", "nd,hd->nq"),
    ("nd,hd->nh", "nd,hd->nn"),
    ("nd,hd->nh", "n,hd->nh"),
    ("nd,hd->nh", "nd,hd,h->nh"),
    ("nd,hd->nh", "n2,h2->nh"),
    ("nd,hd->nh", "nd,dh->nh"),
    ("add %lin, %dot", "add %lin"),
    ("add %lin, %dot", "add %lin, %norm"),
    ("axes [1]", "axes [2]"),
    ("axes [1]", "axes [1, 1]"),
    ("axes [1]", "axes [-1]"),
    ('"n -> n h"', '"n h -> n h"'),
    ('"n -> n h"', '"n -> h"'),
    ("[1, 0]", "[1, 1]"),
    ("[1, 0]", "[0]"),
    ('"h n -> n h"', '"h n -> n"'),
    ('"h n -> n h"', '"h (n) -> (n h"'),
    ('"h n -> n h"', '"h n -> n 5"'),
    ('from "0" to "2"', 'from "3" to "2"'),
    ('from "0" to "2"', 'from "0" to "5"'),
    ('from "0" to "2"', 'from "0" to "$ +"'),
    ("fuse.concat %part, %part axis 1", "fuse.concat axis 1"),
    ("fuse.concat %part, %part axis 1", "fuse.concat %part, %part axis 7"),
    ("gt %col, %k", "gt %col, %half"),
    ("fuse.select %mask", "fuse.select %col"),
    ("fuse.iota axis 1", "fuse.iota axis 5"),
    ("rtol 1.0e-6", "rtol -1.0"),
    ("fuse.check.close %y, %y", "fuse.check.close %y, %k"),
]

# What MLIR's parser alone would not survive, by the kinds of nested_text.py.
NESTED = [
    ("brackets", 200000), ("angles", 200000), ("regions", 50000),
    ("tuples", 200000), ("fused_locations", 200000),
    ("named_locations", 200000), ("call_sites", 200000),
    ("affine_parentheses", 200000), ("affine_minuses", 200000),
    ("affine_sum", 100000), ("type_aliases", 100000),
    ("dashed_aliases", 100000), ("broken_aliases", 100000),
    ("attribute_aliases", 100000), ("location_aliases", 100000),
    ("doubling_aliases", 40),
]


def replaced():
    for number, (old, new) in enumerate(REPLACEMENTS):
        assert old in BASE, f"'{old}' is not in the base program"
        yield f"replaced-{number}", BASE.replace(old, new, 1)


def truncated(examples):
    """Ends of text, anywhere between the first function and its end."""
    texts = [("base", BASE)]
    texts += [(path.stem, path.read_text())
              for path in sorted(examples.glob("*.mlir"))]
    for name, text in texts:
        start, end = text.index("func.func"), text.rindex("}")
        for part in range(6):
            length = start + 5 + (end - start - 5) * part // 5
            yield f"truncated-{name}-{part}", text[:length]


def garbage():
    yield "nul", "\0module {}\0 x"
    yield "binary", bytes(range(256))
    yield "utf16", "module {}".encode("utf-16")
    yield "quote", '"'
    yield "long-line", "x" * 100000
    yield "unknown-dialect", "nothing.op"
    yield "half-comment", "/ module {}"
    yield "python", "def main():\n    pass\n"
    yield "bytecode-only-magic", b"ML\xefR"
    yield "bytecode-future", b"ML\xefR\xff\xff\xff\xff"
    yield "bytecode-garbage", b"ML\xefR" + bytes(range(256))
