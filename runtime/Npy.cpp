//===- Npy.cpp - NumPy's .npy format --------------------------------------===//

#include "fuse/runtime/Npy.h"

#include "AtomicFile.h"
#include "NoThrow.h"
#include "NpyHeader.h"
#include "Text.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

using namespace fuse::rt;

namespace {
/// Bytes of known number, read front to back.
class ByteSource {
public:
  explicit ByteSource(uint64_t size) : left(size) {}
  virtual ~ByteSource() = default;

  uint64_t remaining() const { return left; }

  /// Fills `to`; `count` is at most `remaining()`.
  Status read(void *to, uint64_t count) {
    left -= count;
    return readNext(to, static_cast<size_t>(count));
  }

private:
  virtual Status readNext(void *to, size_t count) = 0;

  uint64_t left;
};

class BufferSource final : public ByteSource {
public:
  BufferSource(const void *data, size_t size)
      : ByteSource(size), next(static_cast<const std::byte *>(data)) {}

private:
  Status readNext(void *to, size_t count) override {
    if (count)
      std::memcpy(to, next, count);
    next += count;
    return {};
  }

  const std::byte *next;
};

struct CloseFile {
  void operator()(std::FILE *file) const { std::fclose(file); }
};
using FilePtr = std::unique_ptr<std::FILE, CloseFile>;

class FileSource final : public ByteSource {
public:
  FileSource(FilePtr file, uint64_t size)
      : ByteSource(size), file(std::move(file)) {}

private:
  Status readNext(void *to, size_t count) override {
    if (std::fread(to, 1, count, file.get()) == count)
      return {};
    return Status::io(std::ferror(file.get())
                          ? "cannot read: " + describeErrno(errno)
                          : "the file became shorter while it was read");
  }

  FilePtr file;
};
} // namespace

/// Reverses each group of `Size` bytes.
template <int64_t Size>
static void swapEach(std::byte *data, int64_t bytes) {
  for (std::byte *end = data + bytes; data != end; data += Size)
    std::reverse(data, data + Size);
}

static void swapBytes(std::byte *data, int64_t bytes, int64_t elementSize) {
  if (elementSize == 2)
    swapEach<2>(data, bytes);
  else if (elementSize == 4)
    swapEach<4>(data, bytes);
  else if (elementSize == 8)
    swapEach<8>(data, bytes);
}

namespace {
/// Walks the elements of a row-major tensor with the first index fastest.
class FortranWalk {
public:
  explicit FortranWalk(const std::vector<int64_t> &shape)
      : shape(shape), index(shape.size()), stride(shape.size(), 1) {
    for (size_t dim = shape.size() - 1; dim > 0; --dim)
      stride[dim - 1] = stride[dim] * shape[dim];
  }

  /// Row-major position of the current element.
  int64_t position() const { return offset; }

  void advance() {
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      offset += stride[dim];
      if (++index[dim] < shape[dim])
        return;
      offset -= stride[dim] * shape[dim];
      index[dim] = 0;
    }
  }

private:
  const std::vector<int64_t> &shape;
  std::vector<int64_t> index, stride;
  int64_t offset = 0;
};
} // namespace

static Status readFortranOrder(ByteSource &source, HostTensor &tensor) {
  constexpr int64_t kChunk = 1 << 16;
  std::vector<std::byte> chunk(kChunk);
  auto elementSize = static_cast<size_t>(dtypeSize(tensor.dtype()));
  FortranWalk walk(tensor.shape());
  for (int64_t left = tensor.byteSize(); left > 0;) {
    auto count = static_cast<size_t>(std::min(left, kChunk));
    if (Status status = source.read(chunk.data(), count); !status.ok())
      return status;
    for (size_t at = 0; at < count; at += elementSize, walk.advance())
      std::memcpy(tensor.data() + size_t(walk.position()) * elementSize,
                  &chunk[at], elementSize);
    left -= static_cast<int64_t>(count);
  }
  return {};
}

static Status checkBools(const HostTensor &tensor) {
  auto isBool = [](std::byte b) { return b <= std::byte{1}; };
  const std::byte *end = tensor.data() + tensor.byteSize();
  const std::byte *bad = std::find_if_not(tensor.data(), end, isBool);
  if (bad == end)
    return {};
  return expected("bytes of 0 or 1 for bool",
                  std::to_string(std::to_integer<int>(*bad)) + " at element " +
                      std::to_string(bad - tensor.data()));
}

