// faultline-cli serve: sums by program for Prometheus, over HTTP or as a file for node_exporter, until a signal comes.
#include <chrono>
#include <utility>

#include "app/cli/commands/command.h"
#include "app/cli/serve/http_server.h"
#include "app/cli/serve/machines.h"
#include "app/cli/serve/numbers.h"
#include "app/cli/stream/calibrated.h"
#include "app/cli/stream/collector.h"
#include "app/cli/stream/writable.h"
#include "app/cli/text/exit_code.h"
#include "app/cli/text/say.h"
#include "core/base/file_name.h"
#include "platform/host/answers.h"
#include "platform/host/processes.h"
#include "platform/host/signals.h"
#include "platform/host/whole_file.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr const char* kPath = "/metrics";

constexpr const char* kServeFooter =
    "Measures until Ctrl-C or SIGTERM. Counters begin with the command and are sums over all processes of a\n"
    "program, also of those that have ended; the programs that cost most have series of their own, all others\n"
    "share one with program=\"other\", so that the sums add up; the same again by the service or container that\n"
    "they run in, as faultline_service_... No series has a pid. The page is at /metrics, as\n"
    "text or OpenMetrics, whichever the reader asks for. It names the programs that run. Only programs of this\n"
    "machine can read it, unless --listen names another address: --web-config then adds encryption and passwords.\n"
    "\n"
    "Examples:\n"
    "  faultline-cli serve\n"
    "  faultline-cli serve --listen 127.0.0.1:9500 --programs 200\n"
    "  faultline-cli serve --listen 0.0.0.0:9469 --web-config web.yml\n"
    "  faultline-cli serve --textfile faultline.prom";

struct ServeOptions {
  std::string listen = "127.0.0.1:9469";
  std::string webConfig;
  std::string textfile;
  std::size_t programs = 50;
  std::size_t machines = 0;  // synthetic ones, with a path for each; 0: the one of /metrics alone
  Nanoseconds interval = 1s;
  Nanoseconds every = 15s;
};

class Server {
 public:
  Server(const CommonOptions& common, const ServeOptions& options, std::optional<HttpAddress> address,
         Protection protection)
      : m_common(common),
        m_options(options),
        m_address(std::move(address)),
        m_protection(std::move(protection)),
        m_here(isThisMachine(common)),
        m_numbers(options.programs, m_here) {}

  int run() {
    auto signals = Signals::listen();
    if (!signals) return failed(signals.error());
    auto stream = CollectorStream::startWithServices(m_common, {.interval = m_options.interval});
    if (!stream) return failed(stream.error());
    if (const auto more = m_machines.start(m_options.machines, m_options.programs, m_common, m_options.interval); !more)
      return failed(more.error());
    const auto ended = measure(*stream, *signals);
    for (const std::string& line : stream->complaints()) say(line);
    return ended ? ExitCode::kOk : failed(ended.error());
  }

 private:
  // Listens once there are numbers. Returns after a signal.
  Result<void> measure(CollectorStream& stream, const Signals& signals) {
    std::optional<HttpServer> server;
    std::optional<AnswerServer> answers;  // where another `serve` does not answer already
    while (true) {
      const auto event = stream.waitForEvent(signals.interrupt());
      if (!event) return signals.interrupt().now() ? Result<void>() : tl::unexpected(event.error());
      if (const auto* hello = std::get_if<Hello>(&*event)) {
        m_numbers.begin([&](Monitor& monitor) { ingestCalibrated(monitor, *hello, m_common); });
      } else if (const auto* snapshot = std::get_if<const Snapshot*>(&*event)) {
        if (!std::exchange(m_begun, true) && m_here)
          if (auto started = AnswerServer::start("serve", [this](auto question) { return m_numbers.now(question); }))
            answers.emplace(std::move(*started));
        m_numbers.take(**snapshot);
        if (const auto others = m_machines.take(signals.interrupt()); !others)
          return signals.interrupt().now() ? Result<void>() : others;
        if (const auto written = writeFile((*snapshot)->time); !written) return written;
        if (server || !m_address) continue;
        if (auto started = listen(); started) server.emplace(std::move(*started));
        else return tl::unexpected(started.error());
      } else {
        return tl::unexpected(stream.whyEnded());
      }
    }
  }

