//===- Precision.cpp - The option --fp32 ----------------------------------===//

#include "Precision.h"
#include "Console.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuse;

/// True for operands of the one element type that has a choice.
static bool hasF32Operands(Operation *op) {
  return cast<RankedTensorType>(op->getOperand(0).getType())
      .getElementType()
      .isF32();
}

void fuse::setFp32Precision(Operation *root, Precision precision) {
  SmallVector<std::string> changed;
  auto change = [&](auto op) {
    if (op.getPrecision() != Precision::Ieee || !hasF32Operands(op))
      return;
    op.setPrecision(precision);
    changed.push_back(describeOp(op));
  };
  root->walk([&](Operation *op) {
    TypeSwitch<Operation *>(op).Case<EinsumOp, LinearOp, AttentionOp>(change);
  });
  printInfo() << "--fp32=" << stringifyPrecision(precision) << " for "
              << (changed.empty() ? "no op" : llvm::join(changed, ", "))
              << "\n";
}
