//===- Subprocess.cpp - other programs, without a shell -------------------===//

#include "Subprocess.h"

#include "AtomicFile.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace fuse::rt;

namespace {
/// Both ends of a pipe, closed with the object unless they were before.
struct Pipe {
  int ends[2] = {-1, -1};

  ~Pipe() {
    close(0);
    close(1);
  }
  bool open() { return pipe2(ends, O_CLOEXEC) == 0; }
  void close(int end) {
    if (ends[end] >= 0)
      ::close(ends[end]);
    ends[end] = -1;
  }
};

/// What a new process does before it is another program.
struct FileActions {
  posix_spawn_file_actions_t actions;

  FileActions() { posix_spawn_file_actions_init(&actions); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions); }
  FileActions(const FileActions &) = delete;
  FileActions &operator=(const FileActions &) = delete;
};
} // namespace

static std::string readAll(int file) {
  std::string text;
  char buffer[4096];
  for (;;) {
    ssize_t count = read(file, buffer, sizeof(buffer));
    if (count > 0)
      text.append(buffer, static_cast<size_t>(count));
    else if (count == 0 || errno != EINTR)
      return text;
  }
}

Result<ProcessResult>
fuse::rt::runProcess(const std::vector<std::string> &command) {
  auto failure = [&](int error) {
    return Status::io("cannot be run: " + describeErrno(error))
        .withContext(command.front());
  };
  Pipe pipe;
  if (!pipe.open())
    return failure(errno);
  FileActions setup;
  posix_spawn_file_actions_addopen(&setup.actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&setup.actions, pipe.ends[1], 1);
  posix_spawn_file_actions_adddup2(&setup.actions, pipe.ends[1], 2);

  std::vector<char *> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string &word : command)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t process;
  if (int error = posix_spawn(&process, arguments[0], &setup.actions, nullptr,
                              arguments.data(), environ))
    return failure(error);

  pipe.close(1);
  ProcessResult result;
  result.output = readAll(pipe.ends[0]);
  int state = 0;
  while (waitpid(process, &state, 0) < 0)
    if (errno != EINTR)
      return failure(errno);
  result.exitCode =
      WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
  return result;
}

Result<TemporaryFolder> TemporaryFolder::create(const std::string &parent) {
  std::string path = parent + "/fuse-XXXXXX";
  if (!mkdtemp(path.data()))
    return Status::io("cannot make a folder: " + describeErrno(errno))
        .withContext(parent);
  return TemporaryFolder(std::move(path));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path.empty())
    std::filesystem::remove_all(path, ignored);
}
