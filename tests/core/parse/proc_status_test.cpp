#include "core/parse/proc_status.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tests/support/guard_page.h"

namespace faultline::test {
namespace {

const std::string kText =
    "Name:\tTgid:\\n7\n"  // the kernel escapes newlines in a name
    "Umask:\t0022\nState:\tS (sleeping)\nTgid:\t4711\nNgid:\t0\nPid:\t4712\nPPid:\t1\n"
    "Uid:\t1000\t0\t1000\t1000\nGid:\t100\t100\t100\t100\nNSpid:\t4711\t12\t3\nThreads:\t2\n";

}  // namespace

TEST_CASE("Group, real user and innermost pid are read from status") {
  CHECK(parseProcStatus(kText) == ProcStatus{.group = 4711, .realUser = 1000, .innerPid = 3});
}

TEST_CASE("A status that is cut or has no numbers is refused") {
  for (std::size_t cut = 0; cut < kText.find("\nThreads"); ++cut)
    CHECK_FALSE(parseProcStatus(GuardedText(std::string_view(kText).substr(0, cut)).view()));
  CHECK_FALSE(parseProcStatus("Tgid:\tx\nUid:\t1\t1\nNSpid:\t1\n"));
  CHECK_FALSE(parseProcStatus("Tgid:\t4294967296\nUid:\t1\t1\nNSpid:\t1\n"));
}

}  // namespace faultline::test
