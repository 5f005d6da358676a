//===- ProgramTest.cpp - calls of a program, without a device -------------===//

#include "fuse/runtime/Program.h"

#include "TestArtifacts.h"
#include "TestUtils.h"

#include <functional>

using namespace fuse::rt;

using Shapes = std::vector<std::optional<std::vector<int64_t>>>;
using Given = std::vector<std::pair<std::string, int64_t>>;

namespace {
/// The two-kernel program and a call of it that is right, with N = 40.
class ProgramTest : public testing::Test {
protected:
  void rebuild(const std::function<void(Artifact &)> &change) {
    Artifact artifact = makeTwoKernelArtifact();
    change(artifact);
    program = makeProgram(std::move(artifact));
  }

  std::string checkMessage() {
    Result<const Program::Plan *> plan =
        program->selectPlan(dims.data(), dims.size());
    EXPECT_EQ(messageOf(plan), "");
    Call call = makeCall();
    return program->checkCall(call, **plan, dims.data()).message();
  }

  Call makeCall() {
    Call call;
    call.pointers = pointers.data();
    call.numPointers = pointers.size();
    call.strides = strides.empty() ? nullptr : strides.data();
    call.workspace = workspace;
    call.workspaceBytes = workspaceBytes;
    return call;
  }

  std::string planMessage(std::vector<int64_t> extents) {
    return messageOf(program->selectPlan(extents.data(), extents.size()));
  }

  static void *at(intptr_t address) {
    return reinterpret_cast<void *>(address);
  }

  std::shared_ptr<const Program> program = makeProgram(makeTwoKernelArtifact());
  std::vector<int64_t> dims = {40};
  std::vector<void *> pointers = {at(0x10000), at(0x20000), at(0x30000)};
  std::vector<const int64_t *> strides;
  void *workspace = at(0x40000);
  uint64_t workspaceBytes = 160;
};
} // namespace

TEST_F(ProgramTest, BindsDimsFromShapes) {
  Result<Dims> bound = program->bindDims({{{40, 4}}, std::nullopt}, {});
  ASSERT_EQ(messageOf(bound), "");
  EXPECT_EQ(*bound, Dims{40});
  bound = program->bindDims({std::nullopt, std::nullopt}, {{"N", 7}});
  ASSERT_EQ(messageOf(bound), "");
  EXPECT_EQ(*bound, Dims{7});
  bound = program->bindDims({{{0, 4}}, {{4}}}, {{"C", 4}});
  ASSERT_EQ(messageOf(bound), "");
  EXPECT_EQ(*bound, Dims{0});
}

TEST_F(ProgramTest, SolvesExpressionsOfDims) {
  rebuild([](Artifact &artifact) {
    artifact.dims = {"N", "H", "D"};
    IntExpr h = IntExpr::dim(1), d = IntExpr::dim(2);
    artifact.arguments[0].shape = {IntExpr::dim(0),
                                   IntExpr::apply(FUSE_EXPR_MUL, h, d)};
    artifact.arguments[1].shape = {h};
  });
  Result<Dims> bound = program->bindDims({{{5, 24}}, {{3}}}, {});
  ASSERT_EQ(messageOf(bound), "");
  EXPECT_EQ(*bound, (Dims{5, 3, 8}));
  EXPECT_EQ(messageOf(program->bindDims({{{5, 25}}, {{3}}}, {{"D", 8}})),
            "expects axis 1 of argument 'x' to be H * D = 24, but got 25");
  EXPECT_EQ(messageOf(program->bindDims({{{5, 25}}, {{3}}}, {})),
            "dim 'D' has no extent; give one with --dims=D=...");
}

TEST_F(ProgramTest, WrongDims) {
  auto message = [&](const Shapes &shapes, const Given &given) {
    Result<Dims> bound = program->bindDims(shapes, given);
    EXPECT_EQ(bound.status().code(), StatusCode::InvalidInput);
    return messageOf(bound);
  };
  Shapes none = {std::nullopt, std::nullopt};
  EXPECT_EQ(message(none, {}),
            "dim 'N' has no extent, needed for axis 0 of argument 'x'; give "
            "one with --dims=N=..., or an input that has it");
  EXPECT_EQ(message(none, {{"M", 3}}),
            "'normalize' has no dim 'M'; its dims are N");
  EXPECT_EQ(message(none, {{"C", 8}}),
            "expects dim 'C' to be 4, which the program was compiled for, but "
            "got 8");
  EXPECT_EQ(message(none, {{"N", -1}}),
            "expects dim 'N' to be 0 or more, but got -1");
  EXPECT_EQ(message({{{40, 4, 1}}, std::nullopt}, {}),
            "expects argument 'x' to have rank 2, but got 3");
  EXPECT_EQ(message({{{40, 5}}, std::nullopt}, {}),
            "expects axis 1 of argument 'x' to be 4, but got 5");
  EXPECT_EQ(message({{{40, 4}}, std::nullopt}, {{"N", 41}}),
            "expects axis 0 of argument 'x' to be N = 41, but got 40");
  EXPECT_EQ(message({{{40, 4}}}, {}),
            "expects shapes of 2 arguments, but got 1");
}

