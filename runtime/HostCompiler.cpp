//===- HostCompiler.cpp - kernels compiled for the CPU --------------------===//

#include "fuse/runtime/HostCompiler.h"

#include "AtomicFile.h"
#include "CompilerLog.h"
#include "File.h"
#include "NoThrow.h"
#include "Subprocess.h"
#include "Text.h"

#include <filesystem>
#include <unistd.h>

using namespace fuse::rt;

static bool isProgram(const std::string &path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) &&
         access(path.c_str(), X_OK) == 0;
}

/// The path of a program, or "".
static std::string findProgram(const std::string &name,
                               std::string_view searchPath) {
  if (name.find('/') != std::string::npos)
    return isProgram(name) ? name : "";
  TextCursor cursor(searchPath);
  while (!cursor.atEnd()) {
    std::string folder(cursor.takeWhile([](char c) { return c != ':'; }));
    cursor.consume(":");
    // An empty folder would be the current one, where no compiler belongs.
    if (!folder.empty() && isProgram(folder + "/" + name))
      return folder + "/" + name;
  }
  return "";
}

static Result<std::vector<std::string>>
findCommand(const HostCompilerOptions &options) {
  std::vector<std::string> words;
  TextCursor cursor(options.command);
  for (cursor.skipBlanks(); !cursor.atEnd(); cursor.skipBlanks())
    words.emplace_back(cursor.takeWhile([](char c) { return !isBlank(c); }));
  if (!words.empty()) {
    std::string path = findProgram(words[0], options.searchPath);
    if (path.empty())
      return Status::noDevice(
          "expects a C++ compiler, but there is no program " + quote(words[0]) +
          " (FUSE_CXX)");
    words[0] = path;
    return words;
  }
  for (const char *name : {"g++", "clang++", "c++"})
    if (std::string path = findProgram(name, options.searchPath); !path.empty())
      return std::vector<std::string>{path};
  return Status::noDevice(
      "device host expects a C++ compiler, but there is no g++, clang++ or c++ "
      "on the search path; install one, or name one with FUSE_CXX");
}

Result<HostCompiler> HostCompiler::find(const HostCompilerOptions &options) {
  return noThrow([&]() -> Result<HostCompiler> {
    Result<std::vector<std::string>> command = findCommand(options);
    if (!command.ok())
      return command.status();
    std::vector<std::string> query = *command;
    query.emplace_back("--version");
    Result<ProcessResult> version = runProcess(query);
    if (!version.ok())
      return Status::noDevice(version.status().message());
    if (version->exitCode != 0)
      return Status::noDevice("expects a C++ compiler, but " +
                              quote(command->front()) +
                              " does not tell its version");
    return HostCompiler(std::move(*command), std::move(version->output),
                        options.temporaryFolder);
  });
}

/// Runs one step of a compilation of `what`.
static Status runStep(const std::vector<std::string> &command,
                      const std::string &what) {
  Result<ProcessResult> done = runProcess(command);
  if (!done.ok())
    return done.status();
  if (done->exitCode == 0)
    return {};
  return Status::invalidInput(what + ": " + command.front() + " fails:\n" +
                              firstErrors(done->output));
}

Result<std::string>
HostCompiler::compile(const std::vector<Artifact::Source> &sources,
                      const std::vector<std::string> &flags) const {
  return noThrow([&]() -> Result<std::string> {
    Result<TemporaryFolder> folder = TemporaryFolder::create(temporaryFolder);
    if (!folder.ok())
      return folder.status();
    // Compiling and linking apart, because with -fsanitize the linker would be
    // given a runtime, which the twin takes the place of. Each object has the
    // same device header in it, of which the library needs one.
    std::string library = folder->file("kernels.so");
    std::vector<std::string> link = words;
    link.insert(link.end(),
                {"-shared", "-Wl,-Bsymbolic", "-Wl,-z,muldefs", "-o", library});
    for (const Artifact::Source &source : sources) {
      std::string text = folder->file(source.name), object = text + ".o";
      if (Status status = writeFileAtomically(
              text, {{source.text.data(), source.text.size()}});
          !status.ok())
        return status;
      std::vector<std::string> compile = words;
      compile.insert(compile.end(), flags.begin(), flags.end());
      compile.insert(compile.end(),
                     {"-ffile-prefix-map=" + folder->file("") + "=", "-c", "-x",
                      "c++", text, "-o", object});
      if (Status status = runStep(compile, source.name); !status.ok())
        return status;
      link.push_back(object);
    }
    if (Status status = runStep(link, "kernels"); !status.ok())
      return status;
    return readWholeFile(library);
  });
}
