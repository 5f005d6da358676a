//===- Order.cpp - what happens before what -------------------------------===//

#include "Order.h"

#include <algorithm>

using namespace fuse::rt::twin;

void Order::startLaunch() {
  startOfLaunch = ++now;
  flags.clear();
}

void Order::startBlock(unsigned threads) {
  startOfBlock = startOfInterval = ++now;
  if (count != threads)
    seen.clear(); // Rows get another length.
  count = threads;
  segments.assign(threads, now);
  acrossWarps = false;
  foreign.clear();
  anyForeign = false;
}

bool Order::orderedAcrossBlocks(const Access &prior, unsigned thread) const {
  if (!anyForeign)
    return false;
  const Knowledge &knowledge = foreign[thread];
  auto block = knowledge.upper_bound(prior.time);
  if (block == knowledge.begin())
    return false;
  // If it is another block's, later than this one, then nothing below holds.
  const Known &known = std::prev(block)->second;
  if (prior.time < known.base)
    return true;
  auto own = known.threads.find(prior.thread);
  return own != known.threads.end() && prior.time <= own->second;
}

void Order::joinAll() {
  startOfInterval = ++now;
  std::fill(segments.begin(), segments.end(), now);
  acrossWarps = false;
  if (!anyForeign)
    return;
  Knowledge all;
  for (const Knowledge &knowledge : foreign)
    merge(all, knowledge);
  std::fill(foreign.begin(), foreign.end(), all);
}

void Order::needRows() {
  if (seen.empty())
    seen.assign(size_t(count) * count, 0);
}

void Order::join(const std::vector<uint16_t> &threads) {
  needRows();
  const unsigned warp = threads.front() / 32;
  for (uint16_t thread : threads)
    acrossWarps |= thread / 32u != warp;
  const unsigned begin = acrossWarps ? 0 : warp * 32;
  const unsigned end = acrossWarps ? count : std::min(begin + 32, count);
  joined.assign(end - begin, 0);
  for (uint16_t thread : threads)
    for (unsigned u = begin; u < end; ++u)
      joined[u - begin] = std::max(joined[u - begin], row(thread)[u]);
  for (uint16_t thread : threads)
    joined[thread - begin] = segments[thread];
  ++now;
  for (uint16_t thread : threads) {
    std::copy(joined.begin(), joined.end(), row(thread) + begin);
    segments[thread] = now;
  }
  if (!anyForeign)
    return;
  Knowledge all;
  for (uint16_t thread : threads)
    merge(all, foreign[thread]);
  for (uint16_t thread : threads)
    foreign[thread] = all;
}

void Order::Known::merge(const Known &other) {
  base = std::max(base, other.base);
  for (const auto &[thread, time] : other.threads)
    threads[thread] = std::max(threads[thread], time);
}

void Order::merge(Knowledge &into, const Knowledge &from) {
  for (const auto &[block, known] : from)
    into[block].merge(known);
}

void Order::release(unsigned thread, const void *flag, bool continues) {
  Knowledge &published = flags[flag];
  if (!continues)
    published.clear();
  if (anyForeign)
    merge(published, foreign[thread]);
  Known own;
  own.base = startOfInterval;
  own.threads[static_cast<uint16_t>(thread)] = segments[thread];
  if (!seen.empty())
    for (unsigned u = 0; u < count; ++u)
      if (row(thread)[u] >= startOfInterval && u != thread)
        own.threads[static_cast<uint16_t>(u)] = row(thread)[u];
  published[startOfBlock].merge(own);
  segments[thread] = ++now;
}

void Order::acquire(unsigned thread, const void *flag) {
  auto published = flags.find(flag);
  if (published == flags.end())
    return;
  if (!anyForeign) {
    foreign.assign(count, {});
    anyForeign = true;
  }
  merge(foreign[thread], published->second);
  auto own = published->second.find(startOfBlock);
  if (own == published->second.end())
    return;
  needRows();
  for (const auto &[other, time] : own->second.threads)
    row(thread)[other] = std::max(row(thread)[other], time);
  acrossWarps = true;
}
