//===- FakeCudaDriver.h - the fake driver, opened by a test -----*- C++ -*-===//

#ifndef FUSE_TEST_RUNTIME_FAKECUDADRIVER_H
#define FUSE_TEST_RUNTIME_FAKECUDADRIVER_H

#include "FakeCuda.h"
#include "SharedLibrary.h"
#include "TestUtils.h"

namespace fuse::rt {

/// The state of the driver, as new, with the kernels of `kTwoKernels`, which do
/// nothing.
class FakeCudaDriver {
public:
  void open() {
    Result<SharedLibrary> opened = SharedLibrary::open(FUSE_FAKE_CUDA);
    ASSERT_EQ(messageOf(opened), "");
    library = std::move(*opened);
    FakeCudaState *(*get)() = nullptr;
    ASSERT_EQ(messageOf(library.get("fakecuda_state", get)), "");
    state = get();
    *state = FakeCudaState();
    state->kernels["row_sums"].numParameters = 3;
    state->kernels["scale_rows"].numParameters = 5;
  }
  FakeCudaState *operator->() const { return state; }

private:
  SharedLibrary library;
  FakeCudaState *state = nullptr;
};

} // namespace fuse::rt

#endif // FUSE_TEST_RUNTIME_FAKECUDADRIVER_H
