"""Writes a program of core ops in another way that means the same.

Reads MLIR text from stdin: the letters of einsums become others, products have
their operands the other way round, and functions take their arguments in
reverse.
"""

import re
import sys

LETTERS = "abcdefghijklmnopqrstuvwxyz"
OTHERS = "qwertyuiopasdfghjklzxcvbnm"


def split_at_commas(text):
    """The parts between commas that stand outside of brackets."""
    parts, depth, quoted = [""], 0, False
    for char in text:
        if char == '"':
            quoted = not quoted
        if not quoted and char in "([{<":
            depth += 1
        if not quoted and char in ")]}>":
            depth -= 1
        if char == "," and depth == 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts]


def rewrite_einsum(match):
    spec, operands, types, rest = match.groups()
    inputs, output = spec.translate(str.maketrans(LETTERS, OTHERS)).split("->")
    inputs = inputs.split(",")
    operands, types = split_at_commas(operands), split_at_commas(types)
    return (f'fuse.einsum "{",".join(reversed(inputs))}->{output}" '
            f'{", ".join(reversed(operands))} : '
            f'({", ".join(reversed(types))}){rest}')


def reverse_arguments(text):
    start = text.index("func.func @main(") + len("func.func @main(")
    depth, end = 1, start
    while depth:
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        end += 1
    arguments = split_at_commas(text[start:end - 1])
    return text[:start] + ", ".join(reversed(arguments)) + text[end - 1:]


def main():
    text = sys.stdin.read()
    text, count = re.subn(
        r'fuse\.einsum "([^"]*)" (%[^:{]*?) : \(([^)]*)\)( ->)', rewrite_einsum,
        text)
    if not count:
        sys.exit("expects einsums to rewrite")
    sys.stdout.write(reverse_arguments(text))


if __name__ == "__main__":
    main()
