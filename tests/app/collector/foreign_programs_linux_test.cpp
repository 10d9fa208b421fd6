// Attacks on the granted collector by a member of the group: a game becomes a setuid-root program, or ends so that a
// root daemon's child gets its pid, while the collector is stopped at every useful place. The collector must not report
// those programs, nor leave a probe in their memory.
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <memory>
#include <thread>

#include "core/stream/decoder.h"
#include "platform/sampling/linux/facts/privilege.h"
#include "tests/app/collector/capable_copy_linux.h"
#include "tests/app/collector/stepped_collector_linux.h"
#include "tests/support/function_place.h"
#include "tests/support/programs/turncoat.h"

using namespace faultline;
using namespace std::chrono_literals;
using test::CapableCopy;
using test::SteppedCollector;

namespace {

constexpr uid_t kAttacker = 54321;
const std::string kTurncoat = FAULTLINE_BIN "/turncoat";
constexpr const char* kAllCapabilities = "cap_perfmon,cap_bpf,cap_syslog";

pid_t start(const std::vector<std::string>& words, uid_t user, pid_t wanted = 0) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  struct {
    std::uint64_t flags, pidfd, childTid, parentTid, exitSignal, stack, stackSize, tls, setTid, setTidSize, cgroup;
  } how{};
  how.exitSignal = SIGCHLD;
  how.setTid = wanted != 0 ? reinterpret_cast<std::uintptr_t>(&wanted) : 0;
  how.setTidSize = wanted != 0 ? 1 : 0;
  const auto child = static_cast<pid_t>(syscall(SYS_clone3, &how, sizeof how));
  if (child != 0) return child;
  if (user != 0 && (setgid(user) != 0 || setuid(user) != 0)) _exit(126);
  execv(argv.front(), argv.data());
  _exit(127);
}

// The attacker's game, and a setuid program of root that the game may become.
class Victims {
 public:
  Victims() : m_secret(m_folder.string() + "/secret") {
    std::filesystem::create_directories(m_folder);
    std::filesystem::copy_file(kTurncoat, m_secret, std::filesystem::copy_options::overwrite_existing);
    chmod(m_folder.c_str(), 0755);
    chmod(m_secret.c_str(), 04755);
    m_code = m_secret;
    m_place = test::ProgramFile(kTurncoat).placeOf("turncoatTurn");
  }
  ~Victims() {
    end();
    std::filesystem::remove_all(m_folder);
  }
  Victims(const Victims&) = delete;
  Victims& operator=(const Victims&) = delete;

  void play(int threads = 0) {
    end();
    m_pid = start({kTurncoat, "game", m_secret, std::to_string(threads)}, kAttacker);
    REQUIRE(m_pid > 0);
    while (readLine("maps", m_secret).empty()) std::this_thread::sleep_for(1ms);
  }
  void playOpenly() {
    end();
    m_code = kTurncoat;
    m_pid = start({kTurncoat, "secret", "600"}, kAttacker);
    REQUIRE(m_pid > 0);
    while (readLine("comm", "turncoat").empty()) std::this_thread::sleep_for(1ms);
  }
  // When this returns, the game is another program with other rights.
  void exec() {
    kill(m_pid, SIGUSR1);
    while (readLine("comm", "secret").empty()) std::this_thread::sleep_for(1ms);
    REQUIRE(readLine("status", "Uid:").find("\t0\t0\t0") != std::string::npos);
  }
  // When this returns, a process of root has the game's pid.
  void reuse() {
    const pid_t pid = m_pid;
    end();
    while ((m_pid = start({m_secret, "secret", "600"}, 0, pid)) < 0) std::this_thread::sleep_for(1ms);
    REQUIRE(m_pid == pid);
    while (readLine("comm", "secret").empty()) std::this_thread::sleep_for(1ms);
  }
  void end() {
    if (m_pid <= 0) return;
    kill(m_pid, SIGKILL);
    waitpid(m_pid, nullptr, 0);
    m_pid = -1;
  }
  [[nodiscard]] bool lives() const { return waitpid(m_pid, nullptr, WNOHANG) == 0; }
  // The code in memory equals the code in the file.
  [[nodiscard]] bool isUntouched() const {
    std::uint64_t begin = 0;
    std::ifstream maps("/proc/" + std::to_string(m_pid) + "/maps");
    for (std::string line; std::getline(maps, line);) {
      std::uint64_t first = 0, last = 0, offset = 0;
      std::array<char, 5> rights{};
      if (line.find(m_code) == std::string::npos ||
          std::sscanf(line.c_str(), "%lx-%lx %4s %lx", &first, &last, rights.data(), &offset) != 4)
        continue;
      if (rights[2] == 'x' && m_place >= offset && m_place - offset < last - first) begin = first + m_place - offset;
    }
    REQUIRE(begin != 0);
    std::ifstream memory("/proc/" + std::to_string(m_pid) + "/mem", std::ios::binary);
    memory.seekg(static_cast<std::streamoff>(begin));
    std::ifstream file(m_code, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(m_place));
    return memory.get() == file.get();
  }
  [[nodiscard]] std::vector<std::string> watch() const {
    return {"watch", std::to_string(m_pid), "--probe", m_code, std::to_string(m_place), "turn", "--samples", "all"};
  }

