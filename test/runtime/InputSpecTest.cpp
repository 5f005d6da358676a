//===- InputSpecTest.cpp - inputs and dims of the command line ------------===//

#include "TestUtils.h"

#include "fuse/runtime/InputSpec.h"
#include "fuse/runtime/Npy.h"
#include "fuse/runtime/PrintTensor.h"
#include "fuse/runtime/Random.h"

#include "rapidcheck/gtest.h"

#include <cmath>

using namespace fuse::rt;

using MaybeType = std::optional<TensorType>;

/// The input that `text` describes, printed; or the message.
static std::string run(const std::string &text,
                       const MaybeType &expected = {}) {
  Result<InputSpec> spec = parseInputSpec(text);
  if (!spec.ok())
    return messageOf(spec);
  Result<HostTensor> tensor = materialize(*spec, expected);
  if (!tensor.ok())
    return messageOf(tensor);
  return *printTensor(spec->name.value_or(""), *tensor);
}

/// How `text` is divided: "name|type|kind of value".
static std::string split(const std::string &text) {
  static const char *kKinds[] = {"file", "splat", "normal", "uniform",
                                 "numbers"};
  Result<InputSpec> spec = parseInputSpec(text);
  if (!spec.ok())
    return messageOf(spec);
  return spec->name.value_or("-") + "|" +
         (spec->type ? formatTensorType(*spec->type) : "-") + "|" +
         kKinds[spec->value.index()];
}

static HostTensor make(const std::string &text, uint64_t defaultSeed = 0) {
  return std::move(*materialize(*parseInputSpec(text), {}, defaultSeed));
}

TEST(InputSpec, Parts) {
  EXPECT_EQ(split("1,2"), "-|-|numbers");
  EXPECT_EQ(split("x=1,2"), "x|-|numbers");
  EXPECT_EQ(split("2xf32=1,2"), "-|2xf32|numbers");
  EXPECT_EQ(split("x=2xf32=1,2"), "x|2xf32|numbers");
  EXPECT_EQ(split("x: 2xf32 = [1, 2]"), "x|2xf32|numbers");
  EXPECT_EQ(split("x:1"), "x|-|numbers");
  EXPECT_EQ(split(" q_proj.weight = f32 = 1 "), "q_proj.weight|f32|numbers");
  EXPECT_EQ(split("@a.npy"), "-|-|file");
  EXPECT_EQ(split("x=@a.npy"), "x|-|file");
  EXPECT_EQ(split("x=2x0xbf16=@a.npy"), "x|2x0xbf16|file");
  EXPECT_EQ(split("rand:normal"), "-|-|normal");
  EXPECT_EQ(split("rand:uniform:seed=7"), "-|-|uniform");
  EXPECT_EQ(split("x=rand:normal:seed=7"), "x|-|normal");
  EXPECT_EQ(split("4xf16=rand:normal:seed=7"), "-|4xf16|normal");
  EXPECT_EQ(split("x=splat:1"), "x|-|splat");
  EXPECT_EQ(split("nan"), "-|-|numbers");
}

TEST(InputSpec, NamesThatLookLikeTypes) {
  EXPECT_EQ(split("f32=1"), "-|f32|numbers");
  EXPECT_EQ(split("i1=2xf32=1"), "i1|2xf32|numbers");
  EXPECT_EQ(split("i1: @a.npy"), "i1|-|file");
  EXPECT_EQ(split("rand=1"), "rand|-|numbers");
}

TEST(InputSpec, FileNamesMayHoldAnything) {
  auto path = [](const std::string &text) {
    return std::get<NpyPath>(parseInputSpec(text)->value).path;
  };
  EXPECT_EQ(path("@a=b:c,[d].npy"), "a=b:c,[d].npy");
  EXPECT_EQ(path("x=@f32=@a.npy"), "f32=@a.npy");
  EXPECT_EQ(path("x=f32=@a=b.npy"), "a=b.npy");
}

