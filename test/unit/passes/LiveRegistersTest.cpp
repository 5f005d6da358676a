//===- LiveRegistersTest.cpp - Registers that a schedule takes ------------===//

#include "IndexFormTest.h"

#include "LiveRegisters.h"

using namespace fuse;

namespace {

class LiveRegisters : public IndexFormTest {
protected:
  /// Tiles of 64 along each index, of which 128 threads have 32 elements of
  /// two; those in `streamed` are stepped along by 32.
  int64_t count(ArrayRef<unsigned> streamed = {}) {
    KernelSchedule schedule;
    schedule.threads = 128;
    for (auto [number, index] : llvm::enumerate(form->getOrder()))
      if (llvm::is_contained(streamed, number))
        schedule.streamed.push_back({index, 32, 32});
      else
        schedule.tile.push_back({index, 64});
    return countLiveRegisters(kernel, *form, schedule,
                              groupReductions(kernel, *form, schedule));
  }
};

TEST_F(LiveRegisters, ResultTakesThePlaceOfWhatIsNeededLast) {
  compute(R"(
    func.func @f(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %0 = fuse.map exp %x : (tensor<?x?xf32>) -> tensor<?x?xf32>
      %1 = fuse.map neg %0 : (tensor<?x?xf32>) -> tensor<?x?xf32>
      return %1 : tensor<?x?xf32>
    })");
  EXPECT_EQ(count(), 32);
}

TEST_F(LiveRegisters, WhatIsLoadedComesOnTop) {
  compute(R"(
    func.func @f(%x: tensor<?x?xf64>, %y: tensor<?x?xf64>) -> tensor<?x?xf64> {
      %0 = fuse.map exp %x : (tensor<?x?xf64>) -> tensor<?x?xf64>
      %1 = fuse.map mul %0, %y : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
      return %1 : tensor<?x?xf64>
    })");
  EXPECT_EQ(count(), 2 * (32 + 32));
}

// A kernel computes what it needs next, in whatever order a program has it.
TEST_F(LiveRegisters, OrderOfTheProgramDecidesNothing) {
  compute(R"(
    func.func @f(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %0 = fuse.map exp %x : (tensor<?x?xf32>) -> tensor<?x?xf32>
      %1 = fuse.map exp %y : (tensor<?x?xf32>) -> tensor<?x?xf32>
      %2 = fuse.map exp %z : (tensor<?x?xf32>) -> tensor<?x?xf32>
      %3 = fuse.map add %0, %1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      %4 = fuse.map add %3, %2 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      return %4 : tensor<?x?xf32>
    })");
  EXPECT_EQ(count(), 2 * 32);
}

// Sums of a loop are alive in all of its steps, beside the chain of one, what
// the next step needs, and what was there before.
TEST_F(LiveRegisters, SumsOfALoopAreAliveTogether) {
  compute(R"(
    func.func @f(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>, %v: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %0 = fuse.einsum "nk,mk->nm" %x, %w : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      %1 = fuse.einsum "nk,mk->nm" %x, %v : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      %2 = fuse.map silu %0 : (tensor<?x?xf32>) -> tensor<?x?xf32>
      %3 = fuse.map mul %2, %1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      return %3 : tensor<?x?xf32>
    })");
  // x, w and v of 64 x 32; x is loaded once.
  constexpr int64_t ahead = 3 * 64 * 32 / 128;
  EXPECT_EQ(count({2}), 32 + 32 + 32 + ahead) << extents();
}

// Of a loop with a maximum and two sums, the terms of one are needed by the
// other one, too: they stay while its own are computed.
TEST_F(LiveRegisters, MembersComeBehindWhatTheyNeed) {
  compute(R"(
    func.func @f(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> tensor<?xf32> {
      %0 = fuse.reduce max %x axes [1] : (tensor<?x?xf32>) -> tensor<?xf32>
      %1 = fuse.broadcast %0 "n -> n m" like %x : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      %2 = fuse.map sub %x, %1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      %3 = fuse.map exp %2 : (tensor<?x?xf32>) -> tensor<?x?xf32>
      %4 = fuse.map mul %3, %y : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      %5 = fuse.map mul %4, %z : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      %6 = fuse.reduce sum %5 axes [1] : (tensor<?x?xf32>) -> tensor<?xf32>
      %7 = fuse.reduce sum %3 axes [1] : (tensor<?x?xf32>) -> tensor<?xf32>
      %8 = fuse.map div %6, %7 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      return %8 : tensor<?xf32>
    })");
  // Of 64 x 32, the exponentials, a product and z; and three results so far.
  EXPECT_EQ(count({1}), 3 * 16 + 3) << extents();
}

TEST_F(LiveRegisters, OperandsOfContractionsAreInSharedMemory) {
  compute(R"(
    func.func @f(%x: tensor<?x64xf32>, %w: tensor<?x64xf32>) -> tensor<?x?xf32> {
      %0 = fuse.map exp %x : (tensor<?x64xf32>) -> tensor<?x64xf32>
      %1 = fuse.einsum "nk,mk->nm" %0, %w : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x?xf32>
      return %1 : tensor<?x?xf32>
    })");
  // The sums alone, of one chain.
  EXPECT_EQ(count(), 32);
}

} // namespace
