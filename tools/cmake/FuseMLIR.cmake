# The one place that names MLIR and LLVM. Our archives see only their headers
# (`fuse_mlir_headers`); each tool decides how to link them.

list(APPEND CMAKE_PREFIX_PATH /usr/lib/llvm-22)
find_package(MLIR 22.1 REQUIRED CONFIG)
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)

separate_arguments(fuse_llvm_flags NATIVE_COMMAND "${LLVM_DEFINITIONS}")

add_library(fuse_mlir_headers INTERFACE)
target_include_directories(fuse_mlir_headers SYSTEM INTERFACE
  ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
target_compile_options(fuse_mlir_headers INTERFACE ${fuse_llvm_flags}
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<BOOL:${LLVM_ENABLE_EH}>>>:-fno-exceptions>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<BOOL:${LLVM_ENABLE_RTTI}>>>:-fno-rtti>)

# fuse_link_mlir(<target> <archives...>) links an executable with the given
# MLIR archives, or with libMLIR.so when FUSE_LINK is shared.
function(fuse_link_mlir target)
  if(FUSE_LINK STREQUAL "shared")
    target_link_libraries(${target} PRIVATE MLIR LLVM)
  else()
    target_link_libraries(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# The archives behind everything our own libraries call.
set(FUSE_MLIR_CORE_LIBS
  MLIRIR MLIRParser MLIRPass MLIRSupport MLIRTransforms MLIRTransformUtils
  MLIRFuncDialect MLIRFuncInlinerExtension MLIRArithDialect MLIRUBDialect
  MLIRInferTypeOpInterface MLIRSideEffectInterfaces)
