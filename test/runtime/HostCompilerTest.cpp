//===- HostCompilerTest.cpp - finding and running a C++ compiler ----------===//

#include "fuse/runtime/HostCompiler.h"

#include "CompilerLog.h"
#include "SharedLibrary.h"
#include "Subprocess.h"
#include "TestUtils.h"

#include <fstream>
#include <sys/stat.h>

using namespace fuse::rt;

namespace {
class HostCompilerTest : public testing::Test {
protected:
  HostCompilerTest() {
    options.searchPath = std::getenv("PATH");
    options.temporaryFolder = directory.path(".");
  }

  /// A program in the folder `bin` that is a line of a shell.
  void addProgram(const std::string &name, const std::string &line,
                  mode_t mode = 0755) {
    mkdir(directory.path("bin").c_str(), 0700);
    std::string path = directory.path("bin/" + name);
    std::ofstream(path) << "#!/bin/sh\n" << line << "\n";
    chmod(path.c_str(), mode);
  }

  TemporaryDirectory directory;
  HostCompilerOptions options;
};
} // namespace

TEST_F(HostCompilerTest, Compiles) {
  Result<HostCompiler> compiler = HostCompiler::find(options);
  ASSERT_EQ(messageOf(compiler), "");
  EXPECT_NE(compiler->version(), "");
  std::vector<Artifact::Source> sources = {
      {"a.cu", "extern \"C\" int seven() { return 7; }", {}, true},
      {"b.cu", "extern \"C\" int eight() { return 8; }", {}, true}};
  Result<std::string> bytes = compiler->compile(sources, {"-O1", "-fPIC"});
  ASSERT_EQ(messageOf(bytes), "");
  EXPECT_EQ(bytes->substr(1, 3), "ELF");
  EXPECT_EQ(directory.list(), std::vector<std::string>()) << "nothing is left";

  std::string path = directory.path("kernels.so");
  std::ofstream(path, std::ios::binary) << *bytes;
  Result<SharedLibrary> library = SharedLibrary::open(path);
  ASSERT_EQ(messageOf(library), "");
  int (*seven)() = nullptr, (*eight)() = nullptr;
  ASSERT_EQ(messageOf(library->get("seven", seven)), "");
  ASSERT_EQ(messageOf(library->get("eight", eight)), "");
  EXPECT_EQ(seven() + eight(), 15);
  EXPECT_EQ(messageOf(library->get("nine", seven)), "has no function nine");
}

TEST_F(HostCompilerTest, ErrorsOfTheText) {
  Result<HostCompiler> compiler = HostCompiler::find(options);
  ASSERT_EQ(messageOf(compiler), "");
  Status status =
      compiler->compile({{"a.cu", "int x = no_such_thing;\n", {}, true}}, {})
          .status();
  EXPECT_EQ(status.code(), StatusCode::InvalidInput);
  EXPECT_EQ(status.message().rfind(
                "a.cu: " + compiler->command()[0] + " fails:\n  ", 0),
            0u)
      << status.message();
  EXPECT_NE(status.message().find("no_such_thing"), std::string::npos);
  EXPECT_EQ(directory.list(), std::vector<std::string>());
}

TEST_F(HostCompilerTest, MissingCompiler) {
  options.searchPath = directory.path(".") + "::/nowhere";
  Status status = HostCompiler::find(options).status();
  EXPECT_EQ(status.code(), StatusCode::NoDevice);
  EXPECT_EQ(status.message(),
            "device host expects a C++ compiler, but there is no g++, clang++ "
            "or c++ on the search path; install one, or name one with "
            "FUSE_CXX");
  options.command = "no-such-compiler -O2";
  status = HostCompiler::find(options).status();
  EXPECT_EQ(status.code(), StatusCode::NoDevice);
  EXPECT_EQ(status.message(), "expects a C++ compiler, but there is no program "
                              "'no-such-compiler' (FUSE_CXX)");
}

