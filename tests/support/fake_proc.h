// A fake /proc: a test adds, changes and ends processes, and can make calls fail.
#pragma once

#include <cerrno>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "platform/sampling/linux/facts/proc_files.h"

namespace faultline::test {

struct FakeProcess {
  std::uint32_t pid = 0;
  std::string name = "fake";
  std::uint64_t minorFaults = 0;
  std::uint64_t majorFaults = 0;
  std::uint64_t startTicks = 100;
  std::uint64_t resident = 50;
  std::uint64_t shared = 20;
  std::uint64_t data = 70;
  std::uint64_t virtualBytes = 3'686'400;
  std::uint64_t threads = 3;
  std::uint64_t runs = 0;  // for schedstat; 0: the kernel keeps no such statistics
  char state = 'S';
  bool kernelThread = false;
  bool headless = false;  // the first thread has ended
  bool alive = true;
};

class FakeProc final : public ProcFiles {
 public:
  FakeProcess& add(FakeProcess process) {
    auto& place = m_processes[process.pid];
    place = std::make_shared<FakeProcess>(std::move(process));
    return *place;
  }
  void kill(std::uint32_t pid) {
    m_processes.at(pid)->alive = false;
    m_processes.erase(pid);
  }
  FakeProcess& at(std::uint32_t pid) { return *m_processes.at(pid); }
  void setFile(const std::string& path, std::string text) { m_files[path] = std::move(text); }
  [[nodiscard]] std::size_t openFiles() const { return m_open.size() - m_free.size(); }
  [[nodiscard]] std::size_t mostOpenFiles() const { return m_open.size(); }
  [[nodiscard]] std::uint64_t opens() const { return m_opens; }
  [[nodiscard]] std::uint64_t calls() const { return m_calls; }

  // Returns the errno with which the current call fails, or 0.
  std::function<int()> failure = [] { return 0; };
  // Called just before a process is read.
  std::function<void(const FakeProcess&, const std::string& file)> beforeRead = [](const FakeProcess&,
                                                                                   const std::string&) {};

  [[nodiscard]] int list(const char* folder, std::vector<std::uint32_t>& pids) override {
    if (const int error = fails()) return -error;
    std::uint32_t process = 0;
    if (std::sscanf(folder, "%u/task", &process) == 1) {
      pids.insert(pids.end(), {process, process + 1});
      return 0;
    }
    for (const auto& known : m_processes) pids.push_back(known.first);
    return 0;
  }

  [[nodiscard]] int open(const char* path) override {
    ++m_opens;
    if (const int error = fails()) return -error;
    OpenFile file;
    std::uint32_t pid = 0;
    char name[16] = {};
    if (std::sscanf(path, "%u/%15s", &pid, name) == 2) {
      const auto process = m_processes.find(pid);
      if (process == m_processes.end()) return -ENOENT;
      file = {process->second, name};
    } else {
      const auto text = m_files.find(path);
      if (text == m_files.end()) return -ENOENT;
      file = {nullptr, text->first};
    }
    if (m_free.empty()) {
      m_open.push_back(std::move(file));
      return static_cast<int>(m_open.size()) - 1;
    }
    const int number = m_free.back();
    m_free.pop_back();
    m_open[static_cast<std::size_t>(number)] = std::move(file);
    return number;
  }

  [[nodiscard]] std::ptrdiff_t read(int number, std::span<char> buffer, std::size_t offset) override {
    if (const int error = fails()) return -error;
    const OpenFile& file = m_open.at(static_cast<std::size_t>(number));
    if (file.process == nullptr) return copy(m_files.at(file.path), buffer, offset);
    const std::shared_ptr<FakeProcess> process = file.process;
    const std::string name = file.path;
    beforeRead(*process, name);
    if (!process->alive) return -ESRCH;
    if (name == "schedstat") return printSchedstat(*process, buffer);
    if (name == "statm" && process->headless) return copy("0 0 0 0 0 0 0\n", buffer, 0);
    return name.ends_with("statm") ? printStatm(*process, buffer) : printStat(*process, buffer);
  }

  void close(int number) override {
    m_open.at(static_cast<std::size_t>(number)) = {};
    m_free.push_back(number);
  }

 private:
  struct OpenFile {
    std::shared_ptr<FakeProcess> process;  // null: `path` is a file of setFile()
    std::string path;
  };

  int fails() {
    ++m_calls;
    return failure();
  }

  static std::ptrdiff_t copy(const std::string& text, std::span<char> buffer, std::size_t offset) {
    const std::string_view rest = std::string_view(text).substr(std::min(offset, text.size()), buffer.size());
    std::memcpy(buffer.data(), rest.data(), rest.size());
    return static_cast<std::ptrdiff_t>(rest.size());
  }
  static std::ptrdiff_t printStat(const FakeProcess& p, std::span<char> buffer) {
    return std::snprintf(buffer.data(), buffer.size(),
                         "%u (%s) %c 1 1 1 0 -1 %d %lu 0 %lu 0 1 2 3 4 20 0 %lu 0 %lu %lu %lu 18446744073709551615 0\n",
                         p.pid, p.name.c_str(), p.state, p.kernelThread ? 0x00200040 : 0x400000, p.minorFaults,
                         p.majorFaults, p.threads, p.startTicks, p.virtualBytes, p.resident);
  }
  static std::ptrdiff_t printStatm(const FakeProcess& p, std::span<char> buffer) {
    return std::snprintf(buffer.data(), buffer.size(), "900 %lu %lu 5 0 %lu 0\n", p.resident, p.shared, p.data);
  }
  static std::ptrdiff_t printSchedstat(const FakeProcess& p, std::span<char> buffer) {
    return std::snprintf(buffer.data(), buffer.size(), "%lu 0 %lu\n", 1000 * p.runs, p.runs);
  }

  std::map<std::uint32_t, std::shared_ptr<FakeProcess>> m_processes;
  std::map<std::string, std::string> m_files;
  std::vector<OpenFile> m_open;
  std::vector<int> m_free;
  std::uint64_t m_opens = 0;
  std::uint64_t m_calls = 0;
};

}  // namespace faultline::test