TEST(InputSpec, MalformedParts) {
  EXPECT_EQ(run(""), "expects @file.npy, numbers, rand:normal, rand:uniform or "
                     "splat:x, but got no value");
  EXPECT_EQ(run("x="), run(""));
  EXPECT_EQ(run("x=f32="), run(""));
  EXPECT_EQ(run("@"), "expects a file name after '@', but got none");
  EXPECT_EQ(run("x=4x8xf33=1"),
            "expects a name or a type such as 4x8xf32 before '=', but got "
            "'4x8xf33'");
  EXPECT_EQ(run("4x8=1"), "expects a name or a type such as 4x8xf32 before "
                          "'=', but got '4x8'");
  EXPECT_EQ(run("a b=1"), "expects a name or a type such as 4x8xf32 before "
                          "'=', but got 'a b'");
  EXPECT_EQ(run("=1"), "expects a name or a type such as 4x8xf32 before '=', "
                       "but got ''");
}

TEST(InputSpec, Numbers) {
  EXPECT_EQ(run("3xf32=1,2,3"), "3xf32 = [1, 2, 3]");
  EXPECT_EQ(run("3xf32=1 2\t3"), "3xf32 = [1, 2, 3]");
  EXPECT_EQ(run("2x2xf32=1,2, 3 ,4"), "2x2xf32 = [[1, 2], [3, 4]]");
  EXPECT_EQ(run("2x2xf32=[[1,2],[3 4]]"), "2x2xf32 = [[1, 2], [3, 4]]");
  EXPECT_EQ(run("4xf64=inf,-inf,nan,-0"), "4xf64 = [inf, -inf, nan, -0]");
  EXPECT_EQ(run("2xi1=true,0"), "2xi1 = [true, false]");
  EXPECT_EQ(run("f32=1.5"), "f32 = 1.5");
  EXPECT_EQ(run("3xi32=7"), "3xi32 = [7, 7, 7]");
  EXPECT_EQ(run("2xf16=splat:0.1"), "2xf16 = [0.1, 0.1]");
  EXPECT_EQ(run("0xf32=splat:1"), "0xf32 = []");
  EXPECT_EQ(run("0xf32=[]"), "0xf32 = []");
  EXPECT_EQ(run("2x0x3xf32=[[],[]]"), "2x0x3xf32 = [[], []]");
}

TEST(InputSpec, NumbersThatDoNotFit) {
  EXPECT_EQ(run("3xf32=1,2"), "expects 3 values for 3xf32, but got 2");
  EXPECT_EQ(run("f32=1,2"), "expects 1 values for f32, but got 2");
  EXPECT_EQ(run("0xf32=1"), "expects 0 values for 0xf32, but got 1");
  EXPECT_EQ(run("2x3xf32=[[1,2],[3,4],[5,6]]"),
            "expects values nested as 2x3xf32, but got 3x2");
  EXPECT_EQ(run("2x2xf32=[1]"), "expects values nested as 2x2xf32, but got 1");
  EXPECT_EQ(run("2xi32=1,2.5"),
            "expects an integer in the range of i32, but got '2.5'");
  EXPECT_EQ(run("2xf16=1e5"),
            "expects a number in the range of f16, but got '1e5'");
  EXPECT_EQ(run("f32=splat:x"),
            "expects a number in the range of f32, but got 'x'");
  EXPECT_EQ(run("f32=true"),
            "expects a number in the range of f32, but got 'true'");
}

TEST(InputSpec, MalformedNumbers) {
  EXPECT_EQ(run("f32=,1"), "expects a value before ',', but got none");
  EXPECT_EQ(run("f32=1,,2"), "expects a value before ',', but got none");
  EXPECT_EQ(run("f32=1,"),
            "expects a value after ',', but got the end of the values");
  EXPECT_EQ(run("f32=[1,]"), "expects a value or '[', but got ']'");
  EXPECT_EQ(run("f32=]"), "expects a value or '[', but got ']'");
  EXPECT_EQ(run("f32=[[1]"),
            "expects a ']' for every '[', but got the end of the values");
  EXPECT_EQ(run("f32=[1] [2]"),
            "expects plain values or one bracketed list, but got more");
  EXPECT_EQ(run("f32=1 [2]"), run("f32=[1] [2]"));
  EXPECT_EQ(run("f32=[1] 2"), run("f32=[1] [2]"));
  EXPECT_EQ(run("f32=[1,[2]]"),
            "expects brackets of equal depth, but got a list beside a value");
  EXPECT_EQ(run("f32=[[1],2]"), run("f32=[1,[2]]"));
  EXPECT_EQ(run("f32=[[1,2],[3]]"),
            "expects lists of equal length, but got 2 and 1 entries");
  EXPECT_EQ(run("f32=[[],[1]]"),
            "expects lists of equal length, but got 0 and 1 entries");
  EXPECT_EQ(run("f32=" + std::string(100000, '[')),
            "expects brackets nested 8 deep at most, but got more");
}

