//===- ArtifactTest.cpp - artifacts to bytes and back ---------------------===//

#include "fuse/runtime/Artifact.h"

#include "TestArtifacts.h"
#include "TestUtils.h"

#include <cstring>
#include <fstream>
#include <functional>

using namespace fuse::rt;

static std::string serialized(const Artifact &artifact) {
  Result<std::string> bytes = serializeArtifact(artifact);
  EXPECT_EQ(messageOf(bytes), "");
  return bytes.ok() ? *bytes : "";
}

static std::string parseError(std::string_view bytes) {
  return messageOf(parseArtifact(bytes, "p.fuse"));
}

/// The same test artifact, changed.
static Artifact changed(const std::function<void(Artifact &)> &change) {
  Artifact artifact = makeTwoKernelArtifact();
  change(artifact);
  return artifact;
}

TEST(Artifact, RoundTrip) {
  Artifact artifact = makeTwoKernelArtifact();
  artifact.cubins = {{0, "sm_90a", std::string("\0\1\2", 3)}};
  artifact.plans[0].launches[1].independent = true;
  std::string bytes = serialized(artifact);
  EXPECT_EQ(bytes.substr(1, 4), "FUSE");
  Result<Artifact> again = parseArtifact(bytes, "p.fuse");
  ASSERT_EQ(messageOf(again), "");
  EXPECT_EQ(again->name, "normalize");
  EXPECT_EQ(again->producer, "a test");
  EXPECT_EQ(again->dims, artifact.dims);
  EXPECT_EQ(again->constants, artifact.constants);
  ASSERT_EQ(again->arguments.size(), 2u);
  EXPECT_EQ(again->arguments[0].shape, artifact.arguments[0].shape);
  EXPECT_FALSE(again->arguments[0].isParam);
  EXPECT_TRUE(again->arguments[1].isParam);
  EXPECT_EQ(again->sources[0].text, kTwoKernels);
  EXPECT_EQ(again->cubins[0].bytes, std::string("\0\1\2", 3));
  EXPECT_EQ(again->kernels[0].predicted, R"({"bytes":64})");
  EXPECT_EQ(again->kernels[1].predicted, "");
  EXPECT_EQ(again->plans[0].guard[1].message, "N at most 4096");
  EXPECT_EQ(again->plans[0].launches[1].operands[3].kind,
            Artifact::Operand::Kind::Result);
  EXPECT_FALSE(again->plans[0].launches[0].overlap);
  EXPECT_TRUE(again->plans[0].launches[1].overlap);
  EXPECT_FALSE(again->plans[0].launches[0].independent);
  EXPECT_TRUE(again->plans[0].launches[1].independent);
  // All the rest, too: the same data give the same bytes.
  EXPECT_EQ(serialized(*again), bytes);
}

TEST(Artifact, EqualTextsAreStoredOnce) {
  Artifact twice = changed([](Artifact &artifact) {
    artifact.sources.push_back(artifact.sources[0]);
    artifact.sources[1].name = "again.cu";
    artifact.kernels[1].source = 1;
  });
  EXPECT_LT(serialized(twice).size(),
            serialized(makeTwoKernelArtifact()).size() + strlen(kTwoKernels));
}

TEST(Artifact, Files) {
  TemporaryDirectory directory;
  std::string path = directory.path("p.fuse");
  ASSERT_EQ(messageOf(writeArtifactFile(path, makeTwoKernelArtifact())), "");
  Result<Artifact> artifact = readArtifactFile(path);
  ASSERT_EQ(messageOf(artifact), "");
  EXPECT_EQ(serialized(*artifact), serialized(makeTwoKernelArtifact()));
  EXPECT_EQ(directory.list(), std::vector<std::string>{"p.fuse"});

  Result<Artifact> missing = readArtifactFile(directory.path("q.fuse"));
  EXPECT_EQ(missing.status().code(), StatusCode::Io);
  EXPECT_EQ(messageOf(missing), directory.path("q.fuse") +
                                    ": cannot open: No such file or directory");
  EXPECT_EQ(messageOf(readArtifactFile(directory.path("."))),
            directory.path(".") + ": expects a regular file, but got a "
                                  "directory, device or pipe");
}

TEST(Artifact, DefectsOfTheFile) {
  std::string bytes = serialized(makeTwoKernelArtifact());
  EXPECT_EQ(parseError(""), "p.fuse: expects a compiled program (.fuse), but "
                            "got an empty file");
  EXPECT_EQ(parseError("module {}"), "p.fuse: expects a compiled program "
                                     "(.fuse), but got another kind of file");
  EXPECT_EQ(parseError(bytes.substr(0, 20)),
            "p.fuse: expects a header of 88 bytes, but got 20 bytes: the file "
            "is cut off");
  EXPECT_EQ(parseError(bytes.substr(0, bytes.size() - 1)),
            "p.fuse: expects a file as long as its header says, but got " +
                std::to_string(bytes.size() - 1) + " bytes: it is damaged");
  EXPECT_EQ(parseError(bytes + "x"),
            "p.fuse: expects a file as long as its header says, but got " +
                std::to_string(bytes.size() + 1) + " bytes: it is damaged");
  std::string newer = bytes;
  newer[8] = 3;
  EXPECT_EQ(parseError(newer), "p.fuse: expects version 2 of the format, the "
                               "one of this build, but got 3");
  std::string flipped = bytes;
  flipped[bytes.size() / 2] ^= 1;
  EXPECT_EQ(parseError(flipped), "p.fuse: expects the checksum of its header, "
                                 "but got another: it is damaged");
}

