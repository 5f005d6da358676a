//===- Specialize.cpp - Fix the dims that an artifact is made for ---------===//

#include "fuse/ir/FuseDialect.h"
#include "fuse/passes/KernelCost.h"
#include "fuse/passes/Passes.h"
#include "fuse/passes/SizeClasses.h"
#include <cmath>

namespace fuse {
#define GEN_PASS_DEF_SPECIALIZEPASS
#include "fuse/passes/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

//===----------------------------------------------------------------------===//
// Size classes
//===----------------------------------------------------------------------===//

/// Elements of the arguments that differ from call to call.
static DimExpr countElements(FunctionOpInterface function,
                             const DimAnalysis &dims) {
  DimExpr total;
  for (BlockArgument argument : function.getArguments()) {
    if (!isa<RankedTensorType>(argument.getType()))
      continue;
    DimExpr elements(1);
    for (const DimExpr &dim : dims.getSimplifiedDims(argument))
      elements = elements * dim;
    if (!elements.constant())
      total = total + elements;
  }
  return total;
}

namespace {
/// Gives each size class of a function a clone with one set of hints.
class SizeClassSplitter {
public:
  SizeClassSplitter(FunctionOpInterface function, SymbolTable &symbols)
      : function(function), symbols(symbols),
        allHints(getAllSizeHints(function)), last(function) {}

  LogicalResult split();

private:
  LogicalResult measure(const DimAnalysis &dims);
  DictionaryAttr hintsOf(size_t number) const;
  Attribute createClass(size_t number);

  FunctionOpInterface function;
  SymbolTable &symbols;
  SmallVector<DictionaryAttr> allHints;
  Operation *last; ///< Behind which the next clone goes.
  DimExpr elements;
  SmallVector<double> sizes; ///< `elements` at the hints of each class.
};
} // namespace

/// The first class says what others leave out.
DictionaryAttr SizeClassSplitter::hintsOf(size_t number) const {
  NamedAttrList hints(allHints.front());
  for (NamedAttribute hint : allHints[number])
    hints.set(hint.getName(), hint.getValue());
  return hints.getDictionary(function->getContext());
}

LogicalResult SizeClassSplitter::measure(const DimAnalysis &dims) {
  elements = countElements(function, dims);
  for (size_t number = 0; number < allHints.size(); ++number) {
    DimBindings extents;
    for (NamedAttribute hint : hintsOf(number))
      extents[hint.getName()] = cast<IntegerAttr>(hint.getValue()).getInt();
    auto size = static_cast<double>(estimateExtent(elements, extents));
    if (number > 0 && size <= sizes.back())
      return function.emitError()
             << "'fuse.size_hints' expects classes from small to large, but "
                "arguments of class "
             << number << " have " << int64_t(size) << " elements, after "
             << int64_t(sizes.back());
    sizes.push_back(size);
  }
  return success();
}

Attribute SizeClassSplitter::createClass(size_t number) {
  auto clone = cast<FunctionOpInterface>(function->clone());
  bool isLargest = number + 1 == allHints.size();
  clone.setName(
      (function.getName() + (isLargest ? "_large" : "_medium")).str());
  clone.setVisibility(SymbolTable::Visibility::Private);
  clone->setAttr(FuseDialect::sizeHintsAttr, hintsOf(number));
  StringAttr name = symbols.insert(clone, std::next(last->getIterator()));
  last = clone;
  // Halfway between the sizes that the hints speak of.
  auto limit =
      static_cast<int64_t>(std::sqrt(sizes[number - 1] * sizes[number]));
  Builder builder(function->getContext());
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("function", FlatSymbolRefAttr::get(name)),
       builder.getNamedAttr(
           "when", builder.getStringAttr(elements.str() +
                                         " >= " + std::to_string(limit)))});
}

