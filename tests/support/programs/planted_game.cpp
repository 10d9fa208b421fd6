// A game whose late frames have one planted cause. Every tenth frame has the cause; the others only work. Usage:
// planted_game CAUSE [frames=200] [display=60] [work=3] [plant=28] [pages=16384] [busy=0] [every=10]
//   [usual=0] [bystander=0] [job=faults] [truth=FILE]
//   display: the frames end on a grid of that rate; 0: they end when their work does
//   work:    ms of its thread's processor time that each frame works
//   plant:   ms that the cause takes, of processor time where it takes any; 0: as long as `pages` take, for faults and
//            workers
//   every:   which frames have the cause
//   busy:    other processes that run all the time
//   usual:   pages that are new in each frame
//   bystander: 1: another thread touches pages all the time
//   job:     what another thread does for which the frame waits: faults, work, teardown or mixed
//   truth:   the game writes there what made its frames late, see planted_truth.h
// Causes:
//   none       no frame differs
//   faults     touches pages that are new
//   reads      reads `pages` that were never written: each maps the page of zeros
//   shared     touches `pages` of memory that processes can share (memfd)
//   blocks     takes `pages` from malloc, touches them and frees them
//   work       works
//   sleep      sleeps
//   hog        another process takes the processor
//   offpath    works, while another thread touches pages all the time
//   streamed   sleeps, while another thread touches pages all the time
//   workers    waits for the end of a thread that does the job
//   mutex      waits for a lock that another thread has while it does the job
//   condition  waits until another thread tells that it has done the job
//   queue      the same, where that thread waits for a third one that does it
//   pause      is stopped by a signal until another thread has done the job, as by a garbage collector
//   device     waits for another process, as for a GPU's driver
//   mappings   maps a page while another thread gives back eight times `pages`, and so has the lock of all mappings
//   mixed      works for half of `plant`, and touches new pages for the other half
//   disk       touches `pages` of a file that are not in memory
//   populate   asks for pages in advance, `pages` at least
//   teardown   gives back eight times `pages`, which the frame before had populated
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "resources/faultline_frame.h"
#include "tests/support/programs/planted_truth.h"

namespace {

constexpr long kPageBytes = 4096;
constexpr long kFewPages = 64;

struct Settings {
  std::string cause = "none";
  std::string truth;
  std::string job = "faults";
  long frames = 200;
  long display = 60;
  std::int64_t work = 3 * kMs;
  std::int64_t plant = 28 * kMs;
  long pages = 16384;
  long busy = 0;
  long every = 10;
  long usual = 0;
  long bystander = 0;
};

Settings parse(int argc, char** argv) {
  Settings settings;
  if (argc > 1) settings.cause = argv[1];
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals);
    const std::string value = word.substr(equals + 1);
    if (key == "truth") settings.truth = value;
    else if (key == "frames") settings.frames = std::stol(value);
    else if (key == "display") settings.display = std::stol(value);
    else if (key == "work") settings.work = std::stol(value) * kMs;
    else if (key == "plant") settings.plant = std::stol(value) * kMs;
    else if (key == "pages") settings.pages = std::stol(value);
    else if (key == "busy") settings.busy = std::stol(value);
    else if (key == "every") settings.every = std::stol(value);
    else if (key == "usual") settings.usual = std::stol(value);
    else if (key == "bystander") settings.bystander = std::stol(value);
    else if (key == "job") settings.job = value;
  }
  return settings;
}

void work(std::int64_t ns) {
  const std::int64_t end = now(CLOCK_THREAD_CPUTIME_ID) + ns;
  while (now(CLOCK_THREAD_CPUTIME_ID) < end) {
  }
}

void sleepUntil(std::int64_t time) {
  const timespec then{.tv_sec = time / (1'000 * kMs), .tv_nsec = time % (1'000 * kMs)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &then, nullptr) != 0) {
  }
}

