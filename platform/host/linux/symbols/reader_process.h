// ReaderProcess: a child of this program that reads untrusted files (ELF, debug information), which may be rewritten
// meanwhile or be malicious. If the child crashes, hangs or takes too much memory, this program ends it and gets an
// error. The child inherits no file but its socket.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

#include "core/base/result.h"
#include "core/base/units.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {

class ReaderProcess {
 public:
  using Answer = std::function<std::string(std::string_view request)>;

  // Calls `begin` in the child; its result answers each request there.
  [[nodiscard]] static Result<ReaderProcess> start(const std::function<Answer()>& begin);
  ~ReaderProcess() { end(); }
  ReaderProcess(ReaderProcess&& other) noexcept;
  ReaderProcess& operator=(ReaderProcess&& other) noexcept;

  // A signal has come that this program takes later (signals.h), and that asks it to end: no wait is worth while.
  [[nodiscard]] static bool interrupted();

  // Error: half a sentence whose subject is the process; the process has then ended, also if interrupted().
  [[nodiscard]] Result<std::string> ask(std::string_view request, Nanoseconds patience);
  // ask() in two steps, for a caller that does not wait. Answers come in the order of the requests.
  [[nodiscard]] Result<void> send(std::string_view request, Nanoseconds patience);
  [[nodiscard]] Result<std::string> receive(Nanoseconds patience);
  [[nodiscard]] bool answersWithin(Nanoseconds patience) const;  // or has ended
  [[nodiscard]] Nanoseconds processorTime() const;               // that the process has taken so far

 private:
  ReaderProcess(pid_t pid, UniqueFd socket) : m_pid(pid), m_socket(std::move(socket)) {}
  [[nodiscard]] tl::unexpected<Error> died(bool tooLong);
  void end();

  pid_t m_pid = -1;
  UniqueFd m_socket;
};

// The result of `work`, run in a process of its own. Error: half a sentence, as above.
[[nodiscard]] Result<std::string> inReaderProcess(const std::function<std::string()>& work, Nanoseconds patience);

}  // namespace faultline
