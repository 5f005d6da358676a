//===- LowerOnline.cpp - Sums carried against a result so far -------------===//

#include "LowerOnline.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fuse;

Value OnlineLowering::map(ScalarFn fn, ValueRange inputs, Location loc) {
  return kernel.getBuilder().createOrFold<tile::MapOp>(
      loc, inputs.front().getType(), fn, inputs);
}

Value OnlineLowering::fill(double value, Value like, Location loc) {
  auto type = cast<tile::TileType>(like.getType());
  return tile::FillOp::create(kernel.getBuilder(), loc, type,
                              FloatAttr::get(type.getElementType(), value));
}

static Value compare(OpBuilder &builder, Location loc, Comparison comparison,
                     Value lhs, Value rhs) {
  auto type = cast<tile::TileType>(lhs.getType());
  return tile::CompareOp::create(builder, loc,
                                 type.withElementType(builder.getI1Type()),
                                 comparison, lhs, rhs);
}

static Value select(OpBuilder &builder, Location loc, Value condition,
                    Value onTrue, Value onFalse) {
  return tile::SelectOp::create(builder, loc, onFalse.getType(), condition,
                                onTrue, onFalse);
}

Value OnlineLowering::isIdentity(unsigned member, Value value) {
  const LoopMember &source = group.members[member];
  Location loc = source.op->getLoc();
  double identity = source.kind == ReduceKind::Max
                        ? -std::numeric_limits<double>::infinity()
                        : std::numeric_limits<double>::infinity();
  return compare(kernel.getBuilder(), loc, Comparison::Eq, value,
                 fill(identity, value, loc));
}

Value OnlineLowering::guard(unsigned member, Value value) {
  const LoopMember &source = group.members[member];
  Location loc = source.op->getLoc();
  if (source.neededAs == Factor::Kind::Exponential)
    return select(kernel.getBuilder(), loc, isIdentity(member, value),
                  fill(0, value, loc), value);
  // A divisor that is never negative.
  Value zero = fill(0, value, loc);
  Value isUnusable =
      compare(kernel.getBuilder(), loc, Comparison::Le, value, zero);
  return select(kernel.getBuilder(), loc, isUnusable, fill(1, value, loc),
                value);
}

void OnlineLowering::begin(ValueRange carried) {
  previous.assign(carried.begin(), carried.end());
  next.clear();
  for (const LoopMember &member : group.members)
    for (const Correction &correction : member.corrections) {
      if (!correction.isDeferred)
        continue;
      // It may be carried as terms: what it stands for is its result.
      Value value = correction.factor.value;
      auto type =
          body.getType(kernel.getForm().getIndices(value), member.elementType);
      body.setTile(
          value, tile::FillOp::create(kernel.getBuilder(), value.getLoc(), type,
                                      FloatAttr::get(member.elementType, 1)));
    }
}

void OnlineLowering::setNext(unsigned number, Value value) {
  next.push_back(value);
  const LoopMember &member = group.members[number];
  if (member.neededAs != Factor::Kind::None)
    body.setTile(member.op->getResult(0), guard(number, value));
}

Value OnlineLowering::createQuotient(const Correction &correction) {
  unsigned member = correction.member;
  Location loc = group.members[member].op->getLoc();
  Value old = previous[member], now = next[member];
  if (correction.factor.kind == Factor::Kind::Reciprocal)
    return map(ScalarFn::Div, {guard(member, old), guard(member, now)}, loc);
  // exp(L(now) - L(old)) = exp(L(now - old)).
  Value exponent = map(ScalarFn::Sub, {now, old}, loc);
  ArrayRef<IndexId> indices =
      kernel.getForm().getIndices(group.members[member].op->getResult(0));
  for (const Factor::Step &step : correction.factor.steps) {
    SmallVector<Value> inputs = {exponent};
    if (step.by)
      inputs.push_back(body.getOperand(*step.by, indices));
    exponent = map(step.fn, inputs, loc);
  }
  Value quotient = map(correction.factor.base, {exponent}, loc);
  // Nothing is carried yet that would have to change.
  return select(kernel.getBuilder(), loc, isIdentity(member, old),
                fill(1, quotient, loc), quotient);
}

