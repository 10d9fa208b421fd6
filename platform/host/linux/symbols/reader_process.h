// ReaderProcess: a child of this program that reads what others have made (ELF files, debug information), which may be
// rewritten under its hands or made to harm. It may crash, hang, or ask for all memory: then it is gone, and this
// program has a sentence. It holds no file but those that it opens itself.
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

  // `begin` is called in the child, and gives what answers each request there.
  [[nodiscard]] static Result<ReaderProcess> start(const std::function<Answer()>& begin);
  ~ReaderProcess() { end(); }
  ReaderProcess(ReaderProcess&& other) noexcept;
  ReaderProcess& operator=(ReaderProcess&& other) noexcept;

  // Error, half a sentence: how the process came to its end; it is gone then.
  [[nodiscard]] Result<std::string> ask(std::string_view request, Nanoseconds patience);
  // The same in two steps, for a caller that does not wait. Answers come in the order of the requests.
  [[nodiscard]] Result<void> send(std::string_view request, Nanoseconds patience);
  [[nodiscard]] Result<std::string> receive(Nanoseconds patience);
  [[nodiscard]] bool answersWithin(Nanoseconds patience) const;  // or has ended

 private:
  ReaderProcess(pid_t pid, UniqueFd socket) : m_pid(pid), m_socket(std::move(socket)) {}
  [[nodiscard]] tl::unexpected<Error> died(bool tooLong);
  int end();

  pid_t m_pid = -1;
  UniqueFd m_socket;
};

// What `work` gives, done in a process of its own. Error: half a sentence, as above.
[[nodiscard]] Result<std::string> inReaderProcess(const std::function<std::string()>& work, Nanoseconds patience);

}  // namespace faultline
