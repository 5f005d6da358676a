//===- Manifest.h - the JSON of an artifact ---------------------*- C++ -*-===//

#ifndef FUSE_RUNTIME_MANIFEST_H
#define FUSE_RUNTIME_MANIFEST_H

#include "fuse/runtime/Artifact.h"

#include <string>
#include <string_view>
#include <vector>

namespace fuse::rt {

/// The manifest of a valid artifact. Sets `blobs` to what it refers to; they
/// live as long as the artifact.
std::string formatManifest(const Artifact &artifact,
                           std::vector<std::string_view> &blobs);

/// The inverse, with the blobs end to end. What it returns is as the manifest
/// says, but not yet validated.
Result<Artifact> parseManifest(std::string_view text, std::string_view blobs);

} // namespace fuse::rt

#endif // FUSE_RUNTIME_MANIFEST_H
