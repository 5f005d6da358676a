//===- CompilerLog.cpp - what compilers say -------------------------------===//

#include "CompilerLog.h"

#include "Text.h"

#include <vector>

using namespace fuse::rt;

static std::vector<std::string_view> splitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  TextCursor cursor(text);
  while (!cursor.atEnd()) {
    std::string_view line =
        trim(cursor.takeWhile([](char c) { return c != '\n' && c != '\0'; }));
    if (!line.empty())
      lines.push_back(line);
    if (!cursor.consume("\n"))
      break;
  }
  return lines;
}

static bool contains(std::string_view line, std::string_view word) {
  return line.find(word) != std::string_view::npos;
}

std::string fuse::rt::firstErrors(std::string_view log) {
  constexpr size_t kMostLines = 5, kLongestLine = 200;
  std::vector<std::string_view> lines = splitLines(log), errors;
  for (std::string_view line : lines)
    if (contains(line, "error"))
      errors.push_back(line);
  std::string text;
  size_t count = 0;
  for (std::string_view line : errors.empty() ? lines : errors) {
    if (++count > kMostLines)
      break;
    text += text.empty() ? "  " : "\n  ";
    text += line.substr(0, kLongestLine);
  }
  return text.empty() ? "  without a message" : text;
}

std::string_view fuse::rt::findRefusal(std::string_view log) {
  for (std::string_view line : splitLines(log))
    if (contains(line, "serialized") || contains(line, "ignored"))
      return line;
  return {};
}
