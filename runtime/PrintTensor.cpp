//===- PrintTensor.cpp - tensors as text ----------------------------------===//

#include "fuse/runtime/PrintTensor.h"

#include "NoThrow.h"

#include "fuse/runtime/ElementText.h"

#include <algorithm>
#include <limits>

using namespace fuse::rt;

constexpr int64_t kMostShown = 64;
constexpr int64_t kWidestEdge = 3;

/// The sizes that show as brackets: up to the first 0, below which nothing is.
static std::vector<int64_t> visibleShape(const HostTensor &tensor) {
  const std::vector<int64_t> &shape = tensor.shape();
  auto zero = std::find(shape.begin(), shape.end(), 0);
  return {shape.begin(), zero == shape.end() ? zero : zero + 1};
}

/// Innermost entries when every dimension is cut to `2 * edge`. The last size
/// of a tensor without elements is 0; its `[]` counts as one entry.
static int64_t countEntries(const std::vector<int64_t> &shape, int64_t edge) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= std::clamp<int64_t>(size, 1, 2 * edge);
  return count;
}

namespace {
class TensorPrinter {
public:
  TensorPrinter(const HostTensor &tensor, bool full)
      : tensor(tensor), shape(visibleShape(tensor)) {
    bool hasElements = tensor.numElements() > 0;
    constexpr int64_t kUncut = std::numeric_limits<int64_t>::max() / 2;
    edge = kUncut;
    if ((full && hasElements) || countEntries(shape, kUncut) <= kMostShown)
      return;
    edge = kWidestEdge;
    while (edge > 1 && countEntries(shape, edge) > kMostShown)
      --edge;
  }

  std::string print() {
    printDim(0, 0);
    return std::move(text);
  }

private:
  /// Prints the part of dimension `dim` that `outer`, the row-major position
  /// over the dimensions before it, selects.
  void printDim(size_t dim, int64_t outer) {
    if (dim == shape.size()) {
      text += formatElement(tensor.dtype(),
                            tensor.data() + outer * dtypeSize(tensor.dtype()));
      return;
    }
    int64_t size = shape[dim];
    bool cut = size > 2 * edge;
    text += '[';
    for (int64_t i = 0; i < size; ++i) {
      if (i > 0)
        text += ", ";
      if (cut && i == edge) {
        text += "..., ";
        i = size - edge;
      }
      printDim(dim + 1, outer * size + i);
    }
    text += ']';
  }

  const HostTensor &tensor;
  std::vector<int64_t> shape;
  int64_t edge;
  std::string text;
};
} // namespace

Result<std::string> fuse::rt::printTensor(std::string_view name,
                                          const HostTensor &tensor,
                                          const PrintOptions &options) {
  return noThrow([&]() -> Result<std::string> {
    return std::string(name) + (name.empty() ? "" : ": ") +
           formatTensorType(tensor.type()) + " = " +
           TensorPrinter(tensor, options.full).print();
  });
}
