//===- BuildersTest.cpp - Ops from builders, with inferred types ----------===//

#include "IRTest.h"

#include "fuse/ir/FuseOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Verifier.h"

using namespace fuse;

namespace {

using mlir::RankedTensorType;
using mlir::Type;
using mlir::Value;

constexpr int64_t kDynamic = mlir::ShapedType::kDynamic;

class BuildersTest : public IRTest {
protected:
  BuildersTest() {
    context.allowUnregisteredDialects();
    module = mlir::ModuleOp::create(builder);
    builder.setInsertionPointToStart(module->getBody());
  }

  RankedTensorType tensor(ArrayRef<int64_t> shape, Type element) {
    return RankedTensorType::get(shape, element);
  }

  /// A value of the given type, from an op of nobody.
  Value value(ArrayRef<int64_t> shape, Type element) {
    mlir::OperationState state(builder.getLoc(), "test.value");
    state.addTypes(tensor(shape, element));
    return builder.create(state)->getResult(0);
  }

  /// Every op of the module is valid.
  void verify() { EXPECT_TRUE(succeeded(mlir::verify(*module))); }

  mlir::ImplicitLocOpBuilder builder{mlir::UnknownLoc::get(&context), &context};
  Type f32 = builder.getF32Type(), f64 = builder.getF64Type(),
       bf16 = builder.getBF16Type(), i32 = builder.getI32Type(),
       i1 = builder.getI1Type();
};

TEST_F(BuildersTest, Constants) {
  auto real = ConstantOp::create(builder, tensor({2, 3}, bf16), 0.1);
  auto whole = ConstantOp::create(builder, tensor({}, i32), -7.0);
  auto truth = ConstantOp::create(builder, tensor({}, i1), 1.0);
  auto dense = cast<mlir::DenseElementsAttr>(real.getValue());
  EXPECT_TRUE(dense.isSplat());
  EXPECT_EQ(dense.getSplatValue<llvm::APFloat>().convertToDouble(),
            0.10009765625);
  EXPECT_EQ(
      cast<mlir::DenseElementsAttr>(whole.getValue()).getSplatValue<int32_t>(),
      -7);
  EXPECT_TRUE(
      cast<mlir::DenseElementsAttr>(truth.getValue()).getSplatValue<bool>());
  verify();
}

TEST_F(BuildersTest, Dims) {
  Value x = value({kDynamic, 4}, f32);
  auto axis = DimOp::create(builder, x, 1, f64);
  EXPECT_EQ(axis.getType(), tensor({}, f64));
  EXPECT_EQ(axis.getSource(), x);
  EXPECT_EQ(axis.getAxis(), 1);
  auto expr = DimOp::create(builder, "2*N", i32);
  EXPECT_EQ(expr.getType(), tensor({}, i32));
  EXPECT_EQ(expr.getExpr(), "2*N");
  EXPECT_FALSE(expr.getSource());
  auto iota = IotaOp::create(builder, x, 0, i32);
  EXPECT_EQ(iota.getType(), tensor({kDynamic, 4}, i32));
  verify();
}

TEST_F(BuildersTest, Elementwise) {
  Value x = value({kDynamic, 4}, f32), y = value({3, kDynamic}, f32);
  Value s = value({}, f32);
  auto map = MapOp::create(builder, ScalarFn::Clamp, mlir::ValueRange{s, x, y});
  EXPECT_EQ(map.getType(), tensor({3, 4}, f32));
  EXPECT_EQ(map.getFn(), ScalarFn::Clamp);
  EXPECT_EQ(MapOp::create(builder, ScalarFn::Exp, s).getType(),
            tensor({}, f32));
  auto compare = CompareOp::create(builder, Comparison::Le, s, y);
  EXPECT_EQ(compare.getType(), tensor({3, kDynamic}, i1));
  EXPECT_EQ(compare.getComparison(), Comparison::Le);
  EXPECT_EQ(SelectOp::create(builder, compare, x, s).getType(),
            tensor({3, 4}, f32));
  EXPECT_EQ(CastOp::create(builder, x, bf16).getType(),
            tensor({kDynamic, 4}, bf16));
  verify();
}

TEST_F(BuildersTest, Contractions) {
  Value a = value({kDynamic, 8}, bf16), b = value({8, 5}, bf16);
  SmallVector<Value> operands = {a, b};
  auto einsum =
      EinsumOp::create(builder, "ij,jk->ki", operands, Precision::Ieee, Type());
  EXPECT_EQ(einsum.getType(), tensor({5, kDynamic}, bf16));
  auto wide =
      EinsumOp::create(builder, "ij,jk->ki", operands, Precision::Ieee, f32);
  EXPECT_EQ(wide.getType(), tensor({5, kDynamic}, f32));
  Value x = value({kDynamic, 8}, f32);
  auto scalar = EinsumOp::create(builder, "ij->", x, Precision::Tf32, Type());
  EXPECT_EQ(scalar.getType(), tensor({}, f32));
  EXPECT_EQ(scalar.getPrecision(), Precision::Tf32);
  auto reduce =
      ReduceOp::create(builder, ReduceKind::Max, x, ArrayRef<int64_t>{0});
  EXPECT_EQ(reduce.getType(), tensor({8}, f32));
  verify();
}

TEST_F(BuildersTest, IndexMaps) {
  Value x = value({kDynamic, 24}, i1), like = value({4, kDynamic}, f32);
  EXPECT_EQ(BroadcastOp::create(builder, x, "a b -> a 3 b", Value()).getType(),
            tensor({kDynamic, 3, 24}, i1));
  EXPECT_EQ(
      BroadcastOp::create(builder, value({4}, f32), "a -> a b", like).getType(),
      tensor({4, kDynamic}, f32));
  EXPECT_EQ(TransposeOp::create(builder, x, ArrayRef<int64_t>{1, 0}).getType(),
            tensor({24, kDynamic}, i1));
  EXPECT_EQ(
      ReshapeOp::create(builder, x, like, "a (h d), h b -> a h d").getType(),
      tensor({kDynamic, 4, 6}, i1));
  EXPECT_EQ(SliceOp::create(builder, x, 1, "4", "$", 5).getType(),
            tensor({kDynamic, 4}, i1));
  EXPECT_EQ(ConcatOp::create(builder, mlir::ValueRange{x, x}, 1).getType(),
            tensor({kDynamic, 48}, i1));
  verify();
}

TEST_F(BuildersTest, Composites) {
  Value x = value({kDynamic, 8}, bf16), w = value({3, 8}, bf16);
  Value bias = value({3}, bf16), gamma = value({8}, bf16);
  EXPECT_EQ(LinearOp::create(builder, x, w, bias, Precision::Ieee).getType(),
            tensor({kDynamic, 3}, bf16));
  llvm::APFloat eps(1e-5);
  EXPECT_EQ(LayerNormOp::create(builder, x, gamma, Value(), 1, eps).getType(),
            x.getType());
  EXPECT_EQ(RmsNormOp::create(builder, x, gamma, 1, eps).getType(),
            x.getType());
  EXPECT_EQ(SoftmaxOp::create(builder, x, 1, MaskedRows::Zero).getType(),
            x.getType());
  verify();
}

TEST_F(BuildersTest, Attention) {
  Value q = value({kDynamic, 6, 8}, bf16), k = value({5, 2, 8}, bf16);
  auto attention = AttentionOp::create(
      builder, q, k, k, "t (g r) d, s g d, s g d -> t (g r) d", "(g r) t s",
      MaskedRows::Nan, Precision::Ieee);
  EXPECT_EQ(attention.getType(), tensor({kDynamic, 6, 8}, bf16));
  EXPECT_EQ(attention.getComputeType(), f32);
  Type scores = tensor({6, kDynamic, 5}, f32);
  mlir::Block &body = attention.getScore().emplaceBlock();
  Value argument = body.addArgument(scores, builder.getLoc());
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&body);
  YieldOp::create(builder, argument);
  EXPECT_EQ(attention.getScoreType(), scores);
  EXPECT_EQ(attention.getYieldedScores(), argument);
  EXPECT_EQ(attention.getMapping().operands[0].str(), "t (g r) d");
  EXPECT_EQ(attention.getScorePattern().str(), "(g r) t s");
  verify();
}

