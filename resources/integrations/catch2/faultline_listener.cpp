/* Page faults and CPU time of each test case of Catch2 (version 3): compile this file into the test program. The
 * listener writes, after all tests, a document in Bencher Metric Format to the file that FAULTLINE_BMF names; without
 * that variable, a line of each test case to standard error.
 *
 * A test case that runs several times (GENERATE, SECTION) is counted with all its runs.
 *
 * SPDX-License-Identifier: MIT-0
 */
#include <catch2/catch_test_case_info.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "faultline_count.h"

namespace {

std::string inJson(const std::string& text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') out += '\\';
    out += static_cast<unsigned char>(letter) < 32 ? ' ' : letter;
  }
  return out;
}

class FaultlineListener : public Catch::EventListenerBase {
 public:
  using EventListenerBase::EventListenerBase;

  void testCaseStarting(const Catch::TestCaseInfo&) override { m_before = faultline_count(); }

  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    const faultline_counts cost = faultline_count_since(m_before);
    const auto faults = static_cast<unsigned long long>(cost.faults);
    const auto cpu = static_cast<unsigned long long>(cost.cpu_ns);
    if (std::getenv("FAULTLINE_BMF") == nullptr) {
      std::fprintf(stderr, "%s: %llu page faults, %.3f ms of CPU time\n", stats.testInfo->name.c_str(), faults,
                   static_cast<double>(cpu) / 1e6);
      return;
    }
    m_document += (m_document.empty() ? "\"" : ",\n\"") + inJson(stats.testInfo->name) +
                  "\": {\"faults\": {\"value\": " + std::to_string(faults) +
                  "}, \"cpu-ns\": {\"value\": " + std::to_string(cpu) + "}}";
  }

  void testRunEnded(const Catch::TestRunStats&) override {
    const char* const name = std::getenv("FAULTLINE_BMF");
    if (name == nullptr) return;
    std::FILE* const file = std::fopen(name, "w");
    const bool written = file != nullptr && std::fprintf(file, "{%s}\n", m_document.c_str()) > 0;
    if ((file != nullptr && std::fclose(file) != 0) || !written)
      std::fprintf(stderr, "%s could not be written.\n", name);
  }

 private:
  faultline_counts m_before{};
  std::string m_document;
};

}  // namespace

CATCH_REGISTER_LISTENER(FaultlineListener)