TEST(InputSpec, TheTypeComesFromSomewhere) {
  MaybeType type = TensorType{DType::F32, {2}};
  EXPECT_EQ(run("1,2", type), "2xf32 = [1, 2]");
  EXPECT_EQ(run("splat:3", type), "2xf32 = [3, 3]");
  EXPECT_EQ(run("2xf32=1,2", type), "2xf32 = [1, 2]");
  EXPECT_EQ(run("3xf32=1", type), "expects 2xf32, but got 3xf32");
  EXPECT_EQ(run("2xf16=1", type), "expects 2xf32, but got 2xf16");
  for (const char *text : {"1", "splat:1", "rand:normal", "rand:uniform"})
    EXPECT_EQ(run(text), "expects a type, such as 4x8xf32=1, but got none");
}

TEST(InputSpec, Files) {
  TemporaryDirectory directory;
  std::string path = directory.path("a=b.npy");
  HostTensor tensor = makeTensor(DType::BF16, {2}, {1, 2});
  ASSERT_TRUE(writeNpyFile(path, tensor).ok());
  EXPECT_EQ(run("@" + path), "2xbf16 = [1, 2]");
  EXPECT_EQ(run("x=2xbf16=@" + path), "x: 2xbf16 = [1, 2]");
  EXPECT_EQ(run("@" + path, tensor.type()), "2xbf16 = [1, 2]");
  EXPECT_EQ(run("2xf32=@" + path), path + ": expects 2xf32, but got 2xbf16");
  EXPECT_EQ(run("@" + path, TensorType{DType::BF16, {1, 2}}),
            path + ": expects 1x2xbf16, but got 2xbf16");
  EXPECT_EQ(run("@" + path + "x"),
            path + "x: cannot open: No such file or directory");
}

TEST(InputSpec, RandomValuesFollowTheSeed) {
  HostTensor tensor = make("3xf64=rand:normal:seed=7");
  SplitMix64 generator(7);
  for (int64_t i = 0; i < 3; ++i)
    EXPECT_EQ(tensor.get(i), drawNormal(generator));
  EXPECT_TRUE(sameBits(tensor, make("3xf64=rand:normal", 7)));
  EXPECT_TRUE(sameBits(tensor, make("3xf64=rand:normal:seed=7", 9)));
  EXPECT_FALSE(sameBits(tensor, make("3xf64=rand:normal:seed=8")));
  EXPECT_TRUE(
      sameBits(make("3xf64=rand:uniform"), make("3xf64=rand:uniform:seed=0")));
}

TEST(InputSpec, RandomParametersScale) {
  HostTensor plain = make("9xf64=rand:normal:seed=1");
  HostTensor scaled = make("9xf64=rand:normal:seed=1,mean=10,std=0.5");
  HostTensor halves = make("9xbf16=rand:normal:seed=1");
  for (int64_t i = 0; i < 9; ++i) {
    EXPECT_EQ(scaled.get(i), std::fma(0.5, plain.get(i), 10));
    EXPECT_EQ(halves.get(i), roundToDType(DType::BF16, plain.get(i)));
  }
  HostTensor uniform = make("1000xf64=rand:uniform: lo = -3 , hi=-2");
  for (int64_t i = 0; i < 1000; ++i) {
    ASSERT_GE(uniform.get(i), -3);
    ASSERT_LT(uniform.get(i), -2);
  }
  EXPECT_EQ(run("2xf32=rand:uniform:lo=2,hi=2"), "2xf32 = [2, 2]");
  EXPECT_EQ(run("2xf32=rand:normal:std=0"), "2xf32 = [0, 0]");
}

