//===- RuntimeExprs.h - Dims as the runtime evaluates them -----*- C++ -*-===//

#ifndef FUSE_CODEGEN_RUNTIMEEXPRS_H
#define FUSE_CODEGEN_RUNTIMEEXPRS_H

#include "fuse/ir/DimAnalysis.h"
#include "fuse/runtime/Artifact.h"

namespace fuse {

/// The number of each dim of an artifact.
using DimNumbers = llvm::StringMap<size_t>;

/// Turns expressions of named dims into those of the runtime.
class RuntimeExprs {
public:
  RuntimeExprs(const DimFacts &facts, const DimNumbers &numbers)
      : facts(facts), numbers(numbers) {}

  rt::IntExpr convert(const DimExpr &expr) const;
  /// What a call must satisfy.
  rt::Artifact::Condition convert(const DimConstraint &constraint) const;

private:
  /// An expression without fractions.
  rt::IntExpr convertSum(const DimExpr &expr) const;

  const DimFacts &facts;
  const DimNumbers &numbers;
};

} // namespace fuse

#endif // FUSE_CODEGEN_RUNTIMEEXPRS_H
