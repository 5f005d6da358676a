//===- Names.cpp - Identifiers for values ---------------------------------===//

#include "Names.h"
#include "fuse/ir/ScalarFn.h"
#include "llvm/ADT/StringExtras.h"

using namespace fuse;

/// Words of C++ and of CUDA that a tensor may well be called.
static constexpr StringRef reserved[] = {
    "and",      "asm",      "auto",     "bool",     "break",    "case",
    "catch",    "char",     "class",    "const",    "continue", "default",
    "delete",   "do",       "double",   "else",     "enum",     "explicit",
    "export",   "extern",   "false",    "float",    "for",      "friend",
    "goto",     "if",       "inline",   "int",      "long",     "mutable",
    "namespace", "new",     "not",      "operator", "or",       "private",
    "protected", "public",  "register", "return",   "short",    "signed",
    "sizeof",   "static",   "struct",   "switch",   "template", "this",
    "throw",    "true",     "try",      "typedef",  "typename", "union",
    "unsigned", "using",    "virtual",  "void",     "volatile", "while",
    "xor",      "alloc",    "barrier",  "block",    "broadcast", "cast",
    "contract", "fill",     "iota",     "lane",     "limits",   "load",
    "mask",     "read",     "reduce",   "select",   "splat",    "store",
    "strides",  "warp",     "write",    "Index",    "Map",      "Tile",
    "Sum",      "Max",      "Min",      "Half",     "Scalar",   "fuse",
    "logical_and", "logical_or", "logical_xor", "logical_not", "block_index",
    "infinity_of", "nan_of", "Reg", "Lane", "Warp", "Dim", "SharedTile",
    "MK", "KM", "KN", "NK", "FragmentMap", "SwizzledTile", "BFloat16", "commit",
    "wait", "copy_async", "fma", "convert", "compare_eq", "compare_ne",
    "compare_lt", "compare_le", "compare_gt", "compare_ge"};

Names::Names() {
  for (StringRef word : reserved)
    taken.insert(word);
  for (StringRef spelling : scalarFnSpellings())
    taken.insert(spelling);
}

std::string fuse::toIdentifier(StringRef hint) {
  std::string name;
  for (char c : hint)
    name += llvm::isAlnum(c) ? c : '_';
  if (name.empty() || llvm::isDigit(name.front()))
    name.insert(0, "v");
  return name;
}

std::string Names::create(StringRef hint) {
  std::string base = toIdentifier(hint), name = base;
  while (!taken.insert(name).second)
    name = base + "_" + std::to_string(++counts[base]);
  return name;
}

StringRef Names::name(mlir::Value value, StringRef hint) {
  return names[value] = create(hint);
}

StringRef Names::get(mlir::Value value) const {
  auto it = names.find(value);
  assert(it != names.end() && "values are named where they are defined");
  return it->second;
}
