// Prints the name of each test before it runs. For programs that are one entry of ctest: a log that ends at a time
// limit names the test that was running.
#include <catch2/catch_test_case_info.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
#include <cstdio>

namespace {

class StartedTests final : public Catch::EventListenerBase {
 public:
  using EventListenerBase::EventListenerBase;
  void testCaseStarting(const Catch::TestCaseInfo& test) override {
    std::fprintf(stderr, "> %s\n", test.name.c_str());
    std::fflush(stderr);
  }
};

}  // namespace

CATCH_REGISTER_LISTENER(StartedTests)
