#include "platform/host/nt/command_line.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;

TEST_CASE("Arguments are quoted by Microsoft's rules, and only if needed") {
  CHECK(quotedArgument("plain") == "plain");
  CHECK(quotedArgument("") == R"("")");
  CHECK(quotedArgument("a b") == R"("a b")");
  CHECK(quotedArgument("a\tb") == "\"a\tb\"");
  CHECK(quotedArgument(R"(say "hi")") == R"("say \"hi\"")");
  CHECK(quotedArgument("\"") == R"("\"")");
  CHECK(quotedArgument("grün €") == "\"grün €\"");
}

TEST_CASE("Backslashes are doubled before a quote, and nowhere else") {
  CHECK(quotedArgument(R"(C:\folder\file)") == R"(C:\folder\file)");
  CHECK(quotedArgument(R"(C:\folder\)") == R"(C:\folder\)");
  CHECK(quotedArgument(R"(C:\a folder\)") == R"("C:\a folder\\")");
  CHECK(quotedArgument(R"(a b\\)") == R"("a b\\\\")");
  CHECK(quotedArgument(R"(a\b c)") == R"("a\b c")");
  CHECK(quotedArgument(R"(a\"b)") == R"("a\\\"b")");
  CHECK(quotedArgument(R"(\")") == R"("\\\"")");
}

TEST_CASE("The program's name is always quoted, and its arguments follow") {
  CHECK(commandLine(R"(C:\Program Files\game.exe)", {"--map", "", "a b"}) ==
        R"("C:\Program Files\game.exe" --map "" "a b")");
  CHECK(commandLine("game", {}) == R"("game")");
}

TEST_CASE("Batch files are recognized by their extensions") {
  CHECK(isBatchFile(R"(C:\tools\npm.cmd)"));
  CHECK(isBatchFile("BUILD.Bat"));
  CHECK_FALSE(isBatchFile("cmd"));
  CHECK_FALSE(isBatchFile("bat.exe"));
}

TEST_CASE("An argument that cmd.exe would change is an error") {
  CHECK(batchCommandLine(R"(C:\my tools\npm.cmd)", {"run", "", R"(a & b\)"}) ==
        R"(cmd.exe /d /e:on /v:off /c ""C:\my tools\npm.cmd" "run" "" "a & b\\"")");
  for (const char* hostile : {"\" & calc", "%PATH%", "two\nlines", "two\rlines"})
    CHECK_FALSE(batchCommandLine("a.cmd", {hostile}));
  CHECK_FALSE(batchCommandLine("a.cmd", {std::string("a\0b", 3)}));
  CHECK_FALSE(batchCommandLine("%a%.cmd", {}));
}
