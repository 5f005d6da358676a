#!/usr/bin/env python3
"""Checks that libraries leave the process to the program they are part of.

They do not end it, print, read the environment or options of the command line,
or keep anything between calls: programs with several threads and contexts embed
them. (Mutable globals that are not `static` look like any other declaration;
test/embed finds those in the archives.)
"""

import re
import sys

import project

LIBRARIES = ("ir", "passes", "codegen", "runtime")

# What must not be called or named -> what to do instead.
FORBIDDEN = {
    r"(?<![\w.>])(?:_exit|_Exit|abort|exit|quick_exit|terminate"
    r"|report_fatal_error|reportFatal\w+)\s*(?=\()":
        "an error returned to the caller",
    r"(?<![\w.>])(?:v?printf|puts|putchar|perror|outs|errs|dbgs)\s*(?=\()"
    r"|(?:\.|->)dump\s*(?=\(\s*\))"
    r"|\b(?:cout|cerr|clog|cin|stdout|stderr|stdin)\b|<iostream>":
        "a stream of the caller",
    # `cl::desc` and `cl::init` are how options of a pipeline are written.
    r"\bcl::(?!(?:desc|init)\b)\w+": "an options struct; the command line is a tool's",
    r"(?<![\w.>])(?:secure_getenv|getenv|setenv|unsetenv|putenv"
    r"|GetEnv)\s*(?=\()":
        "an options struct; the environment is a tool's",
    r"(?<![\w.>])(?:atexit|at_quick_exit|setlocale|signal|sigaction|chdir"
    r"|umask|srand|rand)\s*(?=\()":
        "no change to the process",
    r"\b(?:ManagedStatic|thread_local)\b":
        "state in an object of the caller",
}

# Files that may do what others must not, and why.
EXEMPT = {
    # Faults of kernels become findings while the twin runs them; handlers are
    # put back afterwards.
    "runtime/twin/Faults.cpp": {"sigaction"},
}

# Comments and literals; the latter leave their quotes.
BLANK = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'
    r"|(?<!\w)'(?:\\.|[^'\\\n])+'", re.S)


def code_of(text):
    """`text` without comments and the contents of literals, line by line."""
    def blank(match):
        quotes = "" if match[0][0] == "/" else '""'
        return quotes + "\n" * match[0].count("\n")
    return re.sub(r"\boperator\s*[<>=]+", "operator", BLANK.sub(blank, text))


def declaration_at(code, start):
    """The declaration that starts there, up to its parameters or value."""
    depth = 0
    for end in range(start, len(code)):
        depth += (code[end] == "<") - (code[end] == ">")
        if depth <= 0 and code[end] in "(={;":
            return code[start:end], code[end:end + 2]
    return code[start:], ""


def is_mutable(declaration, rest):
    """Whether a `static` declaration is a variable that can change."""
    if rest.startswith("(") and not re.match(r'\(["\d]', rest):
        return False  # A function.
    if re.search(r"\bconstexpr\b", declaration):
        return False
    return not re.search(r"\bconst\b[^*]*$", declaration)


def problems_of(code, exempt):
    """Pairs of an offset and a message."""
    for pattern, wanted in FORBIDDEN.items():
        for match in re.finditer(pattern, code):
            if match[0].strip() in exempt:
                continue
            yield match.start(), f"expects {wanted}, but got '{match[0]}'"
    for match in re.finditer(r"\bstatic\b", code):
        declaration, rest = declaration_at(code, match.start())
        if is_mutable(declaration, rest):
            yield (match.start(), "expects static variables to be constant, "
                   f"but got '{' '.join(declaration.split())}'")


def main():
    arguments = project.parser(__doc__).parse_args()
    problems = []
    for path in project.files(arguments.root, (*project.CPP_SUFFIXES, ".def")):
        if path.parts[0] not in LIBRARIES:
            continue
        code = code_of((arguments.root / path).read_text())
        problems += sorted((path, code.count("\n", 0, offset) + 1, message)
                           for offset, message in problems_of(
                               code, EXEMPT.get(path.as_posix(), ())))
    return project.report("library hygiene", problems)


if __name__ == "__main__":
    sys.exit(main())
