//===- InputSpec.cpp - inputs given on the command line -------------------===//

#include "fuse/runtime/InputSpec.h"

#include "NoThrow.h"
#include "NumberList.h"
#include "Text.h"

#include "fuse/runtime/ElementText.h"
#include "fuse/runtime/Npy.h"
#include "fuse/runtime/Random.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

using namespace fuse::rt;

static bool startsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

static bool isWordStart(char c) { return isLetter(c) || c == '_'; }

static bool isInputName(std::string_view text) {
  return !text.empty() && isWordStart(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return isLetter(c) || isDigit(c) ||
                  std::string_view("_.-$/").find(c) != std::string_view::npos;
         });
}

static bool isDimName(std::string_view text) {
  return !text.empty() && isWordStart(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return isLetter(c) || isDigit(c) || c == '_';
         });
}

static bool isType(std::string_view text) { return parseTensorType(text).ok(); }

/// The part before the first of `separators`, without blanks; empty if none.
static std::string_view firstPart(std::string_view text,
                                  const char *separators) {
  size_t end = text.find_first_of(separators);
  return end == std::string_view::npos ? "" : trim(text.substr(0, end));
}

/// The non-negative integer `text`, or a message that asks for `what`.
template <class T>
static Result<T> parseCount(std::string_view text, std::string_view what) {
  T count = 0;
  const char *end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc() || stop != end || text[0] == '-')
    return expected(what, quote(text));
  return count;
}

/// Hands each `key=value` of a comma-separated list to `take(key, value)`.
template <class Take>
static Status parsePairs(std::string_view text, std::string_view example,
                         Take take) {
  for (;;) {
    std::string_view pair = text.substr(0, text.find(','));
    size_t equals = pair.find('=');
    if (equals == std::string_view::npos)
      return expected(example, quote(pair));
    Status status =
        take(trim(pair.substr(0, equals)), trim(pair.substr(equals + 1)));
    if (!status.ok() || pair.size() == text.size())
      return status;
    text.remove_prefix(pair.size() + 1);
  }
}

static Status setOnce(std::optional<double> &parameter, std::string_view key,
                      std::string_view text) {
  double value;
  if (parameter)
    return expected(quote(key) + " once", "it twice");
  if (!parseElement(DType::F64, text, &value).ok() || !std::isfinite(value))
    return expected("a finite number as " + quote(key), quote(text));
  parameter = value;
  return {};
}

static Status setOnce(std::optional<uint64_t> &parameter, std::string_view key,
                      std::string_view text) {
  if (parameter)
    return expected(quote(key) + " once", "it twice");
  Result<uint64_t> value = parseCount<uint64_t>(
      text, "an integer from 0 to 2^64 - 1 as " + quote(key));
  if (!value.ok())
    return value.status();
  parameter = *value;
  return {};
}

constexpr std::string_view kRandomExample =
    "a parameter such as seed=7 after the kind of random values";

static Status parseNormal(std::string_view text, RandomNormal &normal) {
  Status status = parsePairs(
      text, kRandomExample, [&](std::string_view key, std::string_view value) {
        if (key == "seed")
          return setOnce(normal.seed, key, value);
        if (key == "mean")
          return setOnce(normal.mean, key, value);
        if (key == "std")
          return setOnce(normal.std, key, value);
        return expected("seed, mean or std for rand:normal", quote(key));
      });
  if (status.ok() && normal.std && *normal.std < 0)
    return expected("'std' of 0 or more",
                    formatElement(DType::F64, &*normal.std));
  return status;
}

static Status parseUniform(std::string_view text, RandomUniform &uniform) {
  return parsePairs(
      text, kRandomExample, [&](std::string_view key, std::string_view value) {
        if (key == "seed")
          return setOnce(uniform.seed, key, value);
        if (key == "lo")
          return setOnce(uniform.lo, key, value);
        if (key == "hi")
          return setOnce(uniform.hi, key, value);
        return expected("seed, lo or hi for rand:uniform", quote(key));
      });
}

