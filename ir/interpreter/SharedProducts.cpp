//===- SharedProducts.cpp - Shared errors through sums of products --------===//
//
// In sum_k a_kh * b_kh, where the errors of each row a_k and b_k are shared
// along h, every term k moves the result along h by each of them. A sum over h
// lets most of each such movement cancel, but not those of different terms.
//
//===----------------------------------------------------------------------===//

#include "Contract.h"
#include "SharedErrors.h"
#include <cmath>

using namespace fuse;

/// Where the errors that a factor's rows share are in the result; -1 if none
/// are, or they are summed over.
static int64_t sharedAxisOf(const EinsumSpec &spec, StringRef letters,
                            const Tensor &factor) {
  if (!factor.shared || !factor.shared->asRows())
    return -1;
  const char letter = letters[factor.sharedAxis];
  const size_t axis = spec.result.find(letter);
  return letters.count(letter) == 1 && axis != std::string::npos ? axis : -1;
}

ProductErrors::ProductErrors(const EinsumSpec &spec, const Tensor &first,
                             const Tensor &second, const Tensor &result,
                             int64_t axis)
    : SharedErrors(/*numFields=*/1, result.size()), box(result.box),
      strides(result.strides()), axis(axis),
      factors{makeFactor(spec, spec.operands[0], first),
              makeFactor(spec, spec.operands[1], second)} {
  for (char letter : spec.reduced()) {
    const size_t inFirst = spec.operands[0].find(letter);
    numTerms = inFirst != std::string::npos
                   ? first.box.extent[inFirst]
                   : second.box.extent[spec.operands[1].find(letter)];
  }
}

ProductErrors::Factor ProductErrors::makeFactor(const EinsumSpec &spec,
                                                StringRef letters,
                                                const Tensor &tensor) const {
  Factor factor{tensor.value, nullptr, {}};
  for (double &value : factor.value)
    value = std::isfinite(value) ? value : 0;
  if (sharedAxisOf(spec, letters, tensor) == axis)
    factor.errors = tensor.shared;
  for (auto [letter, start] : llvm::zip_equal(spec.result, box.offset)) {
    auto [stride, base] = strideOf(letters, letter, tensor, start);
    factor.strides.push_back(stride);
    factor.base += base;
  }
  for (char letter : spec.reduced())
    factor.summedStride = strideOf(letters, letter, tensor, 0).first;
  return factor;
}

bool ProductErrors::isWorthwhile() const {
  constexpr double most = 1 << 30;
  return double(fields[0].size()) * numTerms * box.extent[axis] <= most;
}

void ProductErrors::forEachTerm(int64_t row,
                                function_ref<void(ArrayRef<double>)> fn) const {
  int64_t from[2] = {factors[0].base, factors[1].base};
  for (auto [index, stride] : llvm::enumerate(strides)) {
    for (unsigned i = 0; i < 2; ++i)
      from[i] += row / stride * factors[i].strides[index];
    row %= stride;
  }
  std::vector<double> moved(box.extent[axis]);
  for (int64_t k = 0; k < numTerms; ++k) {
    for (unsigned i = 0; i < 2; ++i) {
      const Factor &factor = factors[i], &other = factors[1 - i];
      for (unsigned which = 0; factor.errors && which < 2; ++which) {
        const double *errors = &factor.errors->direction(which)[from[i]];
        const double *values = &other.value[from[1 - i]];
        for (auto [h, by] : llvm::enumerate(moved))
          by = errors[h * factor.strides[axis]] *
               values[h * other.strides[axis]];
        fn(moved);
      }
    }
    for (unsigned i = 0; i < 2; ++i)
      from[i] += factors[i].summedStride;
  }
}

void ProductErrors::setAmounts(mlir::MLIRContext *context) {
  const int64_t length = box.extent[axis], stride = strides[axis];
  forEach(fields[0].size() / length, length * numTerms, context,
          [&](int64_t i) {
            const int64_t row = i / stride * stride * length + i % stride;
            forEachTerm(row, [&](ArrayRef<double> moved) {
              for (auto [h, by] : llvm::enumerate(moved))
                fields[0][row + h * stride] += std::fabs(by);
            });
          });
}

void ProductErrors::addProducts(int64_t row, const double *columns,
                                int64_t width, double *sums) const {
  std::vector<double> products(width);
  forEachTerm(row, [&](ArrayRef<double> moved) {
    llvm::fill(products, 0);
    for (auto [h, by] : llvm::enumerate(moved))
      for (int64_t n = 0; by != 0 && n < width; ++n)
        products[n] += by * columns[h * width + n];
    for (int64_t n = 0; n < width; ++n)
      sums[n] += std::fabs(products[n]);
  });
}

std::vector<double> ProductErrors::contract(const SharedProduct &product,
                                            SharedErrors *,
                                            mlir::MLIRContext *context) const {
  const int64_t width = product.width;
  std::vector<double> sums(product.rows.size() * width);
  // Groups of an opened or closed axis are other rows than those known here.
  const bool areRows =
      product.stride == strides[axis] && product.depth == box.extent[axis];
  forEach(product.rows.size(), product.depth * width * numTerms, context,
          [&](int64_t row) {
            double *sum = &sums[row * width];
            if (areRows)
              return addProducts(product.rows[row], product.columns, width,
                                 sum);
            for (int64_t k = 0; k < product.depth; ++k)
              for (int64_t n = 0; n < width; ++n)
                sum[n] += amount(product.rows[row] + k * product.stride) *
                          std::fabs(product.columns[k * width + n]);
          });
  return sums;
}

void fuse::shareThroughProducts(const EinsumSpec &spec, const Tensor &first,
                                const Tensor &second, Tensor &result,
                                mlir::MLIRContext *context) {
  if (spec.operands.size() < 2 || spec.reduced().size() > 1)
    return;
  const int64_t axis = std::max(sharedAxisOf(spec, spec.operands[0], first),
                                sharedAxisOf(spec, spec.operands[1], second));
  if (axis < 0)
    return;
  auto errors =
      std::make_shared<ProductErrors>(spec, first, second, result, axis);
  if (!errors->isWorthwhile())
    return;
  errors->setAmounts(context);
  result.shared = std::move(errors);
  result.sharedAxis = axis;
}
