//===- CompilerLog.h - what compilers say -----------------------*- C++ -*-===//

#ifndef FUSE_RUNTIME_COMPILERLOG_H
#define FUSE_RUNTIME_COMPILERLOG_H

#include <string>
#include <string_view>

namespace fuse::rt {

/// The first lines that speak of errors, or the first lines at all if none
/// does; without a line break at the end.
std::string firstErrors(std::string_view log);

/// The first line that says that the assembler changed the meaning or the speed
/// of a kernel behind our back: "serialized" or "ignored". Empty if none does.
std::string_view findRefusal(std::string_view log);

} // namespace fuse::rt

#endif // FUSE_RUNTIME_COMPILERLOG_H
