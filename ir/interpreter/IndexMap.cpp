//===- IndexMap.cpp - Ops that only rename indices ------------------------===//

#include "IndexMap.h"
#include "IndexSpace.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuse;

static DimVector constantDims(ArrayRef<int64_t> shape) {
  DimVector dims;
  for (int64_t extent : shape)
    dims.push_back(DimExpr(extent));
  return dims;
}

llvm::StringMap<int64_t>
fuse::bindFactors(ArrayRef<IndexPattern> patterns,
                  ArrayRef<SmallVector<int64_t>> shapes,
                  const DimBindings &bindings) {
  SmallVector<DimVector> dims;
  for (ArrayRef<int64_t> shape : shapes)
    dims.push_back(constantDims(shape));
  // The dim analysis has accepted this match, so nothing can fail here.
  DimInference infer(dims, [] { return InFlightDiagnostic(); });
  IndexBinder binder(infer);
  SmallVector<std::string> names(patterns.size());
  (void)binder.bind(patterns, dims, names);
  llvm::StringMap<int64_t> extents;
  for (const IndexPattern &pattern : patterns) {
    for (const std::string &factor : pattern.flat()) {
      IndexPattern single;
      single.axes.push_back({factor});
      FailureOr<DimVector> dim = binder.dims(single);
      if (succeeded(dim))
        extents[factor] = dim->front().evaluate(bindings).value_or(0);
    }
  }
  return extents;
}

IndexMap IndexMap::get(const IndexPattern &source, const IndexPattern &result,
                       const llvm::StringMap<int64_t> &extents) {
  IndexMap map;
  map.start.assign(source.getRank(), 0);
  llvm::StringMap<Factor> places;
  for (auto [axis, factors] : llvm::enumerate(source.axes)) {
    int64_t stride = 1;
    for (const std::string &factor : llvm::reverse(factors)) {
      int64_t extent = extents.lookup(factor);
      // A number names no index: only 1 stands on both sides freely, and it
      // moves nowhere.
      if (extent != 1)
        places[factor] = {extent, static_cast<unsigned>(axis), stride};
      stride *= extent;
    }
  }
  for (const AxisFactors &factors : result.axes) {
    auto &axis = map.axes.emplace_back();
    for (const std::string &factor : factors) {
      auto it = places.find(factor);
      axis.push_back(it != places.end()
                         ? it->second
                         : Factor{extents.lookup(factor), std::nullopt, 0});
    }
  }
  return map;
}

/// Axis `i` of the result is axis `axes[i]` of the source.
static IndexPattern patternOfAxes(ArrayRef<int64_t> axes) {
  IndexPattern pattern;
  for (int64_t axis : axes)
    pattern.axes.push_back({"a" + std::to_string(axis)});
  return pattern;
}

IndexMap IndexMap::get(Operation *op, ArrayRef<int64_t> source,
                       ArrayRef<int64_t> like, ArrayRef<int64_t> result,
                       const DimBindings &bindings) {
  auto identity = llvm::to_vector(llvm::seq<int64_t>(0, source.size()));
  IndexPattern sourcePattern = patternOfAxes(identity);
  auto mapAxes = [&](const IndexPattern &resultPattern) {
    return get(
        sourcePattern, resultPattern,
        bindFactors(sourcePattern, {SmallVector<int64_t>(source)}, bindings));
  };
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return mapAxes(patternOfAxes(transpose.getPermutation()));
  if (auto slice = dyn_cast<SliceOp>(op)) {
    IndexMap map = mapAxes(sourcePattern);
    int64_t axis = slice.getAxis();
    DimBindings withSelf(bindings);
    withSelf["$"] = source[axis];
    std::string error;
    map.start[axis] =
        DimExpr::parse(slice.getStart(), error)->evaluate(withSelf).value_or(0);
    map.axes[axis] = {{result[axis], static_cast<unsigned>(axis),
                       static_cast<int64_t>(slice.getStep())}};
    return map;
  }
  std::string error;
  IndexMapping mapping =
      *IndexMapping::parse(op->getAttrOfType<StringAttr>("pattern"), error);
  SmallVector<IndexPattern> patterns{mapping.operands[0], mapping.result};
  SmallVector<SmallVector<int64_t>> shapes{SmallVector<int64_t>(source),
                                           SmallVector<int64_t>(result)};
  if (mapping.operands.size() > 1) {
    patterns.push_back(mapping.operands[1]);
    shapes.emplace_back(like);
  }
  return get(mapping.operands[0], mapping.result,
             bindFactors(patterns, shapes, bindings));
}

Box IndexMap::sourceBox(const Box &result) const {
  Box box{SmallVector<int64_t, 4>(start.begin(), start.end()),
          SmallVector<int64_t, 4>(start.size(), 1)};
  if (result.size() == 0) {
    box.extent.assign(start.size(), 0);
    return box;
  }
  for (auto [axis, factors] : llvm::enumerate(axes)) {
    // While the digits of the first and last index agree, the factor is fixed;
    // at the first that differ it is a range, and below them it is free.
    int64_t low = result.offset[axis], high = result.end(axis) - 1;
    int64_t size = 1;
    for (const Factor &factor : factors)
      size *= factor.extent;
    bool isFixed = true;
    for (const Factor &factor : factors) {
      size /= factor.extent;
      int64_t first = isFixed ? low / size : 0;
      int64_t last = isFixed ? high / size : factor.extent - 1;
      isFixed &= first == last;
      low %= size;
      high %= size;
      if (!factor.sourceAxis)
        continue;
      box.offset[*factor.sourceAxis] += first * factor.stride;
      box.extent[*factor.sourceAxis] += (last - first) * factor.stride;
    }
  }
  return box;
}

Tensor IndexMap::gather(const Tensor &source, const Box &result) const {
  Tensor tensor(source.elementType, result);
  if (tensor.size() == 0)
    return tensor;
  auto strides = source.strides();
  IndexSpace positions;
  int64_t base = 0;
  for (auto [axis, stride] : llvm::enumerate(strides))
    base += (start[axis] - source.box.offset[axis]) * stride;
  positions.shift(base);
  for (auto [axis, factors] : llvm::enumerate(axes)) {
    std::vector<int64_t> distances(result.extent[axis]);
    for (int64_t i = 0; i < result.extent[axis]; ++i) {
      int64_t rest = result.offset[axis] + i;
      for (const Factor &factor : llvm::reverse(factors)) {
        int64_t digit = rest % factor.extent;
        rest /= factor.extent;
        if (factor.sourceAxis)
          distances[i] += digit * factor.stride * strides[*factor.sourceAxis];
      }
    }
    positions.append(distances);
  }
  for (int64_t i = 0; i < tensor.size(); ++i) {
    tensor.value[i] = source.value[positions[i]];
    tensor.bound[i] = source.bound[positions[i]];
    if (source.isUndecided(positions[i]))
      tensor.setUndecided(i);
  }
  return tensor;
}
