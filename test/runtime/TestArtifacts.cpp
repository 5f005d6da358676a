//===- TestArtifacts.cpp - small compiled programs ------------------------===//

#include "TestArtifacts.h"

#include "Sha256.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace fuse::rt;

const char fuse::rt::kTwoKernels[] = R"cuda(
using namespace fuse;

extern "C" __global__ void row_sums(const float *x, float *sums, int64_t N) {
  int64_t row = block_index() * 32 + thread_index();
  if (row >= N)
    return;
  float sum = 0.0f;
  for (int c = 0; c < 4; ++c)
    sum += x[row * 4 + c];
  sums[row] = sum;
  release_dependents();
}
FUSE_KERNEL_ENTRY(row_sums)

extern "C" __global__ void scale_rows(const float *x, const float *w,
                                      const float *sums, float *y, int64_t N) {
  int64_t row = block_index() * 32 + thread_index();
  wait_for_producers();
  if (row >= N)
    return;
  for (int c = 0; c < 4; ++c)
    y[row * 4 + c] = div_rn(x[row * 4 + c] * w[c], sums[row]);
}
FUSE_KERNEL_ENTRY(scale_rows)
)cuda";

static Artifact::Launch makeLaunch(size_t kernel,
                                   std::vector<Artifact::Operand> operands) {
  Artifact::Launch launch;
  launch.kernel = kernel;
  launch.grid = IntExpr::apply(FUSE_EXPR_CEILDIV, IntExpr::dim(0), 32);
  launch.threads = 32;
  launch.operands = std::move(operands);
  launch.operands.push_back(Artifact::Operand::scalar(IntExpr::dim(0)));
  return launch;
}

Artifact fuse::rt::makeTwoKernelArtifact(std::string_view header) {
  using Operand = Artifact::Operand;
  Artifact artifact;
  artifact.name = "normalize";
  artifact.producer = "a test";
  artifact.dims = {"N"};
  artifact.constants = {{"C", 4}};
  artifact.arguments = {{"x", DType::F32, {IntExpr::dim(0), 4}, 16, false},
                        {"w", DType::F32, {4}, 16, true}};
  artifact.results = {{"y", DType::F32, {IntExpr::dim(0), 4}, 16, false}};
  artifact.sources = {
      {"normalize.cu", std::string(header) + kTwoKernels, {}, true}};
  artifact.kernels = {{"row_sums", 0, R"({"bytes":64})"},
                      {"scale_rows", 0, ""}};
  IntExpr one = 1, most = 4096, n = IntExpr::dim(0);
  Artifact::Plan plan;
  plan.name = "small";
  plan.guard = {{IntExpr::apply(FUSE_EXPR_GE, n, one), "N at least 1"},
                {IntExpr::apply(FUSE_EXPR_LE, n, most), "N at most 4096"}};
  plan.workspaceBytes = IntExpr::apply(FUSE_EXPR_MUL, n, 4);
  plan.launches = {makeLaunch(0, {Operand::argument(0), Operand::workspace(0)}),
                   makeLaunch(1, {Operand::argument(0), Operand::argument(1),
                                  Operand::workspace(0), Operand::result(0)})};
  plan.launches[1].overlap = true;
  artifact.plans = {plan};
  return artifact;
}

std::shared_ptr<const Program> fuse::rt::makeProgram(Artifact artifact) {
  auto program = Program::create(std::move(artifact));
  EXPECT_EQ(program.status().message(), "");
  return program.ok() ? *program : nullptr;
}

std::string fuse::rt::manifestOf(const std::string &bytes) {
  FuseArtifactHeader header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  return bytes.substr(sizeof(header), header.manifestBytes);
}

std::string fuse::rt::withManifest(const std::string &bytes,
                                   const std::string &manifest) {
  FuseArtifactHeader header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  std::string contents =
      manifest + bytes.substr(sizeof(header) + header.manifestBytes);
  header.manifestBytes = manifest.size();
  Sha256 sum;
  sum.update(&header, sizeof(header) - FUSE_CHECKSUM_BYTES);
  sum.update(contents);
  Sha256::Digest digest = sum.finish();
  std::memcpy(header.checksum, digest.data(), digest.size());
  return std::string(reinterpret_cast<const char *>(&header), sizeof(header)) +
         contents;
}
