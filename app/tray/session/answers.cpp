#include "app/tray/session/answers.h"

#include <future>
#include <memory>

#include "core/query/now.h"

namespace faultline {
namespace {

constexpr std::chrono::milliseconds kPatience(500);

}  // namespace

void Answers::start() {
  if (auto started = AnswerServer::start("tray", [this](std::string_view question) { return answer(question); }))
    m_server.emplace(std::move(*started));
}

// Does not wait for an event loop that has ended.
Result<std::string> Answers::answer(std::string_view question) {
  const auto answered = std::make_shared<std::promise<Result<std::string>>>();
  auto answer = answered->get_future();
  QMetaObject::invokeMethod(
      this,
      [this, answered, asked = std::string(question)] { answered->set_value(answerNow(m_session.live(), asked)); },
      Qt::QueuedConnection);
  if (answer.wait_for(kPatience) != std::future_status::ready) return fail("The tray app is busy.");
  return answer.get();
}

}  // namespace faultline
