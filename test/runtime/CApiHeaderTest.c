/*===- CApiHeaderTest.c - the C interface as C --------------------*- C -*-===*/

#include "fuse/runtime/runtime.h"

#include "fuse/runtime/TwinAbi.h"

/* Called by CApiTest.cpp. The message of a program that is none. */
int fuse_c_api_reports_errors(void) {
  fuse_program *program = (fuse_program *)1;
  fuse_error *error = fuse_program_load("no program", 10, "memory", &program);
  int right = error && !program &&
              fuse_error_get_code(error) == FUSE_INVALID_INPUT &&
              fuse_error_get_message(error)[0] == 'm';
  fuse_error_destroy(error);
  fuse_program_destroy(program);
  return right && fuse_error_get_code(NULL) == FUSE_OK &&
         fuse_api_version() ==
             (FUSE_API_VERSION_MAJOR << 16 | FUSE_API_VERSION_MINOR);
}
