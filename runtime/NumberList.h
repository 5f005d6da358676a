//===- NumberList.h - plain and bracketed lists of numbers ------*- C++ -*-===//

#ifndef FUSE_RUNTIME_NUMBERLIST_H
#define FUSE_RUNTIME_NUMBERLIST_H

#include "fuse/runtime/InputSpec.h"

#include <string_view>

namespace fuse::rt {

/// Parses the `numbers` of a spec into untyped elements and their nesting.
Result<NumberList> parseNumberList(std::string_view text);

/// The elements as a tensor of `type`.
Result<HostTensor> materializeNumbers(const NumberList &list,
                                      const TensorType &type);

/// A tensor of `type` whose elements are all `element`.
Result<HostTensor> materializeSplat(std::string_view element,
                                    const TensorType &type);

} // namespace fuse::rt

#endif // FUSE_RUNTIME_NUMBERLIST_H
