// Collector of running_collector.h on Windows.
#pragma once

#include <windows.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "platform/system/windows/stop_event.h"
#include "platform/system/windows/system_text.h"
#include "platform/system/windows/unique_handle.h"

namespace faultline::test {

struct CollectorStart {
  std::string program = FAULTLINE_BIN "/faultline-collector.exe";
};

class Collector {
 public:
  enum class Input { Inherit, Pipe };

  // The arguments need no quotes.
  explicit Collector(const std::vector<std::string>& arguments, Input input = Input::Inherit,
                     const CollectorStart& program = {}) {
    Ends in(1);
    Ends out(0);
    Ends errors(0);
    std::wstring line = toWide("\"" + program.program + "\"");
    for (const std::string& argument : arguments) line += L" " + toWide(argument);
    STARTUPINFOW start{};
    start.cb = sizeof(start);
    start.dwFlags = STARTF_USESTDHANDLES;
    start.hStdInput = input == Input::Pipe ? in.theirs.get() : ::GetStdHandle(STD_INPUT_HANDLE);
    start.hStdOutput = out.theirs.get();
    start.hStdError = errors.theirs.get();
    PROCESS_INFORMATION started{};
    REQUIRE(::CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, 0, nullptr, nullptr, &start, &started) != 0);
    ::CloseHandle(started.hThread);
    m_process = UniqueHandle(started.hProcess);
    m_pid = started.dwProcessId;
    m_input = std::move(in.ours);
    m_output = std::move(out.ours);
    m_errors = std::move(errors.ours);
  }
  ~Collector() {
    if (!m_process) return;
    ::TerminateProcess(m_process.get(), 1);
    ::WaitForSingleObject(m_process.get(), INFINITE);
  }
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;

  std::vector<std::byte> readOutput() const {
    std::vector<std::byte> bytes(1 << 16);
    DWORD count = 0;
    ::ReadFile(m_output.get(), bytes.data(), static_cast<DWORD>(bytes.size()), &count, nullptr);
    bytes.resize(count);
    return bytes;
  }
  std::string readErrors() const {
    std::string text;
    std::array<char, 1000> buffer{};
    for (DWORD count = 0; ::ReadFile(m_errors.get(), buffer.data(), buffer.size(), &count, nullptr) != 0 && count > 0;)
      text.append(buffer.data(), count);
    return text;
  }
  void tell(std::string_view wishes) const {
    DWORD count = 0;
    REQUIRE(::WriteFile(m_input.get(), wishes.data(), static_cast<DWORD>(wishes.size()), &count, nullptr) != 0);
  }
  void endInput() { m_input.reset(); }
  void stopReading() { m_output.reset(); }
  void stop() const { REQUIRE(askToStop(m_pid)); }
  int exitCode() {
    DWORD code = 0;
    ::WaitForSingleObject(m_process.get(), INFINITE);
    ::GetExitCodeProcess(m_process.get(), &code);
    m_process.reset();
    return static_cast<int>(code);
  }
  [[nodiscard]] DWORD pid() const { return m_pid; }

 private:
  // A pipe of which the child inherits one end: 0 for reading, 1 for writing.
  struct Ends {
    explicit Ends(std::size_t ourEnd) {
      std::array<HANDLE, 2> ends{};
      REQUIRE(::CreatePipe(&ends[0], &ends[1], nullptr, 0) != 0);
      ours = UniqueHandle(ends.at(ourEnd));
      theirs = UniqueHandle(ends.at(1 - ourEnd));
      ::SetHandleInformation(theirs.get(), HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    }
    UniqueHandle ours;
    UniqueHandle theirs;
  };

  UniqueHandle m_process;
  DWORD m_pid = 0;
  UniqueHandle m_input;
  UniqueHandle m_output;
  UniqueHandle m_errors;
};

}  // namespace faultline::test
