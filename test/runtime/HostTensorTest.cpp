//===- HostTensorTest.cpp - tensors in host memory ------------------------===//

#include "TestUtils.h"

#include "rapidcheck/gtest.h"

#include <cmath>

using namespace fuse::rt;

// AddressSanitizer would otherwise end the process where `new` may fail.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" const char *__asan_default_options();
extern "C" const char *__asan_default_options() {
  return "allocator_may_return_null=1";
}
// NOLINTEND(readability-identifier-naming)

TEST(HostTensor, IsCreatedZero) {
  Result<HostTensor> tensor = HostTensor::create({DType::F32, {2, 3}});
  ASSERT_TRUE(tensor.ok());
  EXPECT_EQ(tensor->dtype(), DType::F32);
  EXPECT_EQ(tensor->shape(), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(tensor->rank(), 2);
  EXPECT_EQ(tensor->numElements(), 6);
  EXPECT_EQ(tensor->byteSize(), 24);
  EXPECT_EQ(*tensor->toDoubles(), std::vector<double>(6, 0.0));
}

TEST(HostTensor, RankAndSizeZero) {
  HostTensor scalar = makeTensor(DType::F64, {}, {2.5});
  EXPECT_EQ(scalar.rank(), 0);
  EXPECT_EQ(scalar.get(0), 2.5);
  HostTensor empty = makeTensor(DType::F64, {3, 0}, {});
  EXPECT_EQ(empty.numElements(), 0);
  EXPECT_TRUE(empty.toDoubles()->empty());
  EXPECT_TRUE(sameBits(empty, *empty.clone()));
}

TEST(HostTensor, RoundsToItsType) {
  for (DType dtype : {DType::F16, DType::BF16, DType::F32, DType::F64}) {
    HostTensor tensor = makeTensor(dtype, {2}, {0.1, -1e300});
    EXPECT_EQ(tensor.get(0), roundToDType(dtype, 0.1));
    EXPECT_EQ(tensor.get(1), roundToDType(dtype, -1e300));
  }
}

TEST(HostTensor, IntegersAndBoolsMustBeExact) {
  auto from = [](DType dtype, double value) {
    return messageOf(HostTensor::fromDoubles({dtype, {2}}, {1, value}));
  };
  EXPECT_EQ(from(DType::I32, -2147483648.0), "");
  EXPECT_EQ(from(DType::I32, 2147483648.0),
            "expects values that i32 can hold, but got 2147483648 at element "
            "1");
  EXPECT_EQ(from(DType::I32, 0.5),
            "expects values that i32 can hold, but got 0.5 at element 1");
  EXPECT_EQ(from(DType::I32, std::nan("")),
            "expects values that i32 can hold, but got nan at element 1");
  EXPECT_EQ(from(DType::Bool, 0), "");
  EXPECT_EQ(from(DType::Bool, 2),
            "expects values that i1 can hold, but got 2 at element 1");
}

TEST(HostTensor, CountMustMatch) {
  EXPECT_EQ(messageOf(HostTensor::fromDoubles({DType::F32, {2, 2}}, {1, 2, 3})),
            "expects 4 values for 2x2xf32, but got 3");
}

TEST(HostTensor, BadTypesAndMissingMemory) {
  EXPECT_EQ(messageOf(HostTensor::create({DType::F32, {-1}})),
            "expects sizes of 0 or more, but got -1");
  Result<HostTensor> huge =
      HostTensor::create({DType::F32, {int64_t{1} << 60}});
  EXPECT_EQ(huge.status().code(), StatusCode::Resource);
  EXPECT_EQ(messageOf(huge), "cannot allocate 4611686018427387904 bytes for "
                             "1152921504606846976xf32");
}

RC_GTEST_PROP(HostTensor, DoublesHoldEveryElement, ()) {
  HostTensor tensor = drawTensor();
  std::vector<double> values = *tensor.toDoubles();
  Result<HostTensor> back = HostTensor::fromDoubles(tensor.type(), values);
  RC_ASSERT(back.ok());
  RC_ASSERT(sameValues(*back, tensor));
}

RC_GTEST_PROP(HostTensor, ClonesAreEqualAndApart, ()) {
  HostTensor tensor = drawTensor();
  HostTensor copy = std::move(*tensor.clone());
  RC_ASSERT(sameBits(copy, tensor));
  RC_PRE(tensor.numElements() > 0);
  copy.set(0, copy.get(0) == 0 ? 1 : 0);
  RC_ASSERT(!sameBits(copy, tensor));
}
