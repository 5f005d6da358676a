//===- TestUtils.h - helpers of the runtime's tests -------------*- C++ -*-===//

#ifndef FUSE_TEST_RUNTIME_TESTUTILS_H
#define FUSE_TEST_RUNTIME_TESTUTILS_H

#include "fuse/runtime/HostTensor.h"

#include "rapidcheck.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace fuse::rt {

/// The message of a failed Status or Result; "" for success.
inline std::string messageOf(const Status &status) { return status.message(); }
template <class T>
std::string messageOf(const Result<T> &result) {
  return result.status().message();
}

/// Same type, and the same bits in every element.
inline bool sameBits(const HostTensor &a, const HostTensor &b) {
  return a.type() == b.type() &&
         std::equal(a.data(), a.data() + a.byteSize(), b.data());
}

/// Same type and elements; all NaNs are the same.
inline bool sameValues(const HostTensor &a, const HostTensor &b) {
  bool same = a.type() == b.type();
  for (int64_t i = 0; same && i < a.numElements(); ++i) {
    double x = a.get(i), y = b.get(i);
    same = std::isnan(x) ? std::isnan(y)
                         : x == y && std::signbit(x) == std::signbit(y);
  }
  return same;
}

/// A tensor from values that must fit.
inline HostTensor makeTensor(DType dtype, std::vector<int64_t> shape,
                             const std::vector<double> &values) {
  Result<HostTensor> tensor =
      HostTensor::fromDoubles({dtype, std::move(shape)}, values);
  EXPECT_EQ(messageOf(tensor), "");
  return std::move(*tensor);
}

/// For the program of `makeTwoKernelArtifact`, with N = n.
inline std::vector<HostTensor> makeArguments(int64_t n) {
  std::vector<double> x(size_t(4 * n));
  for (int64_t i = 0; i < 4 * n; ++i)
    x[size_t(i)] = double(i % 7 + 1);
  std::vector<HostTensor> arguments;
  arguments.push_back(makeTensor(DType::F32, {n, 4}, x));
  arguments.push_back(makeTensor(DType::F32, {4}, {1, 2, 3, 4}));
  return arguments;
}

/// For use in a rapidcheck property: draws a tensor of random bits, of any type
/// and a small shape, sizes of 0 among them.
inline HostTensor drawTensor() {
  auto dtype = *rc::gen::elementOf(
      std::vector<DType>(std::begin(kAllDTypes), std::end(kAllDTypes)));
  auto rank = *rc::gen::inRange<size_t>(0, 6);
  auto shape = *rc::gen::container<std::vector<int64_t>>(
      rank, rc::gen::inRange<int64_t>(0, 4));
  HostTensor tensor = std::move(*HostTensor::create({dtype, shape}));
  auto bytes = *rc::gen::container<std::vector<uint8_t>>(
      size_t(tensor.byteSize()),
      rc::gen::inRange<uint8_t>(0, dtype == DType::Bool ? 2 : 255));
  for (size_t i = 0; i < bytes.size(); ++i)
    tensor.data()[i] = std::byte{bytes[i]};
  return tensor;
}

/// A new directory, removed with all that is in it.
class TemporaryDirectory {
public:
  TemporaryDirectory() {
    std::string name =
        (std::filesystem::temp_directory_path() / "fuse-test-XXXXXX").string();
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    root = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(root, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory &) = delete;
  TemporaryDirectory &operator=(const TemporaryDirectory &) = delete;

  std::string path(const std::string &name) const {
    return (root / name).string();
  }

  /// Names of what is in it, in order.
  std::vector<std::string> list() const {
    std::vector<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(root))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

private:
  std::filesystem::path root;
};

} // namespace fuse::rt

#endif // FUSE_TEST_RUNTIME_TESTUTILS_H
