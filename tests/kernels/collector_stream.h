// CollectorStream: a collector as a child, and what it tells, one event after the other.
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "core/stream/decoder.h"

namespace faultline::test {

class CollectorStream {
 public:
  explicit CollectorStream(std::vector<std::string> arguments) {
    std::array<int, 2> pipe{};
    if (pipe2(pipe.data(), O_CLOEXEC) != 0) return;
    m_errors = std::tmpfile();
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    m_pid = fork();
    if (m_pid == 0) {
      dup2(pipe[1], STDOUT_FILENO);
      dup2(fileno(m_errors), STDERR_FILENO);
      execv(argv.front(), argv.data());
      _exit(127);
    }
    close(pipe[1]);
    m_output = pipe[0];
  }
  ~CollectorStream() {
    close(m_output);
    kill(m_pid, SIGTERM);
    waitpid(m_pid, nullptr, 0);
    std::fclose(m_errors);
  }
  CollectorStream(const CollectorStream&) = delete;
  CollectorStream& operator=(const CollectorStream&) = delete;

  // The next event that is a T; nothing once the stream has ended.
  template <class T>
  std::optional<T> next() {
    auto event = nextOf<T>();
    return event ? std::optional<T>(std::get<T>(std::move(*event))) : std::nullopt;
  }
  // The next event that is one of these.
  template <class... T>
  std::optional<StreamEvent> nextOf() {
    for (;;) {
      auto event = m_decoder.next();
      if (!event) return std::nullopt;
      if ((std::holds_alternative<T>(*event) || ...)) return std::move(*event);
      if (std::holds_alternative<NeedMoreBytes>(*event) && !feed()) return std::nullopt;
    }
  }
  // The words of the collector on standard error, on one line.
  [[nodiscard]] std::string complaint() const {
    std::string text;
    std::rewind(m_errors);
    for (int byte = 0; (byte = std::fgetc(m_errors)) != EOF;) text += byte == '\n' ? ' ' : static_cast<char>(byte);
    return text;
  }

 private:
  bool feed() {
    std::array<std::byte, 65536> bytes{};
    const ssize_t count = read(m_output, bytes.data(), bytes.size());
    if (count <= 0) return false;
    m_decoder.feed({bytes.data(), static_cast<std::size_t>(count)});
    return true;
  }

  pid_t m_pid = -1;
  int m_output = -1;
  std::FILE* m_errors = nullptr;
  Decoder m_decoder;
};

}  // namespace faultline::test
