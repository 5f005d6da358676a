//===- CacheTest.cpp - entries of the cache, whole and damaged ------------===//

#include "fuse/runtime/Cache.h"

#include "TestUtils.h"

#include <chrono>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace fuse::rt;
namespace fs = std::filesystem;

namespace {
class CacheTest : public testing::Test {
protected:
  Cache makeCache(uint64_t maxBytes = 1 << 20) {
    return Cache({directory.path("cache"), maxBytes});
  }

  std::string read(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  void write(const std::string &path, const std::string &bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }

  TemporaryDirectory directory;
  Cache cache = makeCache();
  CacheKey key = {"cubin", "13.0", "text"};
  std::string bytes = std::string("machine\0code", 12);
};
} // namespace

TEST_F(CacheTest, LoadsWhatWasStored) {
  EXPECT_EQ(cache.load(key), std::nullopt);
  ASSERT_EQ(messageOf(cache.store(key, bytes)), "");
  EXPECT_EQ(cache.load(key), bytes);
  EXPECT_EQ(makeCache().load(key), bytes);
  for (CacheKey other : {CacheKey{"cubin", "13.1", "text"},
                         CacheKey{"cubin", "13.0", "text", ""},
                         CacheKey{"cubin", "13.0tex", "t"}, CacheKey{}})
    EXPECT_EQ(cache.load(other), std::nullopt);
  ASSERT_EQ(messageOf(cache.store(key, "")), "");
  EXPECT_EQ(cache.load(key), "");
}

TEST_F(CacheTest, OffIsAMiss) {
  Cache off{CacheOptions{}};
  EXPECT_FALSE(off.isOn());
  EXPECT_EQ(messageOf(off.store(key, bytes)), "");
  EXPECT_EQ(off.load(key), std::nullopt);
}

TEST_F(CacheTest, FilesArePrivate) {
  ASSERT_EQ(messageOf(cache.store(key, bytes)), "");
  struct stat info;
  ASSERT_EQ(stat(directory.path("cache").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
  EXPECT_EQ(std::distance(fs::directory_iterator(directory.path("cache")), {}),
            1);
}

TEST_F(CacheTest, EveryDamageIsAMiss) {
  ASSERT_EQ(messageOf(cache.store(key, bytes)), "");
  std::string path = cache.pathOf(key), whole = read(path);
  for (size_t size = 0; size < whole.size(); ++size) {
    write(path, whole.substr(0, size));
    EXPECT_EQ(cache.load(key), std::nullopt) << "cut to " << size;
  }
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] ^= 4;
    write(path, damaged);
    EXPECT_EQ(cache.load(key), std::nullopt) << "flipped at " << at;
  }
  write(path, whole + "x");
  EXPECT_EQ(cache.load(key), std::nullopt);
  // A damaged entry is replaced by the next one that is stored.
  ASSERT_EQ(messageOf(cache.store(key, bytes)), "");
  EXPECT_EQ(cache.load(key), bytes);
}

// A file under the name of another key, or of another version of the format.
TEST_F(CacheTest, EntriesAreForTheirKey) {
  CacheKey other = {"cubin", "12.0", "text"};
  ASSERT_EQ(messageOf(cache.store(other, bytes)), "");
  fs::rename(cache.pathOf(other), cache.pathOf(key));
  EXPECT_EQ(cache.load(key), std::nullopt);
  ASSERT_EQ(messageOf(cache.store(key, bytes)), "");
  std::string file = read(cache.pathOf(key));
  ASSERT_EQ(file.substr(0, 8), "FUSECCH1");
  write(cache.pathOf(key), "FUSECCH2" + file.substr(8));
  EXPECT_EQ(cache.load(key), std::nullopt);
}

TEST_F(CacheTest, FoldersThatCannotBeUsed) {
  write(directory.path("file"), "");
  Cache inFile({directory.path("file"), 1000});
  EXPECT_EQ(messageOf(inFile.store(key, bytes)),
            directory.path("file") + ": expects a folder, but got something "
                                     "else");
  EXPECT_EQ(inFile.load(key), std::nullopt);
  Cache belowFile({directory.path("file/cache"), 1000});
  EXPECT_EQ(messageOf(belowFile.store(key, bytes)),
            directory.path("file/cache") +
                ": cannot make the folder: Not a directory");
  Cache nowhere({"/proc/fuse/cache", 1000});
  EXPECT_FALSE(nowhere.store(key, bytes).ok());
  EXPECT_EQ(nowhere.load(key), std::nullopt);
}

// Entries are run, so nobody else may be able to put one there.
TEST_F(CacheTest, FoldersOthersCanWriteToAreNotTrusted) {
  ASSERT_EQ(messageOf(cache.store(key, bytes)), "");
  ASSERT_EQ(chmod(directory.path("cache").c_str(), 0777), 0);
  EXPECT_EQ(cache.load(key), std::nullopt);
  EXPECT_EQ(messageOf(cache.store(key, bytes)),
            directory.path("cache") +
                ": expects a folder that nobody else can write to");
}

TEST_F(CacheTest, ReadOnlyFolders) {
  if (geteuid() == 0) {
    // Root writes everywhere; what it may not do is be stopped by a mode.
    ASSERT_EQ(messageOf(cache.store(key, bytes)), "");
    ASSERT_EQ(chmod(directory.path("cache").c_str(), 0500), 0);
    EXPECT_EQ(cache.load(key), bytes);
    return;
  }
  ASSERT_EQ(messageOf(cache.store(key, bytes)), "");
  ASSERT_EQ(chmod(directory.path("cache").c_str(), 0500), 0);
  EXPECT_EQ(cache.load(key), bytes);
  EXPECT_EQ(cache.store({"other"}, bytes).code(), StatusCode::Io);
  ASSERT_EQ(chmod(directory.path("cache").c_str(), 0700), 0);
}

TEST_F(CacheTest, OldestEntriesGoFirst) {
  // Each entry is 72 bytes of header and 100 of its own.
  Cache small = makeCache(3 * 172);
  std::string contents(100, 'x');
  auto age = [&](const CacheKey &entry, int hours) {
    fs::last_write_time(small.pathOf(entry), fs::file_time_type::clock::now() -
                                                 std::chrono::hours(hours));
  };
  for (const char *name : {"a", "b", "c"}) {
    ASSERT_EQ(messageOf(small.store({name}, contents)), "");
    age({name}, name[0] == 'a' ? 9 : name[0] == 'b' ? 8 : 7);
  }
  EXPECT_EQ(small.load({"a"}), contents); // Used: now the newest.
  ASSERT_EQ(messageOf(small.store({"d"}, contents)), "");
  EXPECT_EQ(small.load({"b"}), std::nullopt);
  EXPECT_EQ(small.load({"a"}), contents);
  EXPECT_EQ(small.load({"c"}), contents);
  EXPECT_EQ(small.load({"d"}), contents);
}

// What a process that died left behind goes, and nothing that is not ours.
TEST_F(CacheTest, LeftoversGo) {
  ASSERT_EQ(messageOf(cache.store(key, bytes)), "");
  std::string leftover = cache.pathOf({"dead"}) + ".tmp0";
  std::string recent = cache.pathOf({"alive"}) + ".tmp0";
  std::string foreign = directory.path("cache/notes.txt");
  for (const std::string &path : {leftover, recent, foreign})
    write(path, "x");
  for (const std::string &path : {leftover, foreign})
    fs::last_write_time(path, fs::file_time_type::clock::now() -
                                  std::chrono::hours(2));
  ASSERT_EQ(messageOf(makeCache(1).store({"new"}, bytes)), "");
  EXPECT_FALSE(fs::exists(leftover));
  EXPECT_TRUE(fs::exists(recent));
  EXPECT_TRUE(fs::exists(foreign));
}

// Processes that store, load and evict the same entries at once see whole
// entries or none.
TEST_F(CacheTest, SeveralProcessesAtOnce) {
  constexpr int kProcesses = 4, kRounds = 60, kKeys = 5;
  auto contentsOf = [](int entry) {
    return std::string(size_t(1000 * (entry + 1)), char('a' + entry));
  };
  auto work = [&] {
    Cache shared = makeCache(9000); // Two or three entries fit.
    for (int round = 0; round < kRounds; ++round) {
      int entry = (round * 3 + getpid()) % kKeys;
      CacheKey name = {"entry", std::to_string(entry)};
      std::optional<std::string> found = shared.load(name);
      if (found && *found != contentsOf(entry))
        return 1;
      if (!found)
        (void)shared.store(name, contentsOf(entry));
    }
    return 0;
  };
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0)
      _exit(work());
    children.push_back(child);
  }
  for (pid_t child : children) {
    int state = 0;
    ASSERT_EQ(waitpid(child, &state, 0), child);
    EXPECT_TRUE(WIFEXITED(state) && WEXITSTATUS(state) == 0);
  }
  uint64_t total = 0;
  for (const auto &entry : fs::directory_iterator(directory.path("cache")))
    total += entry.file_size();
  EXPECT_LE(total, 9000u + 6000u);
}
