//===- SharedErrors.h - Errors that elements have in common ----*- C++ -*-===//
//
// A bound for each element says nothing of what its error has to do with those
// of others. Where the errors along an axis have causes in common, such as the
// scale of a norm or one weight of a softmax, a contraction over that axis lets
// most of them cancel, in every evaluation. Here is what is known of such
// errors, and what they amount to in a contraction:
//
//   norm       an error of the mean moves a row along one direction, one of the
//              scale along another; so do they move linear images of the row
//   softmax    the weights sum to one, so that the weighted mean of anything
//              moves only by the distance of what is weighted from that mean
//   attention  an error of one weight moves all channels of a head together
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_IR_INTERPRETER_SHAREDERRORS_H
#define FUSE_IR_INTERPRETER_SHAREDERRORS_H

#include "fuse/interpreter/Tensor.h"

namespace fuse {

/// One batch of a contraction over the axis along which its first operand's
/// errors are shared. The other operand is packed: a row of `width` columns for
/// each summed element, zeros in place of what is not finite.
struct SharedProduct {
  ArrayRef<int64_t> rows; // where each row begins in the first operand
  int64_t stride;         // from one summed element to the next
  int64_t depth, width;
  const double *columns;
  /// How far each shared error of the other operand's rows moves its columns,
  /// with sign; null if nothing is known.
  const double *columnErrors[2];
  ArrayRef<int64_t> results; // where each row begins in the result
  int64_t resultStride;      // from one column to the next
};

class SharedErrors {
public:
  SharedErrors(unsigned numFields, int64_t size)
      : fields(numFields, std::vector<double>(size)) {}
  virtual ~SharedErrors() = default;

  /// What they amount to in each element of the product, of all rows in turn.
  /// Tells `image`, if not null, how they move the result.
  virtual std::vector<double> contract(const SharedProduct &product,
                                       SharedErrors *image,
                                       mlir::MLIRContext *context) const = 0;
  /// For a result of that many elements in which they stay shared along the
  /// columns, which are `stride` apart; null where they do not.
  virtual std::shared_ptr<SharedErrors> makeImage(int64_t size,
                                                  int64_t stride) const {
    return nullptr;
  }
  /// How far each of two errors moves the elements, with sign; empty where that
  /// is not known.
  virtual ArrayRef<double> direction(unsigned which) const { return {}; }
  /// The part of an element's bound that they are.
  double amount(int64_t at) const { return fields[0][at]; }

  /// Numbers beside each element. The first is `amount`.
  std::vector<std::vector<double>> fields;
};

/// Of the rows of a norm, and of linear images of them.
class RowErrors : public SharedErrors {
public:
  /// `Shift` and `Scale` are how far the errors of the mean and the scale move
  /// an element. An error `d` of the norm's operand moves the result by
  /// `slope * (d - mean(d) - level * mean(level * d))`, the first mean only if
  /// the norm centres; `Deviation` bounds `d`.
  enum Field { Amount, Shift, Scale, Slope, Level, Deviation, NumFields };

  RowErrors(int64_t size, bool centres)
      : SharedErrors(NumFields, size), centres(centres) {}
  /// An image has no deviations.
  explicit RowErrors(int64_t size) : SharedErrors(Slope, size) {}

  std::vector<double> contract(const SharedProduct &product,
                               SharedErrors *image,
                               mlir::MLIRContext *context) const override;
  std::shared_ptr<SharedErrors> makeImage(int64_t size,
                                          int64_t stride) const override {
    return std::make_shared<RowErrors>(size);
  }
  ArrayRef<double> direction(unsigned which) const override {
    return fields[Shift + which];
  }
  /// Drops the deviations if there are none.
  void finish();

private:
  void contractRow(const SharedProduct &product, int64_t row, double *sums,
                   SharedErrors *image) const;

  bool centres = false;
};

/// Of the rows of a softmax. Weight `w` is computed as
/// `w + spread' - w * sum(spread') + rest'`, the errors within `Spread` and
/// `Rest`, so that a weighted mean m of u errs by at most
/// `sum(spread * |u - m| + rest * |u|)`.
class SoftmaxErrors : public SharedErrors,
                      public std::enable_shared_from_this<SoftmaxErrors> {
public:
  enum Field { Amount, Weight, Spread, Rest, NumFields };

  explicit SoftmaxErrors(int64_t size) : SharedErrors(NumFields, size) {}

  std::vector<double> contract(const SharedProduct &product,
                               SharedErrors *image,
                               mlir::MLIRContext *context) const override;
  std::shared_ptr<SharedErrors> makeImage(int64_t size,
                                          int64_t stride) const override;
};

/// Of weighted means: groups of neighbouring elements, such as the channels of
/// a head, share the errors of the weights.
class MeanErrors : public SharedErrors {
public:
  MeanErrors(int64_t size, std::shared_ptr<const SoftmaxErrors> weights)
      : SharedErrors(/*numFields=*/1, size), weights(std::move(weights)) {}

  std::vector<double> contract(const SharedProduct &product,
                               SharedErrors *image,
                               mlir::MLIRContext *context) const override;
  /// The means `results`, of the columns by the weights in `rows`.
  void add(const SharedProduct &product);

private:
  struct Group {
    int64_t weights, result; // where they begin
  };
  /// Groups that average the same vectors.
  struct Batch {
    int64_t stride, depth, width;
    /// The vectors, and how far their own shared errors move them.
    std::vector<double> vectors[3];
    std::vector<Group> groups;
  };
  void contractGroup(const Batch &batch, const Group &group,
                     ArrayRef<double> images[3], int64_t width,
                     double *sums) const;

  std::shared_ptr<const SoftmaxErrors> weights;
  std::vector<Batch> batches;
};

} // namespace fuse

#endif // FUSE_IR_INTERPRETER_SHAREDERRORS_H
