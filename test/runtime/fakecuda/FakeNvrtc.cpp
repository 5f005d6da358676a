//===- FakeNvrtc.cpp - a run-time compiler that compiles nothing ----------===//
//
// The machine code of a text is `fake cubin`, and what a line `//log: ...` says
// is in the log. A text with `#error` in it fails.
//
//===----------------------------------------------------------------------===//

#include <cstring>
#include <string>

// NOLINTBEGIN(readability-identifier-naming): the names are NVRTC's.

namespace {
struct FakeProgram {
  std::string text, log;
};
} // namespace

static const char kCubin[] = "fake cubin";
static const char kPtx[] = "fake PTX";

extern "C" {

const char *nvrtcGetErrorString(int result) {
  return result == 6 ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR_FAKE";
}

int nvrtcVersion(int *major, int *minor) {
  *major = 13;
  *minor = 0;
  return 0;
}

int nvrtcCreateProgram(FakeProgram **program, const char *text,
                       const char *name, int, const char *const *,
                       const char *const *) {
  *program = new FakeProgram{text, ""};
  return name ? 0 : 1;
}

int nvrtcDestroyProgram(FakeProgram **program) {
  delete *program;
  *program = nullptr;
  return 0;
}

int nvrtcCompileProgram(FakeProgram *program, int, const char *const *) {
  for (size_t at = 0;
       (at = program->text.find("//log: ", at)) != std::string::npos; ++at) {
    size_t start = at + std::strlen("//log: ");
    size_t end = program->text.find('\n', start);
    program->log += program->text.substr(start, end - start) + "\n";
  }
  return program->text.find("#error") == std::string::npos ? 0 : 6;
}

int nvrtcGetProgramLogSize(FakeProgram *program, size_t *size) {
  *size = program->log.size() + 1;
  return 0;
}

int nvrtcGetProgramLog(FakeProgram *program, char *log) {
  std::memcpy(log, program->log.c_str(), program->log.size() + 1);
  return 0;
}

int nvrtcGetCUBINSize(FakeProgram *, size_t *size) {
  *size = sizeof(kCubin);
  return 0;
}

int nvrtcGetCUBIN(FakeProgram *, char *cubin) {
  std::memcpy(cubin, kCubin, sizeof(kCubin));
  return 0;
}

int nvrtcGetPTXSize(FakeProgram *, size_t *size) {
  *size = sizeof(kPtx);
  return 0;
}

int nvrtcGetPTX(FakeProgram *, char *ptx) {
  std::memcpy(ptx, kPtx, sizeof(kPtx));
  return 0;
}

} // extern "C"

// NOLINTEND(readability-identifier-naming)