//===----------------------------------------------------------------------===//
// Inference that fails
//===----------------------------------------------------------------------===//

class FailedInferenceTest : public BuildersTest {
protected:
  /// What `fuse.transpose` says of a permutation, given a location or not.
  LogicalResult infer(std::optional<mlir::Location> location) {
    Value x = value({4, 5}, f32);
    TransposeOp::Properties properties;
    properties.permutation = builder.getDenseI64ArrayAttr({0, 0});
    SmallVector<Type> types;
    return TransposeOp::inferReturnTypes(&context, location, x,
                                         builder.getDictionaryAttr({}),
                                         &properties, {}, types);
  }
};

TEST_F(FailedInferenceTest, WithLocation) {
  EXPECT_TRUE(failed(infer(builder.getLoc())));
  EXPECT_EQ(takeDiagnostics(), "'fuse.transpose' op expects a permutation, but "
                               "axis 0 is repeated");
}

// Without a location the caller only asks.
TEST_F(FailedInferenceTest, WithoutLocation) {
  EXPECT_TRUE(failed(infer(std::nullopt)));
  EXPECT_EQ(takeDiagnostics(), "");
}

// Ops without operands have no element type to take from them.
TEST_F(FailedInferenceTest, WithoutOperands) {
  SmallVector<Type> types;
  MapOp::Properties map;
  map.fn = ScalarFnAttr::get(&context, ScalarFn::Exp);
  EXPECT_TRUE(failed(MapOp::inferReturnTypes(&context, builder.getLoc(), {},
                                             builder.getDictionaryAttr({}),
                                             &map, {}, types)));
  EXPECT_EQ(takeDiagnostics(),
            "'fuse.map' op expects 1 operand for 'exp', but got 0");
  EinsumOp::Properties einsum;
  einsum.indices = builder.getStringAttr("i->");
  einsum.precision = PrecisionAttr::get(&context, Precision::Ieee);
  EXPECT_TRUE(failed(EinsumOp::inferReturnTypes(&context, builder.getLoc(), {},
                                                builder.getDictionaryAttr({}),
                                                &einsum, {}, types)));
  EXPECT_EQ(takeDiagnostics(),
            "'fuse.einsum' op expects 1 operand for 'i->', but got 0");
  ConcatOp::Properties concat;
  concat.axis = builder.getI64IntegerAttr(0);
  EXPECT_TRUE(failed(ConcatOp::inferReturnTypes(&context, builder.getLoc(), {},
                                                builder.getDictionaryAttr({}),
                                                &concat, {}, types)));
  EXPECT_EQ(takeDiagnostics(), "'fuse.concat' op expects at least one operand");
  EXPECT_TRUE(types.empty());
}

} // namespace
