# The installed package, for find_package(FuseCompiler) in other projects.
# `cmake --install BUILD --component Runtime` installs what needs no MLIR;
# `Compiler` is what comes on top of it, `Tools` our programs.

include(CMakePackageConfigHelpers)
set(fuse_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/FuseCompiler)

# fuse_install_library(<component> <target> <name> <folder>) installs a library,
# which others know as FuseCompiler::<name>, and the public headers below
# <folder>, those of the build tree included.
function(fuse_install_library component target name folder)
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS ${target} EXPORT Fuse${component}Targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component})
  foreach(root IN ITEMS ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
    install(DIRECTORY ${root}/${folder}/include/
      DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT ${component}
      FILES_MATCHING
      PATTERN "*.h" PATTERN "*.td" PATTERN "*.def" PATTERN "*.h.inc"
      PATTERN "CMakeFiles" EXCLUDE)
  endforeach()
endfunction()

fuse_install_library(Runtime FuseRuntime Runtime runtime)
fuse_install_library(Runtime FuseDeviceHeader DeviceHeader runtime/device)
fuse_install_library(Compiler FuseIR IR ir)
fuse_install_library(Compiler FuseInterpreter Interpreter ir/interpreter)
fuse_install_library(Compiler FusePasses Passes passes)
fuse_install_library(Compiler FuseCodegen Codegen codegen)

foreach(component IN ITEMS Runtime Compiler)
  install(EXPORT Fuse${component}Targets NAMESPACE FuseCompiler::
    DESTINATION ${fuse_package_dir} COMPONENT ${component})
endforeach()

configure_file(${CMAKE_CURRENT_LIST_DIR}/FuseCompilerConfig.cmake.in
  ${PROJECT_BINARY_DIR}/FuseCompilerConfig.cmake @ONLY)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/FuseCompilerConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/FuseCompilerConfig.cmake
  ${PROJECT_BINARY_DIR}/FuseCompilerConfigVersion.cmake
  DESTINATION ${fuse_package_dir} COMPONENT Runtime)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/FuseCompilerMLIR.cmake
  DESTINATION ${fuse_package_dir} COMPONENT Compiler)
