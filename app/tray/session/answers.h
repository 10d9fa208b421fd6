// Answers: tells programs of this user the present numbers of a process, from what this program measures, and what just
// happened, as a recording: see `faultline-cli now` and `save`.
#pragma once

#include <QObject>
#include <functional>
#include <optional>

#include "app/tray/session/session.h"
#include "platform/host/answers.h"

namespace faultline {

class Answers : public QObject {
  Q_OBJECT
 public:
  explicit Answers(const Session& session) : m_session(session) {}

  void start();  // without an effect where another one answers already

 private:
  [[nodiscard]] Result<std::string> answer(std::string_view question);  // in another thread
  template <class Answer>
  [[nodiscard]] Result<Answer> inWindow(std::function<Result<Answer>()> ask);  // in the thread of this object

  const Session& m_session;
  std::optional<AnswerServer> m_server;
};

}  // namespace faultline