// Any bit of the file counts, and so does its length.
TEST(Artifact, EveryFlippedBitAndEveryLengthIsFound) {
  std::string bytes = serialized(makeTwoKernelArtifact());
  for (size_t at = 0; at < bytes.size(); at += at < 100 ? 1 : 13)
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      EXPECT_FALSE(parseArtifact(damaged, "p").ok()) << at << ' ' << bit;
    }
  for (size_t size = 0; size < bytes.size(); size += size < 100 ? 1 : 13)
    EXPECT_FALSE(parseArtifact(bytes.substr(0, size), "p").ok()) << size;
}

namespace {
struct Defect {
  const char *from, *to; ///< In the manifest.
  const char *message;
};
} // namespace

// Manifests that are wrong behind a right checksum.
TEST(Artifact, DefectsOfTheManifest) {
  static const Defect kDefects[] = {
      {R"("name":"normalize",)", "", "name: expects a string, but got nothing"},
      {R"("name":"normalize")", R"("name":7)",
       "name: expects a string, but got number"},
      {R"("name":"normalize")", R"("name":"a\nb")",
       R"(name: expects a name in one line, but got 'a\x0ab')"},
      {R"("dims":)", R"("dimz":[],"dims":)",
       "expects no key 'dimz', but got it"},
      {R"("dims":["N"])", R"("dims":["N","N"])",
       "dims[1]: expects names that differ, but got 'N' twice"},
      {R"("dims":["N"])", R"("dims":["min"])",
       "arguments[0].shape[0]: expects a number, an operator or the name of a "
       "dim, but got 'N'"},
      {R"("value":4)", R"("value":4.5)",
       "constants[0].value: expects an integer, but got a number that is no "
       "64-bit integer"},
      {R"("dtype":"f32")", R"("dtype":"f8")",
       "arguments[0].dtype: expects f16, bf16, f32, f64, i32 or i1, but got "
       "'f8'"},
      {R"("alignment":16)", R"("alignment":12)",
       "arguments[0]: alignment: expects a power of two from 4 to 256, but "
       "got 12"},
      {R"("alignment":16)", R"("alignment":2)",
       "arguments[0]: alignment: expects a power of two from 4 to 256, but "
       "got 2"},
      {R"("alignment":16)", R"("alignment":99999999999999999999)",
       "arguments[0].alignment: expects an integer from 1 to 256, but got a "
       "number that is no 64-bit integer"},
      {R"("shape":[["N"],[4]])", R"("shape":[["N"],4])",
       "arguments[0].shape[1]: expects a list, but got number"},
      {R"(["N",32,"ceildiv"])", R"(["N","ceildiv"])",
       "plans[0].launches[0].grid: expects two values before 'ceildiv', but "
       "got 1"},
      {R"(["N",32,"ceildiv"])", R"(["N",3.5,"ceildiv"])",
       "plans[0].launches[0].grid[1]: expects an integer, but got a number "
       "that is no 64-bit integer"},
      {R"("threads":32)", R"("threads":1025)",
       "plans[0].launches[0].threads: expects an integer from 1 to 1024, but "
       "got 1025"},
      {R"("threads":32)", R"("threads":0)",
       "plans[0].launches[0].threads: expects an integer from 1 to 1024, but "
       "got 0"},
      {R"("kernel":1)", R"("kernel":2)",
       "plans[0].launches[1].kernel: expects an integer from 0 to 1, but got "
       "2"},
      {R"({"argument":1})", R"({"argument":2})",
       "plans[0].launches[1].operands[1].argument: expects an integer from 0 "
       "to 1, but got 2"},
      {R"({"argument":1})", R"({"argument":1,"result":0})",
       "plans[0].launches[1].operands[1]: expects one of argument, result, "
       "workspace and scalar, but got 2 of them"},
      {R"({"argument":1})", R"({})",
       "plans[0].launches[1].operands[1]: expects one of argument, result, "
       "workspace and scalar, but got 0 of them"},
      {R"("name":"row_sums")", R"("name":"row sums")",
       "kernels[0]: expects the name of a function, but got 'row sums'"},
      {R"("name":"row_sums")", R"("name":"scale_rows")",
       "kernels[1]: expects names that differ, but got 'scale_rows' twice"},
      {R"("name":"y")", R"("name":"../y")",
       "results[0]: expects a name of letters, digits, '_', '.' and '-', but "
       "got '../y'"},
      {R"("source":0)", R"("source":1)",
       "kernels[0].source: expects an integer from 0 to 0, but got 1"},
      {R"("blob":0)", R"("blob":-1)",
       "sources[0].blob: expects an integer from 0 to 0, but got -1"},
      {R"("blobs":[)", R"("blobs":[1,)",
       "blobs[1]: expects an integer from 0 to "},
      {R"("ieee":true)", R"("ieee":1)",
       "sources[0].ieee: expects true or false, but got number"},
      {R"("plans":[)", R"("plans":[],"producer":[)",
       "producer: expects a string, but got array"},
  };
  std::string bytes = serialized(makeTwoKernelArtifact());
  for (const Defect &defect : kDefects) {
    std::string manifest = manifestOf(bytes);
    size_t at = manifest.find(defect.from);
    ASSERT_NE(at, std::string::npos) << defect.from << "\n" << manifest;
    manifest.replace(at, std::strlen(defect.from), defect.to);
    std::string message = parseError(withManifest(bytes, manifest));
    EXPECT_EQ(message.substr(0, 8 + std::strlen(defect.message)),
              std::string("p.fuse: ") + defect.message);
  }
}

