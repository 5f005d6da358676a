//===- ScalarFn.h - Scalar functions and comparisons -----------*- C++ -*-===//
//
// The closed sets behind `fuse.map` and `fuse.compare`, generated from
// ScalarFn.def.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_IR_SCALARFN_H
#define FUSE_IR_SCALARFN_H

#include "fuse/ir/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace mlir {
class Type;
} // namespace mlir

namespace fuse {

enum class ScalarFn : uint32_t {
#define FUSE_SCALAR_FN(Name, spelling, arity, operands, ulps) Name,
#include "fuse/ir/ScalarFn.def"
};

enum class Comparison : uint32_t {
#define FUSE_COMPARE(Name, spelling) Name,
#include "fuse/ir/ScalarFn.def"
};

/// The element types that a scalar function takes.
enum class ScalarOperands { Float, Number, Int, Logic };

struct ScalarFnInfo {
  StringRef spelling;
  unsigned arity;
  ScalarOperands operands;
  double ulps;
};

const ScalarFnInfo &getInfo(ScalarFn fn);
bool takesElementType(ScalarFn fn, mlir::Type elementType);
/// "floating-point", "floating-point or i32", ...
StringRef describe(ScalarOperands operands);
/// All spellings, in table order, for messages and documentation.
ArrayRef<StringRef> scalarFnSpellings();

StringRef stringify(ScalarFn fn);
StringRef stringify(Comparison comparison);
std::optional<ScalarFn> symbolizeScalarFn(StringRef spelling);
std::optional<Comparison> symbolizeComparison(StringRef spelling);

} // namespace fuse

#endif // FUSE_IR_SCALARFN_H