/// What follows "rand:".
static Status parseRandom(std::string_view text, InputSpec &spec) {
  size_t colon = text.find(':');
  std::string_view kind = trim(text.substr(0, colon));
  bool plain = colon == std::string_view::npos;
  std::string_view parameters = plain ? "" : text.substr(colon + 1);
  if (kind == "normal") {
    auto &normal = spec.value.emplace<RandomNormal>();
    return plain ? Status() : parseNormal(parameters, normal);
  }
  if (kind == "uniform") {
    auto &uniform = spec.value.emplace<RandomUniform>();
    return plain ? Status() : parseUniform(parameters, uniform);
  }
  return expected("rand:normal or rand:uniform", quote(kind));
}

/// What remains of a spec after name and type, without blanks before it.
static Status parseValue(std::string_view text, InputSpec &spec) {
  if (startsWith(text, "@")) {
    if (text.size() == 1)
      return expected("a file name after '@'", "none");
    spec.value = NpyPath{std::string(text.substr(1))};
    return {};
  }
  if (startsWith(text, "rand:"))
    return parseRandom(text.substr(5), spec);
  if (startsWith(text, "splat:")) {
    spec.value = Splat{std::string(trim(text.substr(6)))};
    return {};
  }
  // No number has a '=': this must have been meant as a name or a type.
  if (size_t equals = text.find('='); equals != std::string_view::npos)
    return expected("a name or a type such as 4x8xf32 before '='",
                    quote(trim(text.substr(0, equals))));
  if (text.empty())
    return expected("@file.npy, numbers, rand:normal, rand:uniform or splat:x",
                    "no value");
  Result<NumberList> list = parseNumberList(text);
  if (!list.ok())
    return list.status();
  spec.value = std::move(*list);
  return {};
}

/// Takes "name =" or "name :" off the front of `text`, if it is there.
static void takeName(std::string_view &text, InputSpec &spec) {
  if (startsWith(text, "rand:") || startsWith(text, "splat:"))
    return;
  std::string_view part = firstPart(text, "=:");
  if (!isInputName(part))
    return;
  size_t separator = text.find_first_of("=:");
  std::string_view rest = trim(text.substr(separator + 1));
  if (text[separator] == '=' && isType(part) && !isType(firstPart(rest, "=")))
    return;
  spec.name = part;
  text = rest;
}

/// Takes "type =" off the front of `text`, if it is there.
static void takeType(std::string_view &text, InputSpec &spec) {
  Result<TensorType> type = parseTensorType(firstPart(text, "="));
  if (!type.ok())
    return;
  spec.type = std::move(*type);
  text = trim(text.substr(text.find('=') + 1));
}

static Status typeMismatch(const TensorType &wanted, const TensorType &found) {
  return expected(formatTensorType(wanted), formatTensorType(found));
}

/// Fills a tensor of `type` with `draw(generator)`.
template <class Draw>
static Result<HostTensor> fillRandom(const TensorType &type, uint64_t seed,
                                     Draw draw) {
  Result<HostTensor> tensor = HostTensor::createUninitialized(type);
  if (!tensor.ok())
    return tensor;
  SplitMix64 generator(seed);
  for (int64_t i = 0; i < tensor->numElements(); ++i)
    tensor->set(i, type.dtype == DType::Bool ? drawBool(generator)
                                             : draw(generator));
  return tensor;
}

static Status checkSeedOnly(const TensorType &type, bool hasParameters) {
  if (type.dtype != DType::Bool || !hasParameters)
    return {};
  return expected("no parameter but seed for random i1", "more");
}

namespace {
/// Makes the tensor of one kind of value; the type is settled but for files.
class Materializer {
public:
  Materializer(const std::optional<TensorType> &type, uint64_t defaultSeed)
      : type(type), defaultSeed(defaultSeed) {}

  Result<HostTensor> operator()(const NpyPath &file) const {
    Result<HostTensor> tensor = readNpyFile(file.path);
    if (tensor.ok() && type && tensor->type() != *type)
      return typeMismatch(*type, tensor->type()).withContext(file.path);
    return tensor;
  }

  Result<HostTensor> operator()(const Splat &splat) const {
    return type ? materializeSplat(splat.element, *type) : noType();
  }

  Result<HostTensor> operator()(const NumberList &list) const {
    return type ? materializeNumbers(list, *type) : noType();
  }