// Memory of which a part may be given back at a time.
class Memory {
 public:
  void add(long pages, int more = 0) {
    void* const start = mmap(nullptr, bytes(pages), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | more, -1, 0);
    if (start == MAP_FAILED) _exit(3);
    m_pieces.push_back({static_cast<char*>(start), pages});
    if (more == 0) touch();
  }
  void read(long pages) {
    add(pages, MAP_NORESERVE);
    for (long page = 0; page < pages; ++page)
      static_cast<void>(*const_cast<volatile char*>(m_pieces.back().start + page * kPageBytes));
  }
  void share(long pages) {
    const int file = memfd_create("planted", 0);
    if (file < 0 || ftruncate(file, static_cast<off_t>(bytes(pages))) != 0) _exit(5);
    void* const start = mmap(nullptr, bytes(pages), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (start == MAP_FAILED) _exit(3);
    close(file);
    m_pieces.push_back({static_cast<char*>(start), pages});
    touch();
  }
  void touchFor(std::int64_t ns) {
    for (const std::int64_t end = now(CLOCK_THREAD_CPUTIME_ID) + ns; now(CLOCK_THREAD_CPUTIME_ID) < end;)
      add(kFewPages);
  }
  // From the disk, where the file is on one.
  void load(long pages) {
    const int file = open("planted.bin", O_RDONLY | O_CLOEXEC);
    void* const start = mmap(nullptr, bytes(pages), PROT_READ, MAP_PRIVATE, file, 0);
    if (start == MAP_FAILED) _exit(3);
    close(file);
    madvise(start, bytes(pages), MADV_RANDOM);
    m_pieces.push_back({static_cast<char*>(start), pages});
    for (long page = 0; page < pages; ++page)
      static_cast<void>(*const_cast<volatile char*>(m_pieces.back().start + page * kPageBytes));
  }
  void populateFor(std::int64_t ns, long pages) {
    const std::int64_t end = now(CLOCK_THREAD_CPUTIME_ID) + ns;
    do add(pages, MAP_POPULATE);
    while (now(CLOCK_THREAD_CPUTIME_ID) < end);
  }
  [[nodiscard]] std::size_t pieces() const { return m_pieces.size(); }
  void giveBack(std::size_t pieces) {
    for (; pieces > 0 && !m_pieces.empty(); --pieces, m_pieces.pop_back())
      munmap(m_pieces.back().start, bytes(m_pieces.back().pages));
  }

 private:
  struct Piece {
    char* start;
    long pages;
  };
  void touch() {
    for (long page = 0; page < m_pieces.back().pages; ++page)
      *const_cast<volatile char*>(m_pieces.back().start + page * kPageBytes) = 1;
  }
  static std::size_t bytes(long pages) { return static_cast<std::size_t>(pages * kPageBytes); }

  std::vector<Piece> m_pieces;
};

// Runs `loop` in another process, which ends with this one.
template <class Loop>
pid_t beside(Loop loop) {
  const pid_t process = fork();
  if (process != 0) return process;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (;;) loop();
}

// That one thread tells and another one waits for.
class Done {
 public:
  void tell() {
    const std::scoped_lock lock(m_mutex);
    m_told = true;
    m_condition.notify_one();
  }
  void wait() {
    std::unique_lock lock(m_mutex);
    m_condition.wait(lock, [this] { return m_told; });
  }

 private:
  std::mutex m_mutex;
  std::condition_variable m_condition;
  bool m_told = false;
};

sem_t stopped, released;

void stopHere(int) {
  sem_post(&stopped);
  while (sem_wait(&released) != 0) {
  }
}

void writeFile(long pages) {
  const int file = open("planted.bin", O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  const std::vector<char> text(static_cast<std::size_t>(pages * kPageBytes), 'x');
  if (file < 0 || write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size())) _exit(6);
  fsync(file);
  close(file);
}

void forgetFile() {
  const int file = open("planted.bin", O_RDONLY | O_CLOEXEC);
  posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  close(file);
}

class Game {
 public:
  explicit Game(const Settings& settings) : m_settings(settings) {
    for (long i = 0; i < settings.busy; ++i) m_others.push_back(beside([] { work(kMs); }));
    if (settings.cause == "hog") startHog();
    if (settings.cause == "device") startDevice();
    if (settings.cause == "disk") writeFile(settings.pages);
    if (settings.cause == "pause") {
      sem_init(&stopped, 0, 0);
      sem_init(&released, 0, 0);
      std::signal(SIGUSR1, stopHere);
    }
    pthread_t other{};
    if (settings.cause == "offpath" || settings.cause == "streamed" || settings.bystander != 0)
      pthread_create(&other, nullptr, touchAllTheTime, nullptr);
  }
  ~Game() {
    for (const pid_t other : m_others) {
      kill(other, SIGKILL);
      waitpid(other, nullptr, 0);
    }
  }
  Game(const Game&) = delete;
  Game& operator=(const Game&) = delete;

