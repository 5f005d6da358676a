//===- Cache.cpp - compiled kernels kept between runs ---------------------===//

#include "fuse/runtime/Cache.h"

#include "AtomicFile.h"
#include "File.h"
#include "NoThrow.h"
#include "Sha256.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace fuse::rt;
namespace fs = std::filesystem;

// A file is the magic, the digest of its key, the checksum of its bytes, and
// the bytes. The magic has the version of the format.
static constexpr std::string_view kMagic = "FUSECCH1";
static constexpr std::string_view kExtension = ".fusecache";
static constexpr size_t kDigestBytes = sizeof(Sha256::Digest);
static constexpr size_t kHeaderBytes = kMagic.size() + 2 * kDigestBytes;

static Sha256::Digest digestOf(const CacheKey &key) {
  Sha256 sum;
  sum.updateField(kMagic);
  for (const std::string &field : key)
    sum.updateField(field);
  return sum.finish();
}

static Sha256::Digest digestOf(std::string_view bytes) {
  Sha256 sum;
  sum.update(bytes);
  return sum.finish();
}

static std::string_view asBytes(const Sha256::Digest &digest) {
  return {reinterpret_cast<const char *>(digest.data()), digest.size()};
}

std::string Cache::pathOf(const CacheKey &key) const {
  return options.folder + "/" + hexDigest(digestOf(key)) +
         std::string(kExtension);
}

std::optional<std::string> Cache::load(const CacheKey &key) const {
  if (!isOn() || !checkFolder().ok())
    return std::nullopt;
  std::string path = pathOf(key);
  Result<std::string> read = noThrow([&] { return readWholeFile(path); });
  if (!read.ok())
    return std::nullopt;
  std::string_view file = *read;
  Sha256::Digest keyDigest = digestOf(key);
  if (file.size() < kHeaderBytes || file.substr(0, kMagic.size()) != kMagic ||
      file.substr(kMagic.size(), kDigestBytes) != asBytes(keyDigest))
    return std::nullopt;
  std::string_view bytes = file.substr(kHeaderBytes);
  Sha256::Digest checksum = digestOf(bytes);
  if (file.substr(kMagic.size() + kDigestBytes, kDigestBytes) !=
      asBytes(checksum))
    return std::nullopt;
  // What was used last is removed last. In a folder that is read-only this
  // fails, and nothing is removed there either.
  std::error_code ignored;
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
  return std::string(bytes);
}

/// Entries are run: nobody else may have put them there.
Status Cache::checkFolder() const {
  auto failure = [&](const std::string &reason) {
    return Status::io(reason).withContext(options.folder);
  };
  struct stat info;
  if (stat(options.folder.c_str(), &info) != 0)
    return failure("cannot open: " + describeErrno(errno));
  if (!S_ISDIR(info.st_mode))
    return failure("expects a folder, but got something else");
  if (info.st_uid != geteuid() || (info.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return failure("expects a folder that nobody else can write to");
  return {};
}

Status Cache::createFolder() const {
  std::error_code ignored;
  fs::path folder = options.folder;
  if (folder.has_parent_path())
    fs::create_directories(folder.parent_path(), ignored);
  if (mkdir(options.folder.c_str(), 0700) != 0 && errno != EEXIST)
    return Status::io("cannot make the folder: " + describeErrno(errno))
        .withContext(options.folder);
  return checkFolder();
}

Status Cache::store(const CacheKey &key, std::string_view bytes) const {
  if (!isOn())
    return {};
  return noThrow([&]() -> Status {
    if (Status status = createFolder(); !status.ok())
      return status;
    Sha256::Digest keyDigest = digestOf(key), checksum = digestOf(bytes);
    Status status =
        writeFileAtomically(pathOf(key), {{kMagic.data(), kMagic.size()},
                                          {keyDigest.data(), kDigestBytes},
                                          {checksum.data(), kDigestBytes},
                                          {bytes.data(), bytes.size()}});
    if (status.ok())
      evict();
    return status;
  });
}

/// Removes the entries that were used longest ago until the others fit, and
/// what a process that died left behind.
void Cache::evict() const {
  struct Entry {
    fs::path path;
    fs::file_time_type used;
    uint64_t bytes;
  };
  std::vector<Entry> entries;
  uint64_t total = 0;
  std::error_code error;
  auto now = fs::file_time_type::clock::now();
  for (fs::directory_iterator it(options.folder, error), end;
       !error && it != end; it.increment(error)) {
    std::error_code gone; // Another process evicts too.
    Entry entry = {it->path(), it->last_write_time(gone), it->file_size(gone)};
    std::string name = entry.path.filename().string();
    if (gone || name.find(kExtension) == std::string::npos)
      continue;
    bool isWhole = entry.path.extension() == kExtension;
    if (!isWhole && now - entry.used > std::chrono::hours(1)) {
      fs::remove(entry.path, gone);
    } else if (isWhole) {
      total += entry.bytes;
      entries.push_back(std::move(entry));
    }
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry &a, const Entry &b) { return a.used < b.used; });
  for (const Entry &entry : entries) {
    if (total <= options.maxBytes)
      return;
    std::error_code ignored;
    if (fs::remove(entry.path, ignored))
      total -= entry.bytes;
  }
}
