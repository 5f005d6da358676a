//===- Reporter.cpp - collects findings -----------------------------------===//

#include "Reporter.h"

#include "Symbolizer.h"

#include <algorithm>
#include <map>

using namespace fuse::rt;
using namespace fuse::rt::twin;

std::string_view fuse::rt::name(FindingKind kind) {
  switch (kind) {
  case FindingKind::Race:
    return "race";
  case FindingKind::DivergentBarrier:
    return "divergent barrier";
  case FindingKind::WarpCollective:
    return "warp collective";
  case FindingKind::OutOfBounds:
    return "out of bounds";
  case FindingKind::UninitializedRead:
    return "uninitialized read";
  case FindingKind::OutputNotWritten:
    return "output not written";
  case FindingKind::OutputWrittenTwice:
    return "output written twice";
  case FindingKind::InputWritten:
    return "input written";
  case FindingKind::Misaligned:
    return "misaligned access";
  case FindingKind::BeforeProducers:
    return "before producers";
  case FindingKind::InvalidUse:
    return "invalid use";
  case FindingKind::Stuck:
    return "stuck";
  case FindingKind::StackOverflow:
    return "stack overflow";
  case FindingKind::Fault:
    return "fault";
  }
  return "";
}

/// A loop that was unrolled has many program counters of one line, so more are
/// kept than will be shown.
constexpr size_t placesPerLine = 8;

static std::string keyOf(FindingKind kind, const std::string &kernel) {
  return std::to_string(static_cast<int>(kind)) + '\n' + kernel;
}

static std::string textOf(const TwinLocation &location) {
  return location.line ? location.file + ':' + std::to_string(location.line)
                       : location.file;
}

void Reporter::add(FindingKind kind, const std::string &kernel,
                   std::string text, std::vector<Place> places) {
  std::string key = keyOf(kind, kernel);
  for (const Place &place : places)
    key += '\n' + place.library->path + '+' + std::to_string(place.pc);
  // Without a place, what is said is all there is to tell findings apart.
  if (places.empty())
    key += '\n' + text;
  const std::lock_guard<std::mutex> lock(mutex);
  if (!known.insert(std::move(key)).second)
    return;
  found.push_back({kind, kernel, std::move(text), std::move(places)});
  if (found.size() >= maxFindings * placesPerLine)
    stop();
}

void Reporter::fail(Status status) {
  const std::lock_guard<std::mutex> lock(mutex);
  if (error.ok())
    error = std::move(status);
  stop();
}

std::vector<TwinFinding> Reporter::finish() {
  std::map<const Library *, std::map<uint32_t, TwinLocation>> lines;
  for (const Raw &raw : found)
    for (const Place &place : raw.places)
      lines[place.library].emplace(place.pc, TwinLocation());
  for (auto &[library, ofLibrary] : lines) {
    std::vector<uint32_t> pcs;
    for (const auto &entry : ofLibrary)
      pcs.push_back(entry.first);
    std::vector<TwinLocation> locations = symbolize(*library, pcs);
    for (size_t i = 0; i < pcs.size(); ++i) {
      if (locations[i].line == 0)
        locations[i].file = library->path + '+' + std::to_string(pcs[i] - 1);
      ofLibrary[pcs[i]] = std::move(locations[i]);
    }
  }
  std::vector<TwinFinding> result;
  std::set<std::string> shown;
  for (Raw &raw : found) {
    TwinFinding finding{raw.kind, raw.kernel, "", {}};
    std::string key = keyOf(raw.kind, raw.kernel);
    for (const Place &place : raw.places) {
      finding.where.push_back(lines[place.library][place.pc]);
      key += '\n' + textOf(finding.where.back());
    }
    for (char c : raw.text) {
      const auto place = static_cast<size_t>(c) - 1;
      finding.message += place < finding.where.size()
                             ? textOf(finding.where[place])
                             : std::string(1, c);
    }
    if (raw.places.empty())
      key += '\n' + raw.text;
    if (result.size() < maxFindings && shown.insert(std::move(key)).second)
      result.push_back(std::move(finding));
  }
  return result;
}