/// The length of the header's dictionary, from all that stands before it.
static Result<uint32_t> readHeaderLength(ByteSource &source) {
  constexpr uint32_t kLongest = 65535; // Version 1 can say no more.
  unsigned char start[8], length[4] = {};
  if (source.remaining() < sizeof start + 2)
    return expected("a .npy file of at least 10 bytes",
                    std::to_string(source.remaining()));
  if (Status status = source.read(start, sizeof start); !status.ok())
    return status;
  std::string_view magic(reinterpret_cast<char *>(start), kNpyMagic.size());
  if (magic != kNpyMagic)
    return expected("a .npy file that starts with " + quote(kNpyMagic),
                    quote(magic));
  unsigned major = start[6], minor = start[7];
  if (major < 1 || major > 3 || minor != 0)
    return expected(".npy version 1.0, 2.0 or 3.0",
                    std::to_string(major) + "." + std::to_string(minor));

  uint64_t width = major == 1 ? 2 : 4;
  if (source.remaining() < width)
    return expected("a header length of 4 bytes",
                    std::to_string(source.remaining()) +
                        " before the end of the file");
  if (Status status = source.read(length, width); !status.ok())
    return status;
  uint32_t value =
      length[0] | length[1] << 8 | length[2] << 16 | uint32_t{length[3]} << 24;
  if (value > kLongest)
    return expected("a header of " + std::to_string(kLongest) +
                        " bytes at most",
                    std::to_string(value));
  if (value > source.remaining())
    return expected("a header of " + std::to_string(value) + " bytes",
                    std::to_string(source.remaining()) +
                        " before the end of the file");
  return value;
}

static Result<NpyHeader> readHeader(ByteSource &source) {
  Result<uint32_t> length = readHeaderLength(source);
  if (!length.ok())
    return length.status();
  std::string text(*length, '\0');
  if (Status status = source.read(text.data(), *length); !status.ok())
    return status;
  return parseNpyHeader(text);
}

static Result<HostTensor> readTensor(ByteSource &source) {
  Result<NpyHeader> header = readHeader(source);
  if (!header.ok())
    return header.status();
  Result<int64_t> bytes = byteSize(header->type);
  if (!bytes.ok())
    return bytes.status();
  if (static_cast<uint64_t>(*bytes) != source.remaining())
    return expected(std::to_string(*bytes) + " bytes of data for " +
                        formatTensorType(header->type),
                    std::to_string(source.remaining()));

  Result<HostTensor> tensor =
      HostTensor::createUninitialized(std::move(header->type));
  if (!tensor.ok())
    return tensor;
  Status status = header->fortranOrder && tensor->rank() > 1
                      ? readFortranOrder(source, *tensor)
                      : source.read(tensor->data(), source.remaining());
  if (status.ok() && tensor->dtype() == DType::Bool)
    status = checkBools(*tensor);
  if (!status.ok())
    return status;
  if (header->swapBytes)
    swapBytes(tensor->data(), *bytes, dtypeSize(tensor->dtype()));
  return tensor;
}

static Result<FileSource> openFile(const std::string &path) {
  std::error_code error;
  std::filesystem::file_status kind = std::filesystem::status(path, error);
  if (!std::filesystem::exists(kind))
    return Status::io("cannot open: " + error.message());
  if (!std::filesystem::is_regular_file(kind))
    return expected("a regular file", "a directory, device or pipe");
  uintmax_t size = std::filesystem::file_size(path, error);
  if (error)
    return Status::io("cannot open: " + error.message());
  FilePtr file(std::fopen(path.c_str(), "rb"));
  if (!file)
    return Status::io("cannot open: " + describeErrno(errno));
  return FileSource(std::move(file), size);
}

Result<HostTensor> fuse::rt::readNpyFile(const std::string &path) {
  return noThrow([&]() -> Result<HostTensor> {
    Result<FileSource> source = openFile(path);
    if (!source.ok())
      return source.status().withContext(path);
    return readTensor(*source).withContext(path);
  });
}

Result<HostTensor> fuse::rt::readNpyBuffer(const void *data, size_t size,
                                           std::string_view name) {
  return noThrow([&]() -> Result<HostTensor> {
    BufferSource source(data, size);
    return readTensor(source).withContext(name);
  });
}

Status fuse::rt::writeNpyFile(const std::string &path,
                              const HostTensor &tensor) {
  return noThrow([&]() -> Status {
    std::string header = formatNpyHeader(tensor.type());
    auto bytes = static_cast<size_t>(tensor.byteSize());
    return writeFileAtomically(
        path, {{header.data(), header.size()}, {tensor.data(), bytes}});
  });
}

Result<std::vector<std::byte>>
fuse::rt::writeNpyBuffer(const HostTensor &tensor) {
  return noThrow([&]() -> Result<std::vector<std::byte>> {
    std::string header = formatNpyHeader(tensor.type());
    auto *start = reinterpret_cast<const std::byte *>(header.data());
    std::vector<std::byte> buffer;
    buffer.reserve(header.size() + static_cast<size_t>(tensor.byteSize()));
    buffer.insert(buffer.end(), start, start + header.size());
    buffer.insert(buffer.end(), tensor.data(),
                  tensor.data() + tensor.byteSize());
    return buffer;
  });
}
