//===- JsonCursor.cpp - reading JSON that is not trusted ------------------===//

#include "JsonCursor.h"

#include "Text.h"

#include <algorithm>

using namespace fuse::rt;

/// How deeply lists and objects nest, or would if the text were well formed.
static int nestingDepth(std::string_view text) {
  int depth = 0, deepest = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      i += c == '\\';
      inString = c != '"';
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return deepest;
}

Result<Json> fuse::rt::parseJson(std::string_view text, int maxDepth) {
  if (int depth = nestingDepth(text); depth > maxDepth)
    return expected("JSON of at most " + std::to_string(maxDepth) + " levels",
                    std::to_string(depth));
  Json json = Json::parse(text.begin(), text.end(), /*cb=*/nullptr,
                          /*allow_exceptions=*/false);
  if (json.is_discarded())
    return expected("JSON", "malformed text " + quote(text));
  return json;
}

std::string fuse::rt::formatJson(const Json &json, int indent) {
  return json.dump(indent, ' ', /*ensure_ascii=*/false,
                   Json::error_handler_t::replace);
}

void JsonCursor::fail(const Status &status) const {
  if (problem->ok())
    *problem = path.empty() ? status : Status(status).withContext(path);
}

void JsonCursor::fail(std::string_view wanted, std::string_view found) const {
  fail(expected(wanted, found));
}

std::string_view JsonCursor::typeName() const {
  if (json->is_null())
    return "nothing";
  if (json->is_number_float())
    return "a number that is no 64-bit integer";
  return json->type_name();
}

void JsonCursor::expectKeys(
    std::initializer_list<std::string_view> keys) const {
  if (!json->is_object())
    return fail("an object", typeName());
  for (const auto &[key, ignored] : json->items())
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      return fail("no key " + quote(key), "it");
}

bool JsonCursor::has(std::string_view key) const {
  return json->is_object() && json->contains(key);
}

JsonCursor JsonCursor::operator[](std::string_view key) const {
  std::string place = path + (path.empty() ? "" : ".") + std::string(key);
  const Json *found = missing.get();
  if (has(key))
    found = &*json->find(key);
  return JsonCursor(*this, *found, std::move(place));
}

std::string JsonCursor::text() const {
  if (json->is_string())
    return json->get<std::string>();
  fail("a string", typeName());
  return {};
}

bool JsonCursor::flag() const {
  if (json->is_boolean())
    return json->get<bool>();
  fail("true or false", typeName());
  return false;
}

int64_t JsonCursor::integer(int64_t least, int64_t most) const {
  std::string wanted = "an integer";
  if (least != INT64_MIN || most != INT64_MAX)
    wanted += " from " + std::to_string(least) + " to " + std::to_string(most);
  if (!json->is_number_integer()) {
    fail(wanted, typeName());
    return least;
  }
  bool tooLarge = json->is_number_unsigned() &&
                  json->get<uint64_t>() > static_cast<uint64_t>(INT64_MAX);
  int64_t value = tooLarge ? 0 : json->get<int64_t>();
  if (!tooLarge && value >= least && value <= most)
    return value;
  fail(wanted, formatJson(*json));
  return least;
}

size_t JsonCursor::index(size_t count) const {
  if (count > 0)
    return static_cast<size_t>(integer(0, static_cast<int64_t>(count) - 1));
  fail("nothing to refer to", typeName());
  return 0;
}

size_t JsonCursor::length(size_t most) const {
  if (!json->is_array()) {
    fail("a list", typeName());
    return 0;
  }
  if (json->size() > most) {
    fail("at most " + std::to_string(most) + " entries",
         std::to_string(json->size()));
    return 0;
  }
  return json->size();
}
