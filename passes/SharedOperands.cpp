//===- SharedOperands.cpp - What contractions bring to shared memory ------===//

#include "SharedOperands.h"
#include "StageContraction.h"

using namespace mlir;
using namespace fuse;

namespace {
/// What a schedule makes of a contraction's operands.
class Counter {
public:
  Counter(const IndexForm &form, const KernelSchedule &schedule,
          const TiledContraction &contraction)
      : form(form), schedule(schedule), contraction(contraction),
        streamed(schedule.getStreamed(contraction.k)),
        depth(streamed ? streamed->contractionStep
                       : schedule.getExtent(contraction.k)) {}

  /// Adds what stays to `whole`, if it is not in `known`; returns what passes.
  int64_t count(llvm::SetVector<std::pair<void *, IndexId>> &known,
                int64_t &whole);

private:
  bool isInvariant(OpOperand &operand);
  std::optional<unsigned> findPieces();
  bool staysInRegisters(OpOperand &operand);
  int64_t getBytesOfTerm(OpOperand &operand);

  const IndexForm &form;
  const KernelSchedule &schedule;
  TiledContraction contraction;
  const StreamedIndex *streamed;
  int64_t depth;
};
} // namespace

/// True if a loop does not change the operand, which is there before it.
bool Counter::isInvariant(OpOperand &operand) {
  return contraction.isNested &&
         llvm::none_of(form.getIndices(operand), [&](IndexId index) {
           return schedule.getStreamed(index);
         });
}

/// The operand of which pieces pass by while the other one stays, if any.
std::optional<unsigned> Counter::findPieces() {
  if (!comesInPieces(contraction.rows * contraction.columns, depth))
    return std::nullopt;
  for (unsigned number : {1, 0}) {
    OpOperand &other = contraction.op->getOpOperand(number);
    OpOperand &whole = contraction.op->getOpOperand(1 - number);
    const Read *read = form.getRead(other);
    if ((!form.getRead(whole) || isInvariant(whole)) && read && !read->range &&
        !isInvariant(other))
      return number;
  }
  return std::nullopt;
}

/// True if the operand is in registers and stays there.
bool Counter::staysInRegisters(OpOperand &operand) {
  if (operand.getOperandNumber() != findRowsOperand(contraction.op, form))
    return false;
  int64_t own = contraction.rows, others = contraction.columns;
  if (operand.getOperandNumber() == 1)
    std::swap(own, others);
  return getContractedRows(own, depth, others, schedule.threads / lanes)
      .has_value();
}

int64_t Counter::getBytesOfTerm(OpOperand &operand) {
  int64_t bytes = getElementBytes(getComputeType(contraction.op));
  for (IndexId index : form.getIndices(operand))
    if (index != contraction.k)
      bytes *= schedule.getExtent(index);
  return bytes;
}

int64_t Counter::count(llvm::SetVector<std::pair<void *, IndexId>> &known,
                       int64_t &whole) {
  std::optional<unsigned> pieces = findPieces();
  int64_t passing = 0;
  for (OpOperand &operand : contraction.op->getOpOperands()) {
    if (!pieces && staysInRegisters(operand))
      continue;
    int64_t bytes = getBytesOfTerm(operand);
    Value source = form.getSource(operand);
    if (operand.getOperandNumber() == pieces) {
      passing += 2 * bytes * pieceOfDepth;
    } else if (source || isInvariant(operand)) {
      void *key = source ? source.getAsOpaquePointer() : &operand;
      if (known.insert({key, contraction.k}))
        whole += bytes * depth;
    } else {
      bool isInLoop = streamed || contraction.isNested;
      passing += (isInLoop ? 2 : 1) * bytes * depth;
    }
  }
  return passing;
}

int64_t fuse::countSharedBytes(const IndexForm &form,
                               const KernelSchedule &schedule,
                               ArrayRef<TiledContraction> contractions) {
  llvm::SetVector<std::pair<void *, IndexId>> known;
  int64_t whole = 0, passing = 0;
  for (const TiledContraction &contraction : contractions)
    passing = std::max(
        passing, Counter(form, schedule, contraction).count(known, whole));
  return whole + passing;
}
