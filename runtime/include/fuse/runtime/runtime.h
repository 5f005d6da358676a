//===- runtime.h - the C interface of the runtime ----------------*- C -*-===//
//
// Load a program, open a device, prepare the program on it, launch it:
//
//   fuse_program *program;    fuse_program_load_file("p.fuse", &program);
//   fuse_device *device;      fuse_device_open("cuda", options, &device);
//   fuse_executable *kernels; fuse_prepare(device, program, &kernels);
//   fuse_workspace_size(program, dims, num_dims, &bytes);
//   fuse_launch(kernels, pointers, num_pointers, dims, num_dims, strides,
//               workspace, bytes, stream);
//
// Functions that can fail return an error, NULL for success, which belongs to
// the caller; what they were to set is then NULL or 0. Objects that they give
// belong to the caller too, may be destroyed in any order, and NULL may be
// destroyed. Strings belong to the object that they were asked of. All objects
// but options may be used by several threads at once. Nothing here prints, ends
// the process, or reads the environment.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_RUNTIME_H
#define FUSE_RUNTIME_RUNTIME_H

#include "fuse/runtime/Abi.h"

#include <stddef.h> // NOLINT(modernize-deprecated-headers): this is C

#ifdef __cplusplus
extern "C" {
#endif

// NOLINTBEGIN(readability-identifier-naming): parameters are spelled as in C.

/// Functions are added under a higher minor version, and changed or removed
/// under a higher major one only.
#define FUSE_API_VERSION_MAJOR 1u
#define FUSE_API_VERSION_MINOR 0u

/// major << 16 | minor, of the library.
uint32_t fuse_api_version(void);

typedef struct fuse_error fuse_error;
typedef struct fuse_program fuse_program;
typedef struct fuse_options fuse_options;
typedef struct fuse_device fuse_device;
typedef struct fuse_executable fuse_executable;
typedef struct fuse_graph fuse_graph;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

typedef enum fuse_error_code {
  FUSE_OK = 0,
  FUSE_INVALID_INPUT = 1, ///< What the caller gave does not fit.
  FUSE_IO = 2,            ///< The operating system refused to read or write.
  FUSE_RUNTIME = 3,       ///< A device failed, or a program while it ran.
  FUSE_NO_DEVICE = 4,     ///< No driver, GPU or compiler.
  FUSE_RESOURCE = 5       ///< More memory or other means than there are.
} fuse_error_code;

/// FUSE_OK for NULL.
fuse_error_code fuse_error_get_code(const fuse_error *error);
/// In lower case, without a full stop; "" for NULL.
const char *fuse_error_get_message(const fuse_error *error);
void fuse_error_destroy(fuse_error *error);

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// From the bytes of an artifact, which may go afterwards. `name` stands for
/// them in messages.
fuse_error *fuse_program_load(const void *bytes, size_t size, const char *name,
                              fuse_program **program);
fuse_error *fuse_program_load_file(const char *path, fuse_program **program);
void fuse_program_destroy(fuse_program *program);

const char *fuse_program_name(const fuse_program *program);

/// Runtime dims, in the order in which every function takes their extents.
size_t fuse_program_num_dims(const fuse_program *program);
const char *fuse_program_dim_name(const fuse_program *program, size_t dim);

/// A tensor has an index: arguments from 0 on, then results.
size_t fuse_program_num_arguments(const fuse_program *program);
size_t fuse_program_num_results(const fuse_program *program);
const char *fuse_program_tensor_name(const fuse_program *program,
                                     size_t tensor);
FuseDType fuse_program_tensor_dtype(const fuse_program *program, size_t tensor);
size_t fuse_program_tensor_rank(const fuse_program *program, size_t tensor);
/// In bytes.
size_t fuse_program_tensor_alignment(const fuse_program *program,
                                     size_t tensor);
/// 1 for a weight, else 0.
int fuse_program_tensor_is_param(const fuse_program *program, size_t tensor);
/// Sets as many sizes as the tensor has dimensions.
fuse_error *fuse_program_tensor_shape(const fuse_program *program,
                                      size_t tensor, const int64_t *dims,
                                      size_t num_dims, int64_t *shape);

/// Bytes of workspace that a launch with these dims needs.
fuse_error *fuse_workspace_size(const fuse_program *program,
                                const int64_t *dims, size_t num_dims,
                                uint64_t *bytes);

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// Options with their defaults. NULL if there is no memory.
fuse_options *fuse_options_create(void);
void fuse_options_destroy(fuse_options *options);

/// Sets one option from text:
///
/// driver          path of the CUDA driver
/// ordinal         number of the GPU
/// nvrtc           path of NVRTC
/// cuda-home       a CUDA toolkit
/// python-folder   one more Python environment to look for NVRTC in
/// debug-sync      1: wait after each launch
/// profiler-ranges 1: NVTX ranges
/// compiler        command of a C++ compiler, for device host
/// search-path     where to look for it, as in $PATH
/// temporary       folder to compile in
/// checks          0: device host without its checker
/// cache           folder of compiled kernels; "" for none
/// cache-bytes     limit of that folder
///
fuse_error *fuse_options_set(fuse_options *options, const char *name,
                             const char *value);

/// `kind` is cuda or host; `options` may be NULL.
fuse_error *fuse_device_open(const char *kind, const fuse_options *options,
                             fuse_device **device);
/// `NVIDIA H200 (sm_90a), driver for CUDA 13.0`.
const char *fuse_device_description(const fuse_device *device);
void fuse_device_destroy(fuse_device *device);

/// Compiles every kernel that is not compiled yet; launches compile nothing.
fuse_error *fuse_prepare(const fuse_device *device, const fuse_program *program,
                         fuse_executable **executable);
void fuse_executable_destroy(fuse_executable *executable);
/// Kernels that a compiler was run for; the others were cached or prebuilt.
int64_t fuse_executable_num_compiled(const fuse_executable *executable);

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Launches one call. On cuda `pointers` are device memory, `stream` is a
/// CUstream, and the call is queued; on host they are any memory, and it has
/// run on return. `strides` may be NULL, and so may each of its entries:
/// row-major, which is all that is served. Without an error it allocates
/// nothing on cuda.
fuse_error *fuse_launch(const fuse_executable *executable,
                        void *const *pointers, size_t num_pointers,
                        const int64_t *dims, size_t num_dims,
                        const int64_t *const *strides, void *workspace,
                        uint64_t workspace_bytes, void *stream);

/// Records `calls` such launches as one CUDA graph.
fuse_error *fuse_graph_capture(const fuse_executable *executable,
                               void *const *pointers, size_t num_pointers,
                               const int64_t *dims, size_t num_dims,
                               const int64_t *const *strides, void *workspace,
                               uint64_t workspace_bytes, int64_t calls,
                               fuse_graph **graph);
fuse_error *fuse_graph_launch(const fuse_graph *graph, void *stream);
void fuse_graph_destroy(fuse_graph *graph);

// NOLINTEND(readability-identifier-naming)

#ifdef __cplusplus
} // extern "C"
#endif

#endif // FUSE_RUNTIME_RUNTIME_H
