# Headers of other projects that most of our files read, parsed once a target
# instead of once a file. Every file still includes what it uses: the option is
# off in a build that is to show that.

option(FUSE_PRECOMPILE "Precompile the headers of MLIR and of the tests" ON)

function(fuse_precompile target)
  if(FUSE_PRECOMPILE AND PROJECT_IS_TOP_LEVEL)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

set(FUSE_MLIR_HEADERS
  <mlir/Bytecode/BytecodeOpInterface.h>
  <mlir/Dialect/Arith/IR/Arith.h>
  <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/IR/BuiltinOps.h>
  <mlir/IR/OpImplementation.h>
  <mlir/IR/PatternMatch.h>
  <mlir/Interfaces/FunctionInterfaces.h>
  <mlir/Pass/Pass.h>)
set(FUSE_TEST_HEADERS <gtest/gtest.h> <rapidcheck.h>)
