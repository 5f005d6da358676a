//===- Text.h - helpers for parsing and for messages ------------*- C++ -*-===//

#ifndef FUSE_RUNTIME_TEXT_H
#define FUSE_RUNTIME_TEXT_H

#include "fuse/runtime/Status.h"

#include <string>
#include <string_view>

namespace fuse::rt {

/// InvalidInput with "expects <wanted>, but got <found>".
Status expected(std::string_view wanted, std::string_view found);

/// `text` in single quotes, made printable (\xNN) and cut to a readable length.
std::string quote(std::string_view text);

/// Without blanks at both ends.
std::string_view trim(std::string_view text);

/// Locale-free character classes of ASCII.
inline bool isBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
inline bool isDigit(char c) { return c >= '0' && c <= '9'; }
inline bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// A position in a text.
class TextCursor {
public:
  explicit TextCursor(std::string_view text) : text(text) {}

  std::string_view rest() const { return text; }
  bool atEnd() const { return text.empty(); }

  /// The next character; '\0' at the end.
  char peek() const { return atEnd() ? '\0' : text.front(); }

  /// Moves past `token` if it comes next.
  bool consume(std::string_view token) {
    if (text.substr(0, token.size()) != token)
      return false;
    text.remove_prefix(token.size());
    return true;
  }

  /// Moves past the characters that satisfy `predicate`, and returns them.
  template <class Predicate>
  std::string_view takeWhile(Predicate predicate) {
    size_t length = 0;
    while (length < text.size() && predicate(text[length]))
      ++length;
    std::string_view taken = text.substr(0, length);
    text.remove_prefix(length);
    return taken;
  }

  void skipBlanks() { takeWhile(isBlank); }

private:
  std::string_view text;
};

} // namespace fuse::rt

#endif // FUSE_RUNTIME_TEXT_H