TEST(InputSpec, RandomIntegersAndBools) {
  std::vector<int> seen(16), coins(2);
  HostTensor integers = make("1000xi32=rand:uniform");
  HostTensor normal = make("1000xi32=rand:normal");
  HostTensor bools = make("1000xi1=rand:normal");
  for (int64_t i = 0; i < 1000; ++i) {
    ++seen.at(size_t(integers.get(i) + 8));
    ASSERT_LE(std::abs(normal.get(i)), 32);
    ++coins.at(size_t(bools.get(i)));
  }
  for (int count : seen)
    EXPECT_GT(count, 0);
  EXPECT_GT(std::min(coins[0], coins[1]), 400);
}

TEST(InputSpec, MalformedRandom) {
  EXPECT_EQ(run("f32=rand:"),
            "expects rand:normal or rand:uniform, but got ''");
  EXPECT_EQ(run("f32=rand:gamma:seed=1"),
            "expects rand:normal or rand:uniform, but got 'gamma'");
  EXPECT_EQ(run("f32=rand:normal:"),
            "expects a parameter such as seed=7 after the kind of random "
            "values, but got ''");
  EXPECT_EQ(run("f32=rand:normal:7"),
            "expects a parameter such as seed=7 after the kind of random "
            "values, but got '7'");
  EXPECT_EQ(run("f32=rand:normal:lo=1"),
            "expects seed, mean or std for rand:normal, but got 'lo'");
  EXPECT_EQ(run("f32=rand:uniform:std=1"),
            "expects seed, lo or hi for rand:uniform, but got 'std'");
  EXPECT_EQ(run("f32=rand:normal:seed=1,seed=1"),
            "expects 'seed' once, but got it twice");
  EXPECT_EQ(run("f32=rand:normal:mean=1,mean=2"),
            "expects 'mean' once, but got it twice");
  for (const char *seed : {"", "-1", "1.5", "18446744073709551616", "x"})
    EXPECT_EQ(run("f32=rand:normal:seed=" + std::string(seed)),
              "expects an integer from 0 to 2^64 - 1 as 'seed', but got '" +
                  std::string(seed) + "'");
  for (const char *mean : {"", "inf", "nan", "1e400", "x"})
    EXPECT_EQ(run("f32=rand:normal:mean=" + std::string(mean)),
              "expects a finite number as 'mean', but got '" +
                  std::string(mean) + "'");
  EXPECT_EQ(run("f32=rand:normal:std=-1"),
            "expects 'std' of 0 or more, but got -1");
  EXPECT_EQ(run("f32=rand:uniform:lo=2"),
            "expects 'lo' up to 'hi' for rand:uniform, but got 2 and 1");
  EXPECT_EQ(run("f32=rand:uniform:lo=-1e308,hi=1e308"),
            "expects 'lo' up to 'hi' for rand:uniform, but got -1e+308 and "
            "1e+308");
  EXPECT_EQ(run("i1=rand:uniform:lo=0"),
            "expects no parameter but seed for random i1, but got more");
  EXPECT_EQ(run("i1=rand:normal:mean=0"),
            "expects no parameter but seed for random i1, but got more");
}

TEST(InputSpec, HugeTypes) {
  EXPECT_EQ(run("x=1000000000x1000000000xf32=rand:normal"),
            "cannot allocate 4000000000000000000 bytes for "
            "1000000000x1000000000xf32");
  EXPECT_EQ(run("1", TensorType{DType::F32, {int64_t{1} << 62}}),
            "expects a tensor of less than 2^63 bytes, but got "
            "4611686018427387904xf32");
}

TEST(DefaultInput, IsNormalWithTheIndexAsSeed) {
  TensorType type{DType::F32, {5}};
  EXPECT_TRUE(
      sameBits(*defaultInput(type, 3), make("5xf32=rand:normal:seed=3")));
  EXPECT_FALSE(sameBits(*defaultInput(type, 3), *defaultInput(type, 4)));
  EXPECT_TRUE(defaultInput({DType::Bool, {5}}, 0).ok());
  EXPECT_FALSE(defaultInput({DType::F32, {-1}}, 0).ok());
}

