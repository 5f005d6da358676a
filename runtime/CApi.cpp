//===- CApi.cpp - the C interface of the runtime --------------------------===//

#include "fuse/runtime/runtime.h"

#include "NoThrow.h"
#include "Text.h"
#include "fuse/runtime/Device.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <new>

using namespace fuse::rt;

// NOLINTBEGIN(readability-identifier-naming): parameters are spelled as in C.

struct fuse_error {
  Status status;
};

struct fuse_program {
  std::shared_ptr<const Program> program;
};

struct fuse_options {
  CudaOptions cuda;
  HostOptions host;
};

struct fuse_device {
  std::unique_ptr<Device> device;
  std::string description;
};

struct fuse_executable {
  std::unique_ptr<Executable> executable;
};

struct fuse_graph {
  std::unique_ptr<CapturedCall> graph;
};

uint32_t fuse_api_version() {
  return FUSE_API_VERSION_MAJOR << 16 | FUSE_API_VERSION_MINOR;
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// Stands for an error that there was no memory for; it is never destroyed.
static fuse_error *outOfMemory() {
  static const char standIn = 0;
  return reinterpret_cast<fuse_error *>(const_cast<char *>(&standIn));
}

static fuse_error *asError(Status status) {
  if (status.ok())
    return nullptr;
  auto *error = new (std::nothrow) fuse_error{std::move(status)};
  return error ? error : outOfMemory();
}

/// The error of a result, or its value in a new handle.
template <class Handle, class T, class Wrap>
static fuse_error *asHandle(Result<T> result, Handle **handle, Wrap wrap) {
  if (!result.ok())
    return asError(result.status());
  return asError(noThrow([&]() -> Status {
    *handle = wrap(std::move(*result));
    return {};
  }));
}

fuse_error_code fuse_error_get_code(const fuse_error *error) {
  if (!error)
    return FUSE_OK;
  if (error == outOfMemory())
    return FUSE_RESOURCE;
  switch (error->status.code()) {
  case StatusCode::Ok:
    return FUSE_OK;
  case StatusCode::InvalidInput:
    return FUSE_INVALID_INPUT;
  case StatusCode::Resource:
    return FUSE_RESOURCE;
  case StatusCode::Io:
    return FUSE_IO;
  case StatusCode::Runtime:
    return FUSE_RUNTIME;
  case StatusCode::NoDevice:
    return FUSE_NO_DEVICE;
  }
  return FUSE_RUNTIME;
}

const char *fuse_error_get_message(const fuse_error *error) {
  if (!error)
    return "";
  return error == outOfMemory() ? "out of memory"
                                : error->status.message().c_str();
}

void fuse_error_destroy(fuse_error *error) {
  if (error != outOfMemory())
    delete error;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static fuse_error *giveProgram(Result<std::shared_ptr<const Program>> result,
                               fuse_program **program) {
  return asHandle(std::move(result), program, [](auto value) {
    return new fuse_program{std::move(value)};
  });
}

fuse_error *fuse_program_load(const void *bytes, size_t size, const char *name,
                              fuse_program **program) {
  *program = nullptr;
  if (!bytes)
    return asError(expected("the bytes of a program", "a null pointer"));
  Result<Artifact> artifact = parseArtifact(
      {static_cast<const char *>(bytes), size}, name ? name : "program");
  if (!artifact.ok())
    return asError(artifact.status());
  return giveProgram(Program::create(std::move(*artifact)), program);
}

fuse_error *fuse_program_load_file(const char *path, fuse_program **program) {
  *program = nullptr;
  return giveProgram(Program::readFile(path), program);
}

void fuse_program_destroy(fuse_program *program) { delete program; }

const char *fuse_program_name(const fuse_program *program) {
  return program->program->artifact().name.c_str();
}

size_t fuse_program_num_dims(const fuse_program *program) {
  return program->program->artifact().dims.size();
}

const char *fuse_program_dim_name(const fuse_program *program, size_t dim) {
  return program->program->artifact().dims[dim].c_str();
}

size_t fuse_program_num_arguments(const fuse_program *program) {
  return program->program->numArguments();
}

size_t fuse_program_num_results(const fuse_program *program) {
  return program->program->numResults();
}

const char *fuse_program_tensor_name(const fuse_program *program,
                                     size_t tensor) {
  return program->program->tensor(tensor).name.c_str();
}

FuseDType fuse_program_tensor_dtype(const fuse_program *program,
                                    size_t tensor) {
  switch (program->program->tensor(tensor).dtype) {
  case DType::F16:
    return FUSE_DTYPE_F16;
  case DType::BF16:
    return FUSE_DTYPE_BF16;
  case DType::F32:
    return FUSE_DTYPE_F32;
  case DType::F64:
    return FUSE_DTYPE_F64;
  case DType::I32:
    return FUSE_DTYPE_I32;
  case DType::Bool:
    return FUSE_DTYPE_BOOL;
  }
  return FUSE_DTYPE_F32;
}

size_t fuse_program_tensor_rank(const fuse_program *program, size_t tensor) {
  return program->program->tensor(tensor).shape.size();
}

size_t fuse_program_tensor_alignment(const fuse_program *program,
                                     size_t tensor) {
  return size_t(program->program->tensor(tensor).alignment);
}

int fuse_program_tensor_is_param(const fuse_program *program, size_t tensor) {
  return program->program->tensor(tensor).isParam;
}

fuse_error *fuse_program_tensor_shape(const fuse_program *program,
                                      size_t tensor, const int64_t *dims,
                                      size_t num_dims, int64_t *shape) {
  const Program &inner = *program->program;
  return asError(noThrow([&]() -> Status {
    if (num_dims != inner.artifact().dims.size())
      return expected("extents of " +
                          std::to_string(inner.artifact().dims.size()) +
                          " dims",
                      std::to_string(num_dims));
    Result<TensorType> type =
        inner.tensorType(tensor, Dims(dims, dims + num_dims));
    if (!type.ok())
      return type.status();
    std::copy(type->shape.begin(), type->shape.end(), shape);
    return {};
  }));
}

fuse_error *fuse_workspace_size(const fuse_program *program,
                                const int64_t *dims, size_t num_dims,
                                uint64_t *bytes) {
  *bytes = 0;
  Result<const Program::Plan *> plan =
      program->program->selectPlan(dims, num_dims);
  if (!plan.ok())
    return asError(plan.status());
  Result<uint64_t> size = program->program->workspaceBytes(**plan, dims);
  if (!size.ok())
    return asError(size.status());
  *bytes = *size;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

fuse_options *fuse_options_create() { return new (std::nothrow) fuse_options; }

void fuse_options_destroy(fuse_options *options) { delete options; }

template <class T>
static Status parseNumber(std::string_view text, T &number) {
  const char *end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end
             ? Status()
             : expected("a number", quote(text));
}

static Status parseSwitch(std::string_view text, bool &value) {
  if (text != "0" && text != "1")
    return expected("0 or 1", quote(text));
  value = text == "1";
  return {};
}

/// An option that is text as it is; null for other options.
static std::string *textOption(fuse_options &options, std::string_view name) {
  const std::pair<std::string_view, std::string *> kTexts[] = {
      {"driver", &options.cuda.driver},
      {"nvrtc", &options.cuda.nvrtc.library},
      {"cuda-home", &options.cuda.nvrtc.cudaHome},
      {"compiler", &options.host.compiler.command},
      {"search-path", &options.host.compiler.searchPath},
      {"temporary", &options.host.compiler.temporaryFolder}};
  for (auto [known, text] : kTexts)
    if (name == known)
      return text;
  return nullptr;
}

static Status setOption(fuse_options &options, std::string_view name,
                        std::string_view value) {
  if (std::string *text = textOption(options, name)) {
    *text = value;
    return {};
  }
  if (name == "python-folder") {
    options.cuda.nvrtc.pythonFolders.emplace_back(value);
    return {};
  }
  if (name == "cache") {
    options.cuda.cache.folder = options.host.cache.folder = value;
    return {};
  }
  if (name == "cache-bytes") {
    Status status = parseNumber(value, options.cuda.cache.maxBytes);
    options.host.cache.maxBytes = options.cuda.cache.maxBytes;
    return status;
  }
  if (name == "ordinal")
    return parseNumber(value, options.cuda.ordinal);
  if (name == "debug-sync")
    return parseSwitch(value, options.cuda.debugSync);
  if (name == "profiler-ranges")
    return parseSwitch(value, options.cuda.profilerRanges);
  if (name == "checks")
    return parseSwitch(value, options.host.twin.checks);
  return expected("the name of an option", quote(name));
}

fuse_error *fuse_options_set(fuse_options *options, const char *name,
                             const char *value) {
  return asError(noThrow([&] {
    return setOption(*options, name, value)
        .withContext("option " + quote(name));
  }));
}

fuse_error *fuse_device_open(const char *kind, const fuse_options *options,
                             fuse_device **device) {
  *device = nullptr;
  auto open = [&]() -> Result<std::unique_ptr<Device>> {
    std::string_view name = kind;
    if (name == "cuda")
      return openCudaDevice(options ? options->cuda : CudaOptions());
    if (name == "host")
      return openHostDevice(options ? options->host : HostOptions());
    return expected("cuda or host", quote(name));
  };
  return asHandle(noThrow(open), device, [](auto value) {
    std::string description = value->describe();
    return new fuse_device{std::move(value), std::move(description)};
  });
}

const char *fuse_device_description(const fuse_device *device) {
  return device->description.c_str();
}

void fuse_device_destroy(fuse_device *device) { delete device; }

fuse_error *fuse_prepare(const fuse_device *device, const fuse_program *program,
                         fuse_executable **executable) {
  *executable = nullptr;
  return asHandle(
      device->device->load(program->program), executable,
      [](auto value) { return new fuse_executable{std::move(value)}; });
}

void fuse_executable_destroy(fuse_executable *executable) { delete executable; }

int64_t fuse_executable_num_compiled(const fuse_executable *executable) {
  return executable->executable->compileStats().compiled;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static Call makeCall(void *const *pointers, size_t num_pointers,
                     const int64_t *const *strides, void *workspace,
                     uint64_t workspace_bytes) {
  Call call;
  call.pointers = pointers;
  call.numPointers = num_pointers;
  call.strides = strides;
  call.workspace = workspace;
  call.workspaceBytes = workspace_bytes;
  return call;
}

fuse_error *fuse_launch(const fuse_executable *executable,
                        void *const *pointers, size_t num_pointers,
                        const int64_t *dims, size_t num_dims,
                        const int64_t *const *strides, void *workspace,
                        uint64_t workspace_bytes, void *stream) {
  return asError(executable->executable->launch(
      dims, num_dims,
      makeCall(pointers, num_pointers, strides, workspace, workspace_bytes),
      stream));
}

fuse_error *fuse_graph_capture(const fuse_executable *executable,
                               void *const *pointers, size_t num_pointers,
                               const int64_t *dims, size_t num_dims,
                               const int64_t *const *strides, void *workspace,
                               uint64_t workspace_bytes, int64_t calls,
                               fuse_graph **graph) {
  *graph = nullptr;
  return asHandle(
      executable->executable->capture(
          dims, num_dims,
          makeCall(pointers, num_pointers, strides, workspace, workspace_bytes),
          calls),
      graph, [](auto value) { return new fuse_graph{std::move(value)}; });
}

fuse_error *fuse_graph_launch(const fuse_graph *graph, void *stream) {
  return asError(graph->graph->launch(stream));
}

void fuse_graph_destroy(fuse_graph *graph) { delete graph; }

// NOLINTEND(readability-identifier-naming)
