//===- NpyTest.cpp - .npy files, in and out -------------------------------===//

#include "NpySeeds.h"
#include "TestUtils.h"

#include "fuse/runtime/Npy.h"

#include "rapidcheck/gtest.h"

#include <csignal>
#include <fstream>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace fuse::rt;

namespace {
class NpySeeds : public testing::TestWithParam<NpySeed> {};
} // namespace

INSTANTIATE_TEST_SUITE_P(NumPy, NpySeeds, testing::ValuesIn(npySeeds()),
                         [](const auto &info) { return info.param.name; });

static HostTensor expectedTensor(const NpySeed &seed) {
  return std::move(*HostTensor::fromDoubles(seed.type, seed.values));
}

static std::string written(const HostTensor &tensor) {
  Result<std::vector<std::byte>> bytes = writeNpyBuffer(tensor);
  EXPECT_EQ(messageOf(bytes), "");
  return {reinterpret_cast<const char *>(bytes->data()), bytes->size()};
}

static std::string fileContents(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_P(NpySeeds, AreReadFromMemory) {
  const NpySeed &seed = GetParam();
  Result<HostTensor> tensor =
      readNpyBuffer(seed.bytes.data(), seed.bytes.size(), seed.name);
  ASSERT_EQ(messageOf(tensor), "");
  EXPECT_EQ(formatTensorType(tensor->type()), formatTensorType(seed.type));
  EXPECT_TRUE(sameBits(*tensor, expectedTensor(seed)));
}

TEST_P(NpySeeds, AreReadFromFiles) {
  const NpySeed &seed = GetParam();
  TemporaryDirectory directory;
  std::string path = directory.path("x.npy");
  std::ofstream(path, std::ios::binary) << seed.bytes;
  Result<HostTensor> tensor = readNpyFile(path);
  ASSERT_EQ(messageOf(tensor), "");
  EXPECT_TRUE(sameBits(*tensor, expectedTensor(seed)));
}

TEST_P(NpySeeds, AreWrittenByteForByte) {
  if (GetParam().canonical)
    EXPECT_EQ(written(expectedTensor(GetParam())), GetParam().bytes);
  else
    EXPECT_NE(written(expectedTensor(GetParam())), GetParam().bytes);
}

/// A version 1 file with one f32 element.
static std::string withHeader(const std::string &header) {
  std::string file("\x93NUMPY\1\0", 8);
  file += {static_cast<char>(header.size()), '\0'};
  return file + header + std::string("\0\0\x20\x41", 4);
}

TEST(Npy, HeadersMayBeSpelledOtherwise) {
  for (const char *header :
       {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
        "{'shape':(1,),'fortran_order':True,'descr':'<f4',}\n",
        "  { \"descr\" : \"<f4\" , \"shape\" : ( 1 , ) ,\n"
        " \"fortran_order\" : False }  \n\n",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1L,), }\n",
        "{'descr': '=f4', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '|f4', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': 'f4', 'fortran_order': False, 'shape': (1, 1), }"}) {
    std::string file = withHeader(header);
    Result<HostTensor> tensor = readNpyBuffer(file.data(), file.size(), "x");
    ASSERT_EQ(messageOf(tensor), "") << header;
    EXPECT_EQ(tensor->get(0), 10) << header;
  }
}

TEST(Npy, SpellingsOfBFloat16) {
  for (const char *descr : {"<V2", "|V2", "V2", "bfloat16", "<bfloat16"}) {
    std::string file = withHeader("{'descr': '" + std::string(descr) +
                                  "', 'fortran_order': False, "
                                  "'shape': (2,), }");
    Result<HostTensor> tensor = readNpyBuffer(file.data(), file.size(), "x");
    ASSERT_EQ(messageOf(tensor), "") << descr;
    EXPECT_EQ(tensor->dtype(), DType::BF16);
    EXPECT_EQ(tensor->get(1), 10) << descr;
  }
}

// More elements than the reader takes at a time.
TEST(Npy, LargeFortranOrder) {
  constexpr int64_t kRows = 700, kColumns = 90;
  std::string file("\x93NUMPY\1\0\x76\0", 10);
  std::string header = "{'descr': '<f4', 'fortran_order': True, 'shape': "
                       "(700, 90), }";
  header.resize(117, ' ');
  file += header + '\n';
  for (int64_t column = 0; column < kColumns; ++column)
    for (int64_t row = 0; row < kRows; ++row) {
      float value = float(row * kColumns + column);
      file.append(reinterpret_cast<const char *>(&value), sizeof value);
    }
  Result<HostTensor> tensor = readNpyBuffer(file.data(), file.size(), "x");
  ASSERT_EQ(messageOf(tensor), "");
  for (int64_t i = 0; i < kRows * kColumns; ++i)
    ASSERT_EQ(tensor->get(i), i);
}

