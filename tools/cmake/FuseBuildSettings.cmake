# Compiler settings shared by every target: warnings, sanitizers, ccache, the
# linker, and the number of links that may run at once.

add_library(fuse_warnings INTERFACE)
target_compile_options(fuse_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wno-unused-parameter
  $<$<BOOL:${FUSE_WERROR}>:-Werror>)

if(FUSE_SANITIZE)
  string(REPLACE ";" "," fuse_sanitizers "${FUSE_SANITIZE}")
  add_compile_options(-fsanitize=${fuse_sanitizers} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${fuse_sanitizers})
endif()

# The rest is for a build of our own: a project that Fuse is part of has its own
# ways, and what is set here holds for our folders only.
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

# A static link of MLIR takes memory, so few run side by side.
set_property(GLOBAL APPEND PROPERTY JOB_POOLS fuse_link=2)
set(CMAKE_JOB_POOL_LINK fuse_link)

# gcc looks for lld under the one name `ld.lld`.
find_program(LLD_PROGRAM NAMES ld.lld-22 ld.lld PATHS /usr/lib/llvm-22/bin)
if(LLD_PROGRAM)
  add_link_options(-B${PROJECT_BINARY_DIR}/linker -fuse-ld=lld)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/linker)
  file(CREATE_LINK ${LLD_PROGRAM} ${PROJECT_BINARY_DIR}/linker/ld.lld SYMBOLIC)
endif()

# Installed programs find shared libraries of LLVM where we found them.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