  void run() {
    using Plant = void (Game::*)();
    const std::map<std::string, Plant> plants{
        {"faults", &Game::faults},     {"blocks", &Game::blocks},   {"work", &Game::moreWork},
        {"sleep", &Game::sleep},       {"hog", &Game::hog},         {"offpath", &Game::moreWork},
        {"streamed", &Game::sleep},    {"workers", &Game::workers}, {"populate", &Game::populate},
        {"teardown", &Game::teardown}, {"mutex", &Game::mutex},     {"condition", &Game::condition},
        {"queue", &Game::queue},       {"reads", &Game::reads},     {"shared", &Game::shared},
        {"pause", &Game::pause},       {"device", &Game::device},   {"mappings", &Game::mappings},
        {"mixed", &Game::mixed},       {"disk", &Game::disk}};
    const auto plant = plants.find(m_settings.cause);
    const std::int64_t period = m_settings.display > 0 ? 1'000 * kMs / m_settings.display : 0;
    PlantedTruth truth(period);
    std::int64_t slot = now(CLOCK_MONOTONIC);
    m_frame.begin = slot;
    std::int64_t ran = now(CLOCK_THREAD_CPUTIME_ID);
    for (long number = 1; number <= m_settings.frames; ++number) {
      work(m_settings.work);
      if (m_settings.usual > 0) {
        m_frame.usual = timed([&] { m_usual.add(m_settings.usual); });
        m_usual.giveBack(1);
      }
      if (number % m_settings.every == 0 && plant != plants.end()) (this->*plant->second)();
      else betweenPlants(number);
      m_frame.worked = now(CLOCK_MONOTONIC);
      if (period > 0) {
        m_frame.due = slot + period;
        while (slot <= m_frame.worked) slot += period;
        m_frame.asleep = timed([&] { sleepUntil(slot); });
      }
      // The kernel stops a thread that has used up its time slice in the call for the first: before the frame's end.
      const std::int64_t ranUntil = now(CLOCK_THREAD_CPUTIME_ID);
      m_frame.end = now(CLOCK_MONOTONIC);
      faultline_frame("render");
      m_frame.cpu = ranUntil - std::exchange(ran, ranUntil);
      truth.add(m_frame);
      const std::int64_t end = m_frame.end;
      m_frame = TrueFrame();
      m_frame.begin = end;
    }
    if (!m_settings.truth.empty()) truth.write(m_settings.truth);
  }

