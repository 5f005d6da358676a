//===- DocumentScan.h - Documents before they are parsed --------*- C++ -*-===//
//------===//

#ifndef FUSE_TOOLS_FUSE_LSP_SERVER_DOCUMENTSCAN_H
#define FUSE_TOOLS_FUSE_LSP_SERVER_DOCUMENTSCAN_H

#include "mlir/IR/Dialect.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace fuse {

/// Stands in for a document that exceeds the limits of TextScan.h: its text is
/// one op at the place of the first excess, whose parser reports it.
class RefusedDialect : public mlir::Dialect {
public:
  explicit RefusedDialect(mlir::MLIRContext *context)
      : Dialect(getDialectNamespace(), context,
                mlir::TypeID::get<RefusedDialect>()) {}
  static constexpr llvm::StringLiteral getDialectNamespace() {
    return llvm::StringLiteral("refused");
  }
  std::optional<ParseOpHook>
  getParseOperationHook(llvm::StringRef opName) const override;
};

/// The body of a message to the server as it may be read: a document in it that
/// exceeds the limits is replaced. Nothing if the message itself does.
std::optional<std::string> scanMessage(llvm::StringRef body);

} // namespace fuse

#endif // FUSE_TOOLS_FUSE_LSP_SERVER_DOCUMENTSCAN_H
