// faultline-cli top: a live table, on the terminal's alternate screen or as plain text for a pipe.
#include <algorithm>
#include <array>
#include <chrono>
#include <map>

#include "app/cli/commands/command.h"
#include "app/cli/stream/calibrated.h"
#include "app/cli/stream/collector.h"
#include "app/cli/text/exit_code.h"
#include "app/cli/text/say.h"
#include "app/cli/text/width.h"
#include "app/cli/top/keys.h"
#include "core/monitor/service_names.h"
#include "core/text/quantity.h"
#include "platform/host/own_cpu.h"
#include "platform/host/processes.h"
#include "platform/host/signals.h"
#include "platform/host/standard_output.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr const char* kFigures =
    "  peak/s             the highest minor/s of this run\n"
    "  machine            all faults, those of ended processes included\n"
    "  self               Faultline's own use of one core\n"
    "A dash marks an unavailable number. The last minute has a logarithmic scale. A ◆ marks a spike of the\n"
    "last ten seconds.\n"
    "\n"
    "Keys: q quit, ? all keys, p or space pause, s next sort order, S previous, / filter, Esc clear the filter,\n"
    "c users, services and command lines in place of names, arrows and Page keys scroll. NO_COLOR in the environment "
    "turns\n"
    "colours off. A pipe gets plain text, one table per interval.\n"
    "\n"
    "Examples:\n"
    "  faultline-cli top --interval 100ms --sort peak\n"
    "  faultline-cli top --count 5 -n 10 | cat";

// The columns of metrics are those of the field table.
std::string topFooter() {
  std::string text = "Columns and figures:\n";
  for (const auto& row : kProcessFields)
    for (const MetricColumn* column : {&row.rate, &row.level}) {
      if (column->width == 0) continue;
      const std::string needs = row.needs == Needs::Privilege ? " (needs capabilities, see doctor)" : "";
      const std::string per = column == &row.rate ? " per second" : "";
      text += "  " + leftIn(column->title, 19) + std::string(row.title) + per + needs + "\n";
    }
  return text + kFigures;
}

constexpr int kPlainColumns = 120;
constexpr int kMost = 1'000'000'000;  // of rows and tables

struct TopOptions {
  Nanoseconds interval = 500ms;
  bool faster = false;      // while a spike runs
  std::uint64_t count = 0;  // 0: no end
  TopState state;
};

class Top {
 public:
  Top(TopOptions options, CommonOptions common, CollectorStream stream)
      : m_options(std::move(options)),
        m_common(std::move(common)),
        m_state(m_options.state),
        m_stream(std::move(stream)) {}

  int runPlain() {
    StandardOutput out;
    while (!m_done) {
      const auto event = m_stream.waitForEvent();
      for (const std::string& line : m_stream.complaints()) say(line);
      if (!event) return failed(event.error());
      if (std::holds_alternative<StreamEnd>(*event)) return failed(m_stream.whyEnded());
      if (!take(*event) || m_monitor.now().gap == Gap::First) continue;  // no rates yet
      if (const auto written = out.write(topPlainText(scene(), m_state, kPlainColumns)); !written)
        return failedWrite(out, written.error());
    }
    return ExitCode::kOk;
  }

  int runFullScreen(FullScreen screen, Signals signals) {
    std::optional<Error> failure;
    while (!m_done && !failure && !screen.gone()) {
      const std::array handles{m_stream.ready(), screen.keysReady(), signals.ready()};
      const std::uint32_t ready = waitAny(handles, std::nullopt);
      if ((ready & 1U) != 0) failure = receive();
      if ((ready & 2U) != 0)
        for (const Key& key : screen.keys()) press(key);
      if ((ready & 4U) != 0) onSignals(signals, screen);
      if (!m_done && !failure) draw(screen);
    }
    screen.leave();
    return failure ? failed(*failure) : ExitCode::kOk;
  }

 private:
  // Ingests all data received so far.
  std::optional<Error> receive() {
    m_stream.receive();
    for (;;) {
      const auto event = m_stream.next();
      if (!event) return event.error();
      if (std::holds_alternative<NeedMoreBytes>(*event)) break;
      static_cast<void>(take(*event));
    }
    return m_stream.ended() && !m_done ? std::optional(m_stream.whyEnded()) : std::nullopt;
  }

  // True: there is another moment to show.
  bool take(const StreamEvent& event) {
    if (const auto* hello = std::get_if<Hello>(&event)) ingestCalibrated(m_monitor, *hello, m_common);
    const auto* snapshot = std::get_if<const Snapshot*>(&event);
    if (snapshot == nullptr) return false;
    const MonotonicTime before = m_monitor.shown().time;
    m_monitor.ingest(**snapshot);
    const bool isNew = m_monitor.shown().time != before;
    m_moments += isNew ? 1 : 0;
    if (!m_state.paused) m_shown = m_monitor.shown();
    m_ownCpuShare = m_ownCpu.share();
    m_done |= m_options.count > 0 && m_moments > m_options.count;
    return isNew;
  }

