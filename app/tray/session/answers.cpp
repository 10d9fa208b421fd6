#include "app/tray/session/answers.h"

#include <chrono>
#include <future>
#include <memory>

#include "core/query/now.h"
#include "core/recording/recent.h"

namespace faultline {
namespace {

constexpr std::chrono::milliseconds kPatience(500);

Result<RecentReader> recentOf(const Session& session, Nanoseconds last) {
  const RecentRecording& recent = session.recent();
  if (!recent.newest()) return fail("Nothing has been measured yet.");
  return recent.since(*recent.newest() - last);
}

}  // namespace

void Answers::start() {
  if (auto started = AnswerServer::start("tray", [this](std::string_view question) { return answer(question); }))
    m_server.emplace(std::move(*started));
}

// Does not wait for an event loop that has ended.
template <class Answer>
Result<Answer> Answers::inWindow(std::function<Result<Answer>()> ask) {
  const auto answered = std::make_shared<std::promise<Result<Answer>>>();
  auto answer = answered->get_future();
  QMetaObject::invokeMethod(
      this, [answered, ask = std::move(ask)] { answered->set_value(ask()); }, Qt::QueuedConnection);
  if (answer.wait_for(kPatience) != std::future_status::ready) return fail("The tray app is busy.");
  return answer.get();
}

Result<std::string> Answers::answer(std::string_view question) {
  const auto last = recentAsked(question);
  if (!last)
    return inWindow<std::string>([this, asked = std::string(question)] { return answerNow(m_session.live(), asked); });
  auto reader = inWindow<RecentReader>([this, last] { return recentOf(m_session, *last); });
  if (!reader) return tl::unexpected(std::move(reader.error()));
  std::string recording;
  while (reader->next(recording)) continue;
  return recording;
}

}  // namespace faultline
