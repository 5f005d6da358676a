//===- fuse-lsp-server.cpp - Tensor programs in an editor -----------------===//

#include "fuse/ir/FuseDialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/thread.h"

/// Documents arrive in messages that MLIR reads, so that none can be scanned
/// for its nesting (TextScan.h). With this stack the parser gets through what
/// is nested a few hundred thousand deep; memory is used as the stack grows.
static constexpr unsigned stackBytes = 1u << 30;

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  fuse::registerFuseDialects(registry);
  bool succeeded = false;
  llvm::thread worker(std::optional<unsigned>(stackBytes), [&] {
    succeeded = mlir::succeeded(mlir::MlirLspServerMain(argc, argv, registry));
  });
  worker.join();
  return succeeded ? 0 : 1;
}