TEST_F(ProgramTest, TypesOfTensors) {
  Result<TensorType> type = program->tensorType(2, {40});
  ASSERT_EQ(messageOf(type), "");
  EXPECT_EQ(formatTensorType(*type), "40x4xf32");
  EXPECT_EQ(messageOf(program->tensorType(0, {INT64_MAX / 8})),
            "argument 'x' would be a tensor of 2^63 bytes or more");
  rebuild([](Artifact &artifact) {
    artifact.results[0].shape = {
        IntExpr::apply(FUSE_EXPR_SUB, IntExpr::dim(0), 5)};
  });
  EXPECT_EQ(messageOf(program->tensorType(2, {3})),
            "expects axis 0 of result 'y' to be 0 or more, but got -2 (N = 3)");
}

TEST_F(ProgramTest, PlansAndGuards) {
  EXPECT_EQ(planMessage({1}), "");
  EXPECT_EQ(planMessage({4096}), "");
  EXPECT_EQ(planMessage({0}), "no plan of 'normalize' serves N = 0; plan "
                              "'small' expects N at least 1");
  EXPECT_EQ(planMessage({4097}), "no plan of 'normalize' serves N = 4097; plan "
                                 "'small' expects N at most 4096");
  EXPECT_EQ(planMessage({-1}), "expects dim 'N' to be 0 or more, but got -1");
  EXPECT_EQ(planMessage({1, 2}), "expects extents of 1 dims, but got 2");
  rebuild([](Artifact &artifact) {
    artifact.plans.push_back(artifact.plans[0]);
    artifact.plans[1].name = "large";
    artifact.plans[1].guard = {
        {IntExpr::apply(FUSE_EXPR_EQ, 0,
                        IntExpr::apply(FUSE_EXPR_MOD, IntExpr::dim(0), 8)),
         "N to be a multiple of 8"}};
  });
  dims = {8000};
  Result<const Program::Plan *> plan = program->selectPlan(dims.data(), 1);
  ASSERT_EQ(messageOf(plan), "");
  EXPECT_EQ((*plan)->name, "large");
  dims = {8};
  EXPECT_EQ((*program->selectPlan(dims.data(), 1))->name, "small");
  EXPECT_EQ(planMessage({8001}),
            "no plan of 'normalize' serves N = 8001; plan 'small' expects N at "
            "most 4096; plan 'large' expects N to be a multiple of 8");
}

TEST_F(ProgramTest, GuardsThatFail) {
  rebuild([](Artifact &artifact) {
    artifact.plans[0].guard[0].condition =
        IntExpr::apply(FUSE_EXPR_FLOORDIV, 1, IntExpr::dim(0));
  });
  EXPECT_EQ(planMessage({0}),
            "guard of plan 'small': floordiv(1, 0) divides by zero");
}

TEST_F(ProgramTest, RightCall) { EXPECT_EQ(checkMessage(), ""); }

TEST_F(ProgramTest, WrongPointers) {
  pointers[1] = nullptr;
  EXPECT_EQ(checkMessage(),
            "expects memory for argument 'w', but got a null pointer");
  pointers[1] = at(0x20008);
  EXPECT_EQ(checkMessage(), "expects argument 'w' at a multiple of 16 bytes, "
                            "but got an address 8 bytes past one");
  pointers[1] = pointers[0];
  EXPECT_EQ(checkMessage(), "") << "arguments may share memory";
  pointers[2] = at(0x10000 + 40 * 16 - 16);
  EXPECT_EQ(checkMessage(), "expects result 'y' in memory of its own, but got "
                            "memory shared with argument 'x'");
  pointers[2] = at(0x10000 + 40 * 16);
  EXPECT_EQ(checkMessage(), "") << "right behind";
  pointers.pop_back();
  EXPECT_EQ(checkMessage(),
            "expects 2 arguments and 1 results, but got 2 pointers");
}

