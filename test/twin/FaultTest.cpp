//===- FaultTest.cpp - planted faults are found under every schedule ------===//
//
// A row of the table is a kernel `<fault>_faulty`, what the twin must say of
// it, and the marks of the lines that it must name. `<fault>_correct`, the same
// code without the fault, must give no finding. Both run under all schedules
// and with early and late copies.

#include "TwinTestUtils.h"

#include <numeric>
#include <ostream>
#include <set>

using namespace fuse::rt;
using namespace fuse::rt::test;

namespace {
struct Fault {
  const char *file;
  const char *name;
  FindingKind kind;
  /// Roles of the lines to name: `@name:role`, or `@name` for "".
  std::vector<std::string> roles;
  int64_t blocks = 1;
  uint32_t threads = 64;
  size_t sharedBytes = 4096;
  bool workspaceWritten = false; ///< By the host, before the run.
  bool early = false;   ///< Launched before what precedes it is complete.
  bool twice = false;   ///< Launched again early, with counter 1.
  bool anyLine = false; ///< Which of the lines are named depends.

  // NOLINTNEXTLINE(llvm-prefer-static-over-anonymous-namespace): a friend.
  friend std::ostream &operator<<(std::ostream &stream, const Fault &fault) {
    return stream << fault.name;
  }
};
} // namespace

// Keeps rows short where they are ordinary.
static Fault with(Fault fault, int64_t blocks, uint32_t threads) {
  fault.blocks = blocks;
  fault.threads = threads;
  return fault;
}
static Fault withShared(Fault fault, size_t bytes) {
  fault.sharedBytes = bytes;
  return fault;
}
static Fault withWorkspace(Fault fault) {
  fault.workspaceWritten = true;
  return fault;
}
static Fault launchedTwice(Fault fault) {
  fault.twice = true;
  return fault;
}
static Fault launchedEarly(Fault fault) {
  fault.early = true;
  return fault;
}
static Fault atAnyOf(Fault fault) {
  fault.anyLine = true;
  return fault;
}

using Kind = FindingKind;
const std::vector<std::string> here = {""};

static std::vector<Fault> races() {
  return {
      {"races", "read_after_write", Kind::Race, {"read", "write"}},
      {"races", "write_after_read", Kind::Race, {"read", "write"}},
      {"races", "write_after_write", Kind::Race, here},
      {"races", "global_within_block", Kind::Race, {"read", "write"}},
      {"races", "halves", Kind::Race, {"read", "write"}},
      {"races", "within_warp", Kind::Race, {"read", "write"}},
      {"races", "shuffle_orders_nothing", Kind::Race, {"read", "write"}},
      {"races", "warp_barrier_is_local", Kind::Race, {"read", "write"}},
      {"races", "part_of_warp", Kind::Race, {"read", "write"}},
      {"races", "named_barrier_missing", Kind::Race, {"read", "write"}},
      with({"races", "named_barrier_of_others", Kind::Race, {"read", "write"}},
           1, 128),
      with({"races", "last_block", Kind::Race, {"read", "write"}}, 4, 64),
      with({"races", "blocks_write_one_word", Kind::Race, here}, 3, 64),
      with(withWorkspace({"races",
                          "blocks_read_and_write",
                          Kind::Race,
                          {"read", "write"}}),
           3, 64),
      {"races", "flag_within_block", Kind::Race, {"read", "write"}},
  };
}

static std::vector<Fault> copies() {
  return {
      {"copies", "wait_missing", Kind::Race, {"copy", "read"}},
      {"copies", "wait_too_short", Kind::Race, {"copy", "read"}},
      {"copies", "commit_missing", Kind::Race, {"copy", "read"}},
      {"copies", "barrier_after_wait_missing", Kind::Race, {"copy", "read"}},
      {"copies", "reused_too_early", Kind::Race, {"copy", "read"}},
      {"copies", "store_into_copy", Kind::Race, {"copy", "write"}},
      {"copies", "source_changes", Kind::Race, {"copy", "write"}},
      {"copies", "copy_misaligned", Kind::Misaligned, here},
      {"copies", "copy_beyond_source", Kind::OutOfBounds, here},
      {"copies", "copy_valid_bytes", Kind::InvalidUse, here},
  };
}

static std::vector<Fault> bounds() {
  return {
      withShared({"bounds", "shared_beyond_end", Kind::OutOfBounds, here}, 256),
      {"bounds", "shared_between_pieces", Kind::OutOfBounds, here},
      withShared({"bounds", "piece_outside", Kind::OutOfBounds, here}, 256),
      with({"bounds", "global_beyond_end", Kind::OutOfBounds, here}, 2, 64),
      with({"bounds", "global_before_begin", Kind::OutOfBounds, here}, 2, 64),
      {"bounds", "wild_pointer", Kind::OutOfBounds, here},
      {"bounds", "input_written", Kind::InputWritten, here},
      {"bounds", "shared_never_written", Kind::UninitializedRead, here},
      with({"bounds", "shared_of_earlier_block", Kind::UninitializedRead, here},
           2, 64),
      {"bounds", "workspace_never_written", Kind::UninitializedRead, here},
      with({"bounds", "output_incomplete", Kind::OutputNotWritten, {}}, 3, 37),
      {"bounds", "output_twice", Kind::OutputWrittenTwice, {"first", "second"}},
      {"bounds", "vector_misaligned", Kind::Misaligned, here},
      {"bounds", "vector_store_misaligned", Kind::Misaligned, here},
      {"bounds", "scalar_misaligned", Kind::Misaligned, here},
      launchedTwice({"bounds",
                     "read_before_wait",
                     Kind::BeforeProducers,
                     {"read", "write"}}),
      launchedEarly(
          {"bounds", "write_before_wait", Kind::BeforeProducers, here}),
      atAnyOf({"bounds", "too_deep", Kind::StackOverflow, here}),
      {"bounds", "division_by_zero", Kind::Fault, here},
  };
}

