//===- FusePlugin.cpp - Our dialect and passes for stock MLIR tools -------===//
//
// A program that links libMLIR.so, such as mlir-opt, loads this library with
// --load-dialect-plugin and --load-pass-plugin.
//
//===----------------------------------------------------------------------===//

#include "fuse/ir/FuseDialect.h"
#include "fuse/passes/Passes.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

// MLIR declares the two entry points as weak, and looks them up by name.
#define FUSE_PLUGIN_ENTRY extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT

FUSE_PLUGIN_ENTRY mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "FusePlugin", FUSE_VERSION,
          [](mlir::DialectRegistry *registry) {
            fuse::registerFuseDialects(*registry);
          }};
}

FUSE_PLUGIN_ENTRY mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "FusePlugin", FUSE_VERSION,
          [] { fuse::registerFusePasses(); }};
}
