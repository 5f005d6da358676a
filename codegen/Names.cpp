//===- Names.cpp - Identifiers for values ---------------------------------===//

#include "Names.h"
#include "fuse/ir/ScalarFn.h"
#include "llvm/ADT/StringExtras.h"

using namespace fuse;

/// The words of C++.
static constexpr StringRef keywords[] = {"alignas",      "alignof",
                                         "and",          "and_eq",
                                         "asm",          "auto",
                                         "bitand",       "bitor",
                                         "bool",         "break",
                                         "case",         "catch",
                                         "char",         "char16_t",
                                         "char32_t",     "class",
                                         "compl",        "const",
                                         "const_cast",   "constexpr",
                                         "continue",     "decltype",
                                         "default",      "delete",
                                         "do",           "double",
                                         "dynamic_cast", "else",
                                         "enum",         "explicit",
                                         "export",       "extern",
                                         "false",        "float",
                                         "for",          "friend",
                                         "goto",         "if",
                                         "inline",       "int",
                                         "long",         "mutable",
                                         "namespace",    "new",
                                         "noexcept",     "not",
                                         "not_eq",       "nullptr",
                                         "operator",     "or",
                                         "or_eq",        "private",
                                         "protected",    "public",
                                         "register",     "reinterpret_cast",
                                         "return",       "short",
                                         "signed",       "sizeof",
                                         "static",       "static_assert",
                                         "static_cast",  "struct",
                                         "switch",       "template",
                                         "this",         "thread_local",
                                         "throw",        "true",
                                         "try",          "typedef",
                                         "typeid",       "typename",
                                         "union",        "unsigned",
                                         "using",        "virtual",
                                         "void",         "volatile",
                                         "wchar_t",      "while",
                                         "xor",          "xor_eq"};

/// What kernels call, beside scalar functions, and what compilers define.
static constexpr StringRef used =
    "BFloat16 Dim FragmentMap Half KM KN Lane MK MN Max Min NK NM Reg "
    "Scalar SharedTile Slots Sum SwizzledTile Warp accumulate alloc barrier "
    "block_index broadcast cast compare_eq compare_ge compare_gt compare_le "
    "compare_lt compare_ne contract contract_chain contract_rows fill fuse "
    "infinity_of "
    "int64_t iota least limits load load_if logical_and logical_not "
    "logical_or logical_xor mask nan_of read reduce release_dependents reshape "
    "rows select slot splat store strides take_coordinate wait_for_producers "
    "write write_transposed linux unix";

Names::Names() {
  for (StringRef word : keywords)
    taken.insert(word);
  for (StringRef word : llvm::split(used, ' '))
    taken.insert(word);
  for (StringRef spelling : scalarFnSpellings())
    taken.insert(spelling);
}

std::string fuse::toIdentifier(StringRef hint) {
  std::string name;
  for (char c : hint)
    name += llvm::isAlnum(c) ? c : '_';
  // A leading underscore is for compilers: `__global__` is a macro.
  if (name.empty() || llvm::isDigit(name.front()) || name.front() == '_')
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