static std::vector<Fault> collectives() {
  return {
      {"collectives", "barrier_not_reached", Kind::DivergentBarrier, here},
      {"collectives",
       "barrier_under_if",
       Kind::DivergentBarrier,
       {"first", "second"}},
      {"collectives",
       "barriers_of_branches",
       Kind::DivergentBarrier,
       {"first", "second"}},
      with({"collectives",
            "barrier_and_collective",
            Kind::DivergentBarrier,
            {"barrier", "shuffle"}},
           1, 32),
      {"collectives",
       "named_barrier_counts",
       Kind::DivergentBarrier,
       {"first", "second"}},
      {"collectives", "named_barrier_incomplete", Kind::DivergentBarrier, here},
      {"collectives", "named_barrier_id", Kind::InvalidUse, here},
      {"collectives", "lane_outside_mask", Kind::WarpCollective, here},
      {"collectives", "source_outside_mask", Kind::WarpCollective, here},
      {"collectives",
       "collectives_of_branches",
       Kind::WarpCollective,
       {"first", "second"}},
      {"collectives", "lane_returns", Kind::WarpCollective, here},
      atAnyOf({"collectives",
               "collectives_cross",
               Kind::WarpCollective,
               {"first", "second", "third"}}),
      with({"collectives", "lanes_that_are_not", Kind::WarpCollective, here}, 1,
           48),
      {"collectives", "mma_by_part", Kind::WarpCollective, {"mma", "shuffle"}},
      {"collectives", "flag_never_set", Kind::Stuck, here},
  };
}

static std::vector<Fault> faults() {
  std::vector<Fault> all;
  for (const auto &some : {races(), copies(), bounds(), collectives()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

static std::vector<TwinFinding> run(TwinModule &module, const Fault &fault,
                                    const std::string &suffix,
                                    const TwinOptions &options) {
  const int64_t n = fault.blocks * fault.threads;
  const auto count = static_cast<size_t>(n);
  std::vector<float> x(count);
  std::iota(x.begin(), x.end(), 1.0f);
  Setting setting;
  const float *input = setting.input("x", x);
  float *output = setting.output<float>("y", count);
  float *workspace =
      fault.workspaceWritten
          ? setting.initialised("workspace", x)
          : setting.buffer<float>(BufferUse::Workspace, "workspace", count);
  auto add = [&](uint32_t counter) -> TwinKernelLaunch & {
    uint32_t *flag =
        setting.initialised("counter", std::vector<uint32_t>{counter});
    return setting.launch(fault.name + suffix, fault.blocks, fault.threads,
                          fault.sharedBytes, input, output, workspace, flag, n);
  };
  add(0).overlapsPredecessor = fault.early;
  if (fault.twice)
    add(1).overlapsPredecessor = true;
  return setting.run(module, options);
}

/// The lines of a finding, all of which its message must show.
static std::set<unsigned> namedLines(const Fault &fault,
                                     const TwinFinding &finding) {
  std::set<unsigned> lines;
  for (const TwinLocation &location : finding.where) {
    EXPECT_EQ(location.file, std::string(fault.file) + ".cu");
    EXPECT_NE(finding.message.find(location.file + ":" +
                                   std::to_string(location.line)),
              std::string::npos)
        << finding.message;
    lines.insert(location.line);
  }
  return lines;
}

namespace {
class FaultTest : public testing::TestWithParam<Fault> {};
} // namespace

TEST_P(FaultTest, IsFoundUnderEverySchedule) {
  const Fault &fault = GetParam();
  auto module = loadKernels(fault.file);
  ASSERT_TRUE(module);
  std::set<unsigned> expected;
  for (const std::string &role : fault.roles)
    for (unsigned line :
         linesOf(fault.file,
                 std::string(fault.name) + (role.empty() ? "" : ":") + role))
      expected.insert(line);
  for (const TwinOptions &options : allSchedules()) {
    SCOPED_TRACE(show(options));
    const std::vector<TwinFinding> findings =
        run(*module, fault, "_faulty", options);
    ASSERT_FALSE(findings.empty()) << "nothing was found";
    SCOPED_TRACE(show(findings));
    bool found = false;
    for (const TwinFinding &finding : findings) {
      EXPECT_EQ(finding.kernel, std::string(fault.name) + "_faulty");
      const std::set<unsigned> lines = namedLines(fault, finding);
      found |= finding.kind == fault.kind &&
               (lines == expected || (fault.anyLine && !lines.empty()));
      // A fault may show in other ways too, but nowhere else.
      for (unsigned line : lines)
        EXPECT_EQ(expected.count(line), 1u) << finding.message;
    }
    EXPECT_TRUE(found) << "expects a " << name(fault.kind) << " at lines "
                       << testing::PrintToString(expected);
  }
}

TEST_P(FaultTest, WithoutItThereIsNoFinding) {
  const Fault &fault = GetParam();
  auto module = loadKernels(fault.file);
  ASSERT_TRUE(module);
  for (const TwinOptions &options : allSchedules()) {
    SCOPED_TRACE(show(options));
    EXPECT_EQ(show(run(*module, fault, "_correct", options)), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Twin, FaultTest, testing::ValuesIn(faults()),
                         [](const auto &instance) {
                           return std::string(instance.param.name);
                         });