TEST_F(HostCompilerTest, FindsTheFirstThatIsThere) {
  options.searchPath = directory.path("bin");
  addProgram("c++", "echo plain");
  addProgram("clang++", "echo clang");
  addProgram("g++", "echo gnu", /*mode=*/0644); // Not a program.
  Result<HostCompiler> compiler = HostCompiler::find(options);
  ASSERT_EQ(messageOf(compiler), "");
  EXPECT_EQ(compiler->version(), "clang\n");
  options.command = "  c++  -m64 ";
  compiler = HostCompiler::find(options);
  ASSERT_EQ(messageOf(compiler), "");
  EXPECT_EQ(compiler->command(),
            (std::vector<std::string>{directory.path("bin/c++"), "-m64"}));
  options.command = directory.path("bin/c++");
  EXPECT_EQ(messageOf(HostCompiler::find(options)), "");
}

TEST_F(HostCompilerTest, CompilersThatFail) {
  options.searchPath = directory.path("bin");
  addProgram("g++", "exit 3");
  EXPECT_EQ(messageOf(HostCompiler::find(options)),
            "expects a C++ compiler, but '" + directory.path("bin/g++") +
                "' does not tell its version");
  addProgram("g++", "case $1 in --version) ;; *) kill -9 $$ ;; esac");
  Result<HostCompiler> compiler = HostCompiler::find(options);
  ASSERT_EQ(messageOf(compiler), "");
  EXPECT_EQ(messageOf(compiler->compile({{"a.cu", "x", {}, true}}, {})),
            "a.cu: " + directory.path("bin/g++") +
                " fails:\n  without a message");
}

//===----------------------------------------------------------------------===//
// Processes and logs
//===----------------------------------------------------------------------===//

TEST(Subprocess, RunsWithoutAShell) {
  Result<ProcessResult> result =
      runProcess({"/bin/echo", "a b", "$HOME", "*", "'"});
  ASSERT_EQ(messageOf(result), "");
  EXPECT_EQ(result->exitCode, 0);
  EXPECT_EQ(result->output, "a b $HOME * '\n");
}

TEST(Subprocess, KeepsBothStreamsAndTheCode) {
  Result<ProcessResult> result =
      runProcess({"/bin/sh", "-c", "echo out; echo err >&2; cat; exit 3"});
  ASSERT_EQ(messageOf(result), "");
  EXPECT_EQ(result->exitCode, 3);
  EXPECT_EQ(result->output, "out\nerr\n");
  EXPECT_EQ(runProcess({"/bin/sh", "-c", "kill -15 $$"})->exitCode, 143);
  // More than a pipe holds.
  EXPECT_EQ(
      runProcess({"/bin/sh", "-c", "head -c 1000000 /dev/zero"})->output.size(),
      1000000u);
}

TEST(Subprocess, ProgramsThatAreNotThere) {
  Status status = runProcess({"/no/such/program"}).status();
  EXPECT_EQ(status.code(), StatusCode::Io);
  EXPECT_EQ(status.message(),
            "/no/such/program: cannot be run: No such file or directory");
}

TEST(CompilerLog, FirstErrors) {
  EXPECT_EQ(firstErrors(""), "  without a message");
  EXPECT_EQ(firstErrors("a.cu:1: note: x\n  a.cu:2: error: y\n\n"),
            "  a.cu:2: error: y");
  EXPECT_EQ(firstErrors("killed\n"), "  killed");
  std::string many;
  for (int i = 0; i < 9; ++i)
    many += "error " + std::to_string(i) + "\n";
  EXPECT_EQ(firstErrors(many),
            "  error 0\n  error 1\n  error 2\n  error 3\n  error 4");
  EXPECT_EQ(firstErrors("error " + std::string(1000, 'x')).size(), 202u);
}

TEST(CompilerLog, Refusals) {
  EXPECT_EQ(findRefusal("ptxas info : Used 4 registers\n"), "");
  EXPECT_EQ(findRefusal("a\nptxas info : wgmma will be serialized in k\nb"),
            "ptxas info : wgmma will be serialized in k");
  EXPECT_EQ(findRefusal("setmaxnreg ignored to maintain minimum registers"),
            "setmaxnreg ignored to maintain minimum registers");
}
