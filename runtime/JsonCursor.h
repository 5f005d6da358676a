//===- JsonCursor.h - reading JSON that is not trusted ----------*- C++ -*-===//

#ifndef FUSE_RUNTIME_JSONCURSOR_H
#define FUSE_RUNTIME_JSONCURSOR_H

#include "fuse/runtime/Status.h"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace fuse::rt {

/// Keys keep their order, so that the same data give the same text.
using Json = nlohmann::ordered_json;

/// Fails (InvalidInput) on malformed text and on nesting beyond `maxDepth`,
/// which the library would recurse into.
Result<Json> parseJson(std::string_view text, int maxDepth);

/// The text of a value: in one line, or indented by so many blanks.
std::string formatJson(const Json &json, int indent = -1);

/// A value of a document and its place there, such as `plans[0].grid`. The
/// first thing that is not as expected is noted in `problem`; from then on
/// every reading gives an empty value, so that checks can wait until the end.
class JsonCursor {
public:
  JsonCursor(const Json &json, Status &problem)
      : json(&json), missing(std::make_shared<const Json>()),
        problem(&problem) {}

  /// Notes `place: expects wanted, but got found`.
  void fail(std::string_view wanted, std::string_view found) const;
  void fail(const Status &status) const;

  /// Expects an object without other keys than these.
  void expectKeys(std::initializer_list<std::string_view> keys) const;
  bool has(std::string_view key) const;
  JsonCursor operator[](std::string_view key) const;

  bool isString() const { return json->is_string(); }
  std::string text() const;
  bool flag() const;
  int64_t integer(int64_t least, int64_t most) const;
  size_t index(size_t count) const;

  /// Expects a list of at most `most` values; calls `read` with each.
  template <class Read>
  void forEach(size_t most, Read read) const {
    size_t count = length(most);
    for (size_t i = 0; i < count && problem->ok(); ++i)
      read(JsonCursor(*this, (*json)[i], path + "[" + std::to_string(i) + "]"));
  }

  const Json &value() const { return *json; }

private:
  JsonCursor(const JsonCursor &parent, const Json &json, std::string path)
      : json(&json), missing(parent.missing), path(std::move(path)),
        problem(parent.problem) {}

  size_t length(size_t most) const;
  std::string_view typeName() const;

  const Json *json;
  /// What stands for a value that is not there.
  std::shared_ptr<const Json> missing;
  std::string path;
  Status *problem;
};

} // namespace fuse::rt

#endif // FUSE_RUNTIME_JSONCURSOR_H
