//===- Artifact.cpp - the file of a compiled program ----------------------===//

#include "fuse/runtime/Artifact.h"

#include "AtomicFile.h"
#include "File.h"
#include "Manifest.h"
#include "NoThrow.h"
#include "Sha256.h"
#include "Text.h"

#include <cstring>

using namespace fuse::rt;

static constexpr size_t kHeaderBytes = sizeof(FuseArtifactHeader);
static constexpr size_t kCheckedHeaderBytes =
    kHeaderBytes - FUSE_CHECKSUM_BYTES;
static_assert(kHeaderBytes == 88 &&
                  offsetof(FuseArtifactHeader, checksum) == kCheckedHeaderBytes,
              "the header of a file has no padding");
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "the header of a file is read as it stands");

/// Of a file without its checksum.
static Sha256::Digest checksumOf(const FuseArtifactHeader &header,
                                 std::string_view contents) {
  Sha256 sum;
  sum.update(&header, kCheckedHeaderBytes);
  sum.update(contents);
  return sum.finish();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static Result<std::string> serialize(const Artifact &artifact) {
  if (Status status = validateArtifact(artifact); !status.ok())
    return status;
  std::vector<std::string_view> blobs;
  std::string contents = formatManifest(artifact, blobs);
  FuseArtifactHeader header = {};
  std::memcpy(header.magic, FUSE_ARTIFACT_MAGIC, FUSE_ARTIFACT_MAGIC_BYTES);
  header.version = FUSE_ARTIFACT_VERSION;
  header.headerBytes = kHeaderBytes;
  header.manifestBytes = contents.size();
  if (contents.size() > FUSE_MAX_MANIFEST_BYTES)
    return expected("a manifest of at most " +
                        std::to_string(FUSE_MAX_MANIFEST_BYTES) + " bytes",
                    std::to_string(contents.size()));
  for (std::string_view blob : blobs) {
    contents += blob;
    header.blobBytes += blob.size();
  }
  Sha256::Digest digest = checksumOf(header, contents);
  std::memcpy(header.checksum, digest.data(), digest.size());
  contents.insert(0, reinterpret_cast<const char *>(&header), kHeaderBytes);
  return contents;
}

Result<std::string> fuse::rt::serializeArtifact(const Artifact &artifact) {
  return noThrow([&] { return serialize(artifact); });
}

Status fuse::rt::writeArtifactFile(const std::string &path,
                                   const Artifact &artifact) {
  return noThrow([&]() -> Status {
    Result<std::string> bytes = serialize(artifact);
    if (!bytes.ok())
      return bytes.status().withContext(path);
    return writeFileAtomically(path, {{bytes->data(), bytes->size()}});
  });
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Everything that can be said without the manifest.
static Status checkHeader(const FuseArtifactHeader &header,
                          std::string_view bytes) {
  if (header.version != FUSE_ARTIFACT_VERSION)
    return expected("version " + std::to_string(FUSE_ARTIFACT_VERSION) +
                        " of the format, the one of this build",
                    std::to_string(header.version));
  if (header.headerBytes != kHeaderBytes)
    return expected("a header of " + std::to_string(kHeaderBytes) + " bytes",
                    std::to_string(header.headerBytes));
  if (header.manifestBytes > FUSE_MAX_MANIFEST_BYTES)
    return expected("a manifest of at most " +
                        std::to_string(FUSE_MAX_MANIFEST_BYTES) + " bytes",
                    std::to_string(header.manifestBytes));
  // Without an overflow, as blobBytes may be anything.
  uint64_t rest = bytes.size() - kHeaderBytes;
  if (header.manifestBytes > rest ||
      header.blobBytes != rest - header.manifestBytes)
    return expected("a file as long as its header says",
                    std::to_string(bytes.size()) + " bytes: it is damaged");
  return {};
}

static Result<Artifact> parse(std::string_view bytes) {
  std::string_view magic(FUSE_ARTIFACT_MAGIC, FUSE_ARTIFACT_MAGIC_BYTES);
  if (bytes.substr(0, magic.size()) != magic)
    return expected("a compiled program (.fuse)",
                    bytes.empty() ? "an empty file" : "another kind of file");
  if (bytes.size() < kHeaderBytes)
    return expected("a header of " + std::to_string(kHeaderBytes) + " bytes",
                    std::to_string(bytes.size()) +
                        " bytes: the file is cut off");
  FuseArtifactHeader header;
  std::memcpy(&header, bytes.data(), kHeaderBytes);
  if (Status status = checkHeader(header, bytes); !status.ok())
    return status;
  std::string_view contents = bytes.substr(kHeaderBytes);
  Sha256::Digest digest = checksumOf(header, contents);
  if (std::memcmp(header.checksum, digest.data(), digest.size()) != 0)
    return Status::invalidInput(
        "expects the checksum of its header, but got another: it is damaged");
  Result<Artifact> artifact =
      parseManifest(contents.substr(0, header.manifestBytes),
                    contents.substr(header.manifestBytes));
  if (artifact.ok())
    if (Status status = validateArtifact(*artifact); !status.ok())
      return status;
  return artifact;
}

Result<Artifact> fuse::rt::parseArtifact(std::string_view bytes,
                                         std::string_view name) {
  return noThrow([&] { return parse(bytes).withContext(name); });
}

Result<Artifact> fuse::rt::readArtifactFile(const std::string &path) {
  return noThrow([&]() -> Result<Artifact> {
    Result<std::string> bytes = readWholeFile(path);
    if (!bytes.ok())
      return bytes.status();
    return parse(*bytes).withContext(path);
  });
}