  Result<HostTensor> operator()(const RandomNormal &normal) const {
    if (!type)
      return noType();
    if (Status status = checkSeedOnly(*type, normal.mean || normal.std);
        !status.ok())
      return status;
    double mean = normal.mean.value_or(0);
    double std = normal.std.value_or(type->dtype == DType::I32 ? 4 : 1);
    return fillRandom(*type, normal.seed.value_or(defaultSeed),
                      [=](SplitMix64 &generator) {
                        return std::fma(std, drawNormal(generator), mean);
                      });
  }

  Result<HostTensor> operator()(const RandomUniform &uniform) const {
    if (!type)
      return noType();
    if (Status status = checkSeedOnly(*type, uniform.lo || uniform.hi);
        !status.ok())
      return status;
    bool isInteger = type->dtype == DType::I32;
    double lo = uniform.lo.value_or(isInteger ? -8 : 0);
    double hi = uniform.hi.value_or(isInteger ? 8 : 1);
    if (lo > hi || !std::isfinite(hi - lo))
      return expected("'lo' up to 'hi' for rand:uniform",
                      formatElement(DType::F64, &lo) + " and " +
                          formatElement(DType::F64, &hi));
    return fillRandom(
        *type, uniform.seed.value_or(defaultSeed), [=](SplitMix64 &generator) {
          double value = std::fma(hi - lo, drawUniform(generator), lo);
          return isInteger ? std::floor(value) : value;
        });
  }

private:
  static Status noType() {
    return expected("a type, such as 4x8xf32=1", "none");
  }

  const std::optional<TensorType> &type;
  uint64_t defaultSeed;
};
} // namespace

Result<InputSpec> fuse::rt::parseInputSpec(std::string_view text) {
  return noThrow([&]() -> Result<InputSpec> {
    InputSpec spec;
    std::string_view rest = trim(text);
    takeName(rest, spec);
    takeType(rest, spec);
    if (Status status = parseValue(rest, spec); !status.ok())
      return status;
    return spec;
  });
}

Result<HostTensor>
fuse::rt::materialize(const InputSpec &spec,
                      const std::optional<TensorType> &expectedType,
                      uint64_t defaultSeed) {
  return noThrow([&]() -> Result<HostTensor> {
    if (spec.type && expectedType && *spec.type != *expectedType)
      return typeMismatch(*expectedType, *spec.type);
    return std::visit(
        Materializer(spec.type ? spec.type : expectedType, defaultSeed),
        spec.value);
  });
}

std::string fuse::rt::defaultInputText(const TensorType &type,
                                       uint64_t argumentIndex, bool isWeight) {
  std::string text = "rand:normal:seed=" + std::to_string(argumentIndex);
  if (!isWeight || !isFloat(type.dtype) || type.shape.size() < 2 ||
      type.shape.back() < 1)
    return text;
  char std[32];
  std::snprintf(std, sizeof std, ",std=%.4g",
                1 / std::sqrt(static_cast<double>(type.shape.back())));
  return text + std;
}

Result<HostTensor> fuse::rt::defaultInput(const TensorType &type,
                                          uint64_t argumentIndex,
                                          bool isWeight) {
  return noThrow([&]() -> Result<HostTensor> {
    Result<InputSpec> spec =
        parseInputSpec(defaultInputText(type, argumentIndex, isWeight));
    if (!spec.ok())
      return spec.status();
    return materialize(*spec, type);
  });
}

Result<std::vector<std::pair<std::string, int64_t>>>
fuse::rt::parseDims(std::string_view text) {
  using Dims = std::vector<std::pair<std::string, int64_t>>;
  return noThrow([&]() -> Result<Dims> {
    Dims dims;
    Status status = parsePairs(
        text, "dims such as B=4,N=24",
        [&](std::string_view name, std::string_view value) -> Status {
          if (!isDimName(name))
            return expected("a name of letters, digits and '_' for a dim",
                            quote(name));
          for (const auto &dim : dims)
            if (dim.first == name)
              return expected("dim " + quote(name) + " once", "it twice");
          Result<int64_t> size = parseCount<int64_t>(
              value, "a size from 0 to 2^63 - 1 for dim " + quote(name));
          if (!size.ok())
            return size.status();
          dims.emplace_back(name, *size);
          return {};
        });
    if (!status.ok())
      return status;
    return dims;
  });
}
