//===- NamedDims.cpp - Dims of a function as text -------------------------===//

#include "NamedDims.h"
#include "fuse/ir/FuseOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fuse;

ArrayAttr fuse::getDimsAttr(Builder &builder, ArrayRef<DimExpr> dims) {
  SmallVector<Attribute> attrs;
  for (const DimExpr &dim : dims) {
    if (std::optional<int64_t> constant = dim.constant())
      attrs.push_back(builder.getI64IntegerAttr(*constant));
    else
      attrs.push_back(builder.getStringAttr(dim.str()));
  }
  return builder.getArrayAttr(attrs);
}

bool fuse::areNamed(ArrayRef<DimExpr> dims) {
  return llvm::all_of(dims, [](const DimExpr &dim) {
    return llvm::none_of(dim.symbols(), [](StringRef symbol) {
      return symbol.starts_with("?");
    });
  });
}

void fuse::nameDims(FunctionOpInterface function, const DimAnalysis &dims) {
  Builder builder(function.getContext());
  std::set<std::string> taken;
  for (BlockArgument argument : function.getArguments())
    for (const DimExpr &dim : dims.getDims(argument))
      for (std::string &symbol : dim.symbols())
        taken.insert(std::move(symbol));
  unsigned number = 0;
  for (BlockArgument argument : function.getArguments()) {
    unsigned index = argument.getArgNumber();
    if (!isa<RankedTensorType>(argument.getType()) ||
        function.getArgAttr(index, FuseDialect::dimsAttr))
      continue;
    DimVector named(dims.getDims(argument));
    for (DimExpr &dim : named) {
      if (dim.constant())
        continue;
      std::string name;
      do
        name = "D" + std::to_string(number++);
      while (!taken.insert(name).second);
      dim = DimExpr::symbol(name);
    }
    function.setArgAttr(index, FuseDialect::dimsAttr,
                        getDimsAttr(builder, named));
  }
}

//===----------------------------------------------------------------------===//
// Shapes without tensors
//===----------------------------------------------------------------------===//

/// A tensor of the same shape that nothing computes.
static Value createShape(OpBuilder &builder, Value like,
                         ArrayRef<DimExpr> dims) {
  SmallVector<std::string> texts;
  for (const DimExpr &dim : dims) {
    std::string text = dim.str();
    llvm::erase(text, ' ');
    texts.push_back(std::move(text));
  }
  auto type = cast<RankedTensorType>(like.getType());
  return IotaOp::create(builder, like.getLoc(),
                        type.clone(builder.getI32Type()), Value(),
                        builder.getI64IntegerAttr(0),
                        builder.getStringAttr(llvm::join(texts, " ")));
}

void fuse::detachShapes(FunctionOpInterface function, const DimAnalysis &dims) {
  auto isComputed = [&](Value value) {
    ArrayRef<DimExpr> known = dims.getDims(value);
    return value && !isa<BlockArgument>(value) && !known.empty() &&
           areNamed(known);
  };
  SmallVector<Operation *> ops;
  function->walk([&](Operation *op) { ops.push_back(op); });
  llvm::DenseMap<Value, Value> shapes;
  for (Operation *op : ops) {
    OpBuilder builder(op);
    auto getShape = [&](Value like) {
      Value &shape = shapes[like];
      if (!shape) {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointAfterValue(like);
        shape = createShape(builder, like, dims.getDims(like));
      }
      return shape;
    };
    if (auto dim = dyn_cast<DimOp>(op); dim && isComputed(dim.getSource())) {
      DimExpr extent = dims.getDims(dim.getSource())[*dim.getAxis()];
      dim.setExpr(extent.str());
      dim.getSourceMutable().clear();
      dim.removeAxisAttr();
    } else if (auto iota = dyn_cast<IotaOp>(op);
               iota && isComputed(iota.getSource())) {
      Value shape = getShape(iota.getSource());
      iota.setShape(shape.getDefiningOp<IotaOp>().getShape());
      iota.getSourceMutable().clear();
    } else if (auto broadcast = dyn_cast<BroadcastOp>(op);
               broadcast && isComputed(broadcast.getLike())) {
      broadcast.getLikeMutable().assign(getShape(broadcast.getLike()));
    } else if (auto reshape = dyn_cast<ReshapeOp>(op);
               reshape && isComputed(reshape.getLike())) {
      reshape.getLikeMutable().assign(getShape(reshape.getLike()));
    }
  }
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

/// A constraint in the language of `fuse.facts`.
static std::string getFactText(const DimConstraint &constraint) {
  std::string lhs = constraint.lhs.str(), rhs = constraint.rhs.str();
  switch (constraint.kind) {
  case DimConstraint::Kind::Equal:
    return lhs + " == " + rhs;
  case DimConstraint::Kind::AtMost:
    return lhs + " <= " + rhs;
  case DimConstraint::Kind::AtLeast:
    return lhs + " >= " + rhs;
  case DimConstraint::Kind::Divides:
    return lhs + " % " + rhs + " == 0";
  }
  llvm_unreachable("every kind has a text");
}

/// True if the facts leave no call in which the constraint does not hold.
static bool isImplied(const DimConstraint &constraint, const DimFacts &facts) {
  auto isAtMost = [&](const DimExpr &lhs, const DimExpr &rhs) {
    std::optional<int64_t> most = facts.range(lhs).second;
    if (most && *most <= facts.range(rhs).first)
      return true;
    // Symbols are extents: a sum of none but positive terms is not negative.
    DimExpr difference = rhs - lhs;
    return llvm::all_of(difference.getTerms(), [](const DimExpr::Term &term) {
      return term.numerator >= 0;
    });
  };
  switch (constraint.kind) {
  case DimConstraint::Kind::Equal:
    return facts.isEqual(constraint.lhs, constraint.rhs);
  case DimConstraint::Kind::AtMost:
    return isAtMost(constraint.lhs, constraint.rhs);
  case DimConstraint::Kind::AtLeast:
    return isAtMost(constraint.rhs, constraint.lhs);
  case DimConstraint::Kind::Divides:
    return facts.isMultipleOf(constraint.lhs, constraint.rhs);
  }
  llvm_unreachable("every kind is decided");
}

LogicalResult fuse::keepConstraints(FunctionOpInterface function,
                                    const DimAnalysis &before) {
  FailureOr<DimAnalysis> after = DimAnalysis::compute(function);
  if (failed(after))
    return failure();
  DimFacts stated = after->getFacts();
  Builder builder(function.getContext());
  SmallVector<Attribute> facts;
  if (auto given = function->getAttrOfType<ArrayAttr>(FuseDialect::factsAttr))
    llvm::append_range(facts, given);
  for (const DimAnalysis::Located &located : before.getConstraints()) {
    const DimConstraint &constraint = located.constraint;
    if (!areNamed({constraint.lhs, constraint.rhs}) ||
        isImplied(constraint, stated))
      continue;
    facts.push_back(builder.getStringAttr(getFactText(constraint)));
    stated.add(constraint);
  }
  if (!facts.empty())
    function->setAttr(FuseDialect::factsAttr, builder.getArrayAttr(facts));
  return success();
}