 private:
  void faults() {
    if (m_settings.plant > 0) {
      m_frame.faults += timed([&] { m_memory.touchFor(m_settings.plant); });
      return;
    }
    m_frame.faults += timed([&] { m_memory.add(m_settings.pages); });
    m_frame.teardown += timed([&] { m_memory.giveBack(1); });
  }
  void reads() {
    m_frame.faults += timed([&] { m_memory.read(m_settings.pages); });
  }
  void shared() {
    m_frame.faults += timed([&] { m_memory.share(m_settings.pages); });
  }
  void blocks() {
    auto* const block =
        static_cast<volatile char*>(std::malloc(static_cast<std::size_t>(m_settings.pages * kPageBytes)));
    for (long page = 0; page < m_settings.pages; ++page) block[page * kPageBytes] = 1;
    std::free(const_cast<char*>(block));
  }
  void moreWork() { work(m_settings.plant); }
  void sleep() { usleep(static_cast<useconds_t>(m_settings.plant / 1'000)); }
  void hog() {
    m_asked->store(1);
    work(3 * kMs);
  }
  void populate() {
    m_frame.faults += timed([&] { m_memory.populateFor(m_settings.plant, m_settings.pages); });
  }
  void teardown() {
    m_frame.teardown += timed([&] { m_memory.giveBack(m_memory.pieces()); });
  }
  void job() {
    if (m_settings.job == "work") moreWork();
    else if (m_settings.job == "teardown") teardown();
    else if (m_settings.job == "mixed") mixed();
    else faults();
  }
  void mixed() {
    work(m_settings.plant / 2);
    m_frame.faults += timed([&] { m_memory.touchFor(m_settings.plant / 2); });
  }
  // Waiting for the disk is the faults' own time.
  void disk() {
    m_memory.giveBack(m_memory.pieces());
    forgetFile();
    Took took = timed([&] { m_memory.load(m_settings.pages); });
    took.cpu = took.wall;
    m_frame.faults += took;
  }
  void pause() {
    const pthread_t stops = pthread_self();
    std::thread collector([this, stops] {
      pthread_kill(stops, SIGUSR1);
      sem_wait(&stopped);
      job();
      sem_post(&released);
    });
    collector.join();
  }
  void device() {
    char byte = 0;
    if (write(m_asks, &byte, 1) != 1 || read(m_answers, &byte, 1) != 1) _exit(7);
  }
  void mappings() {
    std::atomic<bool> begun = false;
    std::thread holder([&] {
      begun = true;
      teardown();
    });
    while (!begun) {
    }
    usleep(300);
    Memory one;
    one.add(1);
    holder.join();
    one.giveBack(1);
  }
  void workers() {
    std::thread worker([this] { job(); });
    worker.join();
  }
  void mutex() {
    std::mutex lock;
    std::atomic<bool> locked = false;
    std::thread holder([&] {
      const std::scoped_lock hold(lock);
      locked = true;
      job();
    });
    while (!locked) usleep(20);
    {
      const std::scoped_lock wait(lock);
    }
    holder.join();
  }
  void condition() {
    Done done;
    std::thread worker([&] {
      job();
      done.tell();
    });
    done.wait();
    worker.join();
  }
  void queue() {
    Done first, second;
    std::thread worker([&] {
      job();
      first.tell();
    });
    std::thread between([&] {
      first.wait();
      second.tell();
    });
    second.wait();
    worker.join();
    between.join();
  }

  // A cause's memory is given back in equal parts until the next one; the memory that a cause needs is taken right
  // before.
  void betweenPlants(long number) {
    if (m_settings.cause == "teardown" || m_settings.cause == "mappings" || m_settings.job == "teardown") {
      if (number % m_settings.every == m_settings.every - 1)
        m_frame.faults += timed([&] { m_memory.populateFor(0, 8 * m_settings.pages); });
      return;
    }
    const auto left = static_cast<std::size_t>(m_settings.every - number % m_settings.every);
    if (m_memory.pieces() > 0)
      m_frame.teardown += timed([&] { m_memory.giveBack((m_memory.pieces() + left - 1) / left); });
  }

  static void* touchAllTheTime(void*) {
    for (Memory memory;; memory.giveBack(1)) memory.add(kFewPages);
    return nullptr;
  }

  // A process that answers `plant` ms after it was asked.
  void startDevice() {
    int asks[2], answers[2];
    if (pipe2(asks, O_CLOEXEC) != 0 || pipe2(answers, O_CLOEXEC) != 0) _exit(7);
    m_asks = asks[1];
    m_answers = answers[0];
    m_others.push_back(beside([this, from = asks[0], to = answers[1]] {
      char byte = 0;
      if (read(from, &byte, 1) != 1) _exit(0);
      sleep();
      if (write(to, &byte, 1) != 1) _exit(0);
    }));
  }

  // A process on the same processor that takes it when it is asked to, before everybody else.
  void startHog() {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    m_asked = static_cast<std::atomic<int>*>(
        mmap(nullptr, static_cast<std::size_t>(kPageBytes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    m_others.push_back(beside([&] {
      const sched_param highest{.sched_priority = 1};
      if (sched_setscheduler(0, SCHED_FIFO, &highest) != 0) _exit(4);
      if (m_asked->exchange(0) != 0) work(m_settings.plant);
      usleep(500);
    }));
  }

  const Settings& m_settings;
  std::vector<pid_t> m_others;
  std::atomic<int>* m_asked = nullptr;
  int m_asks = -1;
  int m_answers = -1;
  Memory m_memory, m_usual;
  TrueFrame m_frame;
};

}  // namespace

int main(int argc, char** argv) {
  const Settings settings = parse(argc, argv);
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  Game(settings).run();
  return 0;
}
