//===- Symbolizer.cpp - program counters to source lines ------------------===//

#include "Symbolizer.h"

#include "Subprocess.h"

#include <array>
#include <cstdio>
#include <string_view>

using namespace fuse::rt;
using namespace fuse::rt::twin;

static std::string hex(uint32_t value) {
  std::array<char, 16> text;
  std::snprintf(text.data(), text.size(), "0x%x", value);
  return text.data();
}

/// Whether a demangled function is in namespace fuse: its name, without return
/// type, arguments and template arguments, starts so.
static bool isHeaderFunction(std::string_view function) {
  std::string name;
  unsigned depth = 0;
  for (char c : function) {
    if (c == '(' && depth == 0)
      break;
    depth -= c == '>' && depth > 0;
    if (depth == 0 && c != '>' && c != '<')
      name += c;
    depth += c == '<';
  }
  name = name.substr(0, name.find("operator"));
  const size_t blank = name.rfind(' ');
  if (blank != std::string::npos)
    name = name.substr(blank + 1);
  return name.rfind("fuse::", 0) == 0;
}

/// "dir/file.cu:12:7" or "dir/file.cu:12 (discriminator 3)".
static TwinLocation parseLocation(std::string_view text, bool hasColumn) {
  text = text.substr(0, text.find(" ("));
  if (hasColumn)
    text = text.substr(0, text.rfind(':'));
  const size_t colon = text.rfind(':');
  TwinLocation location;
  if (colon == std::string_view::npos)
    return location;
  location.file = std::string(text.substr(0, colon));
  for (char c : text.substr(colon + 1))
    location.line = c >= '0' && c <= '9'
                        ? location.line * 10 + static_cast<unsigned>(c - '0')
                        : 0;
  return location;
}

/// Reads blocks of an address and pairs of lines, function and location, which
/// go from the innermost frame outward.
static std::vector<TwinLocation> parse(std::string_view output,
                                       bool hasColumn) {
  std::vector<TwinLocation> result;
  std::string function;
  bool inFunction = false, found = false;
  while (!output.empty()) {
    const size_t end = output.find('\n');
    const std::string_view line = output.substr(0, end);
    output.remove_prefix(end == std::string_view::npos ? output.size()
                                                       : end + 1);
    if (line.rfind("0x", 0) == 0 && line.find(' ') == std::string_view::npos) {
      result.emplace_back();
      inFunction = found = false;
    } else if (result.empty() || line.empty() || found) {
      continue;
    } else if (!inFunction) {
      function = std::string(line);
      inFunction = true;
    } else {
      inFunction = false;
      TwinLocation location = parseLocation(line, hasColumn);
      // Outermost lines of the header stand in where there is nothing better.
      if (location.line)
        result.back() = std::move(location);
      found = result.back().line && !isHeaderFunction(function);
    }
  }
  return result;
}

/// Asks one tool after the other.
static std::vector<TwinLocation> lookUp(const std::string &path,
                                        const std::vector<uint32_t> &pcs) {
  struct Tool {
    std::vector<std::string> command;
    bool hasColumn;
  };
  // addr2line loses inlined frames of what clang compiled, so it comes last.
  const std::array<Tool, 3> tools = {{
      {{"llvm-symbolizer", "-ase", path}, true},
      {{"llvm-symbolizer-22", "-ase", path}, true},
      {{"addr2line", "-asfCie", path}, false},
  }};
  for (const Tool &tool : tools) {
    std::vector<std::string> command = {"/usr/bin/env"}; // It searches PATH.
    command.insert(command.end(), tool.command.begin(), tool.command.end());
    // A return address is the instruction after the one that is meant.
    for (uint32_t pc : pcs)
      command.push_back(hex(pc - 1));
    const Result<ProcessResult> done = runProcess(command);
    if (!done.ok() || (*done).exitCode != 0)
      continue;
    std::vector<TwinLocation> result = parse((*done).output, tool.hasColumn);
    if (result.size() == pcs.size())
      return result;
  }
  return std::vector<TwinLocation>(pcs.size());
}

std::vector<TwinLocation>
fuse::rt::twin::symbolize(const Library &library,
                          const std::vector<uint32_t> &pcs) {
  const std::lock_guard<std::mutex> lock(library.mutex);
  std::vector<uint32_t> unknown;
  for (uint32_t pc : pcs)
    if (library.lines.emplace(pc, TwinLocation()).second)
      unknown.push_back(pc);
  if (!unknown.empty()) {
    std::vector<TwinLocation> found = lookUp(library.path, unknown);
    for (size_t i = 0; i < unknown.size(); ++i)
      library.lines[unknown[i]] = std::move(found[i]);
  }
  std::vector<TwinLocation> result;
  result.reserve(pcs.size());
  for (uint32_t pc : pcs)
    result.push_back(library.lines[pc]);
  return result;
}