  [[nodiscard]] TopScene scene() { return {m_monitor, m_shown, m_ownCpuShare, m_trouble, commandsHere()}; }

  // Of processes of this machine alone.
  TopTable::Command commandsHere() {
    if (!isThisMachine(m_common)) return {};
    return [this](const ProcessRow& row) {
      const auto [known, isNew] = m_commands.try_emplace(row.key);
      if (!isNew) return known->second;
      const std::string service = row.service == kNoService ? "-" : printableName(row.service);
      if (const auto who = identifyProcess(row.key.pid, row.key.startTime); who && !who->command.empty())
        known->second = userName(who->user) + "  " + service + "  " + who->command;
      return known->second;
    };
  }

  void draw(FullScreen& screen) {
    for (std::string& line : m_stream.complaints()) m_trouble = std::move(line);
    if (m_monitor.snapshots() == 0) return;
    m_size = terminalSize(StandardStream::Output).value_or(TerminalSize{});
    screen.draw(topScreen(scene(), m_state, m_size, m_paint));
  }

  void onSignals(Signals& signals, FullScreen& screen) {
    while (const auto signal = signals.next()) {
      if (*signal == Signal::Interrupt || *signal == Signal::Terminate) m_done = true;
      if (*signal != Signal::Suspend) continue;
      screen.leave();
      suspendSelf();
      screen.resume();
    }
  }

  void press(const Key& key) {
    m_done |= !pressKey(key, m_shown.rows.size(), tableHeight(m_size), m_state);
    if (!m_state.paused) m_shown = m_monitor.shown();
  }

  TopOptions m_options;
  CommonOptions m_common;
  TopState m_state;
  CollectorStream m_stream;
  Monitor m_monitor;
  Moment m_shown;
  std::uint64_t m_moments = 0;  // to show, so far
  OwnCpu m_ownCpu;
  std::optional<double> m_ownCpuShare;
  std::string m_trouble;
  std::map<ProcessKey, std::string> m_commands;
  TerminalSize m_size;
  Paint m_paint = Paint::forStream(StandardStream::Output);
  bool m_done = false;
};

int runTop(const CommonOptions& common, const TopOptions& options) {
  const bool fullScreen = isTerminal(StandardStream::Output) && isTerminal(StandardStream::Input) && !terminalIsDumb();
  if (!fullScreen) {
    auto stream = CollectorStream::startWithServices(common, {.interval = options.interval, .faster = options.faster});
    return stream ? Top(options, common, std::move(*stream)).runPlain() : failed(stream.error());
  }
  auto signals = Signals::listen();
  if (!signals) return failed(signals.error());
  auto stream = CollectorStream::startWithServices(common, {.interval = options.interval, .faster = options.faster});
  if (!stream) return failed(stream.error());
  auto screen = FullScreen::enter();
  if (!screen) return failed(screen.error());
  return Top(options, common, std::move(*stream)).runFullScreen(std::move(*screen), std::move(*signals));
}

}  // namespace

void addTop(Commands& commands) {
  auto options = std::make_shared<TopOptions>();
  CLI::App* app = commands.app.add_subcommand("top", "Show a live table of all processes");
  app->footer(topFooter());
  addInterval(*app, options->interval, options->faster);
  std::map<std::string, SortBy> sorts;
  for (const SortBy sort : sortings()) sorts.emplace(sortName(sort), sort);
  app->add_option_function<std::string>(
         "-s,--sort", [options, sorts](const std::string& name) { options->state.sort = sorts.at(name); },
         "Sort by this column (default minor)")
      ->check(CLI::IsMember(sorts))
      ->type_name("COLUMN");
  app->add_option_function<std::size_t>(
         "-n,--rows", [options](const std::size_t& rows) { options->state.mostRows = rows; },
         "Show at most this many rows (default: as many as fit, 20 in a pipe)")
      ->check(CLI::Range(1, kMost, "POSITIVE"))
      ->type_name("ROWS");
  app->add_option("-c,--count", options->count, "End after this many tables (default: never)")
      ->check(CLI::Range(1, kMost, "POSITIVE"))
      ->type_name("N");
  app->add_option("--filter", options->state.filter,
                  "Only processes with this text in their name, or this start of their pid")
      ->type_name("TEXT");
  app->callback(
      [&commands, options] { commands.run = [&commands, options] { return runTop(*commands.common, *options); }; });
}

}  // namespace faultline
