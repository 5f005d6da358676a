//===- DialectTest.cpp - Types, hooks and functions of others -------------===//

#include "IRTest.h"

#include "fuse/ir/DimAnalysis.h"
#include "fuse/ir/FuseOps.h"
#include "fuse/passes/Passes.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/PassManager.h"

using namespace fuse;

namespace {

class DialectTest : public IRTest {
protected:
  bool accepts(StringRef type) {
    mlir::Type parsed = mlir::parseType(type, &context);
    EXPECT_TRUE(parsed) << takeDiagnostics();
    return parsed && isFuseTensor(parsed);
  }

  mlir::Dialect *dialect = context.getLoadedDialect("fuse");
  mlir::OpBuilder builder{&context};
};

TEST_F(DialectTest, FuseTensors) {
  for (const char *type :
       {"tensor<f16>", "tensor<bf16>", "tensor<4xf32>", "tensor<?x?xf64>",
        "tensor<0xi32>", "tensor<1x2x3x4x5x6x7x8xi1>",
        "tensor<9223372036854775807xi1>", "tensor<2305843009213693951xf32>",
        "tensor<?x2305843009213693951xf32>"})
    EXPECT_TRUE(accepts(type)) << type;
  for (const char *type :
       {"f32", "tensor<*xf32>", "memref<4xf32>", "vector<4xf32>",
        "tensor<4xi8>", "tensor<4xi64>", "tensor<4xsi32>", "tensor<4xui32>",
        "tensor<4xui1>", "tensor<4xindex>", "tensor<4xf8E5M2>", "tensor<4xf80>",
        "tensor<4xcomplex<f32>>", "tensor<1x1x1x1x1x1x1x1x1xf32>",
        "tensor<4xf32, \"encoding\">", "tensor<2305843009213693952xf32>",
        "tensor<4611686018427387904xf16>",
        "tensor<0x4294967296x2147483648xi1>"})
    EXPECT_FALSE(accepts(type)) << type;
}

TEST_F(DialectTest, MaterializesConstants) {
  module = mlir::ModuleOp::create(builder.getUnknownLoc());
  builder.setInsertionPointToStart(module->getBody());
  auto type = mlir::RankedTensorType::get({2}, builder.getF32Type());
  auto value = mlir::DenseElementsAttr::get(type, 1.0f);
  mlir::Location loc = builder.getUnknownLoc();
  auto make = [&](mlir::Attribute attr, mlir::Type as) {
    return dialect->materializeConstant(builder, attr, as, loc);
  };
  EXPECT_TRUE(isa_and_nonnull<ConstantOp>(make(value, type)));
  // Values of another type, of types that are not ours, and no tensors.
  auto wide = mlir::RankedTensorType::get({2}, builder.getI64Type());
  EXPECT_FALSE(make(value, wide));
  EXPECT_FALSE(make(mlir::DenseElementsAttr::get(wide, int64_t(1)), wide));
  EXPECT_FALSE(make(builder.getF32FloatAttr(1.0f), builder.getF32Type()));
}

// The verifier of functions asks about arguments and results; an op of others
// may ask about regions that are none.
TEST_F(DialectTest, AttributesOfRegionsThatAreNoFunctions) {
  module = mlir::ModuleOp::create(builder.getUnknownLoc());
  mlir::NamedAttribute name(builder.getStringAttr("fuse.name"),
                            builder.getStringAttr("x"));
  EXPECT_TRUE(
      failed(dialect->verifyRegionArgAttribute(module.get(), 0, 0, name)));
  EXPECT_EQ(takeDiagnostics(),
            "'fuse.name' expects a function argument to carry it");
  EXPECT_TRUE(
      failed(dialect->verifyRegionResultAttribute(module.get(), 0, 0, name)));
  EXPECT_EQ(takeDiagnostics(),
            "'fuse.name' expects a function result to carry it");
}

TEST_F(DialectTest, AttributesBeyondTheSignature) {
  mlir::FunctionOpInterface function =
      parseFunction("func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { "
                    "return %x : tensor<4xf32> }");
  ASSERT_TRUE(function);
  mlir::NamedAttribute name(builder.getStringAttr("fuse.name"),
                            builder.getStringAttr("x"));
  EXPECT_TRUE(
      succeeded(dialect->verifyRegionArgAttribute(function, 0, 0, name)));
  EXPECT_TRUE(failed(dialect->verifyRegionArgAttribute(function, 0, 1, name)));
  EXPECT_EQ(takeDiagnostics(),
            "'fuse.name' expects a function argument to carry it");
  EXPECT_TRUE(
      failed(dialect->verifyRegionResultAttribute(function, 0, 1, name)));
  EXPECT_EQ(takeDiagnostics(),
            "'fuse.name' expects a function result to carry it");
}

//===----------------------------------------------------------------------===//
// Any function-like op
//===----------------------------------------------------------------------===//

class ForeignFunctionTest : public DialectTest {
protected:
  ForeignFunctionTest() {
    context.loadDialect<mlir::ml_program::MLProgramDialect>();
  }

