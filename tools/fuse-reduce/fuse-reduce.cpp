//===- fuse-reduce.cpp - Small programs from large ones that fail ---------===//

#include "fuse/ir/FuseDialect.h"
#include "fuse/passes/Passes.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  fuse::registerFuseDialects(registry);
  fuse::registerFusePasses();
  mlir::registerTransformsPasses();
  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
