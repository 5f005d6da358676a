# The one place that looks for MLIR and LLVM. Our archives see only the headers
# (`FuseCompiler::MLIR`); each of our tools decides how to link.

set(FUSE_MLIR_VERSION 22.1)
list(APPEND CMAKE_PREFIX_PATH /usr/lib/llvm-22)
find_package(MLIR ${FUSE_MLIR_VERSION} REQUIRED CONFIG)
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# Where Fuse is part of another project, that one has the choice.
if(PROJECT_IS_TOP_LEVEL)
  set(FuseCompiler_LINK none)
endif()
include(FuseCompilerMLIR)
set(FUSE_MLIR_CORE_LIBS ${FuseCompiler_MLIR_LIBS})

# Debian's archives of MLIR ask for the shared libLLVM; what is static with us
# is static all the way. Archives that nobody asks anything of cost nothing.
if(PROJECT_IS_TOP_LEVEL AND FUSE_LINK STREQUAL "static")
  set(archives "LLVMCore;LLVMRemarks;LLVMSupportLSP;LLVMSupport")
  foreach(library IN LISTS MLIR_EXPORTED_TARGETS)
    get_target_property(type ${library} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      get_target_property(needed ${library} INTERFACE_LINK_LIBRARIES)
      list(TRANSFORM needed REPLACE "^LLVM$" "${archives}")
      set_property(TARGET ${library} PROPERTY
        INTERFACE_LINK_LIBRARIES ${needed})
    endif()
  endforeach()
endif()

# How our own code that faces MLIR is compiled, whatever its users do.
add_library(fuse_mlir_options INTERFACE)
target_compile_options(fuse_mlir_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)
target_link_libraries(fuse_mlir_options INTERFACE fuse_warnings)

# fuse_link_mlir(<target> <archives...>) links an executable with the given
# MLIR archives, or with libMLIR.so when FUSE_LINK is shared.
function(fuse_link_mlir target)
  if(FUSE_LINK STREQUAL "shared")
    target_link_libraries(${target} PRIVATE MLIR LLVM)
  else()
    target_link_libraries(${target} PRIVATE ${ARGN})
  endif()
endfunction()