  Result<HttpServer> listen() {
    const std::string where = m_address->host + ":" + std::to_string(m_address->port);
    const std::string scheme = m_protection.tls ? "https://" : "http://";
    auto answers = [this, where](std::string_view path, std::string_view accept) {
      const PrometheusFormat format = formatAccepted(accept);
      if (path == kPath) return std::optional(pageOf(m_numbers, format));
      return m_options.machines > 0 ? m_machines.answer(path, where, format, m_numbers) : std::nullopt;
    };
    auto server = HttpServer::start(*m_address, kPath, std::move(answers), std::move(m_protection));
    if (server) say("The numbers are at " + scheme + where + kPath + ".");
    return server;
  }

  Result<void> writeFile(MonotonicTime now) {
    if (m_options.textfile.empty() || (m_written && now - *m_written < m_options.every)) return {};
    m_written = now;
    return replaceFile(pathFromUtf8(m_options.textfile), m_numbers.text(PrometheusFormat::Text));
  }

  const CommonOptions& m_common;
  const ServeOptions& m_options;
  std::optional<HttpAddress> m_address;
  Protection m_protection;  // until the server has it
  bool m_here;              // the processes run on this machine
  Numbers m_numbers;
  SyntheticMachines m_machines;
  bool m_begun = false;
  std::optional<MonotonicTime> m_written;
};

// Other machines can read the page, or the password on its way.
void warnOfOthers(const HttpAddress& address, const Protection& protection) {
  if (isLoopback(address) || (protection.tls && (!protection.users.empty() || !protection.tls->clientCa.empty())))
    return;
  const std::string lacks = protection.users.empty() ? "no password protects them" : "no encryption protects them";
  say("Whoever reaches " + address.host +
      " can read the names of the programs, services and containers of this machine, and their page faults, memory"
      " and times: " +
      lacks + ". See --web-config.");
}

int runServe(const CommonOptions& common, const ServeOptions& options) {
  if (options.machines > 0 && !common.synthetic)
    return failed({"--machines needs --synthetic: this computer is one machine."});
  std::optional<HttpAddress> address;
  if (!options.listen.empty()) {
    auto parsed = parseHttpAddress(options.listen);
    if (!parsed) return failed(parsed.error());
    address = std::move(*parsed);
  }
  if (!options.textfile.empty())
    if (const auto may = mayWrite(pathFromUtf8(options.textfile)); !may) return failed(may.error());
  Protection protection;
  if (!options.webConfig.empty()) {
    if (!address) return failed({"--web-config protects the page: name its address by --listen."});
    auto loaded = loadProtection(pathFromUtf8(options.webConfig));
    if (!loaded) return failed(loaded.error());
    protection = std::move(*loaded);
  }
  if (address) warnOfOthers(*address, protection);
  return Server(common, options, std::move(address), std::move(protection)).run();
}

}  // namespace

void addServe(Commands& commands) {
  auto options = std::make_shared<ServeOptions>();
  CLI::App* app = commands.app.add_subcommand("serve", "Serve sums by program to Prometheus");
  app->footer(kServeFooter);
  CLI::Option* listen =
      app->add_option("--listen", options->listen, "The address to answer on, HOST:PORT or a port alone")
          ->type_name("ADDRESS");
  app->add_option("--web-config", options->webConfig,
                  "TLS and passwords: a file as that of node_exporter's --web.config.file")
      ->type_name("FILE");
  app->add_option("--textfile", options->textfile,
                  "In place of answering, write this file for node_exporter whole each time, every 15 s or --every")
      ->type_name("FILE");
  addDuration(*app, "--every", options->every, 1s, 1h, "The time between two writings of --textfile");
  app->add_option("--programs", options->programs, "The most programs that have series of their own")
      ->check(CLI::Range(1, 1000))
      ->type_name("N");
  app->add_option("--machines", options->machines,
                  "With --synthetic, so many machines: /machines/N/metrics, and /machines for http_sd_configs")
      ->check(CLI::Range(1, 1000))
      ->excludes("--textfile")
      ->type_name("N");
  addInterval(*app, options->interval);
  app->callback([&commands, options, listen] {
    if (!options->textfile.empty() && listen->count() == 0) options->listen.clear();
    commands.run = [&commands, options] { return runServe(*commands.common, *options); };
  });
}

}  // namespace faultline
