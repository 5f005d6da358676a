# FuseCompiler::MLIR, through which our libraries see MLIR: its headers and, as
# FuseCompiler_LINK says, its libraries. Part of the installed package; the
# build of Fuse itself uses it too. find_package(MLIR) comes first.
#
#   shared  libMLIR.so and libLLVM.so (default)
#   static  the archives of MLIR that our libraries call
#   none    nothing: whoever links our libraries links MLIR, too

set(FuseCompiler_MLIR_LIBS
  MLIRIR MLIRParser MLIRPass MLIRSupport MLIRTransforms MLIRTransformUtils
  MLIRFuncDialect MLIRFuncInlinerExtension MLIRArithDialect MLIRSCFDialect
  MLIRUBDialect
  MLIRInferTypeOpInterface MLIRSideEffectInterfaces)

if(NOT DEFINED FuseCompiler_LINK)
  set(FuseCompiler_LINK shared)
endif()
if(NOT FuseCompiler_LINK MATCHES "^(shared|static|none)$")
  message(FATAL_ERROR "FuseCompiler_LINK expects shared, static or none, but "
    "got '${FuseCompiler_LINK}'")
endif()

if(NOT TARGET FuseCompiler::MLIR)
  add_library(FuseCompiler::MLIR INTERFACE IMPORTED)
  target_compile_features(FuseCompiler::MLIR INTERFACE cxx_std_17)
  target_include_directories(FuseCompiler::MLIR SYSTEM INTERFACE
    ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})

  # One string of ready -D flags. Run-time type information is part of the ABI,
  # exceptions are not.
  separate_arguments(FuseCompiler_FLAGS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
  if(NOT LLVM_ENABLE_RTTI)
    list(APPEND FuseCompiler_FLAGS $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
  endif()
  target_compile_options(FuseCompiler::MLIR INTERFACE ${FuseCompiler_FLAGS})

  if(FuseCompiler_LINK STREQUAL "shared")
    target_link_libraries(FuseCompiler::MLIR INTERFACE MLIR LLVM)
  elseif(FuseCompiler_LINK STREQUAL "static")
    target_link_libraries(FuseCompiler::MLIR INTERFACE
      ${FuseCompiler_MLIR_LIBS})
  endif()
endif()