 private:
  [[nodiscard]] std::string readLine(const char* name, const std::string& with) const {
    std::ifstream file("/proc/" + std::to_string(m_pid) + "/" + name);
    for (std::string line; std::getline(file, line);)
      if (line.find(with) != std::string::npos) return line;
    return {};
  }

  std::filesystem::path m_folder =
      std::filesystem::temp_directory_path() / ("faultline-victims-" + std::to_string(getpid()));
  std::string m_secret;
  std::string m_code;  // code at the place of the probe
  std::uint64_t m_place = 0;
  pid_t m_pid = -1;
};

// Reports about the secret program: fault samples in its memory, and frames with its number of faults.
std::size_t leaks(const SteppedCollector& collector) {
  Decoder decoder;
  decoder.feed(collector.output());
  std::size_t count = 0;
  for (;;) {
    const auto event = decoder.next();
    REQUIRE(event);
    if (std::holds_alternative<NeedMoreBytes>(*event)) return count;
    if (const auto* samples = std::get_if<const FaultSampleBatch*>(&*event)) {
      const auto& all = (*samples)->samples;
      count += static_cast<std::size_t>(std::ranges::count_if(
          all, [](const FaultSample& sample) { return sample.address - test::kSecretPlace < test::kSecretBytes; }));
    }
    if (const auto* frames = std::get_if<const GameFrameBatch*>(&*event)) count += (*frames)->frames.size();
  }
}

// Skips the test if the attacks, or the attacked collector, are not possible.
void demand(const CapableCopy& copy, const char* capabilities = kAllCapabilities) {
  if (!isRoot()) SKIP("only root can be two users and set file capabilities");
  if (!copy.grant(capabilities)) SKIP("setcap is not installed, or cannot give these capabilities here");
}

// Skips the test with the collector's reason if this machine does not let it watch.
void skipIfRefused(const SteppedCollector& collector) {
  if (!collector.ended()) return;
  CAPTURE(collector.status());
  REQUIRE_FALSE(collector.errors().empty());
  SKIP(collector.errors());
}

SteppedCollector::Start watch(const CapableCopy& copy, const Victims& victims) {
  return {.program = copy.program(), .user = kAttacker, .arguments = victims.watch()};
}

// On a machine so busy that placing a probe takes five seconds the collector is killed, as if it were stopped: then
// another must be started.
bool wasTooSlow(const SteppedCollector& collector, int attempt) {
  return attempt < 10 && collector.ended() && WIFSIGNALED(collector.status());
}