TEST(Artifact, ManifestsThatAreNoJson) {
  std::string bytes = serialized(makeTwoKernelArtifact());
  EXPECT_EQ(parseError(withManifest(bytes, "{")),
            "p.fuse: expects JSON, but got malformed text '{'");
  EXPECT_EQ(parseError(withManifest(bytes, "[]")),
            "p.fuse: expects an object, but got array");
  EXPECT_EQ(parseError(withManifest(bytes, std::string(100000, '['))),
            "p.fuse: expects JSON of at most 32 levels, but got 100000");
  EXPECT_EQ(parseError(withManifest(bytes, "{\"\xff\":1}")),
            R"(p.fuse: expects JSON, but got malformed text '{"\xff":1}')");
}

TEST(Artifact, WritersMistakes) {
  auto message = [](const std::function<void(Artifact &)> &change) {
    Result<std::string> bytes = serializeArtifact(changed(change));
    EXPECT_EQ(bytes.status().code(), StatusCode::InvalidInput);
    return messageOf(bytes);
  };
  EXPECT_EQ(message([](Artifact &a) { a.name.clear(); }),
            "name: expects a name in one line, but got ''");
  EXPECT_EQ(message([](Artifact &a) { a.results.clear(); }),
            "results: expects 1 to 1024 entries, but got 0");
  EXPECT_EQ(message([](Artifact &a) { a.plans.clear(); }),
            "plans: expects 1 to 3 entries, but got 0");
  EXPECT_EQ(message([](Artifact &a) { a.plans.resize(4, a.plans[0]); }),
            "plans: expects 1 to 3 entries, but got 4");
  EXPECT_EQ(message([](Artifact &a) { a.sources[0].text.clear(); }),
            "sources[0]: expects a text, but got none");
  EXPECT_EQ(message([](Artifact &a) { a.sources.push_back(a.sources[0]); }),
            "sources[1]: expects names that differ, but got 'normalize.cu' "
            "twice");
  EXPECT_EQ(message([](Artifact &a) { a.kernels.clear(); }),
            "kernels: expects 1 to 1024 entries, but got 0");
  EXPECT_EQ(message([](Artifact &a) { a.sources[0].text += '\0'; }),
            "sources[0]: expects a text without zero bytes, but got one");
  EXPECT_EQ(message([](Artifact &a) { a.kernels[0].predicted = "{"; }),
            "kernels[0]: predicted: expects JSON, but got malformed text '{'");
  EXPECT_EQ(message([](Artifact &a) { a.kernels[0].source = 1; }),
            "kernels[0]: source: expects an index below 1, but got 1");
  EXPECT_EQ(message([](Artifact &a) { a.plans[0].launches[0].kernel = 9; }),
            "plans[0]: launches[0]: kernel: expects an index below 2, but got "
            "9");
  EXPECT_EQ(message([](Artifact &a) {
              a.plans[0].launches[0].grid = IntExpr::dim(1);
            }),
            "plans[0]: launches[0]: grid: expects a dim below 1, but got 1");
  EXPECT_EQ(message([](Artifact &a) {
              a.plans[0].launches[0].operands[0].index = 5;
            }),
            "plans[0]: launches[0]: operands[0]: argument: expects an index "
            "below 2, but got 5");
  EXPECT_EQ(message([](Artifact &a) { a.plans[0].launches[0].threads = 2048; }),
            "plans[0]: launches[0]: expects 1 to 1024 threads, but got 2048");
  EXPECT_EQ(message([](Artifact &a) { a.plans[0].guard[0].message = "a\nb"; }),
            "plans[0]: guard[0]: expects a message in one line, but got "
            R"('a\x0ab')");
  EXPECT_EQ(message([](Artifact &a) { a.dims[0] = "ceildiv"; }),
            "dims[0]: expects the name of a dim, but got 'ceildiv'");
  EXPECT_EQ(message([](Artifact &a) { a.constants[0].first = "N"; }),
            "constants[0]: expects names that differ, but got 'N' twice");
  EXPECT_EQ(message([](Artifact &a) { a.arguments[0].shape.resize(9); }),
            "arguments[0]: shape: expects 0 to 8 entries, but got 9");
}
