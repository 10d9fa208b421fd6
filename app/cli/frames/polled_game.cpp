#include "app/cli/frames/polled_game.h"

#include <algorithm>
#include <array>

#include "platform/host/costs/calibration_file.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kMarkPatience = 500ms;  // for a mark that the game is setting
constexpr Nanoseconds kStartPatience = 10s;   // for a mark of a program that has just started

GameClientOptions completed(GameClientOptions options) {
  if (!options.synthetic) options.price = keptPrice;
  options.patience = options.wishes.started && !options.wishes.mark.empty() ? kStartPatience : kMarkPatience;
  return options;
}

}  // namespace

PolledGame::PolledGame(const CommonOptions& common, GameClientOptions options, Say say)
    : m_common(common), m_say(std::move(say)), m_client(*this, m_marks, completed(std::move(options))) {}

std::optional<Nanoseconds> PolledGame::quiet(Time now) const {
  if (!m_started) return 0ns;
  if (!m_client.due()) return std::nullopt;
  return std::max<Nanoseconds>(*m_client.due() - now, 0ns);
}

Result<void> PolledGame::step(Time now, const Take& take) {
  if (ended()) return {};
  m_take = &take;
  if (!std::exchange(m_started, true)) m_client.begin(now);
  if (m_child && waitAny(std::array{m_child->ready()}, 0ns) != 0) receive(now);
  m_client.onTime(now);
  if (!ended()) return {};
  if (!m_client.why().empty()) return fail(m_client.why());
  return take(StreamEnd{});
}

void PolledGame::receive(Time now) {
  const auto bytes = m_child->receive();
  if (!bytes.empty()) return m_client.onBytes(bytes, now);
  const CollectorEnd end = m_child->end();
  m_client.onCollectorEnd(end, now);
}

Result<void> PolledGame::startCollector(const std::vector<std::string>& arguments) {
  m_child.reset();
  auto child = CollectorChild::start(m_common, arguments);
  if (!child) return tl::unexpected(child.error());
  m_child.emplace(std::move(*child));
  return {};
}

bool PolledGame::looking() const {
  return m_client.state() == GameClient::State::Looking || m_client.state() == GameClient::State::ProgramLeft;
}

void PolledGame::stop() {
  m_client.stop();
  if (m_child) m_child->stop();
}

}  // namespace faultline
