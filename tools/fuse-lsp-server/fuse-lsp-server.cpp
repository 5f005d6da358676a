//===- fuse-lsp-server.cpp - Tensor programs in an editor -----------------===//

#include "fuse/ir/FuseDialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  fuse::registerFuseDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
