//===- StatusTest.cpp - results without exceptions ------------------------===//

#include "fuse/runtime/Status.h"

#include "NoThrow.h"

#include "gtest/gtest.h"

#include <memory>
#include <new>
#include <stdexcept>

using namespace fuse::rt;

TEST(Status, SuccessHasNoMessage) {
  Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.code(), StatusCode::Ok);
  EXPECT_EQ(status.message(), "");
}

TEST(Status, FailuresKeepCodeAndMessage) {
  Status invalid = Status::invalidInput("a");
  Status resource = Status::resource("b");
  Status io = Status::io("c");
  EXPECT_FALSE(invalid.ok() || resource.ok() || io.ok());
  EXPECT_EQ(invalid.code(), StatusCode::InvalidInput);
  EXPECT_EQ(resource.code(), StatusCode::Resource);
  EXPECT_EQ(io.code(), StatusCode::Io);
  EXPECT_EQ(invalid.message() + resource.message() + io.message(), "abc");
}

TEST(Status, ContextPrefixesFailuresOnly) {
  Status failure = Status::io("disk full").withContext("x.npy");
  EXPECT_EQ(failure.message(), "x.npy: disk full");
  EXPECT_EQ(failure.code(), StatusCode::Io);
  EXPECT_EQ(Status().withContext("x.npy").message(), "");
}

TEST(Result, HoldsAValueOrAFailure) {
  Result<int> value = 3;
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(*value, 3);
  EXPECT_TRUE(value.status().ok());

  Result<int> failure = Status::invalidInput("no");
  EXPECT_FALSE(failure.ok());
  EXPECT_EQ(failure.status().message(), "no");
}

TEST(Result, MovesWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
  std::unique_ptr<int> taken = std::move(*result);
  EXPECT_EQ(*taken, 7);
}

TEST(Result, ContextPrefixesFailuresOnly) {
  Result<int> failure = Result<int>(Status::io("gone")).withContext("x.npy");
  EXPECT_EQ(failure.status().message(), "x.npy: gone");
  EXPECT_EQ(*Result<int>(3).withContext("x.npy"), 3);
}

TEST(NoThrow, TurnsFailedAllocationsIntoResource) {
  Status status = noThrow([]() -> Status { throw std::bad_alloc(); });
  EXPECT_EQ(status.code(), StatusCode::Resource);
  EXPECT_EQ(status.message(), "out of memory");
  auto tooLong = []() -> Result<int> { throw std::length_error("vector"); };
  EXPECT_EQ(noThrow(tooLong).status().code(), StatusCode::Resource);
  EXPECT_EQ(*noThrow([]() -> Result<int> { return 3; }), 3);
}
