//===- fuse-lsp-server.cpp - Tensor programs in an editor -----------------===//
//
// The server of MLIR reads its messages from the standard input, and parses the
// documents in them by recursion. So a thread of ours reads them first, and
// hands on through a pipe what is within the limits of TextScan.h.
//
//===----------------------------------------------------------------------===//

#include "DocumentScan.h"
#include "fuse/ir/FuseDialect.h"
#include "fuse/ir/TextScan.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"
#include <thread>
#include <unistd.h>

using namespace fuse;

namespace {
/// Bytes of a file descriptor, which is read as they are asked for.
class Input {
public:
  explicit Input(int descriptor) : descriptor(descriptor) {}

  /// What comes up to and with `end`; what is left if it does not come.
  std::string readThrough(StringRef end) {
    size_t found;
    while ((found = bytes.find(end.str())) == std::string::npos && fill()) {
    }
    return take(found == std::string::npos ? bytes.size() : found + end.size());
  }
  std::string read(size_t count) {
    while (bytes.size() < count && fill()) {
    }
    return take(std::min(count, bytes.size()));
  }

private:
  bool fill() {
    char buffer[1 << 16];
    const ssize_t count = ::read(descriptor, buffer, sizeof buffer);
    if (count > 0)
      bytes.append(buffer, count);
    return count > 0;
  }
  std::string take(size_t count) {
    std::string taken = bytes.substr(0, count);
    bytes.erase(0, count);
    return taken;
  }

  int descriptor;
  std::string bytes;
};
} // namespace

/// The number in `Content-Length: 12`, among the lines of a header.
static size_t contentLength(StringRef header) {
  size_t length = 0;
  SmallVector<StringRef> lines;
  header.split(lines, "\r\n");
  for (StringRef line : lines)
    if (line.consume_front_insensitive("Content-Length:"))
      (void)line.trim().getAsInteger(10, length);
  return length;
}

/// Hands on messages until there are no more.
static void relay(int from, int to) {
  Input input(from);
  llvm::raw_fd_ostream output(to, /*shouldClose=*/true, /*unbuffered=*/false);
  while (true) {
    const std::string header = input.readThrough("\r\n\r\n");
    if (header.empty())
      return;
    std::optional<std::string> body =
        scanMessage(input.read(contentLength(header)));
    if (!body) {
      llvm::errs() << "fuse-lsp-server: error: a message is nested deeper than "
                   << TextLimits().maxDepth << " levels\n";
      continue;
    }
    output << "Content-Length: " << body->size() << "\r\n\r\n" << *body;
    output.flush();
  }
}

/// Puts `relay` in front of the standard input. True if that could be done.
static bool scanStandardInput() {
  int ends[2];
  const int input = dup(STDIN_FILENO);
  if (input < 0 || pipe(ends) != 0 || dup2(ends[0], STDIN_FILENO) < 0)
    return false;
  close(ends[0]);
  std::thread(relay, input, ends[1]).detach();
  return true;
}

int main(int argc, char **argv) {
  // Other styles of input are for tests of the server of MLIR.
  if (argc == 1 && !scanStandardInput()) {
    llvm::errs() << "fuse-lsp-server: error: cannot read the standard input\n";
    return 1;
  }
  mlir::DialectRegistry registry;
  registerFuseDialects(registry);
  registry.insert<RefusedDialect>();
  bool succeeded = false;
  llvm::thread worker(std::optional<unsigned>(parserStackBytes), [&] {
    succeeded = mlir::succeeded(mlir::MlirLspServerMain(argc, argv, registry));
  });
  worker.join();
  return succeeded ? 0 : 1;
}
