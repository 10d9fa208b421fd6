// Questions to a Faultline of the same user that runs: a line there, an answer back, over a Unix socket in a folder
// that is this user's alone, or a named pipe of Windows that lets in this user alone.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/hidden.h"
#include "core/base/result.h"

namespace faultline {

class AnswerServer {
 public:
  // Called in a thread of its own, with the question without its line end. An error is told to whoever asks.
  using Answer = std::function<Result<std::string>(std::string_view question)>;

  // `name`: of the program that answers, "tray" or "serve". A silent or slow client is left after 200 ms, a long
  // answer after the time of 10 MB/s. The socket is removed with this object. Error: another program of this name
  // answers already, or no socket can be made.
  [[nodiscard]] static Result<AnswerServer> start(std::string_view name, Answer answer);

 private:
  struct State;
  explicit AnswerServer(Hidden<State> state) : m_state(std::move(state)) {}
  Hidden<State> m_state;
};

struct AnswerLimits {
  std::chrono::milliseconds within{1000};
  std::size_t bytes = std::size_t{1} << 20U;
};

// Asks the tray app, else `serve`. Error, as a sentence: none answers, or its own.
[[nodiscard]] Result<std::string> askRunning(std::string_view question, const AnswerLimits& limits = {});

}  // namespace faultline