  LogicalResult run(StringRef pipeline) {
    mlir::PassManager passes(&context);
    EXPECT_TRUE(succeeded(mlir::parsePassPipeline(pipeline, passes)));
    return passes.run(*module);
  }
};

constexpr StringRef kProgram = R"mlir(
  ml_program.func @f(%x: tensor<?x8xf32> {fuse.dims = ["N", "D"], fuse.name = "x"})
      -> (tensor<?x8xf32> {fuse.dims = ["N", 8]}) {
    %0 = fuse.softmax %x axis 1 : (tensor<?x8xf32>) -> tensor<?x8xf32>
    ml_program.return %0 : tensor<?x8xf32>
  })mlir";

TEST_F(ForeignFunctionTest, Analysis) {
  mlir::FunctionOpInterface function = parseFunction(kProgram);
  ASSERT_TRUE(function);
  FailureOr<DimAnalysis> analysis = DimAnalysis::compute(function);
  ASSERT_TRUE(succeeded(analysis)) << takeDiagnostics();
  DimBindings bindings;
  SmallVector<int64_t> shape = {3, 8}, wrong = {3, 9};
  EXPECT_TRUE(succeeded(analysis->bindDims(function, {shape}, bindings)));
  EXPECT_EQ(bindings.lookup("N"), 3);
  bindings.clear();
  EXPECT_TRUE(failed(analysis->bindDims(function, {wrong}, bindings)));
  EXPECT_EQ(takeDiagnostics(),
            "expects axis 1 of argument 'x' to be 8, but got 9");
}

TEST_F(ForeignFunctionTest, Attributes) {
  EXPECT_FALSE(mlir::parseSourceString<mlir::ModuleOp>(
      R"(ml_program.func private @f(tensor<4xf32> {fuse.dims = [5]}))",
      &context));
  EXPECT_EQ(takeDiagnostics(), "'fuse.dims' expects axis 0 of 'tensor<4xf32>' "
                               "to be 4, but got 5");
}

TEST_F(ForeignFunctionTest, Passes) {
  fuse::registerFusePasses();
  ASSERT_TRUE(parseFunction(kProgram));
  ASSERT_TRUE(succeeded(run("fuse-check-dims,fuse-decompose-composites")));
  unsigned composites = 0, maps = 0;
  module->walk([&](mlir::Operation *op) {
    composites += isa<SoftmaxOp>(op);
    maps += isa<MapOp>(op);
  });
  EXPECT_EQ(composites, 0u);
  EXPECT_EQ(maps, 3u);
}

TEST_F(ForeignFunctionTest, ContradictionFailsThePass) {
  fuse::registerFusePasses();
  ASSERT_TRUE(parseFunction(R"mlir(
    ml_program.func @f(%x: tensor<?xf32> {fuse.dims = ["N"]})
        -> (tensor<?xf32> {fuse.dims = ["N + 1"]}) {
      ml_program.return %x : tensor<?xf32>
    })mlir"));
  EXPECT_TRUE(failed(run("fuse-check-dims")));
  EXPECT_EQ(takeDiagnostics(),
            "expects axis 0 of result 'result0' to be N + 1, but N is "
            "something else by earlier constraints");
}

} // namespace
