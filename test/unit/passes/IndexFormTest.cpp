//===- IndexFormTest.cpp - A kernel's ops over common indices -------------===//

#include "IndexFormTest.h"

using namespace fuse;

namespace {

TEST_F(IndexFormTest, ElementwiseOpsShareIndices) {
  compute(R"mlir(
    func.func @f(%x: tensor<?x4xf32> {fuse.dims = ["N", 4]}, %k: tensor<f32>)
        -> tensor<?x4xf32> {
      %0 = fuse.map exp %x : (tensor<?x4xf32>) -> tensor<?x4xf32>
      %1 = fuse.map mul %0, %k : (tensor<?x4xf32>, tensor<f32>) -> tensor<?x4xf32>
      return %1 : tensor<?x4xf32>
    })mlir");
  ASSERT_TRUE(form);
  EXPECT_EQ(extents(), "N x 4");
  EXPECT_EQ(read(0, 0), "(4) i0 + (1) i1");
  EXPECT_EQ(read(1, 0), "computed");
  EXPECT_EQ(form->getSource(operand(1, 0)), op(0).getResult(0));
  EXPECT_EQ(read(1, 1), "");
  EXPECT_EQ(text(form->getIndices(op(1).getResult(0))), "i0 i1");
  EXPECT_EQ(text(form->getResult(0)), "(4) i0 + (1) i1");
}

TEST_F(IndexFormTest, AxesOfExtentOneHaveNoIndex) {
  compute(R"mlir(
    func.func @f(%x: tensor<1x?x1xf32> {fuse.dims = [1, "N", 1]}) -> tensor<1x?x1xf32> {
      %0 = fuse.map exp %x : (tensor<1x?x1xf32>) -> tensor<1x?x1xf32>
      return %0 : tensor<1x?x1xf32>
    })mlir");
  ASSERT_TRUE(form);
  EXPECT_EQ(extents(), "N");
  EXPECT_EQ(read(0, 0), "(1) i0");
}

// A row that is reduced and then used again is one row.
TEST_F(IndexFormTest, ReadsOfOneTensorShareIndices) {
  compute(R"mlir(
    func.func @f(%x: tensor<?x?xf32> {fuse.dims = ["N", "M"]}) -> tensor<?x?xf32> {
      %m = fuse.reduce max %x axes [1] : (tensor<?x?xf32>) -> tensor<?xf32>
      %b = fuse.broadcast %m "n -> n m" like %x : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      %y = fuse.map sub %x, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      return %y : tensor<?x?xf32>
    })mlir");
  ASSERT_TRUE(form);
  EXPECT_EQ(extents(), "N x M");
  EXPECT_EQ(read(0, 0), "(M) i0 + (1) i1");
  EXPECT_EQ(read(2, 0), "(M) i0 + (1) i1");
  EXPECT_EQ(text(form->getIndices(op(0).getResult(0))), "i0");
}

// As one index, i and j would be the diagonal.
TEST_F(IndexFormTest, ReadsOfOneTensorStayApart) {
  compute(R"mlir(
    func.func @f(%x: tensor<?x?xf32> {fuse.dims = ["N", "K"]}) -> tensor<?x?xf32> {
      %y = fuse.einsum "ik,jk->ij" %x, %x : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      return %y : tensor<?x?xf32>
    })mlir");
  ASSERT_TRUE(form);
  EXPECT_EQ(extents(), "N x N x K");
  EXPECT_EQ(read(0, 0), "(K) i0 + (1) i2");
  EXPECT_EQ(read(0, 1), "(K) i1 + (1) i2");

  compute(R"mlir(
    func.func @f(%x: tensor<?x?xf32> {fuse.dims = ["N", "N"]}) -> tensor<?x?xf32> {
      %t = fuse.transpose %x [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
      %y = fuse.map add %x, %t : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      return %y : tensor<?x?xf32>
    })mlir");
  ASSERT_TRUE(form);
  EXPECT_EQ(extents(), "N x N");
  EXPECT_EQ(read(1, 0), "(N) i0 + (1) i1");
  EXPECT_EQ(read(1, 1), "(1) i0 + (N) i1");
}

TEST_F(IndexFormTest, LettersOfEinsums) {
  compute(R"mlir(
    func.func @f(%x: tensor<?x?x?xf32> {fuse.dims = ["B", "N", "N"]}) -> tensor<?x?xf32> {
      %y = fuse.einsum "bii->ib" %x : (tensor<?x?x?xf32>) -> tensor<?x?xf32>
      return %y : tensor<?x?xf32>
    })mlir");
  ASSERT_TRUE(form);
  EXPECT_EQ(extents(), "N x B");
  EXPECT_EQ(read(0, 0), "(N + 1) i0 + (N*N) i1");
  EXPECT_EQ(text(form->getResult(0)), "(B) i0 + (1) i1");
}

// Where one side sees an axis whole and the other factors of it, it is split.
TEST_F(IndexFormTest, SplitAxes) {
  compute(R"mlir(
    func.func @f(%x: tensor<?x24xf32> {fuse.dims = ["N", 24]}, %y: tensor<4x?x6xf32> {fuse.dims = [4, "N", 6]})
        -> tensor<?x24xf32> {
      %h = fuse.reshape %x "n (4 d) -> 4 n d" : (tensor<?x24xf32>) -> tensor<4x?x6xf32>
      %a = fuse.map add %h, %y : (tensor<4x?x6xf32>, tensor<4x?x6xf32>) -> tensor<4x?x6xf32>
      %r = fuse.reshape %a "4 n d -> n (4 d)" : (tensor<4x?x6xf32>) -> tensor<?x24xf32>
      return %r : tensor<?x24xf32>
    })mlir");
  ASSERT_TRUE(form);
  EXPECT_EQ(extents(), "N x 4 x 6");
  EXPECT_EQ(read(1, 0), "(24) i0 + (6) i1 + (1) i2");
  EXPECT_EQ(read(1, 1), "(6) i0 + (6*N) i1 + (1) i2");
  EXPECT_EQ(text(form->getIndices(op(1).getResult(0))), "i1 i0 i2");
  EXPECT_EQ(text(form->getResult(0)), "(24) i0 + (6) i1 + (1) i2");
}

// Factors of two sides that cross are refined by both: 2 x 6 and 6 x 2.
TEST_F(IndexFormTest, CrossingSplits) {
  compute(R"mlir(
    func.func @f(%x: tensor<2x6xf32>, %y: tensor<6x2xf32>) -> tensor<12xf32> {
      %0 = fuse.reshape %x "a b -> (a b)" : (tensor<2x6xf32>) -> tensor<12xf32>
      %1 = fuse.reshape %y "a b -> (a b)" : (tensor<6x2xf32>) -> tensor<12xf32>
      %2 = fuse.map add %0, %1 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
      return %2 : tensor<12xf32>
    })mlir");
  ASSERT_TRUE(form);
  EXPECT_EQ(extents(), "2 x 3 x 2");
  EXPECT_EQ(text(form->getResult(0)), "(6) i0 + (2) i1 + (1) i2");
}

TEST_F(IndexFormTest, SplitsWithoutACommonRefinement) {
  compute(R"mlir(
    func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> tensor<6xf32> {
      %0 = fuse.reshape %x "a b -> (a b)" : (tensor<2x3xf32>) -> tensor<6xf32>
      %1 = fuse.reshape %y "a b -> (a b)" : (tensor<3x2xf32>) -> tensor<6xf32>
      %2 = fuse.map add %0, %1 : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
      return %2 : tensor<6xf32>
    })mlir");
  EXPECT_FALSE(form);
  EXPECT_EQ(takeDiagnostics(),
            "'fuse.map' op has no indices in common with its operands");
}

TEST_F(IndexFormTest, Slices) {
  compute(R"mlir(
    func.func @f(%x: tensor<?x10xf32> {fuse.dims = ["N", 10]}) -> tensor<?x4xf32> {
      %0 = fuse.slice %x axis 1 from "1" to "10" step 2 : (tensor<?x10xf32>) -> tensor<?x5xf32>
      %1 = fuse.slice %0 axis 1 from "1" to "$" : (tensor<?x5xf32>) -> tensor<?x4xf32>
      %2 = fuse.slice %1 axis 0 from "N - 3" to "N" : (tensor<?x4xf32>) -> tensor<3x4xf32>
      %3 = fuse.map exp %2 : (tensor<3x4xf32>) -> tensor<3x4xf32>
      return %1 : tensor<?x4xf32>
    })mlir");
  ASSERT_TRUE(form);
  EXPECT_EQ(text(form->getRead(result(0))->access), "(3) + (10) i0 + (2) i1");
  EXPECT_EQ(text(form->getRead(operand(3, 0))->access),
            "(10*N - 27) + (10) i2 + (2) i3");
}

TEST_F(IndexFormTest, Broadcasts) {
  compute(R"mlir(
    func.func @f(%x: tensor<?xf32> {fuse.dims = ["N"]}) -> tensor<3x?x2xf32> {
      %0 = fuse.broadcast %x "n -> 3 n 2" : (tensor<?xf32>) -> tensor<3x?x2xf32>
      return %0 : tensor<3x?x2xf32>
    })mlir");
  ASSERT_TRUE(form);
  EXPECT_EQ(extents(), "3 x N x 2");
  EXPECT_EQ(text(form->getRead(result(0))->access), "(1) i1");
  EXPECT_EQ(text(form->getResult(0)), "(2*N) i0 + (2) i1 + (1) i2");
}

// Each piece of a concatenation is read at the axis less what is before it.
TEST_F(IndexFormTest, Concatenations) {
  compute(R"mlir(
    func.func @f(%x: tensor<?x?xf32> {fuse.dims = ["N", "M"]}, %y: tensor<?x5xf32> {fuse.dims = ["N", 5]})
        -> tensor<?x?xf32> {
      %0 = fuse.concat %x, %y axis 1 : (tensor<?x?xf32>, tensor<?x5xf32>) -> tensor<?x?xf32>
      return %0 : tensor<?x?xf32>
    })mlir");
  ASSERT_TRUE(form);
  EXPECT_EQ(extents(), "N x M + 5");
  EXPECT_EQ(read(0, 0), "(M) i0 + (1) i1");
  EXPECT_EQ(read(0, 1), "(-1*M) + (5) i0 + (1) i1");
  const Read *first = form->getRead(operand(0, 0));
  const Read *second = form->getRead(operand(0, 1));
  ASSERT_TRUE(first->range && second->range);
  EXPECT_EQ(name(first->range->index), "i1");
  EXPECT_EQ(first->range->begin.str() + " to " + first->range->end.str(),
            "0 to M");
  EXPECT_EQ(second->range->begin.str() + " to " + second->range->end.str(),
            "M to M + 5");
}

// The only element of an axis of extent 1 is of the piece that has one.
TEST_F(IndexFormTest, ConcatenationsToExtentOne) {
  compute(R"mlir(
    func.func @f(%x: tensor<?x0xf32> {fuse.dims = ["N", 0]}, %y: tensor<?x1xf32> {fuse.dims = ["N", 1]})
        -> tensor<?x1xf32> {
      %0 = fuse.concat %x, %y axis 1 : (tensor<?x0xf32>, tensor<?x1xf32>) -> tensor<?x1xf32>
      return %0 : tensor<?x1xf32>
    })mlir");
  ASSERT_TRUE(form);
  const Read *first = form->getRead(operand(0, 0));
  ASSERT_TRUE(first->range);
  EXPECT_TRUE(first->range->isEmpty());
  EXPECT_FALSE(form->getRead(operand(0, 1))->range);
  EXPECT_EQ(read(0, 1), "(1) i0");
}

TEST_F(IndexFormTest, CountedIndices) {
  compute(R"mlir(
    func.func @f() -> tensor<3x4x2xi32> {
      %0 = fuse.iota axis 1 shape "3 8" : tensor<3x8xi32>
      %1 = fuse.reshape %0 "a (4 c) -> a 4 c" : (tensor<3x8xi32>) -> tensor<3x4x2xi32>
      return %1 : tensor<3x4x2xi32>
    })mlir");
  ASSERT_TRUE(form);
  EXPECT_EQ(extents(), "3 x 4 x 2");
  EXPECT_EQ(text(form->getCounted(mlir::cast<IotaOp>(op(0)))), "i1 i2");
}

// What a contraction lacks is an index of extent 1 of it and of what follows.
TEST_F(IndexFormTest, UnitIndices) {
  compute(R"mlir(
    func.func @f(%x: tensor<?xf32> {fuse.dims = ["N"]}) -> tensor<?xf32> {
      %0 = fuse.map exp %x : (tensor<?xf32>) -> tensor<?xf32>
      %1 = fuse.map log %0 : (tensor<?xf32>) -> tensor<?xf32>
      %2 = fuse.map sqrt %1 : (tensor<?xf32>) -> tensor<?xf32>
      return %2 : tensor<?xf32>
    })mlir");
  ASSERT_TRUE(form);
  IndexId unit = form->addUnitIndex(op(1).getResult(0));
  EXPECT_EQ(extents(), "N x 1");
  EXPECT_EQ(name(unit), "i1");
  EXPECT_EQ(text(form->getIndices(op(0).getResult(0))), "i0");
  EXPECT_EQ(text(form->getIndices(op(1).getResult(0))), "i1 i0");
  EXPECT_EQ(text(form->getIndices(op(2).getResult(0))), "i1 i0");
}

// Two ops that see through one broadcast share its new axis, unless a tensor
// has both.
TEST_F(IndexFormTest, NewAxesOfABroadcastAreShared) {
  compute(R"mlir(
    func.func @f(%x: tensor<4xf32>, %y: tensor<5x5xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>) {
      %0 = fuse.broadcast %x "a -> a 5" : (tensor<4xf32>) -> tensor<4x5xf32>
      %1 = fuse.map sin %0 : (tensor<4x5xf32>) -> tensor<4x5xf32>
      %2 = fuse.map cos %0 : (tensor<4x5xf32>) -> tensor<4x5xf32>
      return %1, %2 : tensor<4x5xf32>, tensor<4x5xf32>
    })mlir");
  ASSERT_TRUE(form);
  EXPECT_EQ(form->getIndices(op(1).getResult(0)),
            form->getIndices(op(2).getResult(0)));
  compute(R"mlir(
    func.func @f(%x: tensor<4xf32>, %y: tensor<5x5xf32>) -> tensor<4x5xf32> {
      %0 = fuse.broadcast %x "a -> a 5" : (tensor<4xf32>) -> tensor<4x5xf32>
      %1 = fuse.map sin %0 : (tensor<4x5xf32>) -> tensor<4x5xf32>
      %2 = fuse.einsum "ak,kl->al" %1, %y : (tensor<4x5xf32>, tensor<5x5xf32>) -> tensor<4x5xf32>
      %3 = fuse.map mul %2, %0 : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
      return %3 : tensor<4x5xf32>
    })mlir");
  ASSERT_TRUE(form);
  EXPECT_NE(form->getIndices(op(1).getResult(0)),
            form->getIndices(op(3).getResult(0)));
}

TEST_F(IndexFormTest, UnitDepth) {
  compute(R"mlir(
    func.func @f(%x: tensor<4xf32>, %y: tensor<6xf32>) -> tensor<4x6xf32> {
      %0 = fuse.einsum "i,j->ij" %x, %y : (tensor<4xf32>, tensor<6xf32>) -> tensor<4x6xf32>
      return %0 : tensor<4x6xf32>
    })mlir");
  ASSERT_TRUE(form);
  form->addUnitDepth(mlir::cast<EinsumOp>(op(0)));
  EXPECT_EQ(extents(), "4 x 6 x 1");
  EXPECT_EQ(text(form->getIndices(operand(0, 0))), "i0 i2");
  EXPECT_EQ(text(form->getIndices(operand(0, 1))), "i1 i2");
  EXPECT_EQ(text(form->getIndices(op(0).getResult(0))), "i0 i1");
}

} // namespace
