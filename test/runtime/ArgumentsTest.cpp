//===- ArgumentsTest.cpp - inputs of a call -------------------------------===//

#include "fuse/runtime/Arguments.h"

#include "TestUtils.h"

#include "fuse/runtime/Npy.h"

#include <fstream>

using namespace fuse::rt;

static std::vector<InputOption>
parseAll(const std::vector<std::string> &texts) {
  std::vector<InputOption> options;
  for (const std::string &text : texts) {
    Result<InputSpec> spec = parseInputSpec(text);
    EXPECT_EQ(messageOf(spec), "") << text;
    options.push_back({text, std::move(*spec)});
  }
  return options;
}

static Arguments makeArguments() {
  return Arguments({{"q", DType::F32, 2}, {"k", DType::I32, 1}});
}

static std::string assignError(const std::vector<std::string> &texts) {
  Arguments arguments = makeArguments();
  return messageOf(arguments.assign(parseAll(texts)));
}

using Shape = std::optional<std::vector<int64_t>>;

static Shape shape(std::vector<int64_t> sizes) { return sizes; }

TEST(Arguments, ByNameAndPosition) {
  Arguments arguments = makeArguments();
  ASSERT_EQ(
      messageOf(arguments.assign(parseAll({"k=1,2,3", "[[1, 2], [3, 4]]"}))),
      "");
  EXPECT_EQ(arguments.knownShapes(),
            (std::vector<Shape>{shape({2, 2}), shape({3})}));
  EXPECT_TRUE(arguments.drawn({{2, 2}, {3}}).empty());
  Result<std::vector<HostTensor>> tensors =
      arguments.materialize({{2, 2}, {3}});
  ASSERT_EQ(messageOf(tensors), "");
  EXPECT_TRUE(
      sameBits((*tensors)[0], makeTensor(DType::F32, {2, 2}, {1, 2, 3, 4})));
  EXPECT_TRUE(sameBits((*tensors)[1], makeTensor(DType::I32, {3}, {1, 2, 3})));
}

TEST(Arguments, ShapesThatAreNotKnownYet) {
  Arguments arguments = makeArguments();
  ASSERT_EQ(messageOf(arguments.assign(parseAll({"splat:1", "k=7"}))), "");
  EXPECT_EQ(arguments.knownShapes(), (std::vector<Shape>{{}, {}}));
  Arguments empty = makeArguments();
  ASSERT_EQ(messageOf(empty.assign(parseAll({"[]"}))), "");
  EXPECT_EQ(empty.knownShapes()[0], std::nullopt);
}

TEST(Arguments, WhatIsNotGivenIsDrawn) {
  Arguments arguments = makeArguments();
  ASSERT_EQ(messageOf(arguments.assign(parseAll({"q=1"}))), "");
  EXPECT_EQ(arguments.drawn({{1, 1}, {5}}),
            std::vector<std::string>{"--input=k=rand:normal:seed=1"});
  Result<std::vector<HostTensor>> tensors =
      arguments.materialize({{1, 1}, {5}});
  ASSERT_EQ(messageOf(tensors), "");
  Result<HostTensor> drawn = defaultInput({DType::I32, {5}}, 1);
  ASSERT_EQ(messageOf(drawn), "");
  EXPECT_TRUE(sameBits((*tensors)[1], *drawn));
}

// So that a run can be repeated in so many words.
TEST(Arguments, WhatIsDrawnCanBeSaid) {
  Arguments arguments({{"w", DType::F32, 2, /*isWeight=*/true}});
  std::vector<std::string> drawn = arguments.drawn({{4, 16}});
  ASSERT_EQ(drawn,
            std::vector<std::string>{"--input=w=rand:normal:seed=0,std=0.25"});
  Arguments again = Arguments({{"w", DType::F32, 2, false}});
  ASSERT_EQ(messageOf(again.assign(parseAll({drawn[0].substr(8)}))), "");
  auto implied = arguments.materialize({{4, 16}});
  auto said = again.materialize({{4, 16}});
  ASSERT_EQ(messageOf(implied) + messageOf(said), "");
  EXPECT_TRUE(sameBits((*implied)[0], (*said)[0]));
}

