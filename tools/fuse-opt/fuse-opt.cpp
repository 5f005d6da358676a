//===- fuse-opt.cpp - Check, lower and run tensor programs ----------------===//

#include "fuse/ir/FuseDialect.h"
#include "fuse/passes/Passes.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  fuse::registerFuseDialects(registry);
  fuse::registerFusePasses();
  mlir::registerTransformsPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "fuse-opt\n", registry));
}
