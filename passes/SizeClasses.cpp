//===- SizeClasses.cpp - Plans for calls of different sizes ---------------===//

#include "fuse/passes/SizeClasses.h"
#include "fuse/ir/FuseDialect.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace fuse;

SmallVector<DictionaryAttr> fuse::getAllSizeHints(Operation *function) {
  Attribute hints = function->getAttr(FuseDialect::sizeHintsAttr);
  if (auto one = dyn_cast_or_null<DictionaryAttr>(hints))
    return {one};
  if (auto several = dyn_cast_or_null<ArrayAttr>(hints))
    return llvm::to_vector(several.getAsRange<DictionaryAttr>());
  return {};
}

DictionaryAttr fuse::getSizeHintsAttr(Operation *function) {
  SmallVector<DictionaryAttr> all = getAllSizeHints(function);
  return all.empty() ? DictionaryAttr() : all.front();
}

DimBindings fuse::getSizeHints(Operation *function) {
  DimBindings extents;
  if (DictionaryAttr hints = getSizeHintsAttr(function))
    for (NamedAttribute hint : hints)
      extents[hint.getName()] = cast<IntegerAttr>(hint.getValue()).getInt();
  return extents;
}

FailureOr<SmallVector<SizeClass>>
fuse::getSizeClasses(FunctionOpInterface function) {
  SmallVector<SizeClass> classes = {{function, std::nullopt}};
  auto others =
      function->getAttrOfType<ArrayAttr>(FuseDialect::sizeClassesAttr);
  if (!others)
    return classes;
  for (auto entry : others.getAsRange<DictionaryAttr>()) {
    auto symbol = entry.getAs<FlatSymbolRefAttr>("function");
    auto other = SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(
        function, symbol);
    if (!other || other.getFunctionBody().empty())
      return function.emitError() << "'fuse.size_classes' expects functions "
                                     "with a body, but got "
                                  << symbol;
    if (other.getFunctionType() != function.getFunctionType())
      return function.emitError()
             << "'fuse.size_classes' expects functions of type "
             << function.getFunctionType() << ", but " << symbol << " has "
             << other.getFunctionType();
    std::string error; // The dialect verified the text.
    classes.push_back(
        {other, parseDimFact(entry.getAs<StringAttr>("when"), error)});
  }
  return classes;
}
