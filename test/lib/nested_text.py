#!/usr/bin/env python3
"""Prints programs that are nested, deep or long: nested_text.py KIND COUNT.

Each kind makes MLIR's parser, printer or verifier recurse in its own way.
"""

import sys


def chain(count, first, link):
    """Definitions of a0, a1, ..., each but the first in terms of the last."""
    return "\n".join([first] + [link.format(i, i - 1) for i in range(1, count)])


def brackets(count):
    return f"module attributes {{x.a = {'[' * count}{']' * count}}} {{}}"


def angles(count):
    return f"module attributes {{x.a = #x{'<' * count}{'>' * count}}} {{}}"


def regions(count):
    return "module {\n" * count + "}\n" * count


def tuples(count):
    return (f"func.func private @f({'tuple<' * count}i32{'>' * count})")


def fused_locations(count):
    return f"module {{}} loc({'fused[' * count}\"a\"{']' * count})"


def named_locations(count):
    nested = '"a"(' * count + "unknown" + ")" * count
    return f"module {{}} loc({nested})"


def call_sites(count):
    nested = 'callsite("a" at ' * count + '"b"' + ")" * count
    return f"module {{}} loc({nested})"


def affine_parentheses(count):
    return f"#m = affine_map<(d0) -> ({'(' * count}d0{')' * count})>"


def affine_minuses(count):
    return f"#m = affine_map<(d0) -> ({'- ' * count}d0)>"


def affine_sum(count):
    symbols = [f"s{i}" for i in range(count)]
    return (f"#m = affine_map<()[{', '.join(symbols)}] -> "
            f"({' + '.join(symbols)})>")


def affine_mods(count):
    return f"#m = affine_map<(d0) -> (d0{' mod 7' * count})>"


def type_aliases(count):
    return (chain(count, "!a0 = i32", "!a{} = tuple<!a{}>")
            + f"\nfunc.func private @f(!a{count - 1})")


def dashed_aliases(count):
    return (chain(count, "!a-0 = i32", "!a-{} = tuple<!a-{}>")
            + f"\nfunc.func private @f(!a-{count - 1})")


def broken_aliases(count):
    """Definitions over several lines, with comments between their parts."""
    return (chain(count, "!a0 = i32",
                  "!a{} // =\n // a comment\n =\n tuple // (\r <\n!a{}\n>")
            + f"\nfunc.func private @f(!a{count - 1})")


def attribute_aliases(count):
    return (chain(count, "#a0 = 1 : i32", "#a{} = [#a{}]")
            + f"\nmodule attributes {{x.a = #a{count - 1}}} {{}}")


def location_aliases(count):
    return (chain(count, '#a0 = loc("a")', "#a{} = loc(callsite(#a0 at #a{}))")
            + f"\nmodule {{}} loc(#a{count - 1})")


def doubling_aliases(count):
    return (chain(count, "!a0 = i32", "!a{0} = tuple<!a{1}, !a{1}>")
            + f"\nfunc.func private @f(!a{count - 1})")


def wide_constant(count):
    """Long, but no deeper than any other."""
    row = "[" + ", ".join(["-1.5"] * 10) + "]"
    return ("func.func @main() {\n  %0 = fuse.constant ["
            + ", ".join([row] * count) + f"] : tensor<{count}x10xf32>\n"
            "  return\n}")


def long_program(count):
    """A chain of ops, each with a negative number and an arrow."""
    body = "".join(
        f"  %c{i} = fuse.constant -1.0 : tensor<f32>\n"
        f"  %v{i + 1} = fuse.map mul %v{i}, %c{i} "
        ": (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>\n"
        for i in range(count))
    return ("func.func @main(%v0: tensor<4xf32>) -> tensor<4xf32> {\n"
            f"{body}  return %v{count} : tensor<4xf32>\n}}")


def many_aliases(count):
    """Used often, but not by each other."""
    return "".join(f"!a{i} = tensor<{i}x?xf32>\n"
                   f"#b{i} = affine_map<() -> (-{i})>\n"
                   f"func.func private @f{i}(!a{i}, !a0) -> !a{i}\n"
                   for i in range(count))


def hidden_brackets(count):
    """In strings and comments. Comparisons are no brackets, either."""
    conditions = ", ".join(["d0 - 1 >= 0"] * count)
    return (f"// {'(' * count}\n"
            f"module attributes {{x.a = \"{'[' * count}\\\"(\", "
            f"x.s = affine_set<(d0) : ({conditions})>}} {{}}")


def open_parts(count):
    """Parts of a split file, each with brackets that it does not close."""
    part = ("// expected-error@+1 {{expected attribute value}}\n"
            f"module attributes {{x.a = {'[' * 100} ?")
    return "\n// -----\n".join([part] * count)


def messages(count):
    """To a language server."""
    body = f"{'[' * count}{']' * count}"
    return f"Content-Length: {len(body)}\r\n\r\n{body}"


def main():
    kind, count = sys.argv[1], int(sys.argv[2])
    print(globals()[kind](count))


if __name__ == "__main__":
    main()