TEST(Npy, DataIsAlignedWhateverTheShape) {
  for (int64_t size : {1, 12, 123456789})
    for (size_t rank = 1; rank <= 8; ++rank) {
      std::vector<int64_t> shape(rank, 0);
      shape.back() = size;
      if (rank == 1)
        shape = {0};
      HostTensor tensor = makeTensor(DType::F16, shape, {});
      EXPECT_EQ(written(tensor).size() % 64, 0u);
    }
}

RC_GTEST_PROP(Npy, ReadInvertsWrite, ()) {
  HostTensor tensor = drawTensor();
  std::string bytes = written(tensor);
  Result<HostTensor> back = readNpyBuffer(bytes.data(), bytes.size(), "x");
  RC_ASSERT(back.ok());
  RC_ASSERT(sameBits(*back, tensor));
}

RC_GTEST_PROP(Npy, NoPrefixIsAFile, ()) {
  std::string bytes = written(drawTensor());
  auto size = *rc::gen::inRange<size_t>(0, bytes.size());
  RC_ASSERT(!readNpyBuffer(bytes.data(), size, "x").ok());
  bytes += '\0';
  RC_ASSERT(!readNpyBuffer(bytes.data(), bytes.size(), "x").ok());
}

TEST(NpyFile, WritesAndReplaces) {
  TemporaryDirectory directory;
  std::string path = directory.path("x.npy");
  for (double value : {1.0, 2.0}) {
    HostTensor tensor = makeTensor(DType::F32, {2}, {value, -value});
    ASSERT_EQ(messageOf(writeNpyFile(path, tensor)), "");
    EXPECT_EQ(fileContents(path), written(tensor));
    EXPECT_TRUE(sameBits(*readNpyFile(path), tensor));
  }
  EXPECT_EQ(directory.list(), std::vector<std::string>{"x.npy"});
}

TEST(NpyFile, LeavesForeignTemporaryFilesAlone) {
  TemporaryDirectory directory;
  std::ofstream(directory.path("x.npy.tmp0")) << "theirs";
  HostTensor tensor = makeTensor(DType::F32, {}, {1});
  ASSERT_EQ(messageOf(writeNpyFile(directory.path("x.npy"), tensor)), "");
  EXPECT_EQ(directory.list(),
            (std::vector<std::string>{"x.npy", "x.npy.tmp0"}));
  EXPECT_EQ(fileContents(directory.path("x.npy.tmp0")), "theirs");
}

TEST(NpyFile, ReportsWhatCannotBeOpened) {
  TemporaryDirectory directory;
  std::string missing = directory.path("no/x.npy");
  HostTensor tensor = makeTensor(DType::F32, {}, {1});
  EXPECT_EQ(messageOf(readNpyFile(missing)),
            missing + ": cannot open: No such file or directory");
  EXPECT_EQ(readNpyFile(missing).status().code(), StatusCode::Io);
  EXPECT_EQ(messageOf(writeNpyFile(missing, tensor)),
            missing + ": cannot write: No such file or directory");
  EXPECT_EQ(writeNpyFile(missing, tensor).code(), StatusCode::Io);
}

TEST(NpyFile, WantsRegularFiles) {
  TemporaryDirectory directory;
  std::string pipe = directory.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  HostTensor tensor = makeTensor(DType::F32, {}, {1});
  for (const std::string &path :
       {directory.path(""), pipe, std::string("/dev/null")}) {
    EXPECT_EQ(messageOf(readNpyFile(path)),
              path + ": expects a regular file, but got a directory, device "
                     "or pipe");
    EXPECT_EQ(messageOf(writeNpyFile(path, tensor)),
              path + ": cannot write: it exists and is not a regular file");
  }
  EXPECT_EQ(directory.list(), std::vector<std::string>{"pipe"});
}

namespace {
/// Limits the size of files that the process may write, for its lifetime.
class FileSizeLimit {
public:
  explicit FileSizeLimit(rlim_t bytes) {
    oldHandler = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    rlimit limited = {bytes, old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limited);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, oldHandler);
  }

private:
  rlimit old;
  void (*oldHandler)(int);
};
} // namespace

// Small tensors fail when the buffer is flushed, large ones while writing.
TEST(NpyFile, AFailedWriteChangesNothing) {
  for (int64_t size : {100, 100000}) {
    TemporaryDirectory directory;
    std::string path = directory.path("x.npy");
    HostTensor old = makeTensor(DType::F32, {}, {1});
    ASSERT_EQ(messageOf(writeNpyFile(path, old)), "");
    HostTensor tensor = std::move(*HostTensor::create({DType::F64, {size}}));
    std::string message;
    {
      FileSizeLimit limit(512);
      message = messageOf(writeNpyFile(path, tensor));
    }
    EXPECT_EQ(message, path + ": cannot write: File too large");
    EXPECT_EQ(directory.list(), std::vector<std::string>{"x.npy"});
    EXPECT_TRUE(sameBits(*readNpyFile(path), old));
  }
}
