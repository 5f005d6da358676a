//===- NpyFuzzer.cpp - any bytes as a .npy file ---------------------------===//
//
// The reader must return on every input; what it accepts must be a tensor that
// prints, and that is the same after being written and read again.
//
//===----------------------------------------------------------------------===//

#include "Require.h"
#include "fuse/runtime/Npy.h"
#include "fuse/runtime/PrintTensor.h"

#include <cstdint>
#include <cstring>

using namespace fuse::rt;

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Result<HostTensor> tensor = readNpyBuffer(data, size, "input");
  if (!tensor.ok()) {
    Status status = tensor.status();
    require(status.code() == StatusCode::InvalidInput,
            "bad bytes are invalid input");
    require(status.message().rfind("input: expects ", 0) == 0,
            "a message names the file and what was expected");
    return 0;
  }
  auto bytes = static_cast<size_t>(tensor->byteSize());
  require(bytes < size, "a tensor is no larger than its file");
  require(printTensor("x", *tensor).ok(), "a tensor prints");

  Result<std::vector<std::byte>> written = writeNpyBuffer(*tensor);
  require(written.ok(), "a tensor can be written");
  Result<HostTensor> again =
      readNpyBuffer(written->data(), written->size(), "written");
  require(again.ok() && again->type() == tensor->type() &&
              std::memcmp(again->data(), tensor->data(), bytes) == 0,
          "a written tensor reads back the same");
  return 0;
}
