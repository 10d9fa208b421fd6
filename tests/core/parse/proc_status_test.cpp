#include "core/parse/proc_status.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tests/support/guard_page.h"

namespace faultline::test {
namespace {

const std::string kText =
    "Name:\tTgid:\\n7\n"  // the kernel escapes newlines in a name
    "Umask:\t0022\nState:\tS (sleeping)\nTgid:\t4711\nNgid:\t0\nPid:\t4712\nPPid:\t1\n"
    "Uid:\t1000\t0\t1000\t1000\nGid:\t100\t27\t100\t100\nGroups:\t4 27 1000 \nNSpid:\t4711\t12\t3\nThreads:\t2\n"
    "SigBlk:\t0000000000000a00\nCapPrm:\t000001ffffffffff\n";

}  // namespace

TEST_CASE("Ids, innermost pid, blocked signals and capabilities are read from status") {
  const ProcStatus expected{.group = 4711,
                            .user = {.real = 1000, .effective = 0},
                            .userGroup = {.real = 100, .effective = 27},
                            .otherGroups = {4, 27, 1000},
                            .innerPid = 3,
                            .blockedSignals = 0xa00,
                            .capabilities = 0x1ff'ffff'ffff};
  CHECK(parseProcStatus(kText) == expected);
}

TEST_CASE("A status that is cut or has no numbers is refused") {
  for (std::size_t cut = 0; cut < kText.find("\nThreads"); ++cut)
    CHECK_FALSE(parseProcStatus(GuardedText(std::string_view(kText).substr(0, cut)).view()));
  const std::string rest = "\nUid:\t1\t1\nGid:\t1\t1\nNSpid:\t1\n";
  CHECK(parseProcStatus("Tgid:\t7" + rest));
  for (const std::string group : {"x", "4294967296", "7x", ""}) CHECK_FALSE(parseProcStatus("Tgid:\t" + group + rest));
}

}  // namespace faultline::test
