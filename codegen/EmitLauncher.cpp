//===- EmitLauncher.cpp - A program's launches as a C function ------------===//

#include "fuse/codegen/EmitLauncher.h"
#include "CudaText.h"
#include "Names.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace fuse;
using rt::Artifact;
using rt::IntExpr;

/// What expressions call besides operators.
static constexpr StringRef helpers = R"(
[[maybe_unused]] static int64_t floordiv(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
[[maybe_unused]] static int64_t ceildiv(int64_t a, int64_t b) {
  return -floordiv(-a, b);
}
[[maybe_unused]] static int64_t mod(int64_t a, int64_t b) {
  return a - b * floordiv(a, b);
}

// Device memory that is whatever pointer a kernel takes.
struct Buffer {
  void *base;
  int64_t offset = 0;
  template <class T> operator T *() const {
    return reinterpret_cast<T *>(static_cast<char *>(base) + offset);
  }
};

)";

/// Shared memory beyond this has to be asked for.
static constexpr uint32_t plainSharedBytes = 48 << 10;

static std::string operandText(const Artifact &artifact,
                               const Artifact::Operand &operand,
                               const std::vector<std::string> &dims) {
  auto tensor = [](size_t index) {
    return "Buffer{tensors[" + std::to_string(index) + "]}";
  };
  switch (operand.kind) {
  case Artifact::Operand::Kind::Scalar:
    return operand.value.str(dims);
  case Artifact::Operand::Kind::Argument:
    return tensor(operand.index);
  case Artifact::Operand::Kind::Result:
    return tensor(artifact.arguments.size() + operand.index);
  case Artifact::Operand::Kind::Workspace:
    return "Buffer{workspace, " + operand.value.str(dims) + "}";
  }
  llvm_unreachable("operands are of these kinds");
}

static void emitLaunch(const Artifact &artifact, const Artifact::Launch &launch,
                       const std::vector<std::string> &dims, raw_ostream &os) {
  const std::string &kernel = artifact.kernels[launch.kernel].name;
  if (launch.sharedBytes > plainSharedBytes)
    os << "    cudaFuncSetAttribute(fuse::" << kernel
       << ", cudaFuncAttributeMaxDynamicSharedMemorySize, "
       << launch.sharedBytes << ");\n";
  os << "    if (const int64_t blocks = " << launch.grid.str(dims)
     << "; blocks > 0)\n      fuse::" << kernel << "<<<blocks, "
     << launch.threads << ", " << launch.sharedBytes << ", stream>>>(";
  for (const auto &[index, operand] : llvm::enumerate(launch.operands))
    os << (index ? ",\n          " : "\n          ")
       << operandText(artifact, operand, dims);
  os << ");\n";
}

namespace {
/// Prints two functions that every plan has a part in.
class LauncherText {
public:
  LauncherText(const Artifact &artifact, raw_ostream &os)
      : artifact(artifact), os(os) {
    for (const std::string &dim : artifact.dims)
      dims.push_back(toIdentifier(dim));
  }

  void emit();

private:
  void declareDims();
  /// That tensors start where the kernels expect it.
  void checkTensors();
  /// `body` of the first plan whose guard holds, and `otherwise`.
  void choosePlan(function_ref<void(const Artifact::Plan &)> body,
                  StringRef otherwise);

  const Artifact &artifact;
  raw_ostream &os;
  std::vector<std::string> dims;
};
} // namespace

void LauncherText::declareDims() {
  for (auto [index, dim] : llvm::enumerate(dims))
    os << "  [[maybe_unused]] const int64_t " << dim << " = dims[" << index
       << "];\n";
}

void LauncherText::checkTensors() {
  size_t number = 0;
  for (const auto *tensors : {&artifact.arguments, &artifact.results})
    for (const Artifact::Tensor &tensor : *tensors) {
      if (tensor.alignment > rt::dtypeSize(tensor.dtype))
        os << "  if (reinterpret_cast<uintptr_t>(tensors[" << number << "]) % "
           << tensor.alignment << " != 0) // " << tensor.name
           << "\n    return cudaErrorMisalignedAddress;\n";
      ++number;
    }
}

void LauncherText::choosePlan(function_ref<void(const Artifact::Plan &)> body,
                              StringRef otherwise) {
  for (const Artifact::Plan &plan : artifact.plans) {
    os << (plan.guard.empty() ? "  {\n" : "  if (");
    for (const auto &[index, guard] : llvm::enumerate(plan.guard))
      os << (index ? " &&\n      " : "") << guard.condition.str(dims)
         << (index + 1 == plan.guard.size() ? ") {\n" : "");
    body(plan);
    os << "  }\n";
    if (plan.guard.empty())
      break; // Nothing is left for what comes behind it.
  }
  if (!artifact.plans.back().guard.empty())
    os << "  return " << otherwise << ";\n";
  os << "}\n";
}

void LauncherText::emit() {
  std::string name = toIdentifier(artifact.name);
  os << "#if defined(__CUDACC__) && !defined(__CUDACC_RTC__)\n"
     << "#include <algorithm>\n#include <cstdint>\n"
     << "using std::max;\nusing std::min;\n"
     << helpers;
  os << "extern \"C\" int64_t " << name
     << "_workspace_bytes(const int64_t *dims) {\n";
  declareDims();
  choosePlan(
      [&](const Artifact::Plan &plan) {
        os << "    return " << plan.workspaceBytes.str(dims) << ";\n";
      },
      "-1");
  os << "\nextern \"C\" int " << name
     << "_launch(void *const *tensors, const int64_t *dims,\n"
     << "    void *workspace, cudaStream_t stream) {\n";
  declareDims();
  checkTensors();
  choosePlan(
      [&](const Artifact::Plan &plan) {
        for (const Artifact::Launch &launch : plan.launches)
          emitLaunch(artifact, launch, dims, os);
        os << "    return cudaGetLastError();\n";
      },
      "cudaErrorInvalidValue");
  os << "#endif\n";
}

std::string fuse::launcherText(const Artifact &artifact) {
  std::string text;
  llvm::raw_string_ostream os(text);
  LauncherText(artifact, os).emit();
  return text;
}