TEST(Arguments, WrongInputs) {
  EXPECT_EQ(assignError({"x=1"}),
            "--input=x=1: expects the name of an argument (q, k), but got 'x'");
  EXPECT_EQ(assignError({"1", "2", "3"}),
            "--input=3: expects at most 2 inputs, "
            "one for each argument (q, k)");
  EXPECT_EQ(assignError({"1", "q=2"}),
            "--input=q=2: expects argument 'q' once, "
            "but it is given by --input=1 too");
  EXPECT_EQ(
      assignError({"q=2x2xf64=1"}),
      "--input=q=2x2xf64=1: expects elements of f32 for argument 'q', but "
      "got f64");
  EXPECT_EQ(assignError({"q=2xf32=1"}),
            "--input=q=2xf32=1: expects rank 2 for argument 'q', but got 1");
  EXPECT_EQ(assignError({"q=[1, 2]"}),
            "--input=q=[1, 2]: expects rank 2 for argument 'q', but got 1");
  EXPECT_EQ(assignError({"q=@/nowhere/q.npy"}),
            "--input=q=@/nowhere/q.npy: /nowhere/q.npy: cannot open: No such "
            "file or directory");
  Arguments none({});
  EXPECT_EQ(messageOf(none.assign(parseAll({"1"}))),
            "--input=1: expects no input, since the function has no arguments");
  Arguments arguments = makeArguments();
  ASSERT_EQ(messageOf(arguments.assign(parseAll({"q=1,2,3", "k=1"}))), "");
  EXPECT_EQ(messageOf(arguments.materialize({{2, 2}, {1}})),
            "--input=q=1,2,3: expects 4 values for 2x2xf32, but got 3");
}

TEST(Arguments, Folders) {
  TemporaryDirectory directory;
  ASSERT_EQ(messageOf(writeNpyFile(directory.path("k.npy"),
                                   makeTensor(DType::I32, {2}, {5, 6}))),
            "");
  std::ofstream(directory.path("other.npy")) << "not read";
  Arguments arguments = makeArguments();
  ASSERT_EQ(messageOf(arguments.readFolder(directory.path("."))), "");
  EXPECT_EQ(arguments.knownShapes(), (std::vector<Shape>{{}, shape({2})}));
  EXPECT_EQ(arguments.drawn({{3, 2}, {2}}).size(), 1u);

  // An input comes before the folder, whose file need not even be right.
  std::ofstream(directory.path("k.npy")) << "damaged";
  Arguments overridden = makeArguments();
  ASSERT_EQ(messageOf(overridden.assign(parseAll({"k=1"}))), "");
  EXPECT_EQ(messageOf(overridden.readFolder(directory.path("."))), "");
  Arguments damaged = makeArguments();
  std::string message = messageOf(damaged.readFolder(directory.path(".")));
  EXPECT_EQ(message.rfind("--input-dir=" + directory.path(".") + ": ", 0), 0u)
      << message;
}

TEST(Arguments, WrongFolders) {
  TemporaryDirectory directory;
  Arguments arguments = makeArguments();
  EXPECT_EQ(messageOf(arguments.readFolder(directory.path("none"))),
            "--input-dir=" + directory.path("none") +
                ": expects a folder, but there is none");
  EXPECT_EQ(messageOf(arguments.readFolder(directory.path("."))),
            "--input-dir=" + directory.path(".") +
                ": expects <argument name>.npy for one of q, k at least, but "
                "there is none");
  ASSERT_EQ(messageOf(writeNpyFile(directory.path("q.npy"),
                                   makeTensor(DType::F32, {1}, {5}))),
            "");
  EXPECT_EQ(messageOf(arguments.readFolder(directory.path("."))),
            "--input-dir=" + directory.path(".") +
                ": expects rank 2 for argument 'q', but got 1");
}
