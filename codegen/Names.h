//===- Names.h - Identifiers for values ------------------------*- C++ -*-===//

#ifndef FUSE_CODEGEN_NAMES_H
#define FUSE_CODEGEN_NAMES_H

#include "fuse/ir/LLVM.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace fuse {

/// The identifiers of one kernel: legal in C++, no name of the device header
/// nor a keyword, each used once.
class Names {
public:
  Names();
  /// A new identifier like `hint`: `x`, then `x_1`, `x_2`.
  std::string create(StringRef hint);
  /// Names a value; a value is named once.
  StringRef name(mlir::Value value, StringRef hint);
  /// Lets a value go by the name of another.
  void alias(mlir::Value value, mlir::Value other) {
    names[value] = get(other).str();
  }
  bool has(mlir::Value value) const { return names.count(value); }
  StringRef get(mlir::Value value) const;

private:
  llvm::StringSet<> taken;
  llvm::StringMap<unsigned> counts;
  llvm::DenseMap<mlir::Value, std::string> names;
};

/// The hint with every character that an identifier cannot have as `_`.
std::string toIdentifier(StringRef hint);

} // namespace fuse

#endif // FUSE_CODEGEN_NAMES_H
