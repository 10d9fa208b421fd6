// A program that does what the script beside it says (its own name with ".script"), one command per line, in place of a
// collector, the lab or another program. Names of files are relative to the folder of the script.
//   log FILE           appends its arguments, and a line feed
//   say TEXT           a line on standard output;  complain TEXT: on standard error
//   flood N TEXT       N such lines on standard error
//   stream FILE        the bytes of FILE to standard output; # in FILE is the number of lines that `log` has written
//   babble             lines on standard output without end
//   keep-input FILE    writes standard input to FILE as it comes, until it ends;  close-input: closes it
//   touch FILE;  pid FILE: its process id
//   wait               ten minutes
//   exit CODE;  die: as if it had crashed
//   if-argument TEXT COMMAND, unless-argument TEXT COMMAND: if the arguments, joined by blanks, contain TEXT, in which
//   _
//     is a blank
//   if-file FILE COMMAND
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#include <windows.h>
#else
#include <unistd.h>
#endif

namespace {

std::filesystem::path folder;
std::string arguments;
std::string logged;  // the file of `log`

std::string cutWord(std::string& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string word = text.substr(0, end);
  text.erase(0, std::min(end + 1, text.size()));
  return word;
}

std::filesystem::path file(const std::string& name) {
  return folder / std::filesystem::path(std::u8string(name.begin(), name.end()));
}

std::string numbered(std::string name) {
  const std::size_t at = name.find('#');
  if (at == std::string::npos) return name;
  std::ifstream log(file(logged));
  std::size_t lines = 0;
  for (std::string line; std::getline(log, line);) ++lines;
  return name.replace(at, 1, std::to_string(lines));
}

void stream(const std::string& name) {
  std::ifstream in(file(numbered(name)), std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(in), {});
  std::fwrite(bytes.data(), 1, bytes.size(), stdout);
  std::fflush(stdout);
}

void babble() {
  for (;;)
    if (std::fputs("hello\n", stdout) < 0 || std::fflush(stdout) != 0) std::exit(1);
}

void keepInput(const std::string& name) {
  std::ofstream out(file(name), std::ios::binary);
  for (int byte = std::getchar(); byte != EOF; byte = std::getchar()) out.put(static_cast<char>(byte)).flush();
}

long ownPid() {
#ifdef _WIN32
  return static_cast<long>(GetCurrentProcessId());
#else
  return getpid();
#endif
}

[[noreturn]] void die() {
#ifdef _WIN32
  TerminateProcess(GetCurrentProcess(), 0xC0000005);  // STATUS_ACCESS_VIOLATION
#else
  std::raise(SIGKILL);
#endif
  std::abort();
}

void run(std::string command) {
  const std::string name = cutWord(command);
  if (name == "if-argument" || name == "unless-argument" || name == "if-file") {
    std::string text = cutWord(command);
    if (name != "if-file") std::ranges::replace(text, '_', ' ');
    const bool holds = name == "if-file" ? std::filesystem::exists(file(text))
                                         : (arguments.find(text) != std::string::npos) == (name == "if-argument");
    if (holds) run(command);
  } else if (name == "log") {
    logged = command;
    std::ofstream(file(command), std::ios::app | std::ios::binary) << arguments << '\n';
  } else if (name == "say") {
    std::printf("%s\n", command.c_str());
    std::fflush(stdout);
  } else if (name == "complain") {
    std::fprintf(stderr, "%s\n", command.c_str());
  } else if (name == "flood") {
    for (int left = std::stoi(cutWord(command)); left > 0; --left) std::fprintf(stderr, "%s\n", command.c_str());
  } else if (name == "stream") {
    stream(command);
  } else if (name == "babble") {
    babble();
  } else if (name == "keep-input") {
    keepInput(command);
  } else if (name == "close-input") {
    std::fclose(stdin);
  } else if (name == "touch") {
    std::ofstream(file(command)).flush();
  } else if (name == "pid") {
    std::ofstream(file(command)) << ownPid();
  } else if (name == "wait") {
    std::this_thread::sleep_for(std::chrono::minutes(10));
  } else if (name == "exit") {
    std::exit(std::stoi(command));
  } else if (name == "die") {
    die();
  } else {
    std::fprintf(stderr, "fake_program: '%s' is no command\n", name.c_str());
    std::exit(99);
  }
}

}  // namespace

int main(int count, char** words) {
#ifdef _WIN32
  _setmode(_fileno(stdout), _O_BINARY);
  _setmode(_fileno(stderr), _O_BINARY);
  std::wstring path(32'768, L'\0');
  path.resize(GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
  const std::filesystem::path own = path;
#else
  std::setvbuf(stdin, nullptr, _IONBF, 0);  // what is written to a script's user is kept at once
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe");
#endif
  folder = own.parent_path();
  for (int i = 1; i < count; ++i) arguments += (i > 1 ? " " : "") + std::string(words[i]);
  std::ifstream script(own.string() + ".script");
  for (std::string line; std::getline(script, line);)
    if (!line.empty()) run(line);
  return 0;
}
