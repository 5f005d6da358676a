//===- ProgramOps.cpp - Contractions, rows, index maps of random programs -===//

#include "ProgramGenerator.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace fuse;
using namespace fuse::test;

int64_t ProgramGenerator::reducedExtent(const Shape &result) {
  int64_t size = std::max<int64_t>(countElements(result), 1);
  return extent(std::min<int64_t>(maxProducts / size, 150));
}

Shape ProgramGenerator::permuted(ArrayRef<int64_t> axes) {
  Shape order(axes);
  for (size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[choices.below(i)]);
  return order;
}

Shape ProgramGenerator::permutation(int64_t size) {
  return permuted(llvm::to_vector(llvm::seq<int64_t>(0, size)));
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

Named ProgramGenerator::normOf(const Named &x) {
  const TensorSpec &type = x.type;
  int64_t rank = type.shape.size();
  int64_t axis = choices.percent(80) ? rank - 1 : choices.below(rank);
  bool isLayerNorm = choices.percent(65);
  std::string text = (isLayerNorm ? "layer_norm " : "rms_norm ") + x.name;
  SmallVector<Named> operands{x};
  TensorSpec vector = type.with(Shape{type.shape[axis]});
  if (choices.percent(60)) {
    operands.push_back(leaf(vector));
    text += " gamma " + operands.back().name;
  }
  if (isLayerNorm && choices.percent(60)) {
    operands.push_back(leaf(vector));
    text += " beta " + operands.back().name;
  }
  text += " axis " + std::to_string(axis);
  text += choices.pick<std::string>(
      {"", " eps 1.0e-6", " eps 1.0e-3", " eps 1.0e-5"});
  return builder.op(text, operands, type);
}

std::optional<Named> ProgramGenerator::norm(const TensorSpec &type, int depth) {
  if (type.shape.empty())
    return std::nullopt;
  return normOf(value(type, depth));
}

std::optional<Named> ProgramGenerator::softmax(const TensorSpec &type,
                                               int depth) {
  if (type.shape.empty())
    return std::nullopt;
  Named x = value(type, depth);
  return builder.op("softmax " + x.name + " axis " +
                        std::to_string(choices.below(type.shape.size())) +
                        choices.pick<std::string>({"", " masked_rows zero"}),
                    {x}, type);
}

std::optional<Named> ProgramGenerator::reduce(const TensorSpec &type,
                                              int depth) {
  if (type.shape.size() > maxRank - 2)
    return std::nullopt;
  Shape shape(type.shape);
  std::string axes;
  SmallVector<bool> isReduced(shape.size(), false);
  for (int64_t count = choices.pick({1, 1, 1, 2}); count > 0; --count) {
    int64_t axis = choices.below(shape.size() + 1);
    shape.insert(shape.begin() + axis, reducedExtent(shape));
    isReduced.insert(isReduced.begin() + axis, true);
  }
  for (auto [axis, reduced] : llvm::enumerate(isReduced))
    if (reduced)
      axes += (axes.empty() ? "" : ", ") + std::to_string(axis);
  Named source = value(type.with(shape), depth);
  return builder.op(
      "reduce " + choices.pick<std::string>({"sum", "sum", "max", "min"}) +
          " " + source.name + " axes [" + axes + "]",
      {source}, type);
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

std::string ProgramGenerator::precisionOf(const std::string &element) {
  if (element != "f32" || choices.percent(88))
    return "";
  return " precision " +
         choices.pick<std::string>({"tf32", "bf16", "bf16x3", "bf16x6"});
}

Named ProgramGenerator::linearOf(const Named &x, int64_t outputs) {
  const TensorSpec &type = x.type;
  TensorSpec result(type);
  result.shape.back() = outputs;
  Named weight = leaf(type.with(Shape{outputs, type.shape.back()}));
  SmallVector<Named> operands{x, weight};
  std::string text = "linear " + x.name + ", " + weight.name;
  if (choices.percent(60)) {
    operands.push_back(leaf(type.with(Shape{outputs})));
    text += " bias " + operands.back().name;
  }
  return builder.op(text + precisionOf(type.element), operands, result);
}

std::optional<Named> ProgramGenerator::linear(const TensorSpec &type,
                                              int depth) {
  if (type.shape.empty())
    return std::nullopt;
  TensorSpec source(type);
  source.shape.back() = reducedExtent(type.shape);
  return linearOf(value(source, depth), type.shape.back());
}

std::optional<Named> ProgramGenerator::chain(const TensorSpec &type,
                                             int depth) {
  if (type.shape.empty())
    return std::nullopt;
  TensorSpec source(type);
  source.shape.back() = reducedExtent(type.shape);
  Named hidden = linearOf(normOf(value(source, depth)), type.shape.back());
  Named active = activation(hidden);
  return choices.percent(50) ? normOf(active) : active;
}

namespace {
/// The letters of one operand of an einsum, and their extents.
struct Letters {
  std::string text;
  Shape shape;

  void add(char letter, int64_t extent) {
    text += letter;
    shape.push_back(extent);
  }
  /// Repeats an index, unless that makes the operand large.
  void addDiagonal(int64_t maxSize) {
    if (!text.empty() && countElements(shape) * shape.back() <= maxSize)
      add(text.back(), shape.back());
  }
  Letters inOrder(ArrayRef<int64_t> order) const {
    Letters result;
    for (int64_t axis : order)
      result.add(text[axis], shape[axis]);
    return result;
  }
};
} // namespace

std::optional<Named> ProgramGenerator::einsum(const TensorSpec &type,
                                              int depth) {
  if (type.shape.size() > maxRank - 3)
    return std::nullopt;
  Letters operands[2];
  std::string result;
  for (auto [axis, length] : llvm::enumerate(type.shape)) {
    char letter = static_cast<char>('a' + axis);
    result += letter;
    int64_t role = choices.below(5); // of both, of the first, of the second
    for (int64_t side : {0, 1})
      if (role == 0 || role % 2 == side)
        operands[side].add(letter, length);
  }
  int64_t count = choices.pick({0, 1, 1, 1, 1, 1, 2});
  for (int64_t i = 0; i < count; ++i) {
    int64_t length =
        i == 0 ? reducedExtent(type.shape) : choices.pick<int64_t>({1, 2, 3});
    char letter = static_cast<char>('k' + i);
    int64_t only = choices.percent(6) ? choices.below(2) : 2;
    for (int64_t side : {0, 1})
      if (only != 1 - side)
        operands[side].add(letter, length);
  }
  std::string element = type.element;
  if (element == "f32" && choices.percent(12))
    element = choices.pick<std::string>({"f16", "bf16"});
  SmallVector<Named> values;
  for (Letters &letters : operands) {
    if (choices.percent(6))
      letters.addDiagonal(maxProducts);
    letters = letters.inOrder(permutation(letters.shape.size()));
    values.push_back(value({element, letters.shape}, depth));
  }
  return builder.op("einsum \"" + operands[0].text + "," + operands[1].text +
                        "->" + result + "\" " + values[0].name + ", " +
                        values[1].name + precisionOf(element),
                    values, type);
}

std::optional<Named> ProgramGenerator::einsumOfOne(const TensorSpec &type,
                                                   int depth) {
  if (type.shape.size() > maxRank - 2)
    return std::nullopt;
  Letters operand;
  std::string result;
  for (auto [axis, length] : llvm::enumerate(type.shape)) {
    result += static_cast<char>('a' + axis);
    operand.add(result.back(), length);
  }
  if (choices.percent(60))
    operand.add('k', reducedExtent(type.shape));
  if (operand.text.empty())
    return std::nullopt;
  if (choices.percent(30))
    operand.addDiagonal(maxProducts);
  operand = operand.inOrder(permutation(operand.shape.size()));
  Named source = value({type.element, operand.shape}, depth);
  return builder.op("einsum \"" + operand.text + "->" + result + "\" " +
                        source.name,
                    {source}, type);
}

//===----------------------------------------------------------------------===//
// Index maps
//===----------------------------------------------------------------------===//

std::optional<Named> ProgramGenerator::broadcast(const TensorSpec &type,
                                                 int depth) {
  bool hasLike = choices.percent(50);
  Shape kept;
  std::string result;
  for (auto [axis, length] : llvm::enumerate(type.shape)) {
    bool isKept = choices.percent(50);
    if (isKept)
      kept.push_back(axis);
    result += " " + (isKept || hasLike ? "a" + std::to_string(axis)
                                       : std::to_string(length));
  }
  TensorSpec source{type.element, {}};
  std::string pattern;
  for (int64_t axis : permuted(kept)) {
    source.shape.push_back(type.shape[axis]);
    pattern += "a" + std::to_string(axis) + " ";
  }
  SmallVector<Named> operands{value(source, depth)};
  std::string text =
      "broadcast " + operands[0].name + " \"" + pattern + "->" + result + "\"";
  if (hasLike) {
    operands.push_back(leaf(type));
    text += " like " + operands.back().name;
  }
  return builder.op(text, operands, type);
}

std::optional<Named> ProgramGenerator::transpose(const TensorSpec &type,
                                                 int depth) {
  Shape order = permutation(type.shape.size()), source(order.size());
  std::string text;
  for (auto [axis, from] : llvm::enumerate(order)) {
    source[from] = type.shape[axis];
    text += (text.empty() ? "" : ", ") + std::to_string(from);
  }
  Named x = value(type.with(source), depth);
  return builder.op("transpose " + x.name + " [" + text + "]", {x}, type);
}

std::optional<Named> ProgramGenerator::reshape(const TensorSpec &type,
                                               int depth) {
  // Some axes of the result are groups of two factors.
  Shape extents;
  std::string result, like;
  auto addFactor = [&](int64_t length) {
    std::string name = "a" + std::to_string(extents.size());
    extents.push_back(length);
    like += name + " ";
    return name;
  };
  for (int64_t length : type.shape) {
    int64_t divisor = choices.pick<int64_t>({1, 2, 3, 4, 5});
    if (length % divisor == 0 && choices.percent(60)) {
      std::string first = addFactor(divisor);
      result += " (" + first + " " + addFactor(length / divisor) + ")";
    } else {
      result += " " + addFactor(length);
    }
    if (extents.size() > maxRank - 2)
      return std::nullopt;
  }
  // The source groups the same factors in another order.
  std::string pattern;
  TensorSpec source{type.element, {}};
  Shape order = permutation(extents.size());
  for (size_t i = 0; i < order.size();) {
    size_t size =
        std::min<size_t>(choices.pick({1, 1, 2, 3}), order.size() - i);
    source.shape.push_back(1);
    pattern += pattern.empty() ? "(" : " (";
    for (size_t end = i + size; i < end; ++i) {
      source.shape.back() *= extents[order[i]];
      pattern += " a" + std::to_string(order[i]);
    }
    pattern += ")";
  }
  if (choices.percent(20)) {
    pattern += " 1";
    source.shape.push_back(1);
  }
  Named x = value(source, depth);
  Named lender = leaf({type.element, extents});
  return builder.op("reshape " + x.name + " like " + lender.name + " \"" +
                        pattern + ", " + like + "->" + result + "\"",
                    {x, lender}, type);
}

std::optional<Named> ProgramGenerator::slice(const TensorSpec &type,
                                             int depth) {
  if (type.shape.empty())
    return std::nullopt;
  int64_t axis = choices.below(type.shape.size());
  int64_t start = choices.below(4), step = choices.pick<int64_t>({1, 1, 2, 3});
  int64_t length = type.shape[axis];
  int64_t stop = start + (length == 0 ? 0 : (length - 1) * step + 1);
  TensorSpec source(type);
  source.shape[axis] = stop + choices.below(3);
  Named x = value(source, depth);
  std::string text = "slice " + x.name + " axis " + std::to_string(axis) +
                     " from \"" + std::to_string(start) + "\" to \"" +
                     std::to_string(stop) + "\"";
  if (step > 1)
    text += " step " + std::to_string(step);
  return builder.op(text, {x}, type);
}

std::optional<Named> ProgramGenerator::concat(const TensorSpec &type,
                                              int depth) {
  if (type.shape.empty())
    return std::nullopt;
  int64_t axis = choices.below(type.shape.size());
  int64_t rest = type.shape[axis];
  SmallVector<Named> parts;
  std::string names;
  while (rest > 0 || parts.empty()) {
    TensorSpec part(type);
    part.shape[axis] = parts.size() == 2 ? rest : choices.below(rest + 1);
    rest -= part.shape[axis];
    parts.push_back(value(part, depth));
    names += (names.empty() ? "" : ", ") + parts.back().name;
  }
  return builder.op("concat " + names + " axis " + std::to_string(axis), parts,
                    type);
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

Named ProgramGenerator::editedScores(const Named &scores, int depth) {
  Named edited = scores;
  const TensorSpec &type = scores.type;
  if (choices.percent(70))
    edited = mapOf("mul", {edited, scalar(type.element, 0)}, type);
  if (choices.percent(25)) // soft-cap
    edited = mapOf("tanh", {edited}, type);
  if (choices.percent(40))
    edited = mapOf("add", {edited, value(type, depth)}, type);
  if (choices.percent(60)) {
    Named mask = value(type.with("i1"), depth);
    Named lowest = builder.scalarConstant("-inf", type.element);
    edited = builder.op("select " + mask.name + ", " + edited.name + ", " +
                            lowest.name,
                        {mask, edited, lowest}, type);
  }
  return edited;
}

std::optional<Named> ProgramGenerator::attention(const TensorSpec &type,
                                                 int depth) {
  struct Form {
    StringRef pattern, scores;
    StringRef query, key, value, result; // their axes, groups as one letter
    StringRef scoreAxes;
  };
  // h stands for (g r), whose factor r is the quotient of the axes h and g.
  static constexpr Form forms[] = {
      {"t c, s c, s d -> t d", "t s", "tc", "sc", "sd", "td", "ts"},
      {"b t c, b s c, b s d -> b t d", "b t s", "btc", "bsc", "bsd", "btd",
       "bts"},
      {"t c, b s c, s b d -> b t d", "b t s", "tc", "bsc", "sbd", "btd", "bts"},
      {"t (g r) c, s g c, s g d -> t (g r) d", "(g r) t s", "thc", "sgc", "sgd",
       "thd", "hts"},
      {"b t (g r) c, b s g c, g s d -> b t (g r) d", "b (g r) t s", "bthc",
       "bsgc", "gsd", "bthd", "bhts"}};
  const Form &form = choices.pickFrom(ArrayRef(forms));
  if (form.result.size() != type.shape.size())
    return std::nullopt;
  llvm::SmallDenseMap<char, int64_t> extents;
  for (auto [letter, length] : llvm::zip_equal(form.result, type.shape))
    extents[letter] = length;
  int64_t rows = std::max<int64_t>(
      countElements(type.shape) / std::max<int64_t>(extents['d'], 1), 1);
  extents['s'] = extent(maxElements / rows);
  extents['c'] = extent(20);
  int64_t groups = choices.pick<int64_t>({1, 2, 3, extents['h']});
  if (groups == 0 || extents['h'] % groups != 0)
    groups = 1;
  extents['g'] = groups;
  auto specOf = [&](StringRef letters, const std::string &element) {
    TensorSpec spec{element, {}};
    for (char letter : letters)
      spec.shape.push_back(extents[letter]);
    return spec;
  };
  SmallVector<Named> operands;
  for (StringRef letters : {form.query, form.key, form.value})
    operands.push_back(value(specOf(letters, type.element), depth));
  TensorSpec scoreType =
      specOf(form.scoreAxes, type.element == "f64" ? "f64" : "f32");
  Named result{builder.freshName(), type};
  Named scores{builder.freshName(), scoreType};
  builder.line(result.name + " = fuse.attention " + operands[0].name + ", " +
               operands[1].name + ", " + operands[2].name + " \"" +
               form.pattern.str() + "\" scores \"" + form.scores.str() + "\"" +
               choices.pick<std::string>({"", " masked_rows zero"}) +
               precisionOf(type.element) + " {");
  builder.line("^bb0(" + scores.name + ": " + scoreType.str() + "):");
  size_t entered = builder.enterRegion();
  Named edited = editedScores(scores, std::min(depth, 1));
  builder.leaveRegion(entered);
  builder.line("fuse.yield " + edited.name + " : " + scoreType.str());
  builder.line("} : (" + operands[0].type.str() + ", " +
               operands[1].type.str() + ", " + operands[2].type.str() +
               ") -> " + type.str());
  builder.define(result);
  return result;
}