TEST_F(ProgramTest, WrongWorkspace) {
  workspaceBytes = 159;
  EXPECT_EQ(checkMessage(), "expects a workspace of at least 160 bytes for N = "
                            "40, but got 159");
  workspaceBytes = 200;
  EXPECT_EQ(checkMessage(), "");
  workspace = nullptr;
  EXPECT_EQ(checkMessage(), "expects a workspace, but got a null pointer");
  workspace = at(0x40010);
  EXPECT_EQ(checkMessage(), "expects a workspace at a multiple of 256 bytes, "
                            "but got another address");
  workspace = pointers[0];
  EXPECT_EQ(checkMessage(), "expects a workspace in memory of its own, but got "
                            "memory shared with argument 'x'");
}

TEST_F(ProgramTest, WrongStrides) {
  const int64_t rowMajor[] = {4, 1}, transposed[] = {1, 40}, padded[] = {8, 1};
  strides = {rowMajor, nullptr, rowMajor};
  EXPECT_EQ(checkMessage(), "");
  strides[0] = transposed;
  EXPECT_EQ(checkMessage(), "expects row-major strides [4, 1] for argument 'x' "
                            "of shape [40, 4], but got [1, 40]");
  strides = {rowMajor, nullptr, padded};
  EXPECT_EQ(checkMessage(), "expects row-major strides [4, 1] for result 'y' "
                            "of shape [40, 4], but got [8, 1]");
  dims = {1};
  EXPECT_EQ(checkMessage(), "") << "an axis of size 1 has any stride";
}

TEST_F(ProgramTest, EmptyTensorsNeedNoMemory) {
  rebuild([](Artifact &artifact) { artifact.plans[0].guard.clear(); });
  dims = {0};
  pointers[0] = pointers[2] = workspace = nullptr;
  workspaceBytes = 0;
  const int64_t any[] = {77, 78};
  strides = {any, nullptr, any};
  EXPECT_EQ(checkMessage(), "");
}

TEST_F(ProgramTest, ResolvesLaunches) {
  const Program::Plan &plan = **program->selectPlan(dims.data(), 1);
  Result<ResolvedLaunch> launch =
      program->resolveLaunch(plan.launches[1], makeCall(), dims.data());
  ASSERT_EQ(messageOf(launch), "");
  EXPECT_EQ(launch->gridBlocks, 2u);
  EXPECT_EQ(launch->values[0], 0x10000);
  EXPECT_EQ(launch->values[1], 0x20000);
  EXPECT_EQ(launch->values[2], 0x40000);
  EXPECT_EQ(launch->values[3], 0x30000);
  EXPECT_EQ(launch->values[4], 40);
}

TEST_F(ProgramTest, LaunchesThatCannotBe) {
  auto message = [&](const std::function<void(Artifact::Launch &)> &change) {
    rebuild([&](Artifact &artifact) { change(artifact.plans[0].launches[0]); });
    const Program::Plan &plan = **program->selectPlan(dims.data(), 1);
    return messageOf(
        program->resolveLaunch(plan.launches[0], makeCall(), dims.data()));
  };
  EXPECT_EQ(message([](Artifact::Launch &launch) {
              launch.grid =
                  IntExpr::apply(FUSE_EXPR_MUL, IntExpr::dim(0), 1 << 30);
            }),
            "kernel 'row_sums': expects at most 2147483647 blocks, but got "
            "42949672960 (N = 40)");
  EXPECT_EQ(message([](Artifact::Launch &launch) {
              launch.grid =
                  IntExpr::apply(FUSE_EXPR_MUL, IntExpr::dim(0), INT64_MAX);
            }),
            "kernel 'row_sums': mul(40, 9223372036854775807) does not fit into "
            "64 bits");
  EXPECT_EQ(message([](Artifact::Launch &launch) {
              launch.operands[1] = Artifact::Operand::workspace(161);
            }),
            "kernel 'row_sums': expects an offset within the workspace of 160 "
            "bytes, but got 161");
}

TEST_F(ProgramTest, LimitsOfADevice) {
  rebuild([](Artifact &artifact) {
    artifact.plans[0].launches[1].threads = 512;
    artifact.plans[0].launches[1].sharedBytes = 1000;
  });
  EXPECT_EQ(program->checkLimits({"a GPU", 512, 1000}).message(), "");
  Status threads = program->checkLimits({"a GPU", 256, 1000});
  EXPECT_EQ(threads.code(), StatusCode::Resource);
  EXPECT_EQ(threads.message(), "kernel 'scale_rows': expects at most 256 "
                               "threads a block on a GPU, but got 512");
  Status shared = program->checkLimits({"a GPU", 512, 999});
  EXPECT_EQ(shared.code(), StatusCode::Resource);
  EXPECT_EQ(shared.message(), "kernel 'scale_rows': expects at most 999 bytes "
                              "of shared memory a block on a GPU, but got "
                              "1000");
}