TEST(DefaultInput, ScalesWeightsByTheirLastSize) {
  TensorType type{DType::F32, {5, 12}};
  EXPECT_EQ(defaultInputText(type, 3), "rand:normal:seed=3");
  EXPECT_EQ(defaultInputText(type, 3, true), "rand:normal:seed=3,std=0.2887");
  EXPECT_TRUE(sameBits(*defaultInput(type, 3, true),
                       make("5x12xf32=rand:normal:seed=3,std=0.2887")));
  // A vector scales or shifts; numbers that count are no weights.
  EXPECT_EQ(defaultInputText({DType::F32, {12}}, 0, true),
            "rand:normal:seed=0");
  EXPECT_EQ(defaultInputText({DType::I32, {5, 12}}, 0, true),
            "rand:normal:seed=0");
  EXPECT_EQ(defaultInputText({DType::F32, {5, 0}}, 0, true),
            "rand:normal:seed=0");
}

/// Text from pieces of specs, which reaches deeper than random characters.
static std::string drawText() {
  return *rc::gen::map(
      rc::gen::container<std::vector<std::string>>(
          rc::gen::elementOf(std::vector<std::string>{"x",
                                                      "=",
                                                      ":",
                                                      ",",
                                                      "[",
                                                      "]",
                                                      "@",
                                                      " ",
                                                      "1",
                                                      "0",
                                                      "-",
                                                      ".",
                                                      "e9",
                                                      "2x3xf32",
                                                      "f16",
                                                      "i1",
                                                      "4x",
                                                      "rand:",
                                                      "normal",
                                                      "uniform",
                                                      "seed",
                                                      "mean",
                                                      "lo",
                                                      "splat:",
                                                      "nan",
                                                      "inf",
                                                      "true",
                                                      "\n",
                                                      "\xff",
                                                      std::string(1, '\0'),
                                                      "99999999999999999999"})),
      [](const std::vector<std::string> &pieces) {
        std::string text;
        for (const std::string &piece : pieces)
          text += piece;
        return text;
      });
}

RC_GTEST_PROP(InputSpec, AnyTextGivesATensorOrAMessage, ()) {
  std::string text = drawText();
  Result<InputSpec> spec = parseInputSpec(text);
  RC_CLASSIFY(spec.ok(), "is a spec");
  if (!spec.ok()) {
    RC_ASSERT(messageOf(spec).rfind("expects ", 0) == 0u);
    return;
  }
  Result<HostTensor> tensor =
      materialize(*spec, TensorType{DType::F32, {2, 3}});
  RC_ASSERT(tensor.ok() != !messageOf(tensor).empty());
  if (tensor.ok())
    RC_ASSERT(formatTensorType(tensor->type()) == "2x3xf32");
}

RC_GTEST_PROP(ParseDims, AnyTextGivesDimsOrAMessage, ()) {
  auto dims = parseDims(drawText());
  RC_ASSERT(dims.ok() != !messageOf(dims).empty());
}

TEST(ParseDims, Sizes) {
  using Dims = std::vector<std::pair<std::string, int64_t>>;
  EXPECT_EQ(*parseDims("B=4,N=24"), (Dims{{"B", 4}, {"N", 24}}));
  EXPECT_EQ(*parseDims(" Hq = 0 , _2=9223372036854775807"),
            (Dims{{"Hq", 0}, {"_2", INT64_MAX}}));
}

TEST(ParseDims, Malformed) {
  auto message = [](const char *text) { return messageOf(parseDims(text)); };
  EXPECT_EQ(message(""), "expects dims such as B=4,N=24, but got ''");
  EXPECT_EQ(message("B"), "expects dims such as B=4,N=24, but got 'B'");
  EXPECT_EQ(message("B=4,"), "expects dims such as B=4,N=24, but got ''");
  EXPECT_EQ(message("B=4,B=4"), "expects dim 'B' once, but got it twice");
  for (const char *size : {"", "-1", "x", "4.0", "9223372036854775808", "1 2"})
    EXPECT_EQ(message(("B=" + std::string(size)).c_str()),
              "expects a size from 0 to 2^63 - 1 for dim 'B', but got '" +
                  std::string(size) + "'");
  for (const char *name : {"", "2", "a-b", "B N"})
    EXPECT_EQ(message((std::string(name) + "=1").c_str()),
              "expects a name of letters, digits and '_' for a dim, but got '" +
                  std::string(name) + "'");
}
