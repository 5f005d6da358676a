//===- SharedErrors.cpp - Errors that elements have in common -------------===//

#include "SharedErrors.h"
#include "mlir/IR/Threading.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>

using namespace fuse;

void fuse::forEach(int64_t count, int64_t workEach, mlir::MLIRContext *context,
                   function_ref<void(int64_t)> fn) {
  constexpr int64_t worthwhile = 1 << 16;
  if (count * workEach < worthwhile) {
    for (int64_t i = 0; i < count; ++i)
      fn(i);
    return;
  }
  mlir::parallelFor(context, 0, count, [&](size_t i) { fn(i); });
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

void RowErrors::setOfOperand(std::shared_ptr<const ProductErrors> errors,
                             const ElementReader &positions) {
  ofOperand = std::move(errors);
  for (int64_t i = 0, e = fields[Amount].size(); i < e; ++i)
    inOperand.push_back(positions.positionOf(i));
}

void RowErrors::finish() {
  if (llvm::all_of(fields[Deviation], [](double d) { return d == 0; }))
    fields.resize(Slope);
}

/// The errors of the operand, through the elements, the mean and the scale.
void RowErrors::contractDeviations(const SharedProduct &product, int64_t row,
                                   ArrayRef<double> slope,
                                   ArrayRef<double> level, double *sums) const {
  const int64_t width = product.width, depth = product.depth;
  std::vector<double> slopes(depth * width);
  bool anyDeviation = false;
  for (int64_t k = 0; k < depth; ++k) {
    const int64_t at = product.rows[row] + k * product.stride;
    const double *column = product.columns + k * width;
    double deviation = fields[Deviation][at];
    anyDeviation |= deviation > 0;
    if (ofOperand)
      deviation = std::max(deviation - ofOperand->amount(inOperand[at]), 0.0);
    const double factor = fields[Slope][at];
    const double byMean = centres ? 1.0 / double(depth) : 0;
    const double byScale = fields[Level][at] / double(depth);
    for (int64_t n = 0; n < width; ++n) {
      double &ofColumn = slopes[k * width + n];
      ofColumn = factor * column[n] - byMean * slope[n] - byScale * level[n];
      sums[n] += deviation * std::fabs(ofColumn);
    }
  }
  // The norm may have counted all of them as the elements' own.
  if (ofOperand && anyDeviation)
    ofOperand->addProducts(inOperand[product.rows[row]], slopes.data(), width,
                           sums);
}

void RowErrors::contractRow(const SharedProduct &product, int64_t row,
                            double *sums, SharedErrors *image) const {
  const int64_t width = product.width, depth = product.depth;
  const bool hasDeviations = fields.size() > Deviation;
  std::vector<double> shift(width), scale(width), slope, level;
  if (hasDeviations) {
    slope.resize(width);
    level.resize(width);
  }
  for (int64_t k = 0; k < depth; ++k) {
    const int64_t at = product.rows[row] + k * product.stride;
    const double *column = product.columns + k * width;
    const double byShift = fields[Shift][at], byScale = fields[Scale][at];
    for (int64_t n = 0; n < width; ++n) {
      shift[n] += byShift * column[n];
      scale[n] += byScale * column[n];
    }
    if (!hasDeviations)
      continue;
    const double factor = fields[Slope][at];
    const double levelled = factor * fields[Level][at];
    for (int64_t n = 0; n < width; ++n) {
      slope[n] += factor * column[n];
      level[n] += levelled * column[n];
    }
  }
  for (int64_t n = 0; n < width; ++n)
    sums[n] = std::fabs(shift[n]) + std::fabs(scale[n]);
  if (hasDeviations)
    contractDeviations(product, row, slope, level, sums);
  for (int64_t n = 0; image && n < width; ++n) {
    const int64_t at = product.results[row] + n * product.resultStride;
    image->fields[Shift][at] = shift[n];
    image->fields[Scale][at] = scale[n];
    image->fields[Cause][at] = fields[Cause][product.rows[row]];
    image->fields[Amount][at] = std::fabs(shift[n]) + std::fabs(scale[n]);
  }
}

std::vector<double> RowErrors::contract(const SharedProduct &product,
                                        SharedErrors *image,
                                        mlir::MLIRContext *context) const {
  std::vector<double> sums(product.rows.size() * product.width);
  forEach(product.rows.size(), product.depth * product.width, context,
          [&](int64_t row) {
            contractRow(product, row, &sums[row * product.width], image);
          });
  return sums;
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

std::shared_ptr<SharedErrors> SoftmaxErrors::makeImage(int64_t size,
                                                       int64_t stride) const {
  if (stride != 1)
    return nullptr;
  return std::make_shared<MeanErrors>(size, shared_from_this());
}

std::vector<double> SoftmaxErrors::contract(const SharedProduct &product,
                                            SharedErrors *image,
                                            mlir::MLIRContext *context) const {
  const int64_t width = product.width;
  std::vector<double> sums(product.rows.size() * width);
  forEach(product.rows.size(), product.depth * width, context,
          [&](int64_t row) {
            std::vector<double> mean(width);
            double *sum = &sums[row * width];
            for (int64_t k = 0; k < product.depth; ++k) {
              const double weight =
                  fields[Weight][product.rows[row] + k * product.stride];
              const double *column = product.columns + k * width;
              for (int64_t n = 0; n < width; ++n)
                mean[n] += weight * column[n];
            }
            for (int64_t k = 0; k < product.depth; ++k) {
              const int64_t at = product.rows[row] + k * product.stride;
              const double spread = fields[Spread][at], rest = fields[Rest][at];
              const double *column = product.columns + k * width;
              for (int64_t n = 0; n < width; ++n)
                sum[n] += spread * std::fabs(column[n] - mean[n]) +
                          rest * std::fabs(column[n]);
            }
          });
  if (image)
    static_cast<MeanErrors *>(image)->add(product);
  for (size_t i = 0; image && i < sums.size(); ++i)
    image->fields[Amount][product.results[i / width] + i % width] += sums[i];
  return sums;
}

//===----------------------------------------------------------------------===//
// Weighted means
//===----------------------------------------------------------------------===//

void MeanErrors::add(const SharedProduct &product) {
  const int64_t size = product.depth * product.width;
  Batch batch{product.stride, product.depth, product.width, {}, {}};
  batch.vectors[0].assign(product.columns, product.columns + size);
  for (unsigned which = 0; which < 2; ++which)
    if (const double *errors = product.columnErrors[which])
      batch.vectors[1 + which].assign(errors, errors + size);
  for (auto [row, result] : llvm::zip_equal(product.rows, product.results)) {
    batch.groups.push_back({row, result});
    // The vectors' own errors are averaged by weights that err, too.
    for (int64_t k = 0; k < batch.depth; ++k) {
      const int64_t at = row + k * batch.stride;
      const double weight =
          weights->fields[SoftmaxErrors::Weight][at] + weights->amount(at);
      for (const std::vector<double> &errors :
           ArrayRef(batch.vectors).drop_front())
        for (int64_t n = 0; !errors.empty() && n < batch.width; ++n)
          fields[0][result + n] +=
              weight * std::fabs(errors[k * batch.width + n]);
    }
  }
  batches.push_back(std::move(batch));
}

void MeanErrors::contractGroup(const Batch &batch, const Group &group,
                               ArrayRef<double> images[3], int64_t width,
                               double *sums) const {
  using Field = SoftmaxErrors::Field;
  std::vector<double> mean(width);
  for (int64_t k = 0; k < batch.depth; ++k) {
    const double weight =
        weights->fields[Field::Weight][group.weights + k * batch.stride];
    const double *image = &images[0][k * width];
    for (int64_t n = 0; n < width; ++n)
      mean[n] += weight * image[n];
  }
  for (int64_t k = 0; k < batch.depth; ++k) {
    const int64_t at = group.weights + k * batch.stride;
    const double spread = weights->fields[Field::Spread][at];
    const double rest = weights->fields[Field::Rest][at];
    const double weight =
        weights->fields[Field::Weight][at] + weights->amount(at);
    const double *image = &images[0][k * width];
    for (int64_t n = 0; n < width; ++n)
      sums[n] +=
          spread * std::fabs(image[n] - mean[n]) + rest * std::fabs(image[n]);
    for (unsigned which = 1; which < 3; ++which)
      for (int64_t n = 0; !images[which].empty() && n < width; ++n)
        sums[n] += weight * std::fabs(images[which][k * width + n]);
  }
}

std::vector<double> MeanErrors::contract(const SharedProduct &product,
                                         SharedErrors *,
                                         mlir::MLIRContext *context) const {
  const int64_t width = product.width, depth = product.depth;
  std::vector<double> sums(product.rows.size() * width);
  llvm::DenseMap<int64_t, int64_t> rowAt;
  for (auto [row, start] : llvm::enumerate(product.rows))
    rowAt[start] = row;
  for (const Batch &batch : batches) {
    // Groups at the same place in their rows meet the same part of the columns,
    // and the images of the vectors there are theirs in common.
    std::map<int64_t, std::vector<Group>> places;
    for (const Group &group : batch.groups)
      if (rowAt.contains(group.result / depth * depth))
        places[group.result % depth].push_back(group);
    for (const auto &[place, groups] : places) {
      std::vector<double> images[3];
      ArrayRef<double> views[3];
      for (auto [vectors, image] : llvm::zip_equal(batch.vectors, images)) {
        image.resize(vectors.empty() ? 0 : batch.depth * width);
        forEach(
            vectors.empty() ? 0 : batch.depth, batch.width * width, context,
            [&, &vectors = vectors, &image = image, place = place](int64_t k) {
              for (int64_t c = 0; c < batch.width; ++c) {
                const double vector = vectors[k * batch.width + c];
                const double *column = product.columns + (place + c) * width;
                for (int64_t n = 0; n < width; ++n)
                  image[k * width + n] += vector * column[n];
              }
            });
      }
      for (unsigned which = 0; which < 3; ++which)
        views[which] = images[which];
      forEach(groups.size(), batch.depth * width, context, [&](int64_t i) {
        int64_t row = rowAt.lookup(groups[i].result / depth * depth);
        contractGroup(batch, groups[i], views, width, &sums[row * width]);
      });
    }
  }
  return sums;
}
