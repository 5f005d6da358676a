//===- fuse-reduce.cpp - Small programs from large ones that fail ---------===//

#include "ReadProgram.h"
#include "fuse/ir/FuseDialect.h"
#include "fuse/ir/TextScan.h"
#include "fuse/passes/Passes.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/thread.h"

/// MLIR reads the program itself; so what could be one is scanned before.
static bool isReadable(llvm::ArrayRef<char *> arguments) {
  bool isOutput = false;
  for (llvm::StringRef argument : arguments) {
    bool isProgram = !isOutput && llvm::sys::fs::is_regular_file(argument);
    isOutput = argument == "-o" || argument == "--o";
    if (isProgram && !fuse::readProgram(argument))
      return false;
  }
  return true;
}

int main(int argc, char **argv) {
  if (!isReadable(llvm::ArrayRef(argv, argc).drop_front()))
    return 1;
  mlir::DialectRegistry registry;
  fuse::registerFuseDialects(registry);
  fuse::registerFusePasses();
  mlir::registerTransformsPasses();
  mlir::MLIRContext context(registry);
  bool succeeded = false;
  llvm::thread worker(std::optional<unsigned>(fuse::parserStackBytes), [&] {
    succeeded = mlir::succeeded(mlir::mlirReduceMain(argc, argv, context));
  });
  worker.join();
  return succeeded ? 0 : 1;
}
