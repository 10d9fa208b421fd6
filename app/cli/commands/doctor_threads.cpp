#include "app/cli/commands/doctor_threads.h"

#include <string>

#include "app/cli/lab/work/page_work.h"
#include "app/cli/stream/collector_child.h"
#include "app/cli/text/exit_code.h"
#include "app/cli/text/say.h"
#include "platform/host/standard_output.h"

namespace faultline {
namespace {

// All that the collector prints from now on, up to and with `end`; empty: to its end.
std::string read(CollectorChild& child, std::string_view end) {
  std::string text;
  while (!child.ended() && (end.empty() || text.find(end) == std::string::npos)) {
    const auto bytes = child.receive();
    text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return text;
}

}  // namespace

int runThreadCheck(const CommonOptions& common) {
  auto child = CollectorChild::start(common, {"threads", "--for", "1s"});
  if (!child) return failed(child.error());
  const bool begun = read(*child, "\n").starts_with("ready");
  const auto worked = begun ? askForPages() : Result<void>();
  const std::string report = read(*child, {});
  if (!begun || report.empty()) return failed(Error{child->end().sentence});
  if (!worked) return failed(worked.error());
  StandardOutput out;
  const auto written = out.write(report);
  return written ? ExitCode::kOk : failedWrite(out, written.error());
}

}  // namespace faultline
