//===- ScalarFn.cpp - Scalar functions and comparisons --------------------===//

#include "fuse/ir/ScalarFn.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/ErrorHandling.h"

using namespace fuse;

static constexpr ScalarFnInfo scalarFns[] = {
#define FUSE_SCALAR_FN(Name, spelling, arity, operands, ulps)                  \
  {spelling, arity, ScalarOperands::operands, ulps},
#include "fuse/ir/ScalarFn.def"
};

static constexpr StringRef scalarFnNames[] = {
#define FUSE_SCALAR_FN(Name, spelling, arity, operands, ulps) spelling,
#include "fuse/ir/ScalarFn.def"
};

static constexpr StringRef comparisonNames[] = {
#define FUSE_COMPARE(Name, spelling) spelling,
#include "fuse/ir/ScalarFn.def"
};

template <typename Enum>
static std::optional<Enum> lookup(ArrayRef<StringRef> names,
                                  StringRef spelling) {
  const auto *it = llvm::find(names, spelling);
  if (it == names.end())
    return std::nullopt;
  return static_cast<Enum>(it - names.begin());
}

const ScalarFnInfo &fuse::getInfo(ScalarFn fn) {
  return scalarFns[static_cast<uint32_t>(fn)];
}

bool fuse::takesElementType(ScalarFn fn, mlir::Type elementType) {
  bool isFloat = isa<mlir::FloatType>(elementType);
  switch (getInfo(fn).operands) {
  case ScalarOperands::Float:
    return isFloat;
  case ScalarOperands::Number:
    return isFloat || elementType.isInteger(32);
  case ScalarOperands::Int:
    return elementType.isInteger(32);
  case ScalarOperands::Logic:
    return elementType.isInteger(32) || elementType.isInteger(1);
  }
  llvm_unreachable("unknown operand class");
}

StringRef fuse::describe(ScalarOperands operands) {
  switch (operands) {
  case ScalarOperands::Float:
    return "floating-point";
  case ScalarOperands::Number:
    return "floating-point or i32";
  case ScalarOperands::Int:
    return "i32";
  case ScalarOperands::Logic:
    return "i1 or i32";
  }
  llvm_unreachable("unknown operand class");
}

ArrayRef<StringRef> fuse::scalarFnSpellings() { return scalarFnNames; }

StringRef fuse::stringify(ScalarFn fn) { return getInfo(fn).spelling; }

StringRef fuse::stringify(Comparison comparison) {
  return comparisonNames[static_cast<uint32_t>(comparison)];
}

std::optional<ScalarFn> fuse::symbolizeScalarFn(StringRef spelling) {
  return lookup<ScalarFn>(scalarFnNames, spelling);
}

std::optional<Comparison> fuse::symbolizeComparison(StringRef spelling) {
  return lookup<Comparison>(comparisonNames, spelling);
}
