//===- IndexCoalescingTest.cpp - Which indices are as good as one ---------===//

#include "IndexFormTest.h"

using namespace fuse;

namespace {

class IndexCoalescingTest : public IndexFormTest {
protected:
  void coalesce(StringRef text) {
    compute(text);
    ASSERT_TRUE(form) << takeDiagnostics();
    form->coalesce();
  }
};

TEST_F(IndexCoalescingTest, ElementwiseOpsSeeOneAxis) {
  coalesce(R"mlir(
    func.func @f(%x: tensor<2x?x4xf32> {fuse.dims = [2, "N", 4]}, %k: tensor<f32>) -> tensor<2x?x4xf32> {
      %0 = fuse.map mul %x, %k : (tensor<2x?x4xf32>, tensor<f32>) -> tensor<2x?x4xf32>
      return %0 : tensor<2x?x4xf32>
    })mlir");
  EXPECT_EQ(extents(), "8*N");
  EXPECT_EQ(read(0, 0), "(1) i0");
  EXPECT_EQ(text(form->getResult(0)), "(1) i0");
  EXPECT_EQ(text(form->getIndices(op(0).getResult(0))), "i0");
}

TEST_F(IndexCoalescingTest, ReductionsKeepWhatTheySum) {
  coalesce(R"mlir(
    func.func @f(%x: tensor<2x3x4x5xf32>) -> tensor<2x3xf32> {
      %0 = fuse.reduce sum %x axes [2, 3] : (tensor<2x3x4x5xf32>) -> tensor<2x3xf32>
      return %0 : tensor<2x3xf32>
    })mlir");
  EXPECT_EQ(extents(), "6 x 20");
  EXPECT_EQ(read(0, 0), "(20) i0 + (1) i1");
}

// Summed axes on both sides of a kept one have no common stride.
TEST_F(IndexCoalescingTest, AxesThatAreApart) {
  coalesce(R"mlir(
    func.func @f(%x: tensor<2x3x4xf32>) -> tensor<3xf32> {
      %0 = fuse.reduce sum %x axes [0, 2] : (tensor<2x3x4xf32>) -> tensor<3xf32>
      return %0 : tensor<3xf32>
    })mlir");
  EXPECT_EQ(extents(), "3 x 2 x 4");
}

TEST_F(IndexCoalescingTest, StridesThatDoNotFit) {
  coalesce(R"mlir(
    func.func @f(%x: tensor<?x?xf32> {fuse.dims = ["N", "M"]}) -> tensor<?x?xf32> {
      %0 = fuse.transpose %x [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
      return %0 : tensor<?x?xf32>
    })mlir");
  EXPECT_EQ(extents(), "M x N");
  coalesce(R"mlir(
    func.func @f(%x: tensor<6x8xf32>) -> tensor<6x4xf32> {
      %0 = fuse.slice %x axis 1 from "0" to "4" : (tensor<6x8xf32>) -> tensor<6x4xf32>
      return %0 : tensor<6x4xf32>
    })mlir");
  EXPECT_EQ(extents(), "6 x 4");
  coalesce(R"mlir(
    func.func @f(%x: tensor<8x6xf32>) -> tensor<4x6xf32> {
      %0 = fuse.slice %x axis 0 from "2" to "6" : (tensor<8x6xf32>) -> tensor<4x6xf32>
      return %0 : tensor<4x6xf32>
    })mlir");
  EXPECT_EQ(extents(), "24");
}

// A row that is added to all others tells columns from rows.
TEST_F(IndexCoalescingTest, Broadcasts) {
  coalesce(R"mlir(
    func.func @f(%x: tensor<3x4x5xf32>, %y: tensor<4x5xf32>) -> tensor<3x4x5xf32> {
      %0 = fuse.broadcast %y "b c -> 3 b c" : (tensor<4x5xf32>) -> tensor<3x4x5xf32>
      %1 = fuse.map add %x, %0 : (tensor<3x4x5xf32>, tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
      return %1 : tensor<3x4x5xf32>
    })mlir");
  EXPECT_EQ(extents(), "3 x 20");
  EXPECT_EQ(read(1, 1), "(1) i1");
}

// An index whose value matters stays as it is.
TEST_F(IndexCoalescingTest, CountedIndices) {
  coalesce(R"mlir(
    func.func @f(%x: tensor<3x4x5xi32>) -> tensor<3x4x5xi32> {
      %0 = fuse.iota axis 1 like %x : tensor<3x4x5xi32> -> tensor<3x4x5xi32>
      %1 = fuse.map add %x, %0 : (tensor<3x4x5xi32>, tensor<3x4x5xi32>) -> tensor<3x4x5xi32>
      return %1 : tensor<3x4x5xi32>
    })mlir");
  EXPECT_EQ(extents(), "3 x 4 x 5");
  coalesce(R"mlir(
    func.func @f(%x: tensor<2x3x4xf32>, %y: tensor<2x3x4xf32>) -> tensor<2x6x4xf32> {
      %0 = fuse.concat %x, %y axis 1 : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x6x4xf32>
      return %0 : tensor<2x6x4xf32>
    })mlir");
  EXPECT_EQ(extents(), "2 x 6 x 4");
}

TEST_F(IndexCoalescingTest, BatchesOfContractions) {
  coalesce(R"mlir(
    func.func @f(%x: tensor<2x3x4x8xf32>, %y: tensor<5x8xf32>) -> tensor<2x3x4x5xf32> {
      %0 = fuse.einsum "abik,jk->abij" %x, %y : (tensor<2x3x4x8xf32>, tensor<5x8xf32>) -> tensor<2x3x4x5xf32>
      return %0 : tensor<2x3x4x5xf32>
    })mlir");
  EXPECT_EQ(extents(), "24 x 5 x 8");
}

} // namespace
