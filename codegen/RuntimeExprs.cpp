//===- RuntimeExprs.cpp - Dims as the runtime evaluates them --------------===//

#include "RuntimeExprs.h"

using namespace fuse;
using rt::Artifact;
using rt::IntExpr;

IntExpr RuntimeExprs::convertSum(const DimExpr &expr) const {
  std::optional<IntExpr> sum;
  for (const DimExpr::Term &term : expr.getTerms()) {
    IntExpr product(term.numerator);
    for (const DimExpr::Power &power : term.powers)
      for (int i = 0; i < power.exponent; ++i) {
        IntExpr symbol = IntExpr::dim(numbers.lookup(power.symbol));
        product = product == IntExpr(1)
                      ? symbol
                      : IntExpr::apply(FUSE_EXPR_MUL, product, symbol);
      }
    sum = sum ? IntExpr::apply(FUSE_EXPR_ADD, *sum, product) : product;
  }
  return sum.value_or(IntExpr(0));
}

IntExpr RuntimeExprs::convert(const DimExpr &expr) const {
  auto [whole, numerator, denominator] = facts.normalize(expr).getParts();
  if (numerator == DimExpr())
    return convertSum(whole);
  IntExpr quotient = IntExpr::apply(FUSE_EXPR_FLOORDIV, convertSum(numerator),
                                    convertSum(denominator));
  return whole == DimExpr()
             ? quotient
             : IntExpr::apply(FUSE_EXPR_ADD, quotient, convertSum(whole));
}

Artifact::Condition
RuntimeExprs::convert(const DimConstraint &constraint) const {
  IntExpr lhs = convert(constraint.lhs), rhs = convert(constraint.rhs);
  auto holds = [&] {
    switch (constraint.kind) {
    case DimConstraint::Kind::Equal:
      return IntExpr::apply(FUSE_EXPR_EQ, lhs, rhs);
    case DimConstraint::Kind::AtMost:
      return IntExpr::apply(FUSE_EXPR_LE, lhs, rhs);
    case DimConstraint::Kind::AtLeast:
      return IntExpr::apply(FUSE_EXPR_GE, lhs, rhs);
    case DimConstraint::Kind::Divides:
      return IntExpr::apply(FUSE_EXPR_EQ,
                            IntExpr::apply(FUSE_EXPR_MOD, lhs, rhs), 0);
    }
    llvm_unreachable("every kind has a condition");
  };
  return {holds(), constraint.what + " to be " + constraint.relation().str() +
                       constraint.rhs.str()};
}
