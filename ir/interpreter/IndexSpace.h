//===- IndexSpace.h - Several indices run as one ---------------*- C++ -*-===//

#ifndef FUSE_IR_INTERPRETER_INDEXSPACE_H
#define FUSE_IR_INTERPRETER_INDEXSPACE_H

#include <cstdint>
#include <vector>

namespace fuse {

/// The combinations of some indices, in row-major order, with the position of
/// each in a tensor's block.
class IndexSpace {
public:
  int64_t size() const { return offsets.size(); }
  int64_t operator[](int64_t i) const { return offsets[i]; }

  /// Adds an index as the fastest one; its values are this far from the first.
  void append(const std::vector<int64_t> &distances) {
    std::vector<int64_t> extended;
    extended.reserve(offsets.size() * distances.size());
    for (int64_t offset : offsets)
      for (int64_t distance : distances)
        extended.push_back(offset + distance);
    offsets = std::move(extended);
  }
  void append(int64_t extent, int64_t stride) {
    std::vector<int64_t> distances(extent);
    for (int64_t i = 0; i < extent; ++i)
      distances[i] = i * stride;
    append(distances);
  }
  void shift(int64_t distance) {
    for (int64_t &offset : offsets)
      offset += distance;
  }

private:
  std::vector<int64_t> offsets{0};
};

} // namespace fuse

#endif // FUSE_IR_INTERPRETER_INDEXSPACE_H
