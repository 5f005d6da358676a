//===- npy.cpp - A program with the runtime alone -------------------------===//
//
// Writes a tensor to a .npy file and reads it back, without any MLIR. The CHECK
// lines are what FileCheck expects of the output.
//
//===----------------------------------------------------------------------===//

#include "fuse/runtime/Npy.h"
#include <cstdio>

using namespace fuse::rt;

static Status roundTrip(const std::string &path) {
  Result<HostTensor> tensor =
      HostTensor::fromDoubles({DType::F16, {2, 3}}, {0, 0.1, 1, 2, 3, -4});
  if (!tensor.ok())
    return tensor.status();
  if (Status written = writeNpyFile(path, *tensor); !written.ok())
    return written;
  Result<HostTensor> read = readNpyFile(path);
  if (!read.ok())
    return read.status();
  std::printf("%s:", formatTensorType(read->type()).c_str());
  for (int64_t i = 0; i < read->numElements(); ++i)
    std::printf(" %.4g", read->get(i));
  std::printf("\n");
  return Status();
}

int main() {
  // CHECK: 2x3xf16: 0 0.09998 1 2 3 -4
  Status status = roundTrip("tensor.npy");
  if (!status.ok())
    std::printf("%s\n", status.message().c_str());

  // CHECK-NEXT: absent.npy: {{.+}}
  std::printf("%s\n", readNpyFile("absent.npy").status().message().c_str());
  return status.ok() ? 0 : 1;
}