// A collector that watches, and is not held.
std::unique_ptr<SteppedCollector> startedCollector(const CapableCopy& copy, const Victims& victims) {
  for (int attempt = 1;; ++attempt) {
    auto collector = std::make_unique<SteppedCollector>(watch(copy, victims), SteppedCollector::Held::Never);
    while (collector->output().empty() && !collector->ended()) collector->goOn(10ms);
    if (wasTooSlow(*collector, attempt)) continue;
    skipIfRefused(*collector);
    return collector;
  }
}

// Runs the collector up to the call that opens the game: before, it has no contact with the game.
void comeToGame(SteppedCollector& collector) {
  while (const auto call = collector.step())
    if (call->nr == SYS_pidfd_open) return;
}

// The calls after that in a watch without an attack.
std::vector<seccomp_data> callsOf(const CapableCopy& copy, Victims& victims, SteppedCollector::Held held) {
  victims.play();
  for (int attempt = 1;; ++attempt) {
    SteppedCollector collector(watch(copy, victims), held);
    comeToGame(collector);
    std::vector<seccomp_data> calls(1);
    while (const auto call = collector.step()) calls.push_back(*call);
    if (wasTooSlow(collector, attempt)) continue;
    skipIfRefused(collector);
    return calls;
  }
}

// Holds the collector before the call with this index.
void attackAt(const CapableCopy& copy, Victims& victims, void (Victims::*attack)(), SteppedCollector::Held held,
              std::size_t index) {
  victims.play();
  SteppedCollector collector(watch(copy, victims), held);
  comeToGame(collector);
  for (std::size_t i = 0; i < index; ++i)
    if (!collector.step()) break;
  (victims.*attack)();
  collector.goOnToEnd();
  CHECK(victims.lives());
  CHECK(victims.isUntouched());
  CHECK(leaks(collector) == 0);
}

// Attacks at every `stride`th call: when the collector goes on, the game is another program.
void attackAtCalls(const CapableCopy& copy, void (Victims::*attack)(),
                   SteppedCollector::Held held = SteppedCollector::Held::AtTouchingCalls, std::size_t stride = 1) {
  Victims victims;
  const std::size_t calls = callsOf(copy, victims, held).size();
  CHECK(calls > 20);
  for (std::size_t call = 0; call < calls; call += stride) {
    CAPTURE(call, calls);
    attackAt(copy, victims, attack, held, call);
  }
}

}  // namespace

TEST_CASE("An attack would be noticed: a program of the attacker with the same behaviour is reported") {
  const CapableCopy copy;
  demand(copy);
  Victims victims;
  victims.playOpenly();
  const auto held = startedCollector(copy, victims);
  SteppedCollector& collector = *held;
  for (int patience = 0; patience < 300 && leaks(collector) == 0 && !collector.ended(); ++patience)
    collector.goOn(100ms);
  skipIfRefused(collector);
  collector.goOn(100ms);
  CHECK(leaks(collector) > test::kSecretPages);
}

TEST_CASE("A game that becomes a program with other rights before its first frame is reported no more") {
  const CapableCopy copy;
  demand(copy);
  Victims victims;
  victims.play(40);
  const auto held = startedCollector(copy, victims);
  SteppedCollector& collector = *held;
  victims.exec();
  collector.goOnToEnd();
  CHECK(victims.lives());
  CHECK(victims.isUntouched());
  CHECK(leaks(collector) == 0);
}

TEST_CASE("A program with other rights that a game becomes is never reported, wherever the collector is stopped",
          "[slow]") {
  const CapableCopy copy;
  demand(copy);
  attackAtCalls(copy, &Victims::exec);
}

TEST_CASE("A process that gets a game's pid is never reported, wherever the collector is stopped", "[slow]") {
  const CapableCopy copy;
  demand(copy);
  attackAtCalls(copy, &Victims::reuse);
}