Value OnlineLowering::spreadLike(Value from, unsigned to, Value tile,
                                 TileScope &scope) {
  const IndexForm &form = kernel.getForm();
  return scope.spread(tile, form.getIndices(from),
                      form.getIndices(group.members[to].op->getResult(0)),
                      group.members[to].op->getLoc());
}

Value OnlineLowering::spreadLike(unsigned from, unsigned to, Value tile,
                                 TileScope &scope) {
  return spreadLike(group.members[from].op->getResult(0), to, tile, scope);
}

Value OnlineLowering::correct(unsigned number, Value carried) {
  const LoopMember &member = group.members[number];
  for (const Correction &correction : member.corrections) {
    if (correction.isDeferred)
      continue;
    Value quotient =
        spreadLike(correction.member, number, createQuotient(correction), body);
    carried = map(ScalarFn::Mul, {carried, quotient}, member.op->getLoc());
  }
  return carried;
}

Value OnlineLowering::isEntered(Location loc) {
  OpBuilder &builder = kernel.getBuilder();
  Value entered;
  for (const TileDim &loop : group.loops) {
    const DimExpr &extent = kernel.getForm().getExtent(loop.index);
    if (extent.constant().value_or(0) > 0)
      continue;
    auto type = tile::TileType::get({}, builder.getI32Type());
    Value size =
        tile::SplatOp::create(builder, loc, type, kernel.getSize(extent));
    Value zero =
        tile::FillOp::create(builder, loc, type, builder.getI32IntegerAttr(0));
    Value above = compare(builder, loc, Comparison::Gt, size, zero);
    entered = entered ? map(ScalarFn::And, {entered, above}, loc) : above;
  }
  return entered;
}

/// Terms against a reference of no size: infinity minus itself, unless the
/// chain makes it zero.
Value OnlineLowering::createEmptyRows(const Correction &correction,
                                      unsigned number, Value value,
                                      TileScope &scope) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = group.members[number].op->getLoc();
  Value isEmpty =
      isIdentity(correction.member, finished.lookup(correction.member));
  bool isZero = correction.factor.isZeroAtIdentity;
  if (!isZero)
    if (Value entered = isEntered(loc))
      isEmpty = map(ScalarFn::And, {isEmpty, entered}, loc);
  double filler = isZero ? 0 : std::numeric_limits<double>::quiet_NaN();
  return select(builder, loc,
                spreadLike(correction.member, number, isEmpty, scope),
                fill(filler, value, loc), value);
}

Value OnlineLowering::finish(unsigned number, Value value, TileScope &scope) {
  const LoopMember &member = group.members[number];
  Location loc = member.op->getLoc();
  for (const Correction &correction : member.corrections) {
    unsigned from = correction.member;
    Value source = finished.lookup(from);
    if (correction.isDeferred) {
      ScalarFn fn = correction.factor.kind == Factor::Kind::Reciprocal
                        ? ScalarFn::Div
                        : ScalarFn::Mul;
      Value factor = correction.factor.value;
      Value tile = factor == group.members[from].op->getResult(0)
                       ? source
                       : scope.getTile(factor);
      value = map(fn, {value, spreadLike(factor, number, tile, scope)}, loc);
    } else if (correction.factor.kind == Factor::Kind::Reciprocal) {
      // 1, unless the divisor is none.
      Value rest = map(ScalarFn::Div, {guard(from, source), source}, loc);
      value = map(ScalarFn::Mul, {value, spreadLike(from, number, rest, scope)},
                  loc);
    }
  }
  for (const Correction &correction : member.corrections)
    if (correction.factor.kind == Factor::Kind::Exponential)
      value = createEmptyRows(correction, number, value, scope);
  finished[number] = value;
  return value;
}
