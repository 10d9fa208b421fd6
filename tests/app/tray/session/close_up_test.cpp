#include "app/tray/session/close_up.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/app/tray/fake_collector.h"
#include "tests/app/tray/wait_until.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr ProcessKey kWorker{100, 5};
constexpr ProcessKey kBrief{7, 9};

// Half a second apart: worker has 1000 faults in each, 5000 in one of a hundred; another process lives for ten of them.
QByteArray streamOf(unsigned snapshots, unsigned processes, unsigned briefFrom) {
  Encoder encoder;
  QByteArray bytes;
  const auto append = appenderTo(bytes);
  append(encoder.hello(testHello()));
  for (unsigned i = 0; i < snapshots; ++i) {
    Snapshot snapshot = testSnapshot(i, processes);
    snapshot.processes[0].values.set(ProcessMetric::MinorFaults,
                                     std::uint64_t{1000} * i + std::uint64_t{4000} * (i / 100));
    if (i >= briefFrom && i < briefFrom + 10) {
      ProcessSample brief;
      brief.key = kBrief;
      brief.name = "brief";
      brief.values.set(ProcessMetric::MinorFaults, i);
      snapshot.processes.insert(snapshot.processes.begin(), brief);
    }
    append(encoder.snapshot(snapshot));
  }
  append(encoder.end());
  return bytes;
}

struct CloseUpFixture {
  void open(const QByteArray& stream) { session.openRecording(folder.write("long.faultline", stream)); }
  void setData() {
    const History& history = session.monitor().history();
    view.setData(*history.oldest(), *history.newest());
  }
  [[nodiscard]] const History& history() const { return session.monitor().history(); }
  [[nodiscard]] std::size_t buckets(MonotonicTime from, MonotonicTime to) const {
    return history().total(ProcessMetric::MinorFaults, from, to, 1000).size();
  }
  [[nodiscard]] bool closeUp() {
    return waitUntil([&] { return history().hasCloseUp(); });
  }

  TestFolder folder;
  Session session{Settings(), nullptr, folder.path()};
  TimeView view;
  CloseUp closer{session, view};
};

MonotonicTime at(unsigned snapshot) {
  return testSnapshot(snapshot).time;
}

}  // namespace

TEST_CASE("Where a view is short, every snapshot of a recording is read, however old") {
  CloseUpFixture f;
  f.open(streamOf(9000, 1, 2010));  // 75 minutes
  REQUIRE(waitUntil([&] { return f.session.state() == Session::State::Replay; }));
  f.setData();
  f.view.setSpan(20s);
  f.view.standAt(at(2020));
  CHECK(f.buckets(at(2000), at(2040)) < 6);
  REQUIRE(f.closeUp());
  CHECK(f.buckets(at(2000), at(2040)) == 41);
  CHECK(f.history().totalAt(ProcessMetric::MinorFaults, at(2000)) == 10'000.F);
  CHECK(f.history().totalAt(ProcessMetric::MinorFaults, at(2001)) == 2000.F);
  CHECK(f.history().aliveAt(at(2008)) == std::vector{kWorker});
  CHECK(f.history().aliveAt(at(2012)) == std::vector{kBrief, kWorker});
  CHECK(f.history().oldest() == at(0));
  f.view.standAt(at(120));  // elsewhere
  REQUIRE(waitUntil([&] { return f.buckets(at(110), at(130)) == 21; }));
}

TEST_CASE("What the session has in full is not read again, and what is wide is not read") {
  CloseUpFixture f;
  f.open(streamOf(9000, 1, 0));
  REQUIRE(waitUntil([&] { return f.session.state() == Session::State::Replay; }));
  f.setData();
  f.view.setSpan(60s);
  f.view.goLive();
  CHECK_FALSE(waitUntil([&] { return f.history().hasCloseUp(); }, 300));
  f.view.showAll();
  CHECK_FALSE(waitUntil([&] { return f.history().hasCloseUp(); }, 300));
}

TEST_CASE("A view of live data reads nothing, and going back forgets") {
  CloseUpFixture f;
  f.open(streamOf(9000, 1, 0));
  REQUIRE(waitUntil([&] { return f.session.state() == Session::State::Replay; }));
  f.setData();
  f.view.standAt(at(120));
  REQUIRE(f.closeUp());
  f.session.startLive();
  CHECK_FALSE(f.history().hasCloseUp());
  f.view.setSpan(10s);
  CHECK_FALSE(waitUntil([&] { return f.history().hasCloseUp(); }, 300));
}

TEST_CASE("While a long recording is read, a short view of it becomes exact, and stays so", "[slow]") {
  CloseUpFixture f;
  f.open(streamOf(20'000, 50, 8010));
  REQUIRE(waitUntil([&] { return f.session.averages().has_value(); }));
  f.view.setData(at(0), at(19'999));
  f.view.setSpan(20s);
  f.view.standAt(at(8020));
  REQUIRE(waitUntil([&] {
    f.view.setData(at(0), at(19'999));  // as the window does with each part that was read
    return f.buckets(at(8000), at(8040)) == 41;
  }));
  CHECK(f.history().totalAt(ProcessMetric::MinorFaults, at(8000)) == 49 * 2000.F + 10'000.F);
  CHECK(f.history().name(kBrief) == "brief");
  REQUIRE(waitUntil([&] { return f.session.state() == Session::State::Replay; }));
  CHECK(f.history().hasCloseUp());  // stays
  CHECK(f.buckets(at(8000), at(8040)) == 41);
}

}  // namespace faultline