LogicalResult SizeClassSplitter::split() {
  if (allHints.size() < 2)
    return success();
  if (allHints.size() > maxSizeClasses)
    return function.emitError()
           << "'fuse.size_hints' expects at most " << maxSizeClasses
           << " classes, but got " << allHints.size();
  FailureOr<DimAnalysis> dims = DimAnalysis::compute(function);
  if (failed(dims))
    return failure();
  SmallVector<Attribute> classes;
  // A program without a dim that varies has one size.
  if (!countElements(function, *dims).constant()) {
    if (failed(measure(*dims)))
      return failure();
    for (size_t number = 1; number < allHints.size(); ++number)
      classes.push_back(createClass(number));
  }
  function->setAttr(FuseDialect::sizeHintsAttr, allHints.front());
  if (!classes.empty())
    function->setAttr(FuseDialect::sizeClassesAttr,
                      ArrayAttr::get(function->getContext(), classes));
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct SpecializePass final : fuse::impl::SpecializePassBase<SpecializePass> {
  using SpecializePassBase::SpecializePassBase;

  /// The option's extents by name; fails at one that is none.
  FailureOr<DimBindings> parseDims() {
    DimBindings bindings;
    for (StringRef text : dims) {
      auto [name, value] = text.split('=');
      int64_t extent;
      if (name.empty() || value.getAsInteger(10, extent) || extent < 0)
        return getOperation().emitError()
               << "'dims' expects name=extent, but got '" << text << "'";
      bindings[name] = extent;
    }
    return bindings;
  }

  LogicalResult fixDims(FunctionOpInterface function,
                        const DimBindings &given) {
    auto names =
        function->getAttrOfType<ArrayAttr>(FuseDialect::specializeAttr);
    if (!names)
      return success();
    DictionaryAttr hints = getSizeHintsAttr(function);
    NamedAttrList fixed;
    auto known = function->getAttrOfType<ArrayAttr>(FuseDialect::factsAttr);
    SmallVector<Attribute> facts;
    if (known)
      llvm::append_range(facts, known);
    Builder builder(&getContext());
    for (auto name : names.getAsRange<StringAttr>()) {
      auto hint = hints ? hints.getAs<IntegerAttr>(name) : IntegerAttr();
      auto it = given.find(name);
      if (it == given.end() && !hint)
        return function.emitError()
               << "expects an extent for '" << name.getValue()
               << "', which 'fuse.specialize' names, but got none in 'dims' or "
                  "'fuse.size_hints'";
      int64_t extent = it != given.end() ? it->second : hint.getInt();
      fixed.set(name, builder.getI64IntegerAttr(extent));
      auto fact =
          builder.getStringAttr(name.getValue() + " == " + Twine(extent));
      if (!llvm::is_contained(facts, fact))
        facts.push_back(fact);
    }
    function->setAttr(FuseDialect::factsAttr, builder.getArrayAttr(facts));
    fixHints(function, fixed);
    return success();
  }

  /// What is fixed is no longer a guess.
  static void fixHints(FunctionOpInterface function,
                       const NamedAttrList &fixed) {
    SmallVector<Attribute> all;
    for (DictionaryAttr given : getAllSizeHints(function)) {
      NamedAttrList hints(given);
      for (NamedAttribute hint : fixed)
        if (all.empty() || hints.get(hint.getName()))
          hints.set(hint.getName(), hint.getValue());
      all.push_back(hints.getDictionary(function->getContext()));
    }
    if (all.size() == 1)
      function->setAttr(FuseDialect::sizeHintsAttr, all.front());
    else if (!all.empty())
      function->setAttr(FuseDialect::sizeHintsAttr,
                        ArrayAttr::get(function->getContext(), all));
  }

  void runOnOperation() override {
    FailureOr<DimBindings> given = parseDims();
    if (failed(given))
      return signalPassFailure();
    SymbolTable symbols(getOperation());
    auto functions =
        llvm::to_vector(getOperation().getOps<FunctionOpInterface>());
    for (FunctionOpInterface function : functions)
      if (failed(fixDims(function, *given)) ||
          (!function.isExternal() &&
           failed(SizeClassSplitter(function, symbols).split())))
        return signalPassFailure();
  }
};
} // namespace