TEST_CASE("Perf events alone never report other programs, either, wherever the collector is stopped", "[slow]") {
  const CapableCopy copy;
  demand(copy, "cap_perfmon");
  attackAtCalls(copy, &Victims::exec);
  attackAtCalls(copy, &Victims::reuse);
}

// Of about 4400 calls. A prime, because calls come in patterns.
constexpr std::size_t kQuickly = 1499;
constexpr std::size_t kSlowly = 211;

void attackAtAny(std::size_t stride) {
  const CapableCopy copy;
  demand(copy);
  attackAtCalls(copy, &Victims::exec, SteppedCollector::Held::AtEveryCall, stride);
  attackAtCalls(copy, &Victims::reuse, SteppedCollector::Held::AtEveryCall, stride);
}

TEST_CASE("No program with other rights is reported, wherever the collector is stopped: a few of all its calls") {
  attackAtAny(kQuickly);
}

TEST_CASE("No program with other rights is reported, wherever the collector is stopped: a sample of all its calls",
          "[slow]") {
  attackAtAny(kSlowly);
}

// Takes hours: test_app_collector "[long]".
TEST_CASE("No program with other rights is reported, wherever the collector is stopped: all its calls", "[.][long]") {
  attackAtAny(1);
}

TEST_CASE("A collector that is held while it places its probe is killed, and places none", "[slow]") {
  const CapableCopy copy;
  demand(copy);
  Victims victims;
  const auto calls = callsOf(copy, victims, SteppedCollector::Held::AtTouchingCalls);
  const auto linksIn = [](const seccomp_data& call) { return call.nr == SYS_bpf && call.args[0] == BPF_LINK_CREATE; };
  const auto last = std::ranges::find_if(calls.rbegin(), calls.rend(), linksIn);
  REQUIRE(last != calls.rend());
  victims.play();
  SteppedCollector collector(watch(copy, victims));
  comeToGame(collector);
  for (auto call = calls.begin() + 1; call != last.base(); ++call) REQUIRE(collector.step());
  victims.reuse();
  collector.holdToEnd();
  CHECK(victims.lives());
  CHECK(victims.isUntouched());
}

TEST_CASE("A collector that stays stopped is killed, and its probe is removed from the game's next program", "[slow]") {
  const CapableCopy copy;
  demand(copy);
  Victims victims;
  victims.play();
  const auto held = startedCollector(copy, victims);
  SteppedCollector& collector = *held;
  collector.goOn(100ms);
  kill(collector.pid(), SIGSTOP);
  victims.exec();
  collector.holdToEnd();
  for (int patience = 0; patience < 600 && !victims.isUntouched(); ++patience) std::this_thread::sleep_for(100ms);
  CHECK(victims.isUntouched());
  CHECK(victims.lives());
  CHECK(leaks(collector) == 0);
}

TEST_CASE("A probe in another user's file is placed only at the start of a function") {
  const CapableCopy copy;
  demand(copy);
  Victims victims;
  victims.play();
  auto start = watch(copy, victims);
  start.arguments.at(4) = std::to_string(std::stoull(start.arguments.at(4)) + 1);
  SteppedCollector collector(start, SteppedCollector::Held::Never);
  collector.goOnToEnd();
  CHECK(collector.output().empty());
  CHECK(collector.errors().find("no function begins") != std::string::npos);
}

TEST_CASE("A collector that may open too few files ends with that error") {
  const CapableCopy copy;
  demand(copy);
  Victims victims;
  victims.play(40);
  for (const rlim_t files : {20, 24, 28, 32, 64}) {
    CAPTURE(files);
    for (const auto& arguments : {victims.watch(), {"sweep", "--count", "2"}}) {
      SteppedCollector collector({.program = copy.program(), .user = kAttacker, .arguments = arguments, .files = files},
                                 SteppedCollector::Held::Never);
      collector.goOnToEnd();
      CHECK(collector.output().empty());
      CHECK(collector.errors().find("(ulimit -n)") != std::string::npos);
    }
  }
}
